import { keptDetail, type DashboardState } from '@belvedere/api';
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
import type { Caller } from '../auth/caller.ts';
import { modelsNamed, type Workspace, type WorkspaceDashboard } from '../workspace/workspace.ts';

/** The fields that a caller may name, by the models of a dashboard that expose them; undefined for callers who may name any. */
export type Exposed = ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** @param workspace as the caller reads it */
export function exposedTo({ reads }: Caller, document: DashboardFile, workspace: Workspace): Exposed {
  if (reads === 'everything') return undefined;
  return new Map(
    modelsNamed(document).flatMap(name => {
      const model = workspace.models.get(name)?.model;
      return model ? [[name, exposedFields(document, model)] as const] : [];
    }),
  );
}

export function isExposed(exposed: Exposed, field: string): boolean {
  return exposed === undefined || [...exposed.values()].some(fields => fields.has(field));
}

/** @throws QuestionError for a field that the caller may not name, in the same words whether there is one or not */
export function refuseUnexposed(exposed: Exposed, fields: Iterable<string>): void {
  for (const field of fields) if (!isExposed(exposed, field)) throw unexposed(field);
}

export function unexposed(field: string): QueryError {
  return new QueryError('field-unknown', `\`${field}\` is not used by this dashboard’s filters or tiles.`);
}

/**
 * A state without the conditions on fields that its caller may not name, whether there are such or not, and which those were. What has been
 * asked of a tile beside conditions is held against the exposed fields where the tile is adjusted.
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

/** As much of a filter as is told of: a condition that a dashboard's maker set on a field that it does not expose holds in silence. */
export function redactFilter(filter: Filter, exposed: Exposed): Filter {
  if (exposed === undefined) return filter;
  return allOf(
    (filter.kind === 'allOf' ? filter.filters : [filter]).filter(part =>
      fieldsOf(part).every(field => isExposed(exposed, field)),
    ),
  );
}

/** A dashboard as a caller is given it: nothing in it names what does not exist for them. @param workspace as they read it */
export function dashboardVisibleTo(
  { reads }: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
): WorkspaceDashboard {
  if (reads === 'everything') return dashboard;
  const { document, brokenTiles, ...rest } = dashboard;
  return {
    ...rest,
    ...(document && { document: visibleDocument(document, name => workspace.models.get(name)?.model) }),
    // What is wrong with it is its makers' to know, and may name what others do not see.
    brokenTiles: Object.fromEntries(Object.keys(brokenTiles).map(id => [id, keptDetail])),
    problems: [],
    untranslated: [],
  };
}
