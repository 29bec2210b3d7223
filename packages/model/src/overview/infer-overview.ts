import { shapeOfRole, type Dashboard, type Tile, type TimeUnit } from '@belvedere/document';
import {
  isContact,
  isCountryName,
  isGivenName,
  isStateName,
  wordsOf,
} from '../inference/column-vocabulary.ts';
import { isCounter, isKnownByNumber, isNameless, isProse } from '../inference/infer-meaning.ts';
import { dateParts } from '../inference/infer-model.ts';
import { plural } from '../relationships/relationship-names.ts';
import { namesCountries, namesStates, shapeOfValues, type RegionShape } from '../inference/infer-regions.ts';
import type { Dimension, Measure, Model } from '../model.ts';
import {
  dimensionFacts,
  informativeDimensions,
  isDependent,
  isSameThing,
  type DimensionFacts,
} from './overview-dimensions.ts';
import {
  addsUp,
  figuresOf,
  isCount,
  isOneRowForEach,
  profileOf,
  rankedMeasures,
} from './overview-measures.ts';
import { gridColumns } from './pack-tiles.ts';
import { isNumeric, type ColumnProfile, type DataType, type TableProfile } from '../table.ts';
import {
  figureColumns,
  figureRows,
  maxFigures,
  placed,
  plainFigureRows,
  rowsForBars,
  rowsForRows,
  type Planned,
} from './overview-layout.ts';

type Facts = ReadonlyMap<string, DimensionFacts>;

const maxLeaderboards = 4;
/** A leaderboard shows so many values, and the others in one bar. */
const maxBars = 10;
/** So many bars and their title fit into half the height of a chart. */
const maxShortBars = 4;

/**
 * A first dashboard for a table without a description, all of it about one primary measure: a row of
 * figures, a trend over time,
 * leaderboards of the most informative dimensions, a map, distribution or matrix where there is one, the
 * rows.
 * @param related the profiles of joined tables, by the names of the model's joins
 */
export function inferOverview(
  model: Model,
  table: TableProfile,
  related: Readonly<Record<string, TableProfile>> = {},
): Dashboard {
  const facts = dimensionFacts(model, table, related);
  const informative = informativeDimensions(facts, table.rows);
  const ranked = rankedMeasures(model, table, facts);
  const primary = ranked[0];
  const time = timeOf(model, table, facts);
  const trend = primary && time && trendOf(time, primary);
  const charts = primary ? chartsOf(model, table, facts, informative, primary, ranked) : [];
  const figures = figuresOf(
    ranked,
    table,
    countedOf(facts, informative, table.rows).filter(
      // `Judge3` has no plural.
      ({ label }) => !/\d$/.test(label) && !isMeasureLabel(model, countTitle(label)),
    ),
    maxFigures,
    isOneRowForEach(model, table, facts),
  ).map((value, i): Planned => ({
    id: `figure_${i + 1}`,
    tile: {
      kind: 'kpi',
      value,
      ...('field' in value && { title: countTitle(facts.get(value.field!)?.label ?? value.field!) }),
      ...(time && {
        // How many different names there are is the same from month to month.
        ...('measure' in value && {
          spark: { field: time.name, timeUnit: timeUnitFor(time, 30, 60, minSparkPoints) },
        }),
        compare: 'previous period' as const,
      }),
    },
    minColumns: figureColumns,
    rows: time ? figureRows : plainFigureRows,
  }));
  const graphs = trend ? [trend, ...charts] : charts;
  const rows: Planned = {
    id: 'rows_table',
    tile: { kind: 'table', columns: [...usefulColumns(model, table, facts)] },
    minColumns: gridColumns,
    rows: rowsForRows(table.rows),
  };
  return {
    version: 1,
    title: model.label,
    model: model.name,
    filters: [
      ...(time ? [{ field: time.name, control: 'dateRange' as const }] : []),
      ...filtered(facts, informative, table.rows).map(field => ({ field, control: 'multiSelect' as const })),
    ],
    pages: [{ title: 'Overview', tiles: placed(figures, graphs, rows) }],
  };
}

/** What people call the number of different names: of countries, `Countries`. */
function countTitle(label: string): string {
  const words = label.split(' ');
  return [...words.slice(0, -1), plural(words.at(-1)!)].join(' ');
}

/** Whether a measure is called so, such as the count of a key, so that a second figure would be its double. */
const isMeasureLabel = (model: Model, text: string) =>
  Object.values(model.measures).some(({ label, isHidden }) => !isHidden && label === text);

interface Time {
  readonly name: string;
  readonly type: DataType;
  readonly profile: Pick<ColumnProfile, 'min' | 'max'> & { readonly distinct?: number };
}

/** The model's time where its extent is known: a column's own, or that of the years of a date in parts. */
export function timeOf(model: Model, table: TableProfile, facts: Facts): Time | undefined {
  if (model.time === undefined) return undefined;
  const profile = facts.get(model.time)?.profile ?? yearsOf(table);
  return profile && { name: model.time, type: model.dimensions[model.time]!.type, profile };
}

/** From the first to the last day of the years in a table whose date is in parts. */
function yearsOf(table: TableProfile): Pick<ColumnProfile, 'min' | 'max'> | undefined {
  const year = dateParts(table)?.[0];
  return year && { min: Date.UTC(Number(year.min), 0, 1), max: Date.UTC(Number(year.max), 11, 31) };
}

function trendOf(time: Time, primary: Measure): Planned {
  return {
    id: 'over_time',
    tile: {
      kind: addsUp(primary) || isCount(primary) ? 'area' : 'line',
      x: { field: time.name, timeUnit: timeUnitFor(time, 60, 240) },
      y: { measure: primary.name },
    },
    minColumns: 16,
  };
}

const day = 86_400_000;
const unitMs: readonly (readonly [TimeUnit, number])[] = [
  ['minute', 60_000],
  ['hour', day / 24],
  ['day', day],
  ['week', 7 * day],
  ['month', 30.44 * day],
  ['quarter', 91.31 * day],
  ['year', 365.24 * day],
];
/** Fewer points than these are hardly a trend. */
const minPoints = 8;
/** A sparkline of two or three is a stroke, and compares periods that are mostly cut. */
const minSparkPoints = 4;

/**
 * The finest unit that gives a time at most `most` points, no finer than the times themselves are. Where
 * those would be fewer than `least`, the next finer one with at most `maxOfFiner`.
 */
export function timeUnitFor(
  { type, profile }: { readonly type: DataType; readonly profile: Time['profile'] },
  most: number,
  maxOfFiner = most,
  least = minPoints,
): TimeUnit {
  const span = Number(profile.max) - Number(profile.min);
  const points = (ms: number) => Math.floor(span / ms) + 1;
  const units = unitMs.filter(
    ([, ms]) =>
      (type !== 'date' || ms >= day) &&
      (profile.distinct === undefined || points(ms) <= Math.max(2, profile.distinct * 2)),
  );
  const fitting = units.findIndex(([, ms]) => points(ms) <= most);
  if (fitting < 0) return 'year';
  const [unit, ms] = units[fitting]!;
  const finer = units[fitting - 1];
  return finer && points(ms) < least && points(finer[1]) <= maxOfFiner ? finer[0] : unit;
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

/** Leaderboards and what else informs, in reading order. */
function chartsOf(
  model: Model,
  table: TableProfile,
  facts: Facts,
  informative: readonly DimensionFacts[],
  primary: Measure,
  ranked: readonly Measure[],
): readonly Planned[] {
  const map = mapOf(model, facts, informative, primary);
  const leaders = informative.slice(0, maxLeaderboards).map((dimension, i): Planned => ({
    id: `top_${i + 1}`,
    tile: leaderboard(dimension, primary),
    minColumns: 8,
    ...(!isNumeric(dimension.profile.type) && { rows: rowsForBars(barsOf(dimension, table.rows)) }),
    isShort: !isNumeric(dimension.profile.type) && dimension.profile.distinct <= maxShortBars,
  }));
  const distribution = distributionOf(table, facts, primary, ranked);
  const matrix = map ? undefined : matrixOf(model, informative, primary, table.rows);
  const isToldApart = map !== undefined || matrix !== undefined || leaders.length > 2;
  const cloud = isToldApart ? undefined : cloudOf(facts, table.rows);
  return [...leaders, map, distribution, matrix, cloud].filter(one => one !== undefined);
}

/** The bars of a leaderboard, with one for the other values and one for missing ones. */
function barsOf({ profile: { distinct, nulls } }: DimensionFacts, rows: number): number {
  return (distinct > maxBars ? maxBars + 1 : distinct) + (nulls > rows * 0.001 ? 1 : 0);
}

/** Names run down by size; months and hours run from left to right in their own order. */
function leaderboard({ name, profile }: DimensionFacts, { name: measure }: Measure): Tile {
  return isNumeric(profile.type)
    ? { kind: 'bar', x: { field: name }, y: { measure } }
    : { kind: 'bar', x: { measure }, y: { field: name, limit: maxBars } };
}

/** How the numbers behind the primary measure are spread, else those of the first average. */
function distributionOf(
  table: TableProfile,
  facts: Facts,
  primary: Measure,
  ranked: readonly Measure[],
): Planned | undefined {
  const isSpread = (profile: ColumnProfile | undefined) =>
    profile !== undefined &&
    profile.distinct > 12 &&
    profile.nulls < table.rows * 0.7 &&
    !isNameless(wordsOf(profile.name)) &&
    !isCounter(profile) &&
    isVaried(profile);
  const of = [primary, ...ranked.filter(measure => !isCount(measure))]
    .map(measure => profileOf(measure, table))
    .find(isSpread);
  const field =
    of &&
    [...facts.values()].find(
      ({ join, isHidden, profile }) => join === undefined && !isHidden && profile === of,
    );
  return field && { id: 'distribution', tile: histogram(field.name, field.profile), minColumns: 8 };
}

/** Where half of the rows have the same number, the others are specks beside it. */
function isVaried({ low, high, lowerQuartile, upperQuartile }: ColumnProfile): boolean {
  return (high ?? 0) > (low ?? 0) && (lowerQuartile === undefined || upperQuartile! > lowerQuartile);
}

function histogram(name: string, profile: ColumnProfile): Tile {
  const isInteger = profile.type === 'integer';
  const [low, high] = shownRange(profile);
  const step = niceStep(high - low || 1, 30, isInteger);
  const domain: [number, number] = [Math.floor(low / step) * step, (Math.floor(high / step) + 1) * step];
  return { kind: 'bar', x: { field: name, bin: { step }, scale: { domain } }, y: { measure: 'rows' } };
}

/** A range that is so many times as wide as where nearly all values are shows one bar beside specks. */
const maxStretched = 4;

/**
 * Where the values of a column are: between its first and last percentile, or, where few values far away
 * would stretch that, within three times the distance of its quartiles from them.
 * @see Tukey, "Exploratory Data Analysis", 1977: the outer fences.
 */
function shownRange({ low, high, lowerQuartile, upperQuartile }: ColumnProfile): readonly [number, number] {
  const spread = 3 * ((upperQuartile ?? 0) - (lowerQuartile ?? 0));
  const fenced = [Math.max(low!, lowerQuartile! - spread), Math.min(high!, upperQuartile! + spread)] as const;
  return spread > 0 && high! - low! > maxStretched * (fenced[1] - fenced[0]) ? fenced : [low!, high!];
}

/**
 * Two informative dimensions of a few values each that do not follow from one another, with some rows to a
 * cell.
 */
function matrixOf(
  model: Model,
  informative: readonly DimensionFacts[],
  primary: Measure,
  rows: number,
): Planned | undefined {
  const few = informative.filter(
    ({ profile, shareOfLargest }) =>
      profile.distinct >= 3 &&
      profile.distinct <= 16 &&
      // Rows that lack one often lack the other, too: their cell would be the darkest.
      profile.nulls + profile.empties <= rows * 0.1 &&
      // Beside a row or column that has nearly all, the other cells look alike.
      shareOfLargest < 0.7,
  );
  for (const y of few)
    for (const x of few) {
      if (x === y || y.profile.distinct < x.profile.distinct) continue;
      if (rows < 4 * x.profile.distinct * y.profile.distinct || isDependent(x, y, model)) continue;
      return {
        id: 'matrix',
        tile: {
          kind: 'heatmap',
          x: { field: x.name, limit: 16 },
          y: { field: y.name, limit: 16 },
          color: { measure: primary.name },
        },
        minColumns: 10,
      };
    }
  return undefined;
}

/** Regions that the model declares, else places as points, else countries or states by their names or codes. */
function mapOf(
  model: Model,
  facts: Facts,
  informative: readonly DimensionFacts[],
  primary: Measure,
): Planned | undefined {
  const planned = (tile: Tile): Planned => ({ id: 'map', tile, minColumns: 8 });
  const declared = informative.flatMap(({ name }) => {
    const shape = shapeOfRole(model.dimensions[name]?.role);
    return shape === undefined ? [] : [{ shape, region: { field: name } }];
  })[0];
  if (declared) return planned({ kind: 'map', ...declared, color: { measure: primary.name } });
  const place = placeOf(model, facts);
  if (place) return planned({ kind: 'map', ...place });
  const color = { measure: primary.name };
  const regions = informative.filter(({ profile }) => profile.type === 'text' && profile.distinct >= 4);
  for (const { name, profile } of regions) {
    const shape = shapeOf(profile);
    if (shape) return planned({ kind: 'map', shape, region: { field: name }, color });
  }
  return undefined;
}

/** The shapes that a column says in its name and its values to be of, else in its values alone. */
function shapeOf(profile: ColumnProfile): RegionShape | undefined {
  const words = wordsOf(profile.name);
  if (isCountryName(words) && namesCountries(profile)) return 'countries';
  if (isStateName(words) && namesStates(profile)) return 'us-states';
  return shapeOfValues(profile);
}

/** Fewer degrees than that are a spot on a map of all states, and show their own part of the world. */
const minDegrees = 8;
const placesAcross = 40;

function placeOf(model: Model, facts: Facts): Omit<Extract<Tile, { kind: 'map' }>, 'kind'> | undefined {
  const { longitude, latitude } = placesIn(model, facts);
  if (!longitude || !latitude) return undefined;
  const span = ({ low, high }: ColumnProfile) => high! - low!;
  // A town's map ends where nearly all places do: a few at 0°, 0° would make it one of the world.
  const widest = Math.max(span(longitude.profile), span(latitude.profile));
  if (widest < minDegrees) {
    // Circles of a finer grid would be dots that look alike.
    const bin = { step: niceStep(widest, placesAcross, false) };
    return {
      shape: 'countries',
      longitude: { ...fitted(longitude), bin },
      latitude: { ...fitted(latitude), bin },
    };
  }
  const isInside = ({ low, high }: ColumnProfile, from: number, to: number) => low! >= from && high! <= to;
  const isInStates = isInside(longitude.profile, -179, -65) && isInside(latitude.profile, 18, 72);
  return {
    shape: isInStates ? 'us-states' : 'countries',
    longitude: { field: longitude.name },
    latitude: { field: latitude.name },
  };
}

/** A field over the range of nearly all of its values. */
function fitted({ name, profile: { low, high } }: DimensionFacts) {
  const margin = (high! - low!) * 0.02;
  return { field: name, scale: { domain: [low! - margin, high! + margin] as [number, number] } };
}

const isSpread = ({ low, high }: ColumnProfile) => (high ?? 0) > (low ?? 0);

/** Fewer places than these are a spot or two on a map. */
const minPlaces = 6;

/** At most so many places of a table are reached from the rows: of all airports three, where flights begin. */
const placesReached = ({ reached, rowsOfTable }: DimensionFacts) => reached * rowsOfTable;

/** The coordinates that lead to the most places: of two roles of one table, the one that says more. */
function placesIn(
  model: Model,
  facts: Facts,
): { readonly longitude: DimensionFacts | undefined; readonly latitude: DimensionFacts | undefined } {
  const known = Object.values(model.dimensions).flatMap(({ name, role }) => {
    const fact = facts.get(name);
    return role && fact && isSpread(fact.profile) && placesReached(fact) >= minPlaces ? [{ role, fact }] : [];
  });
  const latitude = known
    .filter(({ role }) => role === 'latitude')
    .toSorted((a, b) => placesReached(b.fact) - placesReached(a.fact))[0]?.fact;
  const longitude = known.find(
    ({ role, fact }) => role === 'longitude' && fact.join === latitude?.join,
  )?.fact;
  return { longitude, latitude };
}

/** Two longer labels make no title that anybody reads. */
const maxLetters = 40;

/** One number of each row against another, where little else tells rows apart. */
function cloudOf(facts: Facts, rows: number): Planned | undefined {
  const [x, y] = [...facts.values()].filter(
    ({ join, isHidden, meaning, profile, label }) =>
      join === undefined &&
      !isHidden &&
      label.length <= maxLetters &&
      (meaning === 'amount' || meaning === 'level') &&
      profile.distinct > 12 &&
      profile.nulls < rows * 0.5 &&
      !isCounter(profile) &&
      isVaried(profile),
  );
  return x && y && { id: 'cloud', tile: { kind: 'scatter', x: fitted(x), y: fitted(y) }, minColumns: 10 };
}

/** How many of fewer different values there are, their leaderboard shows. */
const minCounted = 12;

/**
 * Dimensions that say by how many different values they have what a table is about: its informative ones, and
 * keys that recur.
 */
function countedOf(
  facts: Facts,
  informative: readonly DimensionFacts[],
  rows: number,
): readonly DimensionFacts[] {
  const recurring = [...facts.values()].filter(
    ({ meaning, profile, isHidden }) =>
      !isHidden &&
      (meaning === 'text' || meaning === 'category') &&
      profile.type === 'text' &&
      profile.distinct >= minCounted &&
      profile.distinct <= rows * 0.9 &&
      !/\b(?:date|time)\b/.test(wordsOf(profile.name)) &&
      !isProse(profile) &&
      !isNameless(wordsOf(profile.name)) &&
      !isGivenName(wordsOf(profile.name)) &&
      !isContact(wordsOf(profile.name)),
  );
  const counted = informative.filter(
    ({ profile }) => profile.type === 'text' && profile.distinct >= minCounted,
  );
  const all = new Set([...recurring.toSorted((a, b) => b.profile.distinct - a.profile.distinct), ...counted]);
  return [...all].filter((one, i, every) => !every.slice(0, i).some(other => isSameThing(one, other)));
}

/** Fields that people filter by: those of the leaderboards, else any that has a handful of values. */
function filtered(facts: Facts, informative: readonly DimensionFacts[], rows: number): readonly string[] {
  const others = [...facts.values()].filter(
    ({ meaning, isHidden, profile }) =>
      meaning === 'category' &&
      !isHidden &&
      profile.distinct > 1 &&
      // The names of eight employees pick one each.
      profile.distinct <= rows * 0.75 &&
      profile.nulls < rows * 0.6 &&
      !isNameless(wordsOf(profile.name)) &&
      !isGivenName(wordsOf(profile.name)) &&
      (!isNumeric(profile.type) || isKnownByNumber(profile.name)),
  );
  return [...new Set([...informative, ...others])].slice(0, 3).map(({ name }) => name);
}

const maxColumns = 15;
/** With so many columns that say something of a row, those that say little are left out. */
const fewColumns = 6;

/**
 * The columns that say something of a row, in the model's order: not those that are empty or alike in all
 * rows, long texts last. A date that the model makes of its parts comes first, in their place.
 */
function usefulColumns(model: Model, table: TableProfile, facts: Facts): readonly string[] {
  const isMadeTime = ({ name }: Dimension) => name === model.time && !facts.has(name);
  const all = Object.values(model.dimensions).filter(({ isHidden }) => !isHidden);
  const made = all.filter(isMadeTime);
  const parts = new Set(made.length > 0 ? dateParts(table)?.map(({ name }) => name) : []);
  const shown = [
    ...made,
    ...all.filter(one => !isMadeTime(one) && !parts.has(facts.get(one.name)?.profile.name ?? '')),
  ];
  const rank = (name: string) => {
    const fact = facts.get(name);
    if (!fact) return name === model.time ? 2 : 1;
    if (fact.profile.distinct <= 1 || isNearlyConstant(fact)) return 0;
    return saysLittle(fact, model, facts) ? 1 : 2;
  };
  // The time stays among them, since rows are listed by it.
  const useful = shown
    .filter(({ name }) => rank(name) === 2)
    .toSorted((a, b) => Number(b.name === model.time) - Number(a.name === model.time))
    .slice(0, maxColumns);
  const more = shown
    .filter(({ name }) => rank(name) === 1)
    .slice(0, Math.max(0, (useful.length < fewColumns ? maxColumns : fewColumns) - useful.length));
  const kept = new Set([...useful, ...more]);
  // Rows are listed by their time, which so stands first.
  const columns = shown
    .filter(dimension => kept.has(dimension))
    .toSorted((a, b) => Number(b.name === model.time) - Number(a.name === model.time));
  return (columns.length > 0 ? columns : Object.values(model.dimensions).slice(0, maxColumns)).map(
    ({ name }) => name,
  );
}

/** Whether a joined column has, as far as is known, one value in nearly all rows. */
const isNearlyConstant = ({ join, meaning, profile, reached, shareOfLargest }: DimensionFacts) =>
  join !== undefined &&
  (shareOfLargest >= 0.98 || (meaning === 'category' && profile.distinct * reached < 2));

/**
 * Whether a column says little of a row beside the others: contact details, coordinates of joined places,
 * the parts of a date that is there itself, the same as another column, or a column without a name.
 */
function saysLittle(fact: DimensionFacts, model: Model, facts: Facts): boolean {
  const { profile, join, meaning, label } = fact;
  const words = wordsOf(profile.name);
  if (
    isProse(profile) ||
    namesAddresses(profile) ||
    isContact(words) ||
    (isNameless(words) && isNameless(wordsOf(label).split(' ').at(-1)!))
  )
    return true;
  if (join !== undefined && (meaning === 'latitude' || meaning === 'longitude')) return true;
  if (model.time !== undefined && partOfTime.test(words) && join === undefined && fact.name !== model.time)
    return true;
  const own = [...facts.values()].filter(other => other.join === undefined && !other.isHidden);
  return join === undefined
    ? own.slice(0, own.indexOf(fact)).some(other => repeats(fact, other))
    : own.some(other => isSameThing(fact, other));
}

/** Whether two columns of texts have the same values, as far as these are known. */
function repeats({ profile }: DimensionFacts, other: DimensionFacts): boolean {
  const values = ({ top }: ColumnProfile) => JSON.stringify(top);
  return (
    profile.type === 'text' &&
    profile.distinct > 12 &&
    profile.top.length > 1 &&
    profile.distinct === other.profile.distinct &&
    values(profile) === values(other.profile)
  );
}

/** Whether values are addresses of web pages. */
const namesAddresses = ({ top }: ColumnProfile) =>
  top.length > 0 && top.every(({ value }) => value === null || /^https?:\/\//.test(value));

const partOfTime = /^(?:year|quarter|month|week|day|hour|minute|second|weekday)$/;
