import { listeningIn, select, selectionFilter, selectionsFor } from '@belvedere/crossfilter';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { allOf, filterOn, formatCalendarTime, type FieldFilter, type Filter } from '@belvedere/query';
import { modelOf } from './models/visible-models.ts';
import { isExposed, redactFilter } from '../access/exposed-fields.ts';
import { guestConditions, requireApplied } from '../access/guest.ts';
import type { QueryContext } from './query-context.ts';
import type { DashboardContext } from './dashboard-query-context.ts';
import { clockOf } from './data-times.ts';

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
