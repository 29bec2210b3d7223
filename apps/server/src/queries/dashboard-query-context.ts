import type { DashboardState } from '@belvedere/api';
import { parameterText } from '@belvedere/chart';
import {
  resolveTheme,
  resolveDashboard,
  spelledZone,
  viewersZone,
  type Dashboard,
  type DashboardFile,
  type Look,
  type FormatValue,
  type Tile,
} from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import { adjustTile, type Query } from '@belvedere/query';
import { ProblemError } from '../http/problems.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';
import type { QueryService } from './query-service.ts';
import { modelVisibleTo } from './models/visible-models.ts';
import {
  admittedState,
  dashboardVisibleTo,
  exposedTo,
  isExposed,
  type Exposed,
} from '../access/exposed-fields.ts';
import type { Caller } from '../access/caller.ts';
import type { QueryContext } from './query-context.ts';
import { measureLabel } from './models/measure-label.ts';

/** One viewer's state of one dashboard at one moment. All queries of its tiles follow from it. */
export interface DashboardContext {
  /** With the state applied: parameters have their values, and hidden tiles are removed. */
  readonly dashboard: Dashboard;
  /** The colours and theme of the charts. */
  readonly look: Look;
  /** Without conditions on fields that the caller may not filter by. */
  readonly state: DashboardState;
  readonly exposed: Exposed;
  /** Fields of conditions in the state that are not applied, because the caller may not name them. */
  readonly refused: readonly string[];
  readonly queryContext: QueryContext;
  readonly queries: QueryService;
}

/** @param locale the locale for parameter values in texts */
export function dashboardContext(
  found: WorkspaceDashboard | undefined,
  state: DashboardState,
  queryContext: QueryContext,
  queries: QueryService,
  locale = 'en',
): DashboardContext {
  const { caller, workspace } = queryContext;
  if (!found?.document) throw unreadable(found, caller);
  const seen = dashboardVisibleTo(caller, found, workspace);
  const document = seen.document!;
  const exposed = exposedTo(caller, document, workspace);
  const admitted = admittedState(caller.guest ? guestState(state, document) : state, exposed);
  return {
    dashboard: resolveDashboard(document, admitted.state, sayIn(seen, workspace, locale)),
    look: resolveTheme(workspace.settings, document),
    ...admitted,
    exposed,
    queryContext: {
      ...queryContext,
      dashboard: found.id,
      ...(document.timezone === viewersZone && state.zone !== undefined && { zone: spelledZone(state.zone) }),
    },
    queries,
  };
}

/** The problem of a dashboard without a document. Guests learn nothing of one that has errors. */
function unreadable(found: WorkspaceDashboard | undefined, { guest }: Caller): ProblemError {
  if (found?.state === 'importing')
    return new ProblemError('still-reading', 'Its data is still being imported.');
  return found && !guest
    ? new ProblemError('document-invalid', 'The file of this dashboard has errors, so it cannot be shown.')
    : new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
}

/**
 * A guest changes only the filters that the link offers: any other might replace a model's default. Nor may
 * guests choose what figures are compared with, which would reach beyond a fixed range of time.
 */
function guestState(
  { compare: _, ...state }: DashboardState,
  { filters = [] }: DashboardFile,
): DashboardState {
  const free = new Set(filters.filter(({ locked }) => locked !== true).map(({ field }) => field));
  return {
    ...state,
    filters: Object.fromEntries(Object.entries(state.filters).filter(([field]) => free.has(field))),
  };
}

/** The context for the queries of one tile. */
export function contextOfTile(context: DashboardContext, tile: string): DashboardContext {
  return { ...context, queryContext: { ...context.queryContext, tile } };
}

/** Formats parameter values with the labels of the dashboard's models. */
function sayIn({ document }: WorkspaceDashboard, workspace: Workspace, locale: string): FormatValue {
  const names = [
    document?.model,
    ...(document?.pages ?? []).flatMap(page => Object.values(page.tiles).map(tile => tile.model)),
  ];
  const models = [...new Set(names)].flatMap(name => workspace.models.get(name ?? '')?.model ?? []);
  const labelOf = (name: string) =>
    models.map(model => labelIn(model, name, locale)).find(label => label !== undefined) ?? name;
  return (parameter, value, isInside) => parameterText(parameter, value, labelOf, locale, isInside);
}

function labelIn(model: Model, name: string, locale: string): string | undefined {
  if (Object.hasOwn(model.dimensions, name)) return model.dimensions[name]!.label;
  try {
    return measureLabel(model, name, locale);
  } catch {
    return undefined;
  }
}

export function tilesOnPage(context: DashboardContext): readonly (readonly [string, Tile])[] {
  const { tiles } =
    context.dashboard.pages[Math.min(context.state.page, context.dashboard.pages.length - 1)]!;
  return Object.entries(tiles).map(([id, tile]) => [id, adjustedTile(context, id, tile)] as const);
}

/** Returns a tile with the viewer's changes applied. */
function adjustedTile(
  { dashboard, state, exposed, queryContext }: DashboardContext,
  id: string,
  tile: Tile,
): Tile {
  const model = queryContext.workspace.models.get(tile.model ?? dashboard.model ?? '')?.model;
  const adjusted = adjustTile(
    tile,
    state.tiles?.[id],
    field => (isExposed(exposed, field) ? model?.dimensions[field]?.type : undefined),
    Object.values(model?.hierarchies ?? {}),
  );
  if (adjusted.kind !== 'kpi' || state.compare === undefined) return adjusted;
  const { compare: _, ...plain } = adjusted;
  return state.compare === 'nothing' ? plain : { ...plain, compare: state.compare };
}

/**
 * Like `tileModel`, but undefined if the model is missing. Such a tile reports the problem when it is
 * queried.
 */
export function knownModel({ queryContext, dashboard }: DashboardContext, tile: Tile): Model | undefined {
  return queryContext.workspace.models.get(tile.model ?? dashboard.model ?? '')?.model;
}

export function tileModel(context: DashboardContext, tile: Tile): Model {
  return modelVisibleTo(context.queryContext, tile.model ?? context.dashboard.model ?? '');
}

/** Runs a query of a dashboard's tile, under the rights and the time of the dashboard's context. */
export function runQuery({ queries, queryContext }: DashboardContext, query: Query): Promise<QueryResult> {
  return queries.run(query, queryContext);
}
