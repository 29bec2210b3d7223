import { zoneOffsets } from '@belvedere/query';
import { quoteWith, timeText, type Dialect } from '../../dialect.ts';
import { mysqlCast } from './mysql-cast.ts';
import { mysqlFunctions } from './mysql-functions.ts';
import { mysqlText } from './mysql-text.ts';
import { truncated, unitsBetween } from './mysql-times.ts';

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
  const texts = mysqlText(collation);
  return {
    name: 'mysql',
    quote: quoteWith('"'),
    text: texts.literal,
    boolean: String,
    time: ms => `timestamp'${timeText(ms)}'`,
    column: (reference, type) =>
      type === 'text' || type === 'other' ? `(${texts.asText(reference)})` : reference,
    ordered: value => value,
    double: value => `cast(${value} as double)`,
    // The column may be unsigned, and unsigned arithmetic fails for negative results. Decimals hold all of
    // its values and their sums.
    whole: value => `cast(${value} as decimal(30))`,
    small: value => `cast(${value} as signed)`,
    cast: mysqlCast(texts),
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
    unitsBetween,
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
    functions: mysqlFunctions(texts),
  };
}
