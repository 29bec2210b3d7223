import type { Dashboard, GridBox, MeasureEncoding, Tile, TimeUnit } from '@belvedere/document';
import { meaningOf } from './infer-meaning.ts';
import { dateParts } from './infer-model.ts';
import type { Model } from './model.ts';
import { isTemporal, type ColumnProfile, type DataType, type TableProfile } from './table.ts';

/**
 * A first dashboard for a table nobody has described yet: figures, its course over time, its top categories, how its numbers are
 * distributed, two of them against each other, the rows. Every tile is linked with every other.
 */
export function inferOverview(
  model: Model,
  table: TableProfile,
  _related: Readonly<Record<string, TableProfile>> = {},
): Dashboard {
  const profiles = profilesByDimension(model, table);
  const categories = ranked(model, table, profiles);
  const numbers = Object.keys(model.dimensions).filter(name => isMeasured(profiles.get(name), table.rows));
  const time = model.time ? (profiles.get(model.time) ?? yearsOf(table)) : undefined;
  const shown = shownMeasure(model, table, profiles, categories);
  const measures = [...new Set([...(shown === 'rows' ? [] : [shown]), ...Object.keys(model.measures)])]
    .filter(name => name !== 'rows')
    .slice(0, 3);
  const tiles: Record<string, Tile> = {};
  let row = 0;

  const counted: readonly MeasureEncoding[] =
    measures.length > 0
      ? []
      : repeated(model, table, profiles).map(field => ({ field, aggregate: 'distinct' }));
  const figures: readonly MeasureEncoding[] = [
    ...['rows', ...measures].map(measure => ({ measure })),
    ...counted,
  ];
  const width = 24 / Math.max(2, figures.length);
  figures.forEach((value, i) => {
    const spark =
      model.time && time && 'measure' in value
        ? { spark: { field: model.time, timeUnit: unitFor(time, model.dimensions[model.time]!.type) } }
        : {};
    tiles[`figure_${i + 1}`] = { kind: 'kpi', value, ...spark, at: [i * width, row, width, 3] };
  });
  row += 3;

  if (model.time && time) {
    const timeUnit = unitFor(time, model.dimensions[model.time]!.type);
    tiles['over_time'] = {
      kind: addsUp(model, shown) ? 'area' : 'line',
      x: { field: model.time, timeUnit },
      y: { measure: shown },
      at: [0, row, categories.length > 0 ? 16 : 24, 8],
    };
  }
  const charts: Tile[] = [];
  const bar = (field: string): Tile => {
    // Months and hours run from left to right in their own order; names run down by size.
    if (profiles.get(field)?.type === 'integer') return { kind: 'bar', x: { field }, y: { measure: shown } };
    return { kind: 'bar', x: { measure: shown }, y: { field, limit: 10 } };
  };
  if (categories[0]) {
    if (model.time && time) tiles['top_1'] = { ...bar(categories[0]), at: [16, row, 8, 8] };
    else charts.push(bar(categories[0]));
  }
  row += model.time && time ? 8 : 0;

  const place = placeOf(model, profiles);
  if (place)
    charts.push({
      kind: 'map',
      shape: 'countries',
      longitude: { field: place.longitude },
      latitude: { field: place.latitude },
    });
  for (const name of numbers.slice(0, 3)) charts.push(histogram(name, profiles.get(name)!));
  for (const name of categories.slice(1, 4)) charts.push(bar(name));
  const pair = pairOf(model, profiles, numbers);
  if (pair && !place) charts.push(scatter(pair[0], pair[1], profiles));
  else if (categories[1])
    charts.push({
      kind: 'heatmap',
      x: { field: categories[1], limit: 12 },
      y: { field: categories[0]!, limit: 10 },
      color: { measure: shown },
    });
  const drawn = charts.slice(0, 6);
  drawn.forEach((tile, i) => {
    const line = Math.floor(i / 3);
    // The last line is filled, however many charts are left for it.
    const across = Math.min(3, drawn.length - line * 3);
    const at: GridBox = [(i % 3) * (24 / across), row + line * 8, 24 / across, 8];
    tiles[`chart_${i + 1}`] = { ...tile, at };
  });
  row += Math.ceil(drawn.length / 3) * 8;
  const columns = Object.keys(model.dimensions).filter(name => name !== 'rownames');
  tiles['rows_table'] = {
    kind: 'table',
    columns: (columns.length > 0 ? columns : Object.keys(model.dimensions)).slice(0, 30),
    at: [0, row, 24, 10],
  };

  const filters = [
    ...(model.time && time ? [{ field: model.time, control: 'dateRange' as const }] : []),
    ...categories.slice(0, 3).map(field => ({ field, control: 'multiSelect' as const })),
  ];
  return {
    version: 1,
    title: model.label,
    model: model.name,
    filters,
    pages: [{ title: 'Overview', tiles }],
  };
}

/** From the first to the last day of the years in a table whose date is in parts. */
function yearsOf(table: TableProfile): Pick<ColumnProfile, 'min' | 'max'> | undefined {
  const year = dateParts(table)?.[0];
  return year && { min: Date.UTC(Number(year.min), 0, 1), max: Date.UTC(Number(year.max), 11, 31) };
}

/** The coarsest unit that still gives a time axis some 40 points; dates have no hours. */
export function unitFor(
  column: { readonly min?: number | string; readonly max?: number | string },
  type: DataType,
): TimeUnit {
  const spanMs = Number(column.max) - Number(column.min);
  const day = 86_400_000;
  if (spanMs > 40 * 365 * day) return 'year';
  if (spanMs > 3 * 365 * day) return 'month';
  if (spanMs > 400 * day) return 'week';
  if (spanMs > 6 * day || type === 'date') return 'day';
  return spanMs > day / 4 ? 'hour' : 'minute';
}

/** A step that cuts `span` into about `bins` parts and reads well: 1, 2 or 5 times a power of ten. */
export function niceStep(span: number, bins: number, isInteger: boolean): number {
  const rough = span / bins;
  if (!(rough > 0) || !Number.isFinite(rough)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999)! * power;
  return isInteger ? Math.max(1, Math.round(step)) : step;
}

function histogram(name: string, profile: ColumnProfile): Tile {
  const isInteger = profile.type === 'integer';
  const step = niceStep(profile.high! - profile.low! || 1, 30, isInteger);
  const domain: [number, number] = [
    Math.floor(profile.low! / step) * step,
    (Math.floor(profile.high! / step) + 1) * step,
  ];
  return { kind: 'bar', x: { field: name, bin: { step }, scale: { domain } }, y: { measure: 'rows' } };
}

function scatter(x: string, y: string, profiles: Profiles): Tile {
  const axis = (name: string) => {
    const { low, high } = profiles.get(name)!;
    const margin = (high! - low!) * 0.02;
    return { field: name, scale: { domain: [low! - margin, high! + margin] as [number, number] } };
  };
  return { kind: 'scatter', x: axis(x), y: axis(y) };
}

const isSpread = (profile: ColumnProfile | undefined) => (profile?.high ?? 0) > (profile?.low ?? 0);

type Profiles = ReadonlyMap<string, ColumnProfile>;

/** Two fields to set against each other: where rows lie, else two numbers. */
function pairOf(
  model: Model,
  profiles: Profiles,
  numbers: readonly string[],
): readonly [string, string] | undefined {
  const { longitude, latitude } = placesIn(model, profiles);
  const spread = numbers.filter(name => isSpread(profiles.get(name)));
  return longitude && latitude
    ? [longitude, latitude]
    : spread.length >= 2
      ? [spread[0]!, spread[1]!]
      : undefined;
}

function placesIn(
  model: Model,
  profiles: Profiles,
): { readonly longitude: string | undefined; readonly latitude: string | undefined } {
  const named = (role: string) =>
    Object.values(model.dimensions).find(
      dimension => dimension.role === role && isSpread(profiles.get(dimension.name)),
    )?.name;
  return { longitude: named('longitude'), latitude: named('latitude') };
}

/** Fewer degrees than that show no country's shape: of a town's places a picture of how many lie where says more. */
const leastDegrees = 8;

function placeOf(
  model: Model,
  profiles: Profiles,
): { readonly longitude: string; readonly latitude: string } | undefined {
  const { longitude, latitude } = placesIn(model, profiles);
  const span = (name: string) => profiles.get(name)!.high! - profiles.get(name)!.low!;
  return longitude && latitude && Math.max(span(longitude), span(latitude)) >= leastDegrees
    ? { longitude, latitude }
    : undefined;
}

/** Columns whose values come up again and again, the first three: how many there are of each says what a table is about where it has no numbers. */
function repeated(model: Model, { rows }: TableProfile, profiles: Profiles): string[] {
  return Object.keys(model.dimensions)
    .filter(name => {
      const profile = profiles.get(name);
      return profile?.type === 'text' && profile.distinct >= 10 && profile.distinct <= rows * 0.9;
    })
    .slice(0, 3);
}

/**
 * What the charts show of each place: how many rows it has, unless that says nothing, since there is one row for each moment of a regular
 * course, or one for each of its moments and each value of a category; then what adds up, a column of totals before others, or a mean.
 */
function shownMeasure(
  model: Model,
  table: TableProfile,
  profiles: Profiles,
  categories: readonly string[],
): string {
  const time = model.time === undefined ? undefined : profiles.get(model.time);
  const isEach = (count: number) => Math.abs(count - table.rows) <= table.rows * 0.02;
  const says =
    !time ||
    table.rows < 20 ||
    !(
      isRegular(time, table.rows) ||
      categories.some(name => isEach(time.distinct * profiles.get(name)!.distinct))
    );
  if (says) return 'rows';
  const measures = Object.keys(model.measures).filter(name => name !== 'rows');
  return (
    measures.find(name => /_(totals?|sum)$/.test(name)) ??
    measures.find(name => addsUp(model, name)) ??
    measures[0] ??
    'rows'
  );
}

const minute = 60_000;

/** Whether a table has one row for each of its moments: a date each, or times that are whole minutes apart. */
function isRegular({ type, distinct, min, max }: ColumnProfile, rows: number): boolean {
  if (distinct < rows * 0.98) return false;
  const step = (Number(max) - Number(min)) / (rows - 1);
  return type === 'date' || (step >= minute && Math.abs(step / minute - Math.round(step / minute)) < 1e-6);
}

function addsUp(model: Model, measure: string): boolean {
  const expression = model.measures[measure]?.expression;
  return measure === 'rows' || (expression?.kind === 'call' && expression.name === 'sum');
}

function isMeasured(profile: ColumnProfile | undefined, rows: number): boolean {
  if (!profile || profile.low === undefined || profile.high === undefined) return false;
  const meaning = meaningOf(profile, rows);
  return (
    (meaning === 'amount' || meaning === 'level') && profile.nulls < rows * 0.9 && profile.high > profile.low
  );
}

/** Category columns, the ones a person would look at first: few values, well filled, not all alike. */
function ranked(model: Model, table: TableProfile, profiles: Profiles): string[] {
  const score = (profile: ColumnProfile) => {
    const fill = 1 - profile.nulls / Math.max(1, table.rows);
    const size =
      profile.distinct <= 2 ? 0.4 : profile.distinct <= 30 ? 1 : profile.distinct <= 500 ? 0.7 : 0.4;
    const dominance = (profile.top[0]?.rows ?? 0) / Math.max(1, table.rows);
    return fill * size * (dominance > 0.97 ? 0.2 : 1);
  };
  return Object.keys(model.dimensions)
    .filter(
      name =>
        profiles.has(name) &&
        meaningOf(profiles.get(name)!, table.rows) === 'category' &&
        profiles.get(name)!.distinct > 1,
    )
    .toSorted((a, b) => score(profiles.get(b)!) - score(profiles.get(a)!))
    .slice(0, 4);
}

function profilesByDimension(model: Model, table: TableProfile): Profiles {
  const byColumn = new Map(table.columns.map(column => [column.name, column]));
  return new Map(
    Object.values(model.dimensions).flatMap(({ name, expression }) => {
      const profile =
        expression.kind === 'column' && !expression.join ? byColumn.get(expression.name) : undefined;
      return profile && (isTemporal(profile.type) || profile.type !== 'other')
        ? [[name, profile] as const]
        : [];
    }),
  );
}
