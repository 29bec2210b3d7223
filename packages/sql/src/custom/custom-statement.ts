import type { Dialect } from '../dialect.ts';
import type { Statement } from '../write-sql.ts';
import { customTable, readCustomQuery } from './custom-query.ts';

/** Custom SQL as a statement of its own. @throws SqlError */
export function customStatement(sql: string, { name }: Dialect): Statement {
  if (name === 'duckdb') return { text: sql, parameters: [] };
  const { text, calls } = readCustomQuery(sql, name);
  // In parentheses, PostgreSQL accepts only a query, and preserves its order. MySQL would lose the order and
  // require distinct column names.
  return {
    text: name === 'postgres' ? `select * from (${text}) as custom` : text,
    parameters: [],
    custom: calls,
  };
}

/** A statement that returns the columns of custom SQL and no rows. @throws SqlError */
export function describingStatement(sql: string, { name }: Dialect): Statement {
  const { text, calls } = customTable(sql, name);
  return {
    text: `select * from ${text} as described limit 0`,
    parameters: [],
    ...(calls && { custom: calls }),
  };
}
