import type { TablePart } from '@belvedere/engine';
import { joinedTables, type Model } from '@belvedere/model';
import { ProblemError } from '../../http/problems.ts';
import { modelsOf, type Workspace, type WorkspaceDashboard } from '../workspace.ts';
import { namesTable } from './table-names.ts';

/** Returns the table of which a model has only a part for now. */
export function partRead(
  { source, table, joins, sql }: Pick<Model, 'source' | 'table' | 'joins' | 'sql'>,
  { tables }: Pick<Workspace, 'tables'>,
): { readonly table: string; readonly part: TablePart } | undefined {
  if (source !== 'files') return undefined;
  const read = [table, ...joinedTables(joins)];
  for (const { name, part } of tables.values())
    if (part !== undefined && (sql === undefined ? read.includes(name) : namesTable(sql, source, name)))
      return { table: name, part };
  return undefined;
}

/** Whether some figures of a dashboard are of a part of a table. */
export function showsPart({ document }: Pick<WorkspaceDashboard, 'document'>, workspace: Workspace): boolean {
  if (!document || ![...workspace.tables.values()].some(({ part }) => part)) return false;
  return modelsOf(document, workspace).some(({ model }) => partRead(model, workspace) !== undefined);
}

/** @throws ProblemError `still-reading` if a model, or SQL on the files, would read only a part of a table */
export function requireWholeTables(
  read: Pick<Model, 'source' | 'table' | 'joins' | 'sql'>,
  workspace: Pick<Workspace, 'tables'>,
): void {
  const found = partRead(read, workspace);
  if (!found) return;
  const { table, part } = found;
  throw new ProblemError(
    'still-reading',
    `The table \`${table}\` is still being imported${part.unit === 'files' ? `: ${part.count} of ${part.of} files so far` : ''}.`,
  );
}
