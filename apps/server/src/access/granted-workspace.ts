import { includesLevel } from '@belvedere/api';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller, Grants } from './caller.ts';
import { isAuthor, levelOf, sourceOf } from './may.ts';

/** By the grants of callers, which are the same object until what is shared with them changes. */
const known = new WeakMap<Workspace, WeakMap<Exclude<Grants, 'all'>, Workspace>>();

/**
 * Returns a workspace with only what a caller may see: what was not shared with them is absent. Row policies
 * are not applied here.
 */
export function grantedWorkspace(workspace: Workspace, caller: Caller): Workspace {
  const { grants } = caller;
  if (grants === 'all') return workspace;
  const byGrants = known.get(workspace) ?? new WeakMap<Exclude<Grants, 'all'>, Workspace>();
  known.set(workspace, byGrants);
  const found = byGrants.get(grants) ?? filtered(workspace, caller);
  byGrants.set(grants, found);
  return found;
}

function filtered(workspace: Workspace, caller: Caller): Workspace {
  const may = (kind: 'dashboard' | 'model' | 'source', level: 'view' | 'explore') => (id: string) =>
    includesLevel(levelOf(caller, { kind, id }, workspace), level);
  const [sees, explores, reads] = [
    may('dashboard', 'view'),
    may('model', 'explore'),
    may('source', 'explore'),
  ];
  const readsFiles = reads('files');
  const readsTable = (name: string) =>
    readsFiles && reads(sourceOf({ source: 'files', table: name }, workspace));
  return {
    ...workspace,
    whole: workspace,
    declaredGrants: [],
    dashboards: only(workspace.dashboards, sees),
    models: only(workspace.models, explores),
    modelFiles: new Set([...workspace.modelFiles].filter(explores)),
    modelsReading: new Set([...workspace.modelsReading].filter(explores)),
    modelsWaiting: only(workspace.modelsWaiting, explores),
    sources: only(workspace.sources, reads),
    tables: only(workspace.tables, readsTable),
    relationships: new Map(
      [...only(workspace.relationships, reads)].map(([source, all]) => [
        source,
        source === 'files'
          ? all.filter(({ from, to }) => readsTable(from.table) && readsTable(to.table))
          : all,
      ]),
    ),
    decisions: [],
    skippedFiles: readsFiles ? workspace.skippedFiles : [],
    problems: isAuthor(caller) ? workspace.problems : [],
    people: new Map(),
    alerts: new Map(),
    reports: new Map(),
  };
}

function only<Value>(
  all: ReadonlyMap<string, Value>,
  isKept: (name: string) => boolean,
): ReadonlyMap<string, Value> {
  return new Map([...all].filter(([name]) => isKept(name)));
}

const queryable = new WeakMap<Workspace, Workspace>();

/**
 * Returns what a caller may query: the models of `grantedWorkspace`, with the tables and sources that they
 * read. Only for computing answers, since it names tables that the caller may not see.
 */
export function queryableWorkspace(granted: Workspace): Workspace {
  const { whole, dashboards, models, modelFiles, modelsReading, modelsWaiting } = granted;
  if (!whole) return granted;
  const found = queryable.get(granted) ?? {
    ...whole,
    whole,
    dashboards,
    models,
    modelFiles,
    modelsReading,
    modelsWaiting,
  };
  queryable.set(granted, found);
  return found;
}
