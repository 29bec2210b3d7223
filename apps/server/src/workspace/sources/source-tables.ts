import type { ServerSource } from '@belvedere/document';
import { sampleRows, type DatabaseTable } from '@belvedere/engine';
import type { TableProfile } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { writeSql } from '@belvedere/sql';
import type { SourceEngine, SourceTable } from './source.ts';

const profiledRows = 5_000;
const profileMs = 10_000;

/** The tables that a source has now, under their names in models. Unchanged ones keep their profiles. */
export function sourceTables(
  source: ServerSource,
  tables: readonly DatabaseTable[],
  before: readonly SourceTable[],
): readonly SourceTable[] {
  const usualSchema = source.kind === 'postgres' ? 'public' : source.connection.database;
  const known = new Map(before.map(table => [table.called, table]));
  return tables.map(table => {
    const called = table.schema === usualSchema ? table.name : `${table.schema}.${table.name}`;
    const old = known.get(called);
    const isSame = old && JSON.stringify(old.columns) === JSON.stringify(table.columns);
    return { ...table, called, ...(isSame && old.profile && { profile: old.profile }) };
  });
}

/** Profiles a table from its first rows. @throws EngineError */
export async function profileTable(
  { engine, circuit }: SourceEngine,
  table: SourceTable,
): Promise<TableProfile> {
  const plan: Plan = {
    table: table.called,
    joins: {},
    zone: 'UTC',
    where: [],
    order: [],
    limit: profiledRows,
    columns: table.columns.map(({ name, type }, i) => ({
      name: `c${i}`,
      type: type === 'instant' ? 'time' : type,
      expression: { kind: 'model', expression: { kind: 'column', name, type } },
    })),
  };
  const statement = writeSql(plan, engine.dialect, () => engine.tableName(table.schema, table.name));
  const options = { as: 'values', timeoutMs: profileMs, maxRows: profiledRows } as const;
  const result = await circuit.run(() => engine.run(statement, options));
  return { ...sampleRows(table, result), name: table.called };
}
