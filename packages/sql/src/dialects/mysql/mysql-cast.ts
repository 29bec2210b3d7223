import {
  datePattern,
  falsehoods,
  numberPattern,
  timePattern,
  truths,
  wholePattern,
  type Dialect,
} from '../../dialect.ts';
import type { MysqlText } from './mysql-text.ts';

/** Casts of a dialect whose texts have a collation. A text that cannot be cast becomes null. */
export function mysqlCast({ asText, literal }: MysqlText): Dialect['cast'] {
  return (value, from, to) => {
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
          return `case when ${value} then ${literal('true')} when not ${value} then ${literal('false')} end`;
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
  };
}
