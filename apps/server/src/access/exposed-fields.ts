import { includesLevel, keptDetail, type DashboardState } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import {
  allOf,
  exposedFields,
  fieldsOf,
  QueryError,
  visibleDocument,
  type Box,
  type Filter,
} from '@belvedere/query';
import type { Caller } from './caller.ts';
import { isAuthor, levelOf } from './may.ts';
import { modelsNamed, type Workspace, type WorkspaceDashboard } from '../workspace/workspace.ts';

/**
 * The fields that a caller may name, by the models that a dashboard exposes; undefined for callers who may
 * explore all of these models, and so name any.
 */
export type Exposed = ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** @param workspace as visible to the caller */
export function exposedTo(caller: Caller, document: DashboardFile, workspace: Workspace): Exposed {
  const named = modelsNamed(document);
  const isExplored = (id: string) =>
    includesLevel(levelOf(caller, { kind: 'model', id }, workspace), 'explore');
  if (caller.grants === 'all' || named.every(isExplored)) return undefined;
  return new Map(
    named.flatMap(name => {
      const model = workspace.models.get(name)?.model;
      return model ? [[name, exposedFields(document, model)] as const] : [];
    }),
  );
}

export function isExposed(exposed: Exposed, field: string): boolean {
  return exposed === undefined || [...exposed.values()].some(fields => fields.has(field));
}

/**
 * @throws QueryError for a field that the caller may not name, with the same message whether it exists or not
 */
export function refuseUnexposed(exposed: Exposed, fields: Iterable<string>): void {
  for (const field of fields) if (!isExposed(exposed, field)) throw unexposed(field);
}

export function unexposed(field: string): QueryError {
  return new QueryError('field-unknown', `\`${field}\` is not used by this dashboard’s filters or tiles.`);
}

/**
 * Returns a state without the conditions on fields that its caller may not name, whether those exist or not,
 * and the names of these fields.
 * Other changes to a tile are checked against the exposed fields when the tile is adjusted.
 */
export function admittedState(
  state: DashboardState,
  exposed: Exposed,
): { readonly state: DashboardState; readonly refused: readonly string[] } {
  if (exposed === undefined) return { state, refused: [] };
  const refused = new Set<string>();
  const admitted = <T>(conditions: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(conditions).filter(([field]) => {
        const isAdmitted = isExposed(exposed, field);
        if (!isAdmitted) refused.add(field);
        return isAdmitted;
      }),
    );
  const boxes = (all: readonly Box[]) => all.map(box => admitted(box));
  const tiles =
    state.tiles &&
    Object.fromEntries(
      Object.entries(state.tiles).map(([id, { drill, ...tile }]) => [
        id,
        { ...tile, ...(drill && { drill: boxes(drill) }) },
      ]),
    );
  const selections = Object.fromEntries(
    Object.entries(state.selections).map(([id, all]) => [id, boxes(all)]),
  );
  return {
    state: { ...state, filters: admitted(state.filters), selections, ...(tiles && { tiles }) },
    refused: [...refused],
  };
}

/**
 * Returns the parts of a filter that may be shown. A dashboard's own condition on a field that it does not
 * expose applies silently.
 */
export function redactFilter(filter: Filter, exposed: Exposed): Filter {
  if (exposed === undefined) return filter;
  return allOf(
    (filter.kind === 'allOf' ? filter.filters : [filter]).filter(part =>
      fieldsOf(part).every(field => isExposed(exposed, field)),
    ),
  );
}

/**
 * Returns a dashboard as visible to a caller, without names of hidden models and fields. @param workspace as
 * visible to the caller
 */
export function dashboardVisibleTo(
  caller: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
): WorkspaceDashboard {
  if (isAuthor(caller)) return dashboard;
  const { document, brokenTiles, ...rest } = dashboard;
  return {
    ...rest,
    ...(document && { document: visibleDocument(document, name => workspace.models.get(name)?.model) }),
    // Errors are for the dashboard's authors only, since they may name hidden things.
    brokenTiles: Object.fromEntries(Object.keys(brokenTiles).map(id => [id, keptDetail])),
    problems: [],
    untranslated: [],
  };
}
