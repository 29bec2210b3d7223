import { quoteWith, type Dialect } from '../dialect.ts';

export const duckdb: Dialect = {
  name: 'duckdb',
  quote: quoteWith('"'),
  placeholder: number => `$${number}`,
  // Only quotes need care: a backslash is itself, and a NUL cannot stand in a statement.
  text: value => `'${value.replaceAll("'", "''").replaceAll('\0', "' || chr(0) || '")}'`,
  time: ms => `TIMESTAMP '${new Date(ms).toISOString().slice(0, -1).replace('T', ' ')}'`,
  local: (instant, zone) => `timezone('${zone}', ${instant})`,
  truncate: (unit, time) => `date_trunc('${unit}', ${time})::TIMESTAMP`,
  unitsBetween: (unit, from, to) => `date_diff('${unit}', ${from}, ${to})`,
  positionIn: (text, list) => `(list_position([${list.join(', ')}], ${text}) - 1)`,
  castTypes: { integer: 'INTEGER', bigint: 'BIGINT', double: 'DOUBLE', decimal: 'DECIMAL(38, 10)', text: 'VARCHAR', varchar: 'VARCHAR', date: 'DATE', timestamp: 'TIMESTAMP', boolean: 'BOOLEAN' },
  double: value => `(${value})::DOUBLE`,
  functions: {
    quantile: ([value, share]) => `quantile_cont(${value}, ${share})`,
    stddev: ([value]) => `stddev_samp(${value})`,
    variance: ([value]) => `var_samp(${value})`,
    left: ([text, count]) => `substring(${text}, 1, ${count})`,
    date: ([time]) => `(${time})::DATE`,
    weekday_name: ([time]) => `dayname(${time})`,
    month_name: ([time]) => `monthname(${time})`,
    ln: ([value]) => `case when ${value} > 0 then ln(${value}) end`,
    log10: ([value]) => `case when ${value} > 0 then log10(${value}) end`,
    sqrt: ([value]) => `case when ${value} >= 0 then sqrt(${value}) end`,
  },
};
