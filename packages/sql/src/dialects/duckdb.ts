import {
  datePattern,
  falsehoods,
  isDay,
  numberPattern,
  quoteWith,
  timePattern,
  timeText,
  truths,
  type Dialect,
} from '../dialect.ts';

export const duckdb: Dialect = {
  name: 'duckdb',
  quote: quoteWith('"'),
  placeholder: number => `$${number}::VARCHAR`,
  // Only quotes are escaped: a backslash is literal, and a NUL cannot occur in a statement.
  text: value => `'${value.replaceAll("'", "''").replaceAll('\0', "' || chr(0) || '")}'`,
  boolean: String,
  time: ms => `TIMESTAMP '${timeText(ms)}'`,
  column: (reference, type) =>
    type === 'number' ? `case when isfinite(${reference}) then ${reference} end` : reference,
  ordered: text => text,
  double: value => `(${value})::DOUBLE`,
  // The type of a sum is wider already.
  whole: (value, isColumn) => (isColumn ? `(${value})::BIGINT` : value),
  small: value => `(${value})::INTEGER`,
  cast: (value, from, to) => {
    switch (to) {
      case 'integer':
      case 'bigint':
        if (from === 'text')
          return `case when regexp_matches(${value}, '${numberPattern}') then try_cast(trim(${value}) as BIGINT) end`;
        return `try_cast(${from === 'number' || from === 'decimal' ? `round(${value})` : value} as BIGINT)`;
      case 'double':
        return from === 'text'
          ? `case when regexp_matches(${value}, '${numberPattern}') then try_cast(trim(${value}) as DOUBLE) end`
          : `(${value})::DOUBLE`;
      case 'decimal':
        return from === 'text'
          ? `case when regexp_matches(${value}, '${numberPattern}') then try_cast(trim(${value}) as DECIMAL(38, 10)) end`
          : `try_cast(${value} as DECIMAL(38, 10))`;
      case 'text':
      case 'varchar':
        if (from === 'number') return `regexp_replace((${value})::VARCHAR, '\\.0$', '')`;
        if (from === 'decimal')
          return `case when contains((${value})::VARCHAR, '.') then rtrim(rtrim((${value})::VARCHAR, '0'), '.') else (${value})::VARCHAR end`;
        return from === 'time' || from === 'instant'
          ? `strftime(${value}, '%Y-%m-%d %H:%M:%S')`
          : `(${value})::VARCHAR`;
      case 'date':
        return from === 'text'
          ? `case when regexp_matches(${value}, '${datePattern}${timePattern}') then try_cast(left(${value}, 10) as DATE) end`
          : `(${value})::DATE`;
      case 'timestamp':
        return from === 'text'
          ? `case when regexp_matches(${value}, '${datePattern}${timePattern}') then try_cast(${value} as TIMESTAMP) end`
          : `(${value})::TIMESTAMP`;
      case 'boolean':
        if (from === 'text')
          return `case when lower(trim(${value})) in (${truths}) then true when lower(trim(${value})) in (${falsehoods}) then false end`;
        return from === 'integer' ? `(${value} <> 0)` : `(${value})::BOOLEAN`;
    }
  },
  remainder: (left, right) => `(${left} % nullif(${right}, 0))`,
  concatenate: (left, right) => `(${left} || ${right})`,
  comparesExact: true,
  all: conditions => `(${conditions.join(' and ')})`,
  any: conditions => `(${conditions.join(' or ')})`,
  not: condition => `(not ${condition})`,
  grouped: value => value,
  like: (text, pattern) => `(${text} like ${pattern})`,
  containsAnyCase: (text, part) => `contains(lower(${text}), lower(${part}))`,
  local: (instant, zone) => `timezone('${zone}', ${instant})`,
  truncate: (unit, time) => `date_trunc('${unit}', ${time})::TIMESTAMP`,
  // DuckDB's own difference in weeks is too small by one between some days.
  unitsBetween: (unit, from, to) =>
    unit === 'week'
      ? `(date_diff('day', date_trunc('week', ${from}), date_trunc('week', ${to})) // 7)`
      : `date_diff('${unit}', ${from}, ${to})`,
  add: (unit, count, time) => `((${time})::TIMESTAMP + to_${unit}s((${count})::BIGINT))`,
  positionIn: (value, list) =>
    `(list_position([${list.map(item => item ?? 'null').join(', ')}], ${value}) - 1)`,
  hasFilterClause: true,
  order: (column, isDescending) => `${column} ${isDescending ? 'desc' : 'asc'} nulls last`,
  joins: 'flat',
  functions: {
    quantile: ([value, share]) => `quantile_cont((${value})::DOUBLE, ${share})`,
    median: ([value]) => `median((${value})::DOUBLE)`,
    stddev: ([value]) => `stddev_samp(${value})`,
    variance: ([value]) => `var_samp(${value})`,
    trunc: ([value]) => `trunc((${value})::DOUBLE)`,
    round: ([value, digits]) =>
      digits === undefined ? `round((${value})::DOUBLE)` : `round((${value})::DOUBLE, (${digits})::INTEGER)`,
    floor: ([value]) => `floor((${value})::DOUBLE)`,
    ceil: ([value]) => `ceil((${value})::DOUBLE)`,
    left: ([text, count]) => `substring(${text}, 1, (${count})::INTEGER)`,
    right: ([text, count]) => `right(${text}, (${count})::INTEGER)`,
    substring: ([text, start, count]) =>
      `substring(${text}, (${start})::INTEGER${count === undefined ? '' : `, (${count})::INTEGER`})`,
    replace: ([text, what, by]) =>
      `case when ${what} = '' then ${text} else replace(${text}, ${what}, ${by}) end`,
    starts_with: ([text, beginning]) => `starts_with(${text}, ${beginning})`,
    ends_with: ([text, end]) => `ends_with(${text}, ${end})`,
    contains: ([text, part]) => `contains(${text}, ${part})`,
    position: ([text, part]) => `strpos(${text}, ${part})`,
    lpad: ([text, length, filling]) => `lpad(${text}, (${length})::INTEGER, ${filling})`,
    rpad: ([text, length, filling]) => `rpad(${text}, (${length})::INTEGER, ${filling})`,
    repeat: ([text, times]) => `repeat(${text}, least(greatest(${times}, 0), 10000)::BIGINT)`,
    split_part: ([text, separator, place]) => `split_part(${text}, ${separator}, (${place})::INTEGER)`,
    second: ([time]) => `second((${time})::TIMESTAMP)`,
    hour: ([time]) => `hour((${time})::TIMESTAMP)`,
    minute: ([time]) => `minute((${time})::TIMESTAMP)`,
    date: ([time]) => `(${time})::DATE`,
    make_date: ([year, month, day]) =>
      `case when ${isDay(year!, month!, day!)} then make_date((${year})::BIGINT, (${month})::BIGINT, (${day})::BIGINT) end`,
    epoch: ([time]) => `floor(epoch(${time}))::BIGINT`,
    from_epoch: ([seconds]) => `make_timestamp((floor(${seconds}) * 1000000)::BIGINT)`,
    last_day: ([time]) => `last_day(${time})`,
    weekday_name: ([time]) => `dayname(${time})`,
    month_name: ([time]) => `monthname(${time})`,
    sign: ([value]) => `sign(${value})`,
  },
};
