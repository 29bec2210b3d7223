import type { StoredTable } from '@belvedere/engine';
import { joinedTables, type Model } from '@belvedere/model';
import { ProblemError } from '../../http/problems.ts';
import { dataVersionOf } from '../../workspace/sources/source.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Returns what changes with the data that a model reads. */
export function versionsOf(model: Model, workspace: Workspace): string[] {
  if (model.source !== 'files')
    return [model.source, dataVersionOf(model, workspace.sources.get(model.source))];
  // Only the engine knows which tables custom SQL reads, so a change of any table counts.
  if (model.sql !== undefined) return [...workspace.tables.values()].map(table => table.alias ?? '');
  return [model.table, ...joinedTables(model.joins)].map(name => workspace.tables.get(name)?.alias ?? '');
}

export function storedTable(workspace: Workspace, name: string): StoredTable | undefined {
  const table = workspace.tables.get(name);
  return table?.alias && table.imported
    ? { name, alias: table.alias, database: table.imported.database, rows: table.imported.profile.rows }
    : undefined;
}

/** Returns a table's name in SQL. @throws ProblemError if it has not been imported */
export function tableName(
  workspace: Workspace,
  name: string,
  rows: 'data' | 'sample',
  quote: (name: string) => string,
): string {
  const table = workspace.tables.get(name);
  if (table?.alias) return `${quote(table.alias)}."main"."${rows}"`;
  if (table?.state === 'rejected')
    throw new ProblemError(
      'file-unreadable',
      `Could not import the table \`${name}\`: ${table.problem?.message ?? ''}`,
    );
  if (table?.state === 'stopped')
    throw new ProblemError(
      'file-unreadable',
      `The import of table \`${name}\` was cancelled. Retry it on the table’s page.`,
    );
  if (table) throw new ProblemError('still-reading', `The table \`${name}\` is still being imported.`);
  throw new ProblemError('table-gone', `The table \`${name}\` no longer exists.`);
}
