import { zoneOffsets } from '@belvedere/query';
import type { FunctionUnit } from '@belvedere/model';
import {
  datePattern,
  falsehoods,
  isDay,
  months,
  numberPattern,
  quoteWith,
  timePattern,
  timeText,
  truths,
  weekdays,
  wholePattern,
  type Dialect,
} from '../dialect.ts';
import { roundedAwayFromZero } from './rounding.ts';

/** The session settings that every statement of this dialect requires. */
export const mysqlSession =
  "set session sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,NO_UNSIGNED_SUBTRACTION', time_zone = '+00:00'";

const mysqlCollation = 'utf8mb4_0900_bin';

/**
 * MySQL 8 and newer, MariaDB 10.5 and newer. They differ in the name of the collation that compares bytes
 * without padding blanks.
 */
export const mysql = mysqlItself(dialectWith(mysqlCollation));
export const mariadb = dialectWith('utf8mb4_nopad_bin');

function mysqlItself(dialect: Dialect): Dialect {
  // MySQL 9 reserves too little space for the result of `replace` as a group key and cuts longer results. The
  // cast declares a sufficient length (the longest text in 16 MiB).
  const replace: Dialect['functions'][string] = ([value, what, by]) =>
    `cast(replace(${value}, ${what}, ${by}) as char(4194303)) collate ${mysqlCollation}`;
  return { ...dialect, functions: { ...dialect.functions, replace } };
}

function dialectWith(collation: string): Dialect {
  const asText = (value: string) => `convert(${value} using utf8mb4) collate ${collation}`;
  // In any SQL mode for quotes and backslashes, these characters are literal.
  const text = (value: string) =>
    /^[\p{L}\p{N} _.,:;@/+%-]*$/u.test(value)
      ? `'${value}' collate ${collation}`
      : `(${asText(`x'${hexOf(value)}'`)})`;
  const truncated = (unit: FunctionUnit, time: string) => {
    switch (unit) {
      case 'year':
        return `cast(makedate(year(${time}), 1) as datetime)`;
      case 'quarter':
        return `cast(makedate(year(${time}), 1) + interval (quarter(${time}) - 1) quarter as datetime)`;
      case 'month':
        return `cast(date_format(${time}, '%Y-%m-01') as datetime)`;
      case 'week':
        return `cast(date(${time}) - interval weekday(${time}) day as datetime)`;
      case 'day':
        return `cast(date(${time}) as datetime)`;
      case 'hour':
        return `cast(date_format(${time}, '%Y-%m-%d %H:00:00') as datetime)`;
      case 'minute':
        return `cast(date_format(${time}, '%Y-%m-%d %H:%i:00') as datetime)`;
      case 'second':
        return `cast(date_format(${time}, '%Y-%m-%d %H:%i:%s') as datetime)`;
    }
  };
  return {
    name: 'mysql',
    quote: quoteWith('"'),
    text,
    boolean: String,
    time: ms => `timestamp'${timeText(ms)}'`,
    column: (reference, type) => (type === 'text' || type === 'other' ? `(${asText(reference)})` : reference),
    ordered: value => value,
    double: value => `cast(${value} as double)`,
    // The column may be unsigned, and unsigned arithmetic fails for negative results. Decimals hold all of
    // its values and their sums.
    whole: value => `cast(${value} as decimal(30))`,
    small: value => `cast(${value} as signed)`,
    cast: (value, from, to) => {
      const guarded = (pattern: string, cast: string) =>
        `case when ${value} regexp '${pattern}' then ${cast} end`;
      const rounded = (number: string) =>
        `case when ${number} between -9223372036854775808 and 9223372036854775807 then cast(round(${number}) as signed) end`;
      switch (to) {
        case 'integer':
        case 'bigint':
          if (from === 'text')
            return `case when ${value} regexp '${wholePattern}' then cast(trim(${value}) as signed) when ${value} regexp '${numberPattern}' then ${rounded(`cast(cast(trim(${value}) as double) as decimal(65, 10))`)} end`;
          return from === 'integer' || from === 'boolean'
            ? `cast(${value} as signed)`
            : rounded(`cast(${value} as decimal(65, 10))`);
        case 'double':
          return from === 'text'
            ? guarded(numberPattern, `cast(trim(${value}) as double)`)
            : `cast(${value} as double)`;
        case 'decimal':
          return from === 'text'
            ? guarded(numberPattern, `cast(trim(${value}) as decimal(38, 10))`)
            : `cast(${value} as decimal(38, 10))`;
        case 'text':
        case 'varchar':
          if (from === 'text' || from === 'null') return value;
          if (from === 'boolean')
            return `case when ${value} then ${text('true')} when not ${value} then ${text('false')} end`;
          // Not as `char`: MySQL 9 treats concatenations with such digits as Latin-1 text in a group key.
          if (from === 'decimal')
            return `case when locate('.', ${value}) > 0 then ${asText(`trim(trailing '.' from trim(trailing '0' from cast(${value} as binary)))`)} else ${asText(`cast(${value} as binary)`)} end`;
          return asText(
            from === 'date'
              ? `date_format(${value}, '%Y-%m-%d')`
              : from === 'time' || from === 'instant'
                ? `date_format(${value}, '%Y-%m-%d %H:%i:%s')`
                : `cast(${value} as binary)`,
          );
        case 'date':
          return from === 'text'
            ? guarded(datePattern + timePattern, `cast(left(${value}, 10) as date)`)
            : `cast(${value} as date)`;
        case 'timestamp':
          return from === 'text'
            ? guarded(datePattern + timePattern, `cast(replace(${value}, 'T', ' ') as datetime(6))`)
            : `cast(${value} as datetime(6))`;
        case 'boolean':
          return from === 'text'
            ? `case when lower(trim(${value})) in (${truths}) then true when lower(trim(${value})) in (${falsehoods}) then false end`
            : `(${value} <> 0)`;
      }
    },
    remainder: (left, right) => `(${left} % nullif(${right}, 0))`,
    concatenate: (left, right) => `concat(${left}, ${right})`,
    comparesExact: true,
    all: conditions => `(${conditions.join(' and ')})`,
    any: conditions => `(${conditions.join(' or ')})`,
    not: condition => `(not ${condition})`,
    // MySQL 9 groups 0 and -0 separately.
    grouped: (value, type, madeOf) =>
      type === 'number' && madeOf !== 'nothing' ? `(${value} + 0e0)` : value,
    // There must be an escape character; the default is the backslash.
    like: (value, pattern) => `(${value} like replace(${pattern}, '|', '||') escape '|')`,
    containsAnyCase: (value, part) => `(locate(lower(${part}), lower(${value})) > 0)`,
    // MySQL's own zone table is empty by default, and `convert_tz` then returns null.
    local: (instant, zone) => {
      const { first, changes } = zoneOffsets(zone);
      if (changes.length === 0) return first === 0 ? instant : `(${instant} + interval ${first} second)`;
      const seconds = `timestampdiff(second, timestamp'1970-01-01 00:00:00', ${instant})`;
      return `(${instant} + interval elt(1 + interval(${seconds}, ${changes.map(change => change.at).join(', ')}), ${[first, ...changes.map(change => change.offset)].join(', ')}) second)`;
    },
    truncate: truncated,
    unitsBetween: (unit, from, to) => {
      const months = (time: string) => `(year(${time}) * 12 + month(${time}))`;
      const quarters = (time: string) => `(year(${time}) * 4 + quarter(${time}))`;
      switch (unit) {
        case 'year':
          return `(year(${to}) - year(${from}))`;
        case 'quarter':
          return `(${quarters(to)} - ${quarters(from)})`;
        case 'month':
          return `(${months(to)} - ${months(from)})`;
        case 'week':
          return `cast((datediff(${to}, ${from}) - weekday(${to}) + weekday(${from})) / 7 as signed)`;
        case 'day':
          return `datediff(${to}, ${from})`;
        default:
          return `timestampdiff(${unit}, ${truncated(unit, from)}, ${truncated(unit, to)})`;
      }
    },
    add: (unit, count, time) =>
      `cast(cast(${time} as datetime(6)) + interval (${count}) ${unit} as datetime(6))`,
    positionIn: (value, list) => {
      const known = list.map(item => item ?? 'null');
      return known.length === 0 ? 'null' : `(nullif(field(${value}, ${known.join(', ')}), 0) - 1)`;
    },
    hasFilterClause: false,
    quantileOfNumbered: (value, share, place, count) => {
      const wanted = `(${share} * (${count} - 1))`;
      const at = (end: 'floor' | 'ceil') =>
        `max(case when ${place} = ${count} - ${end}(${wanted}) then cast(${value} as double) end)`;
      return `(${at('floor')} + (${at('ceil')} - ${at('floor')}) * max(${wanted} - floor(${wanted})))`;
    },
    // Here an alias may be used alone, but not inside an expression if it is an aggregate.
    order: (column, isDescending, expression) =>
      `${expression} is null, ${column} ${isDescending ? 'desc' : 'asc'}`,
    alias: index => `belvedere_${index}`,
    joins: 'flat',
    functions: {
      avg: ([value]) => `avg(cast(${value} as double))`,
      stddev: ([value]) => `stddev_samp(cast(${value} as double))`,
      stddev_pop: ([value]) => `stddev_pop(cast(${value} as double))`,
      variance: ([value]) => `var_samp(cast(${value} as double))`,
      var_pop: ([value]) => `var_pop(cast(${value} as double))`,
      round: ([value, digits]) =>
        roundedAwayFromZero(`cast(${value} as double)`, digits, 'pow(10, ', shifted => `sign(${shifted})`),
      floor: ([value]) => `floor(cast(${value} as double))`,
      ceil: ([value]) => `ceil(cast(${value} as double))`,
      trunc: ([value]) => `truncate(cast(${value} as double), 0)`,
      power: ([value, exponent]) => `pow(${value}, ${exponent})`,
      cbrt: ([value]) => `(sign(${value}) * pow(abs(${value}), 1e0 / 3))`,
      greatest: args =>
        args.reduce(
          (sofar, arg) =>
            `case when ${sofar} is null then ${arg} when ${arg} is null then ${sofar} else greatest(${sofar}, ${arg}) end`,
        ),
      least: args =>
        args.reduce(
          (sofar, arg) =>
            `case when ${sofar} is null then ${arg} when ${arg} is null then ${sofar} else least(${sofar}, ${arg}) end`,
        ),
      pi: () => '3.141592653589793e0',
      length: ([value]) => `char_length(${value})`,
      position: ([value, part]) => `locate(${part}, ${value})`,
      concat: args => `concat(${args.map(arg => `coalesce(${arg}, '')`).join(', ')})`,
      repeat: ([value, times]) => `repeat(${value}, least(greatest(${times}, 0), 10000))`,
      split_part: ([value, separator, place]) =>
        `case when ${place} > 1 + (char_length(${value}) - char_length(replace(${value}, ${separator}, ''))) / char_length(${separator}) then '' else substring_index(substring_index(${value}, ${separator}, ${place}), ${separator}, -1) end`,
      // MySQL's own result is unsigned, which makes products with negative numbers fail.
      year: ([time]) => `cast(year(${time}) as signed)`,
      week: ([time]) => `week(${time}, 3)`,
      isoyear: ([time]) => `cast(floor(yearweek(${time}, 3) / 100) as signed)`,
      isodow: ([time]) => `(weekday(${time}) + 1)`,
      make_date: ([year, month, day]) =>
        `case when ${isDay(`(${year})`, `(${month})`, `(${day})`)} then cast(makedate(${year}, 1) + interval (${month} - 1) month + interval (${day} - 1) day as date) end`,
      weekday_name: ([time]) => `elt(weekday(${time}) + 1, ${weekdays.map(text).join(', ')})`,
      month_name: ([time]) => `elt(month(${time}), ${months.map(text).join(', ')})`,
      epoch: ([time]) =>
        `floor(timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', ${time}) / 1000000)`,
      from_epoch: ([seconds]) => `(timestamp'1970-01-01 00:00:00' + interval floor(${seconds}) second)`,
    },
  };
}

function hexOf(value: string): string {
  return [...new TextEncoder().encode(value)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
