import type { Caller } from '../../../access/caller.ts';
import { notFound, requireExtracts, requireLevel, requireRawAccess, sourceOf } from '../../../access/may.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';

/**
 * A model reads any table of its source, and its text holds its row policies: makers write models of the
 * sources that they may use, and only admins those with policies.
 */
export async function requireEditableModel(
  store: WorkspaceStore,
  caller: Caller,
  name: string,
  text?: string,
): Promise<void> {
  if (caller.grants === 'all') return;
  const { models, modelFiles, unappliedPolicies } = store.current;
  const before = models.get(name)?.model;
  // Who may create a model may not read what a deleted one left under its name.
  if (text === undefined && !before && !modelFiles.has(name)) throw notFound({ kind: 'model', id: name });
  const read = text === undefined ? undefined : await store.reader.read('model', text, `models/${name}.yaml`);
  const file = read?.ok ? read.value : undefined;
  if (before?.policies || file?.policies || unappliedPolicies.length > 0)
    throw new ProblemError('not-allowed', 'Only an admin may change a model with row policies.');
  if (text === undefined) return;
  if (before) requireSource(store, caller, before);
  if (!file) return;
  const { source = 'files', table, sql, joins = {} } = file;
  for (const read of [{ source, table }, ...Object.values(joins)])
    requireSource(store, caller, { source: read.source ?? source, table: read.table ?? '' });
  if (sql === undefined) return;
  // As on the SQL screen: SQL may read a protected table without its name being seen in it.
  requireRawAccess(caller, store.current);
  requireExtracts(source, sql, caller, store.current);
}

function requireSource(store: WorkspaceStore, caller: Caller, read: Parameters<typeof sourceOf>[0]): void {
  requireLevel(caller, { kind: 'source', id: sourceOf(read, store.current) }, 'explore', store.current);
}
