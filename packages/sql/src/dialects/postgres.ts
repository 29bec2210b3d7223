import {
  datePattern,
  falsehoods,
  isDay,
  numberPattern,
  quoteWith,
  timePattern,
  timeText,
  truths,
  wholePattern,
  type Dialect,
} from '../dialect.ts';
import { roundedAwayFromZero } from './rounding.ts';

/**
 * PostgreSQL 12 and newer. ICU, which every common build has, provides the case of non-ASCII letters, because
 * the database's own locale may not.
 */
export const postgres: Dialect = {
  name: 'postgres',
  quote: quoteWith('"'),
  placeholder: number => `$${number}::text`,
  text: value => `'${value.replaceAll("'", "''")}'`,
  boolean: String,
  time: ms => `timestamp '${timeText(ms)}'`,
  column: (reference, type) => {
    if (type === 'number')
      return `case when ${reference}::float8 not in ('NaN', 'Infinity', '-Infinity') then ${reference}::float8 end`;
    if (type === 'decimal') return `nullif(${reference}, 'NaN')`;
    return type === 'text' || type === 'other' ? `${reference}::text` : reference;
  },
  ordered: text => `(${text}) collate "C"`,
  double: value => `(${value})::float8`,
  // The type of a sum is wider already.
  whole: (value, isColumn) => (isColumn ? `(${value})::bigint` : value),
  small: value => `(${value})::int`,
  cast: (value, from, to) => {
    const guarded = (pattern: string, cast: string) => `case when ${value} ~ '${pattern}' then ${cast} end`;
    const fits = (number: string) =>
      `case when ${number} between -9223372036854775808 and 9223372036854775807 then (${number})::bigint end`;
    switch (to) {
      case 'integer':
      case 'bigint':
        if (from === 'text')
          return `case when ${value} ~ '${wholePattern}' then (${value})::bigint when ${value} ~ '${numberPattern}' then ${fits(`round((${value})::numeric)`)} end`;
        if (from === 'boolean') return `(${value})::int`;
        return from === 'integer' ? `(${value})` : fits(`round((${value})::numeric)`);
      case 'double':
        return from === 'text' ? guarded(numberPattern, `(${value})::float8`) : `(${value})::float8`;
      case 'decimal':
        return from === 'text'
          ? guarded(numberPattern, `(${value})::numeric(38, 10)`)
          : `(${value})::numeric(38, 10)`;
      case 'text':
      case 'varchar':
        if (from === 'decimal')
          return `case when (${value})::text like '%.%' then rtrim(rtrim((${value})::text, '0'), '.') else (${value})::text end`;
        return from === 'time' || from === 'instant'
          ? `to_char(${value}, 'YYYY-MM-DD HH24:MI:SS')`
          : from === 'date'
            ? `to_char(${value}, 'YYYY-MM-DD')`
            : `(${value})::text`;
      case 'date':
        return from === 'text' ? asDate(value) : `(${value})::date`;
      case 'timestamp':
        return from === 'text' ? asDate(value, 'timestamp') : `(${value})::timestamp`;
      case 'boolean':
        if (from === 'text')
          return `case when lower(trim(${value})) in (${truths}) then true when lower(trim(${value})) in (${falsehoods}) then false end`;
        return from === 'integer' ? `(${value} <> 0)` : `(${value})::boolean`;
    }
  },
  remainder: (left, right, isWhole) =>
    isWhole
      ? `mod(${left}, nullif(${right}, 0))`
      : `(${left} - ${right} * trunc(${left} / nullif(${right}, 0)))`,
  concatenate: (left, right) => `(${left} || ${right})`,
  comparesExact: true,
  all: conditions => `(${conditions.join(' and ')})`,
  any: conditions => `(${conditions.join(' or ')})`,
  not: condition => `(not ${condition})`,
  grouped: value => value,
  like: (text, pattern) => `(${text} like ${pattern} escape '')`,
  containsAnyCase: (text, part) =>
    `(strpos(lower((${text}) collate "und-x-icu"), lower((${part}) collate "und-x-icu")) > 0)`,
  local: (instant, zone) => `((${instant}) at time zone '${zone}')`,
  truncate: (unit, time) => `date_trunc('${unit}', (${time})::timestamp)`,
  unitsBetween: (unit, from, to) => {
    const start = (time: string) => `date_trunc('${unit}', (${time})::timestamp)`;
    switch (unit) {
      case 'day':
        return `((${to})::date - (${from})::date)`;
      case 'week':
        return `((${start(to)}::date - ${start(from)}::date) / 7)`;
      case 'month':
      case 'quarter':
      case 'year': {
        const months = (time: string) =>
          `(extract(year from ${start(time)}) * 12 + extract(month from ${start(time)}))`;
        return `((${months(to)} - ${months(from)}) / ${unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12})::int`;
      }
      default:
        return `(extract(epoch from ${start(to)} - ${start(from)}) / ${unit === 'hour' ? 3600 : unit === 'minute' ? 60 : 1})::bigint`;
    }
  },
  add: (unit, count, time) =>
    `((${time})::timestamp + (${count})::int * interval '${unit === 'quarter' ? '3 months' : `1 ${unit}`}')`,
  positionIn: (value, list, type) =>
    `(array_position(array[${list.map(item => item ?? 'null').join(', ')}]::${arrayType[type]}[], ${type === 'number' ? `(${value})::float8` : type === 'integer' ? `(${value})::bigint` : type === 'decimal' ? `(${value})::numeric` : isTimeType(type) ? `(${value})::timestamp` : value}) - 1)`,
  hasFilterClause: true,
  order: (column, isDescending) => `${column} ${isDescending ? 'desc' : 'asc'} nulls last`,
  joins: 'flat',
  functions: {
    min: ([value], [type]) => `${type === 'boolean' ? 'bool_and' : 'min'}(${value})`,
    max: ([value], [type]) => `${type === 'boolean' ? 'bool_or' : 'max'}(${value})`,
    avg: ([value]) => `avg((${value})::float8)`,
    median: ([value]) => `percentile_cont(0.5) within group (order by (${value})::float8)`,
    quantile: ([value, share]) => `percentile_cont(${share}) within group (order by (${value})::float8)`,
    stddev: ([value]) => `stddev_samp((${value})::float8)`,
    stddev_pop: ([value]) => `stddev_pop((${value})::float8)`,
    variance: ([value]) => `var_samp((${value})::float8)`,
    var_pop: ([value]) => `var_pop((${value})::float8)`,
    bool_and: ([condition]) => `bool_and(${condition})`,
    bool_or: ([condition]) => `bool_or(${condition})`,
    round: ([value, digits]) =>
      roundedAwayFromZero(`(${value})::float8`, digits, 'power(10::float8, ', shifted => `sign(${shifted})`),
    floor: ([value]) => `floor((${value})::float8)`,
    ceil: ([value]) => `ceil((${value})::float8)`,
    trunc: ([value]) => `trunc((${value})::float8)`,
    power: ([value, exponent]) => `power((${value})::float8, (${exponent})::float8)`,
    sqrt: ([value]) => `sqrt((${value})::float8)`,
    cbrt: ([value]) => `cbrt((${value})::float8)`,
    exp: ([value]) => `exp((${value})::float8)`,
    ln: ([value]) => `ln((${value})::float8)`,
    log10: ([value]) => `log((${value})::float8)`,
    log2: ([value]) => `(ln((${value})::float8) / ln(2::float8))`,
    atan2: ([y, x]) => `atan2((${y})::float8, (${x})::float8)`,
    lower: ([text]) => `lower((${text}) collate "und-x-icu") collate "C"`,
    upper: ([text]) => `upper((${text}) collate "und-x-icu") collate "C"`,
    length: ([text]) => `char_length(${text})`,
    left: ([text, count]) => `left(${text}, greatest(${count}, 0)::int)`,
    right: ([text, count]) => `right(${text}, greatest(${count}, 0)::int)`,
    substring: ([text, start, count]) =>
      `substr(${text}, (${start})::int${count === undefined ? '' : `, greatest(${count}, 0)::int`})`,
    position: ([text, part]) => `strpos(${text}, ${part})`,
    lpad: ([text, length, filling]) => `lpad(${text}, (${length})::int, ${filling})`,
    rpad: ([text, length, filling]) => `rpad(${text}, (${length})::int, ${filling})`,
    repeat: ([text, times]) => `repeat(${text}, least(greatest(${times}, 0), 10000)::int)`,
    split_part: ([text, separator, place]) => `split_part(${text}, ${separator}, (${place})::int)`,
    ...parts({
      year: 'year',
      quarter: 'quarter',
      month: 'month',
      week: 'week',
      isoyear: 'isoyear',
      day: 'day',
      isodow: 'isodow',
      dayofyear: 'doy',
      hour: 'hour',
      minute: 'minute',
    }),
    second: ([time]) => `floor(extract(second from (${time})::timestamp))::int`,
    date: ([time]) => `(${time})::date`,
    make_date: ([year, month, day]) =>
      `case when ${isDay(`(${year})`, `(${month})`, `(${day})`)} then make_date((${year})::int, (${month})::int, (${day})::int) end`,
    weekday_name: ([time]) => `to_char((${time})::timestamp, 'FMDay')`,
    month_name: ([time]) => `to_char((${time})::timestamp, 'FMMonth')`,
    epoch: ([time]) => `floor(extract(epoch from (${time})::timestamp))::bigint`,
    from_epoch: ([seconds]) => `(timestamp '1970-01-01' + floor((${seconds})::float8) * interval '1 second')`,
  },
};

const arrayType = {
  text: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  number: 'float8',
  boolean: 'boolean',
  date: 'timestamp',
  time: 'timestamp',
  instant: 'timestamp',
  other: 'text',
} as const;
const isTimeType = (type: string) => type === 'date' || type === 'time' || type === 'instant';

function parts(names: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(names).map(([name, part]) => [
      name,
      ([time]: readonly string[]) => `extract(${part} from (${time})::timestamp)::int`,
    ]),
  );
}

/** A text as a date or time, null if it is invalid. PostgreSQL has no cast that returns null on errors. */
function asDate(text: string, to: 'date' | 'timestamp' = 'date'): string {
  const part = (from: number, count: number) => `substr(${text}, ${from}, ${count})::int`;
  return `case when ${text} ~ '${datePattern}${timePattern}' then case when ${isDay(part(1, 4), part(6, 2), part(9, 2))} then ${to === 'date' ? `substr(${text}, 1, 10)::date` : `(${text})::timestamp`} end end`;
}
