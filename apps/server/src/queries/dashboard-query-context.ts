import type { DashboardState } from '@belvedere/api';
import { listeningIn, select, selectionFilter, selectionsFor } from '@belvedere/crossfilter';
import { parameterText } from '@belvedere/chart';
import {
  resolveTheme,
  resolveDashboard,
  type Dashboard,
  type DashboardFile,
  type Look,
  type FormatValue,
  type Tile,
} from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import { isTemporal, type ColumnProfile, type Model, type TableProfile } from '@belvedere/model';
import {
  addUnits,
  adjustTile,
  allOf,
  filterOn,
  formatCalendarTime,
  startOf,
  type Clock,
  type FieldFilter,
  type Filter,
  type Query,
} from '@belvedere/query';
import { ProblemError } from '../http/problems.ts';
import { fileTableOf, type Workspace, type WorkspaceDashboard } from '../workspace/workspace.ts';
import type { QueryService } from './query-service.ts';
import { modelOf, modelVisibleTo } from './models/visible-models.ts';
import {
  admittedState,
  dashboardVisibleTo,
  exposedTo,
  isExposed,
  redactFilter,
  type Exposed,
} from '../access/exposed-fields.ts';
import type { Caller } from '../access/caller.ts';
import { guestConditions, requireApplied } from '../access/guest.ts';
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
    queryContext: { ...queryContext, dashboard: found.id },
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

/** The dashboard's current conditions: the viewer's, else the defaults. Locked ones never change. */
function conditionsOf(context: DashboardContext): Map<string, FieldFilter> {
  const { filters = [] } = context.dashboard;
  const conditions = new Map<string, FieldFilter>();
  for (const filter of filters) {
    const set = Object.hasOwn(context.state.filters, filter.field)
      ? context.state.filters[filter.field]
      : undefined;
    const condition = filter.locked || set === undefined ? filter.default : set;
    if (condition) conditions.set(filter.field, condition);
  }
  for (const [field, condition] of Object.entries(context.state.filters)) {
    if (condition && !filters.some(filter => filter.field === field)) conditions.set(field, condition);
  }
  return conditions;
}

/** The model's default conditions on fields that neither the dashboard nor the tile filters. */
function defaultConditions(context: DashboardContext, model: Model, own: readonly string[] = []) {
  return defaultsOf(model, [
    ...(context.dashboard.filters ?? []).map(filter => filter.field),
    ...Object.keys(context.state.filters),
    ...own,
  ]);
}

/** The conditions in force on a page whose fields the caller may see, in the filter bar's order. */
export function shownConditions(
  context: DashboardContext,
  model: Model,
): readonly { readonly field: string; readonly label: string; readonly condition: FieldFilter }[] {
  const { filters = [] } = context.dashboard;
  return [...conditionsOf(context), ...defaultConditions(context, model)]
    .filter(([field]) => isExposed(context.exposed, field))
    .map(([field, condition]) => ({
      field,
      label: filters.find(filter => filter.field === field)?.label ?? model.dimensions[field]?.label ?? field,
      condition,
    }));
}

/**
 * Returns the filters of a tile. `base`: the filter bar and the tile's own filters. `selected`: the other
 * tiles' selections.
 * `leaveOut` names a field whose own condition is ignored, for example while its values are listed.
 */
export async function filtersFor(
  context: DashboardContext,
  model: Model,
  options: { tileId?: string; tile?: Tile; leaveOut?: string; without?: string } = {},
): Promise<{ base: Filter; selected: Filter; notApplied: string[] }> {
  const clock = await clockOf(context, model);
  const notApplied = new Set<string>();
  const own = (options.tile?.filters ?? []).flatMap(filter =>
    filter.default ? [[filter.field, filter.default] as const] : [],
  );
  const base = [
    ...conditionsOf(context),
    ...own,
    ...defaultConditions(
      context,
      model,
      own.map(([field]) => field),
    ),
  ]
    .filter(([field]) => field !== options.leaveOut || isLocked(context, field))
    .concat(guestConditions(context.queryContext.caller.guest, context.dashboard.filters ?? []))
    .flatMap(([field, condition]) => {
      const filter = filterOn(model, field, condition, clock);
      if (!filter) notApplied.add(field);
      return filter ?? [];
    })
    .concat(endOf(context.queryContext, model));
  requireApplied(context.queryContext.caller.guest, notApplied);
  let selections =
    options.tileId === undefined
      ? context.state.selections
      : selectionsFor(context.state.selections, options.tileId, listeningIn(context.dashboard));
  if (options.without !== undefined) selections = select(selections, options.without, []);
  const onPage = new Set(context.dashboard.pages.flatMap(page => Object.keys(page.tiles)));
  const known = Object.fromEntries(Object.entries(selections).filter(([tile]) => onPage.has(tile)));
  const { filter: selected, notApplied: missed } = selectionFilter(known, model, clock);
  return {
    base: allOf(base),
    selected,
    notApplied: [...new Set([...context.refused, ...notApplied, ...missed])],
  };
}

function endOf({ asOf }: QueryContext, { time }: Model): Filter[] {
  return asOf === undefined || time === undefined ? [] : [{ kind: 'range', field: time, below: asOf }];
}

function isLocked({ dashboard: { filters = [] } }: DashboardContext, field: string): boolean {
  return filters.some(filter => filter.field === field && filter.locked);
}

/**
 * The model's default conditions on fields without another condition. An explicit “all values” counts as one.
 */
export function defaultsOf(
  { filters = {} }: Model,
  said: readonly string[],
): readonly (readonly [string, FieldFilter])[] {
  return Object.entries(filters).filter(([field]) => !said.includes(field));
}

/** The end of the last day that the data has, for comparisons of periods that go on after it. */
export async function dataEnd(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  const newest = await dataTime(context, model);
  return newest === undefined ? undefined : addUnits('day', startOf('day', newest), 1);
}

/** The beginning of the first day that the data has. */
export async function dataStart(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  const oldest = (await timeExtent(context, model))[0];
  return oldest === undefined ? undefined : startOf('day', oldest);
}

/**
 * “Now” is the newest time in the data, so “the last 90 days” of data that ended in 2001 are days of 2001.
 */
export async function clockOf(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<Clock> {
  return { now: (await dataTime(context, model)) ?? Date.now(), calendar: context.queryContext.calendar };
}

/** The import profile of a dimension's column. Undefined for expressions and joined columns. */
export function columnOf(workspace: Workspace, model: Model, field: string): ColumnProfile | undefined {
  const expression = model.dimensions[field]?.expression;
  if (expression?.kind !== 'column' || expression.join) return undefined;
  return fileTableOf(workspace, model)?.imported?.profile.columns.find(
    column => column.name === expression.name,
  );
}

/** The import profile of a joined dimension's column, as counted in the joined table. */
export function joinedColumnOf(workspace: Workspace, model: Model, field: string): ColumnProfile | undefined {
  const expression = model.dimensions[field]?.expression;
  if (expression?.kind !== 'column' || !expression.join) return undefined;
  return joinedProfilesOf(workspace, model)[expression.join]?.columns.find(
    column => column.name === expression.name,
  );
}

/** The import profiles of joined tables by join, of those whose rows everybody sees. */
export function joinedProfilesOf(workspace: Workspace, model: Model): Readonly<Record<string, TableProfile>> {
  if (model.source !== 'files' || model.rowFilter) return {};
  return Object.fromEntries(
    Object.entries(model.joins).flatMap(([name, { table, visible }]) => {
      const profile = visible ? undefined : workspace.tables.get(table)?.imported?.profile;
      return profile ? [[name, profile] as const] : [];
    }),
  );
}

/**
 * Minimum and maximum of a dimension over the whole table, times in wall-clock milliseconds.
 * Undefined for instants: they depend on the time zone and need a query.
 */
export function knownExtent(
  workspace: Workspace,
  model: Model,
  field: string,
): readonly [number, number] | undefined {
  const column = columnOf(workspace, model, field);
  const isPlain =
    column &&
    column.type === model.dimensions[field]!.type &&
    ['integer', 'decimal', 'number', 'date', 'time'].includes(column.type);
  return isPlain &&
    typeof column.min === 'number' &&
    typeof column.max === 'number' &&
    Number.isFinite(column.max - column.min)
    ? [column.min, column.max]
    : undefined;
}

/** The data's newest time as wall-clock time: the watermark if the model has one, else the newest value. */
export async function dataTime(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  const newest = await newestTime(context, model);
  const { asOf } = context.queryContext;
  return newest === undefined || asOf === undefined ? newest : Math.min(newest, asOf - 1);
}

async function newestTime(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  if (model.watermark && isTemporal(model.watermark.type)) {
    const {
      columns: [marked],
    } = await context.queries.run({ kind: 'watermark', model: model.name }, context.queryContext);
    const value = marked?.values[0];
    if (typeof value === 'number') return value;
  }
  return (await timeExtent(context, model))[1];
}

/** Oldest and newest value of the model's time, each undefined if there is none. */
async function timeExtent(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<readonly [number | undefined, number | undefined]> {
  if (!model.time) return [undefined, undefined];
  const known = knownExtent(context.queryContext.workspace, model, model.time);
  if (known) return known;
  const result = await context.queries.run(
    {
      kind: 'groups',
      model: model.name,
      dimensions: [],
      measures: [],
      extents: [model.time],
      where: { kind: 'everything' },
    },
    context.queryContext,
  );
  const edge = (column: number) => {
    const value = result.columns[column]?.values[0];
    return typeof value === 'number' ? value : undefined;
  };
  return [edge(0), edge(1)];
}

/** The conditions to show to the viewer, with relative ranges resolved. */
export async function appliedFilters(context: DashboardContext): Promise<Record<string, string>> {
  const name = context.dashboard.model;
  if (!name || !context.queryContext.workspace.models.has(name)) return {};
  const model = modelOf(context.queryContext.workspace, name);
  const { base: whole } = await filtersFor(context, model);
  const base = redactFilter(whole, context.exposed);
  const ranges = base.kind === 'allOf' ? base.filters : [base];
  return Object.fromEntries(
    ranges.flatMap(filter => {
      if (filter.kind !== 'range' || !Object.hasOwn(model.dimensions, filter.field)) return [];
      const isTime = ['date', 'time', 'instant'].includes(model.dimensions[filter.field]!.type);
      const edge = (value: number | undefined) =>
        value === undefined ? '' : isTime ? formatCalendarTime(value) : String(value);
      return [[filter.field, `${edge(filter.from)}/${edge(filter.below)}`]];
    }),
  );
}

/** Runs a query of a dashboard's tile, under the rights and the time of the dashboard's context. */
export function runQuery({ queries, queryContext }: DashboardContext, query: Query): Promise<QueryResult> {
  return queries.run(query, queryContext);
}
