import {
  comparedBy,
  comparedStep,
  maxCompared,
  perWeek,
  type PeriodUnit,
  type Point,
  type Series,
} from '@belvedere/alert';
import { formatTime } from '@belvedere/chart';
import { denseParts, includesLevel, shownValues, type CellsHeader, type NamedAxis } from '@belvedere/api';
import { didYouMean, durationMs, type AlertFile, type DashboardFile, type Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import {
  edgeOf,
  measureOf,
  positionsOf,
  slotsOf,
  timeUnitOf,
  timeUnits,
  wallTimeIn,
  wholePositions,
  type Axis,
} from '@belvedere/query';
import type { Caller } from '../access/caller.ts';
import { levelOf, notFound } from '../access/may.ts';
import { ProblemError } from '../http/problems.ts';
import { pausedProblem } from '../workspace/sources/source-access.ts';
import { measureIndex, maxGroups, tileMeasures, unwatchable } from './watchable.ts';
import {
  contextOfTile,
  dashboardContext,
  knownModel,
  tileModel,
  tilesOnPage,
  type DashboardContext,
} from '../queries/dashboard-query-context.ts';
import { dataTime } from '../queries/data-times.ts';
import { measureLabel } from '../queries/models/measure-label.ts';
import { queryContextOf } from '../queries/query-context.ts';
import type { QueryService } from '../queries/query-service.ts';
import { queryTile } from '../queries/tiles/query-tile.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';

/** Periods that are read of a model, unless a filter says more. Marks per tile bound it further for groups. */
const maxPeriods = 1500;

/** What an alert sees: the values that its tile shows, or those of a measure. */
export interface Observed {
  /** One series per group, of the periods that are complete; of a figure, one point. */
  readonly series: readonly Series[];
  /** The unit of the periods; undefined for figures without periods. */
  readonly unit?: PeriodUnit;
  readonly measure: { readonly label: string; readonly format?: string; readonly unit?: string };
  /** The dimensions whose values are the groups. */
  readonly by: readonly string[];
  /** Values under *Other*, which is not a group. */
  readonly hasOther: boolean;
}

export interface ObserveOptions {
  readonly queries: QueryService;
  /** The whole workspace; it is read as the caller may see it. */
  readonly workspace: Workspace;
  readonly caller: Caller;
  /** Wall-clock now, ms since 1970: a period that goes on is not complete. */
  readonly now: number;
  /** Leaves out rows from this wall-clock time on. */
  readonly asOf?: number;
  /** Periods to read before the last one, where nothing limits them. */
  readonly periods?: number;
  readonly signal?: AbortSignal;
}

/** A tile that is watched, with the state of its dashboard. */
export interface WatchedTile {
  readonly context: DashboardContext;
  readonly id: string;
  readonly tile: Tile;
  readonly model: Model;
}

/**
 * Reads the values that an alert watches, as its owner may see them.
 * @throws ProblemError, QueryError, EngineError; `not-found` if the owner may not see them
 */
export async function observe(alert: AlertFile, options: ObserveOptions): Promise<Observed> {
  const watched = watchedTile(alert, options);
  if (alert.when.missing !== undefined) return newestAge(watched, options);
  const { context, id, tile, model } = watched;
  const frames = await queryTile(contextOfTile(context, id), id, tile, 'base');
  const cells = (part: 'main' | 'previous') =>
    frames.flatMap(({ header, cells: found }) =>
      header.kind === 'cells' && header.part === part && found ? [{ header, cells: found }] : [],
    )[0];
  const main = cells('main');
  if (!main) throw unwatchable();
  refuseOldResult(main.header);
  const index = measureIndex(alert, tile, model);
  const valuesOf = ({ header, cells: found }: NonNullable<typeof main>) => {
    const all = shownValues(header, denseParts(header.axes, header.merges, found));
    const groups = all.length / header.values.length;
    return all.subarray(index * groups, (index + 1) * groups);
  };
  const wallNow = wallTimeIn(context.queryContext.zone, options.now);
  const { header } = main;
  const previous = cells('previous');
  const earlier = previous && valuesOf(previous);
  const shown = seriesOf(header, valuesOf(main), wallNow, earlier, alert.when.change !== undefined);
  const name = tileMeasures(tile, model)[index]!;
  const { format, unit } = measureOf(model, name);
  return {
    ...shown,
    measure: {
      label: measureLabel(model, name, localeIn(alert, options.workspace)),
      ...(format !== undefined && { format }),
      ...(unit !== undefined && { unit }),
    },
  };
}

/** Returns the language in which an alert is written, drawn and sent. */
export function localeIn(alert: Pick<AlertFile, 'locale'> | undefined, { settings }: Workspace): string {
  return alert?.locale ?? settings.locale ?? 'en';
}

/**
 * Finds what an alert watches, under its filters.
 * @throws ProblemError if it does not exist, the caller may not see it, or a filter does not apply
 */
export function watchedTile(alert: AlertFile, options: ObserveOptions): WatchedTile {
  const { watch } = alert;
  const { workspace, caller, queries, signal, asOf } = options;
  const [found, id] =
    'model' in watch
      ? ([dashboardOf(alert, watch, options), 'watched'] as const)
      : ([sharedDashboard(watch.dashboard, caller, workspace), watch.tile] as const);
  const queryContext = {
    ...queryContextOf(workspace, found.document, caller, signal),
    ...(asOf !== undefined && { asOf }),
  };
  const compare = alert.when.change && { compare: 'previous period' as const };
  const page = found.document?.pages.findIndex(one => Object.hasOwn(one.tiles, id)) ?? -1;
  const state = { page: Math.max(0, page), filters: watch.filters ?? {}, selections: {}, ...compare };
  const context = dashboardContext(found, state, queryContext, queries, localeIn(alert, workspace));
  const [, tile] = tilesOnPage(context).find(([name]) => name === id) ?? [];
  if (!tile)
    throw new ProblemError(
      'not-found',
      page < 0
        ? `The dashboard \`${found.id}\` has no tile \`${id}\`.`
        : `The tile \`${id}\` is hidden under the alert’s filters.`,
    );
  requireFilters(Object.keys(watch.filters ?? {}), context, tile);
  return { context, id, tile, model: tileModel(context, tile) };
}

function sharedDashboard(id: string, caller: Caller, workspace: Workspace): WorkspaceDashboard {
  const object = { kind: 'dashboard', id } as const;
  const found = workspace.dashboards.get(id);
  if (!found || !includesLevel(levelOf(caller, object, workspace), 'view')) throw notFound(object);
  return found;
}

/** A dashboard with one tile, which shows a measure of a model. */
function dashboardOf(
  { when }: AlertFile,
  watch: Extract<AlertFile['watch'], { model: string }>,
  { caller, workspace, periods = 60 }: ObserveOptions,
): WorkspaceDashboard {
  const object = { kind: 'model', id: watch.model } as const;
  if (!includesLevel(levelOf(caller, object, workspace), 'explore')) throw notFound(object);
  const model = workspace.models.get(watch.model)?.model;
  const { time } = model ?? {};
  const value = { measure: watch.measure };
  const group = watch.by === undefined ? undefined : { field: watch.by, limit: maxGroups };
  if (model && watch.by !== undefined && !Object.hasOwn(model.dimensions, watch.by))
    throw new ProblemError(
      'field-unknown',
      `\`${watch.by}\`: unknown dimension in model \`${watch.model}\`${didYouMean(watch.by, Object.keys(model.dimensions))}`,
    );
  const every = when.missing === undefined ? watch.every : undefined;
  if (every !== undefined && model && time === undefined)
    throw new ProblemError(
      'field-unknown',
      `The model \`${watch.model}\` has no \`time\`, so it has no values \`every: ${every}\`.`,
    );
  const tile = every
    ? { kind: 'line', x: { field: time, timeUnit: every }, y: value, ...(group && { color: group }) }
    : group
      ? { kind: 'bar', x: value, y: group }
      : { kind: 'kpi', value };
  const isBounded = time === undefined || Object.hasOwn(watch.filters ?? {}, time);
  const range = every && !isBounded ? { last: `${Math.min(periods, maxPeriods)} ${every}s` } : undefined;
  const document = {
    version: 1,
    title: watch.model,
    model: watch.model,
    ...(range && { filters: [{ field: time, default: range }] }),
    pages: [{ title: '', tiles: { watched: { ...tile, at: [0, 0, 24, 8] } } }],
  } as unknown as DashboardFile;
  const about = { id: '', origin: 'saved', state: 'ready', title: watch.model, revision: '' } as const;
  return { ...about, document, problems: [], brokenTiles: {} };
}

/** A filter that is ignored would leave the alert with other figures than its author saw. */
function requireFilters(fields: readonly string[], context: DashboardContext, tile: Tile): void {
  const model = knownModel(context, tile);
  for (const field of fields) {
    const filter = context.dashboard.filters?.find(one => one.field === field);
    if (filter?.locked)
      throw new ProblemError('request-invalid', `The dashboard locks its filter on \`${field}\`.`);
    if (context.refused.includes(field) || (model && !Object.hasOwn(model.dimensions, field)))
      throw new ProblemError(
        'field-unknown',
        `\`${field}\`: the alert’s filter does not apply, because what it watches has no such field` +
          didYouMean(field, Object.keys(model?.dimensions ?? {})),
      );
  }
}

/** The last result of a source that is paused or cannot be reached is no news. */
function refuseOldResult({ notes }: CellsHeader): void {
  const old = notes.find(note => note.kind === 'last-answer');
  if (old) throw new ProblemError('source-unreachable', 'The source is paused or cannot be reached.');
}

/**
 * The values of a result, by group and period. The first and last periods of a time axis are left out if they
 * are incomplete, and so are periods that go on.
 */
function seriesOf(
  { axes, isOfNoRows }: CellsHeader,
  values: Float64Array,
  wallNow: number,
  previous: Float64Array | undefined,
  /** Whether a figure is compared with an earlier one. */
  compared: boolean,
): Pick<Observed, 'series' | 'unit' | 'by' | 'hasOther'> {
  const timeAxis = axes.findIndex(axis => axis.kind === 'times');
  const others = axes.filter((_, i) => i !== timeAxis);
  const hasOther = others.some(axis => axis.kind === 'categories' && axis.other);
  const about = { by: others.map(axis => axis.field), hasOther };
  const groups = groupsOf(others);
  if (groups.length > maxGroups)
    throw new ProblemError(
      'query-too-large',
      `The alert watches ${groups.length.toLocaleString('en')} groups; the maximum is ${maxGroups.toLocaleString('en')}.`,
    );
  const offsetOf = (slots: readonly number[]) =>
    axes.reduce((offset, axis, i) => offset * slotsOf(axis) + slots[i]!, 0);
  const valueAt = (all: Float64Array, slots: readonly number[]) => {
    const value = all[offsetOf(slots)]!;
    return isOfNoRows || Number.isNaN(value) ? null : value;
  };
  if (timeAxis < 0) {
    const series = groups.map(({ slots, ...group }): Series => {
      const earlier = compared ? { earlier: previous ? valueAt(previous, slots) : null } : {};
      const point: Point = { from: wallNow, below: wallNow, value: valueAt(values, slots), ...earlier };
      return { ...group, points: [point] };
    });
    return { ...about, series };
  }
  const axis = axes[timeAxis] as Extract<Axis, { kind: 'times' }>;
  const [first, end] = wholePositions(axis, axis.count);
  let below = end;
  while (below > first && edgeOf(axis, below) > wallNow) below--;
  const series = groups.map(({ slots, ...group }): Series => ({
    ...group,
    points: Array.from({ length: Math.max(0, below - first) }, (_, i) => ({
      from: edgeOf(axis, first + i),
      below: edgeOf(axis, first + i + 1),
      value: valueAt(values, slots.toSpliced(timeAxis, 0, first + i)),
    })),
  }));
  return { ...about, unit: periodUnitOf(axis), series };
}

function periodUnitOf({ unit }: Extract<Axis, { kind: 'times' }>): PeriodUnit {
  const own = timeUnitOf(unit);
  return timeUnits.find(one => one === own) ?? (own === 'fiscalYear' ? 'year' : 'quarter');
}

/** All combinations of the axes' positions, with a key that does not depend on their order. */
function groupsOf(
  axes: readonly NamedAxis[],
): readonly { readonly group: string; readonly label: string; readonly slots: readonly number[] }[] {
  let all = [{ names: [] as (readonly [string, unknown])[], labels: [] as string[], slots: [] as number[] }];
  for (const axis of axes) {
    const isNamed = (position: number) => axis.kind !== 'categories' || position < axis.values.length;
    const positions = Array.from({ length: positionsOf(axis) }, (_, i) => i).filter(isNamed);
    if (all.length * positions.length > 50 * maxGroups) all = all.slice(0, maxGroups + 1);
    all = all.flatMap(({ names, labels, slots }) =>
      positions.map(position => ({
        names: [...names, [axis.field, nameAt(axis, position)] as const],
        labels: [...labels, labelAt(axis, position)],
        slots: [...slots, position],
      })),
    );
  }
  return all.map(({ names, labels, slots }) => ({
    group: names.length === 0 ? '' : JSON.stringify(Object.fromEntries(names)),
    label: labels.join(' · '),
    slots,
  }));
}

function nameAt(axis: Axis, position: number): unknown {
  return axis.kind === 'categories' ? axis.values[position]! : edgeOf(axis, position);
}

function labelAt(axis: Axis, position: number): string {
  if (axis.kind === 'categories') {
    const value = axis.values[position]!;
    return value === null ? '∅' : value === '' ? '“”' : String(value);
  }
  if (axis.kind === 'times') return formatTime(edgeOf(axis, position), axis.unit, 'en');
  return `${edgeOf(axis, position)}–${edgeOf(axis, position + 1)}`;
}

/** How old the newest data is. “Now” is the real time here, not the time of the newest data. */
async function newestAge({ context, tile, model }: WatchedTile, { now }: ObserveOptions): Promise<Observed> {
  // While nothing is read, its age is not that of the data.
  const source = context.queryContext.workspace.sources.get(model.source);
  if (source?.state === 'paused') throw pausedProblem(source);
  const newest = await dataTime(context, model);
  if (newest === undefined && model.time === undefined && !model.watermark)
    throw new ProblemError(
      'field-unknown',
      `The model \`${model.name}\` has no \`time\`, so its data has no age. Set \`time\` or \`watermark\`.`,
    );
  const wallNow = wallTimeIn(context.queryContext.zone, now);
  // A date is as new as its day's end.
  const isDay = model.time !== undefined && model.dimensions[model.time]?.type === 'date';
  const end =
    newest === undefined ? undefined : newest + (isDay && !model.watermark ? durationMs('1 day') : 0);
  const value = end === undefined ? null : Math.max(0, wallNow - end);
  return {
    series: [{ group: '', label: '', points: [{ from: wallNow, below: wallNow, value }] }],
    measure: { label: tile.title ?? model.label },
    by: [],
    hasOther: false,
  };
}

/** How many periods a check needs: the last one, and those that it is compared with. */
export function maxPeriodsOf({ watch, when }: AlertFile): number {
  const unit = 'model' in watch ? watch.every : undefined;
  if (unit === undefined) return 2;
  if (when.change) return (when.change.against === 'same weekday' ? (perWeek[unit] ?? 1) : 1) + 2;
  if (!when.unusual) return 3;
  return (comparedStep(comparedBy(when.unusual, unit), unit) ?? 1) * maxCompared + 2;
}
