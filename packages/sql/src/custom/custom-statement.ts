import type { Dialect } from '../dialect.ts';
import type { Statement } from '../write-sql.ts';
import { customTable, readCustomQuery } from './custom-query.ts';

/** SQL that a person wrote, as a statement of its own. @throws SqlError */
export function customStatement(sql: string, { name }: Dialect): Statement {
  if (name === 'duckdb') return { text: sql, parameters: [] };
  const { text, calls } = readCustomQuery(sql, name);
  // In brackets, PostgreSQL takes nothing but a query, and keeps its order. MySQL forgets the order, and wants names that differ.
  return {
    text: name === 'postgres' ? `select * from (${text}) as custom` : text,
    parameters: [],
    custom: calls,
  };
}

/** Asks what columns SQL that a person wrote has; it gives no rows. @throws SqlError */
export function describingStatement(sql: string, { name }: Dialect): Statement {
  const { text, calls } = customTable(sql, name);
  return {
    text: `select * from ${text} as described limit 0`,
    parameters: [],
    ...(calls && { custom: calls }),
  };
}
