import type { DashboardFile } from '@belvedere/document';
import type { ProtectedBy } from '@belvedere/model';
import { namesTable, positionIn } from '../workspace/tables/table-names.ts';
import { modelsNamed, type Workspace } from '../workspace/workspace.ts';

const known = new WeakMap<Workspace, ProtectedBy>();

/**
 * Finds the policies that protect the tables of a workspace. A table is protected as soon as one of the
 * models that read it has policies:
 *
 * - by the policies of the models of that table;
 * - from all viewers, if there are none, but an SQL model that names the table has policies, or a model with
 *   policies has an error;
 * - from all viewers, if it is made of the lists in a protected table, until a model of it has policies.
 *
 * SQL that names a protected table is protected from all viewers, unless its model has policies of its own.
 * All models count, also those that are not shared with the caller.
 */
export function protectionIn(seen: Workspace): ProtectedBy {
  const workspace = seen.whole ?? seen;
  const found = known.get(workspace) ?? protectedBy(workspace);
  known.set(workspace, found);
  return found;
}

const policyTexts = new WeakMap<Workspace, string>();

/** Names the policies of a workspace: workspaces with equal ones have equal names. */
export function policiesIn(seen: Workspace): string {
  const workspace = seen.whole ?? seen;
  const known = policyTexts.get(workspace);
  if (known !== undefined) return known;
  const protecting = [...workspace.models.values()].flatMap(
    ({ model: { name, source, table, sql, policies } }) =>
      policies ? [[name, source, table, sql, policies]] : [],
  );
  const text = JSON.stringify([protecting, workspace.unappliedPolicies]);
  policyTexts.set(workspace, text);
  return text;
}

function protectedBy({ models, unappliedPolicies, tables, sources }: Workspace): ProtectedBy {
  const protecting = [...models.values()].flatMap(({ model }) => (model.policies ? [model] : []));
  if (protecting.length + unappliedPolicies.length === 0) return () => [];
  const byTable = Map.groupBy(
    protecting.filter(model => model.sql === undefined),
    ({ source, table }) => positionIn(source, table),
  );
  const unapplied = new Set(
    unappliedPolicies.flatMap(one => ('table' in one ? [positionIn(one.source, one.table)] : [])),
  );
  const texts = [
    ...protecting.flatMap(({ sql }) => sql ?? []),
    ...unappliedPolicies.flatMap(one => ('text' in one ? [one.text] : [])),
  ];
  const ofTable = (source: string, table: string): ReturnType<ProtectedBy> => {
    const position = positionIn(source, table);
    if (unapplied.has(position)) return 'nobody';
    const isNamed = () => texts.some(text => namesTable(text, source, table));
    const parent = source === 'files' ? tables.get(table)?.imported?.parent : undefined;
    const isOfProtected = () => parent !== undefined && ofTable(source, parent.table).length > 0;
    return byTable.get(position) ?? (isNamed() || isOfProtected() ? 'nobody' : []);
  };
  const tablesOf = (source: string) =>
    source === 'files' ? [...tables.keys()] : (sources.get(source)?.tables.map(({ called }) => called) ?? []);
  const ofSql = (source: string, sql: string) =>
    tablesOf(source).some(table => namesTable(sql, source, table) && ofTable(source, table).length > 0)
      ? 'nobody'
      : [];
  // Cached, since every query needs it.
  const known = new Map<string, ReturnType<ProtectedBy>>();
  return (source, table, sql) => {
    const key = JSON.stringify([source, table, sql]);
    const found = known.get(key) ?? (sql === undefined ? ofTable(source, table) : ofSql(source, sql));
    known.set(key, found);
    return found;
  };
}

/** Whether row policies apply to anything in a workspace. */
export function hasPolicies(seen: Workspace): boolean {
  const { models, unappliedPolicies } = seen.whole ?? seen;
  return unappliedPolicies.length > 0 || [...models.values()].some(({ model }) => model.policies);
}

/** Returns a model of a dashboard whose rows are protected by policies, if there is one. */
export function protectedModelOf(document: DashboardFile, workspace: Workspace): string | undefined {
  return modelsNamed(document).find(name => isProtected(name, workspace));
}

function isProtected(name: string, workspace: Workspace): boolean {
  const model = workspace.models.get(name)?.model;
  if (!model) return false;
  const protection = protectionIn(workspace);
  return (
    model.policies !== undefined ||
    protection(model.source, model.table, model.sql).length > 0 ||
    Object.values(model.joins).some(({ table }) => protection(model.source, table).length > 0)
  );
}
