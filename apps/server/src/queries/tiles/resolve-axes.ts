import type { NamedAxis, TileNote } from '@belvedere/api';
import { sortingMeasure, weekdays, type Calendar } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import { inWeekOrder, isNumeric, niceStep, unitFor, type Dimension, type Model } from '@belvedere/model';
import {
  addUnits,
  coarserUnit,
  dependsOnUsualDays,
  dimensionOf,
  everything,
  measureOf,
  onCalendar,
  partialEnds,
  patternWeeks,
  runsByValue,
  startOf,
  decomposeMeasures,
  unitsBetween,
  usualDaysOf,
  type AxisRequest,
  type CalendarUnit,
  type Filter,
  type Query,
  type UsualDays,
  type Value,
} from '@belvedere/query';
import { rankByValue, maxValues, rankedValues } from './rank-categories.ts';

/** The data that laying out an axis may use or query. */
export interface AxisSettings {
  readonly calendar: Calendar;
  readonly runQuery: (query: Query) => Promise<QueryResult>;
  /** Minimum and maximum of a dimension over the whole table, if the import counted them. */
  readonly knownExtent: (field: string) => readonly [number, number] | undefined;
  /** Approximate number of distinct values of a dimension, if it was counted. */
  readonly knownDistinct: (field: string) => number | undefined;
}

/** Lays out each requested axis from the data under the tile's base filters. */
export async function resolveAxes(
  requests: readonly AxisRequest[],
  measure: string,
  model: Model,
  where: Filter,
  settings: AxisSettings,
): Promise<{ axes: NamedAxis[]; notes: TileNote[] }> {
  const notes: TileNote[] = [];
  const axes = await Promise.all(
    requests.map(async (request): Promise<NamedAxis> => {
      const { channel } = request;
      const { gaps } = request.encoding;
      const { format, type } = dimensionOf(model, request.field);
      const shown = format !== undefined && isNumeric(type) ? { format } : {};
      // All rows decide which values get their own colour or shape and how many there are, so a filter
      // neither adds nor removes series.
      if (request.kind === 'categories')
        return {
          channel,
          ...(await ((channel === 'color' || channel === 'shape') && !request.isPart
            ? categories(request, 'rows', model, everything, settings)
            : categories(request, measure, model, where, settings))),
          ...shown,
        };
      if (request.kind === 'bins')
        return { channel, ...(await bins(request, model, where, settings)), ...shown };
      const { axis, note } = await times(request, model, where, settings);
      if (note) notes.push(note);
      if (gaps) notes.push({ kind: 'filled', field: request.field, gaps });
      return { channel, ...axis, ...(gaps && { gaps }) };
    }),
  );
  return { axes, notes };
}

/** Values past the limit become *Other*, unless only one or two exceed it. */
async function categories(
  request: AxisRequest,
  measure: string,
  model: Model,
  where: Filter,
  settings: AxisSettings,
) {
  const { field, limit } = request;
  const { sort } = request.encoding;
  const dimension = dimensionOf(model, field);
  const sorting = sortingMeasure(sort);
  const isDescending = sorting ? sorting.isDescending : sort !== 'value';
  const isColour = request.channel === 'color';
  // Fetches at least as many values as there are colours, so that this query and the one for colours can be
  // equal.
  const values = await ranked(
    field,
    sorting?.measure ?? measure,
    isDescending,
    isColour ? Math.max(limit + 1, hues) : limit + 1,
    model,
    where,
    settings,
  );
  const isCut = values.length > limit;
  const kept = isCut
    ? values.slice(0, request.encoding.limit ?? (limit > 10 ? limit - 2 : limit - 1))
    : [...values];
  if (!runsByValue(request, model))
    sortNaturally(kept, Array.isArray(sort) ? sort : orderOf(dimension, settings), sort === 'descending');
  const colours = isColour
    ? coloursOf(
        kept,
        await ranked(field, 'rows', true, Math.max(limit + 1, hues), model, everything, settings),
        dimension,
      )
    : undefined;
  return { kind: 'categories' as const, field, values: kept, other: isCut, ...(colours && { colours }) };
}

/** The order of a dimension's values. Lists of weekdays begin with the first day of the calendar's weeks. */
function orderOf({ sort }: Dimension, { calendar }: AxisSettings): Dimension['sort'] {
  return sort && inWeekOrder(sort, weekdays.indexOf(calendar.weekStart));
}

/**
 * Returns a dimension's values ranked by a measure: all of them if they are few, else at least the first
 * `count`.
 */
async function ranked(
  field: string,
  measure: string,
  isDescending: boolean,
  count: number,
  model: Model,
  where: Filter,
  { runQuery, knownDistinct }: AxisSettings,
): Promise<Value[]> {
  const all =
    (knownDistinct(field) ?? 0) <= maxValues
      ? await runQuery(rankByValue(model.name, field, [measure], where))
      : undefined;
  if (all && all.rowCount <= maxValues)
    return rankedValues(all, decomposeMeasures([measureOf(model, measure)]), isDescending);
  const result = await runQuery({
    kind: 'groups',
    model: model.name,
    dimensions: [{ field }],
    measures: [measure],
    where,
    order: [{ by: measure, descending: isDescending }],
    limit: count,
  });
  return result.columns[0]!.values as Value[];
}

/** Number of colours that all viewers can distinguish. */
const hues = 8;

/**
 * Returns the colours of values, equal on every tile and under every filter, whatever the tile's order or
 * limit.
 * The values with the most rows in the whole table each get a colour, from the first hue on: in that rank or,
 * if the dimension has a sort order, in that order. Other values get the remaining colours.
 */
function coloursOf(values: readonly Value[], domain: readonly Value[], { type, sort }: Dimension): number[] {
  const coloured = domain.slice(0, hues);
  if (isNumeric(type) || sort) sortNaturally(coloured, sort, false);
  const known = values.map(value => coloured.indexOf(value));
  const free = Array.from({ length: hues }, (_, hue) => hue).filter(hue => !known.includes(hue));
  return known.map(hue => (hue >= 0 ? hue : (free.shift() ?? -1)));
}

function sortNaturally(values: Value[], order: readonly Value[] | undefined, isDescending: boolean): void {
  const rank = new Map(order?.map((value, i) => [value, i]));
  const position = (value: Value) => rank.get(value) ?? rank.size;
  const direction = isDescending ? -1 : 1;
  values.sort((a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return direction * (position(a) - position(b) || (a < b ? -1 : a > b ? 1 : 0));
  });
}

const maxBins = 500;
const dayMs = 86_400_000;

async function bins(request: AxisRequest, model: Model, where: Filter, settings: AxisSettings) {
  const { field, encoding, limit } = request;
  const { type } = dimensionOf(model, field);
  const [min, max] = encoding.scale?.domain ?? (await extentOf(field, model, where, settings)) ?? [0, 1];
  const wanted = typeof encoding.bin === 'object' ? encoding.bin : {};
  const span = max - min || 1;
  let step = wanted.step ?? niceStep(span, wanted.maxbins ?? limit, type === 'integer');
  while (span / step > maxBins) step *= 10;
  const first = Math.floor(min / step + 1e-9);
  // An explicit domain ends at its maximum. Otherwise the data's maximum needs a bin of its own.
  const last = encoding.scale?.domain ? Math.ceil(max / step - 1e-9) : Math.floor(max / step + 1e-9) + 1;
  return {
    kind: 'bins' as const,
    field,
    origin: Number((first * step).toPrecision(15)),
    step,
    count: Math.max(1, last - first),
  };
}

/** Gives all bins the coarsest step, so that map cells span equal degrees in both directions. */
export function inOneStep(axes: readonly NamedAxis[]): NamedAxis[] {
  const step = Math.max(...axes.map(axis => (axis.kind === 'bins' ? axis.step : 0)));
  return axes.map(axis => {
    if (axis.kind !== 'bins' || axis.step === step) return axis;
    const first = Math.floor(axis.origin / step + 1e-9);
    const last = Math.ceil((axis.origin + axis.count * axis.step) / step - 1e-9);
    return {
      ...axis,
      origin: Number((first * step).toPrecision(15)),
      step,
      count: Math.max(1, last - first),
    };
  });
}

async function times(request: AxisRequest, model: Model, where: Filter, settings: AxisSettings) {
  const { field, encoding, limit } = request;
  const range = rangeOn(where, field);
  const isBounded = range?.from !== undefined && range.below !== undefined;
  // A model under a row policy, or of a database, has no profile.
  const data = isBounded ? await extentOf(field, model, everything, settings) : settings.knownExtent(field);
  const extent =
    range?.from !== undefined && range.below !== undefined
      ? // The rest of a period that goes on after the data would look like a crash, unless it is filled.
        ([
          range.from,
          data && data[1] >= range.from && !encoding.gaps
            ? Math.min(range.below - 1, data[1])
            : range.below - 1,
        ] as const)
      : ((await extentOf(field, model, where, settings)) ?? [0, 0]);
  const wanted =
    encoding.timeUnit ?? unitFor({ min: extent[0], max: extent[1] }, dimensionOf(model, field).type);
  let [shown, unit] = [wanted, onCalendar(wanted, settings.calendar)];
  const count = () => unitsBetween(unit, startOf(unit, extent[0]), extent[1]) + 1;
  for (let next = coarserUnit(shown); next && count() > limit; next = coarserUnit(shown))
    [shown, unit] = [next, onCalendar(next, settings.calendar)];
  const from = startOf(unit, extent[0]);
  const positions = Math.max(1, Math.min(count(), unitsBetween(unit, from, addUnits(unit, from, limit))));
  const note: TileNote | undefined = shown === wanted ? undefined : { kind: 'coarser', field, unit: shown };
  const axis = { kind: 'times' as const, field, unit, from, count: positions };
  // A filter may leave room beyond the data, or cut a unit short that the data covers.
  const known = data ?? extent;
  const covered = [Math.max(extent[0], known[0]), Math.min(extent[1], known[1])] as const;
  const grainMs = dimensionOf(model, field).type === 'date' ? dayMs : 0;
  const usual = dependsOnUsualDays(axis, covered, grainMs)
    ? await usualDays(field, unit, covered[1], model, settings)
    : undefined;
  const partial = partialEnds(axis, covered, grainMs, range, usual);
  return { axis: { ...axis, ...(partial && { partial }) }, note };
}

/** The days of a week that usually have data, by the weeks before the one that data ends in. */
async function usualDays(
  field: string,
  unit: CalendarUnit,
  end: number,
  model: Model,
  { runQuery }: AxisSettings,
): Promise<UsualDays | undefined> {
  const below = startOf(unit, end);
  const { columns } = await runQuery({
    kind: 'groups',
    model: model.name,
    dimensions: [{ field, timeUnit: 'day' }],
    measures: ['rows'],
    where: { kind: 'range', field, from: addUnits(unit, below, -patternWeeks), below },
  });
  return usualDaysOf(Array.from(columns[0]!.values, Number), unit);
}

async function extentOf(
  field: string,
  model: Model,
  where: Filter,
  { runQuery, knownExtent }: AxisSettings,
): Promise<readonly [number, number] | undefined> {
  const known = where.kind === 'everything' ? knownExtent(field) : undefined;
  if (known) return known;
  const result = await runQuery({
    kind: 'groups',
    model: model.name,
    dimensions: [],
    measures: [],
    extents: [field],
    where,
  });
  const [min, max] = result.columns.map(column => Number(column.values[0] ?? Number.NaN));
  return Number.isFinite(min) && Number.isFinite(max) ? [min!, max!] : undefined;
}

/** Returns the range that a filter sets on a field for every row: the intersection of all its ranges. */
function rangeOn(
  filter: Filter,
  field: string,
): { readonly from?: number; readonly below?: number } | undefined {
  if (filter.kind === 'range' && filter.field === field) return filter;
  if (filter.kind !== 'allOf') return undefined;
  const ranges = filter.filters.flatMap(inner => rangeOn(inner, field) ?? []);
  const from = ranges.flatMap(range => range.from ?? []);
  const below = ranges.flatMap(range => range.below ?? []);
  return ranges.length === 0
    ? undefined
    : {
        ...(from.length > 0 && { from: Math.max(...from) }),
        ...(below.length > 0 && { below: Math.min(...below) }),
      };
}
