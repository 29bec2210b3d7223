import type { FieldEncoding, MeasureEncoding, Tile, TileKind } from '@belvedere/document';
import { isNumeric, isTemporal, niceStep, unitFor, type DataType, type RegionShape } from '@belvedere/model';
import { tileFields } from './tile-encodings.ts';

/** The known facts about a field, from which a tile is suggested. */
export interface FieldFacts {
  readonly name: string;
  readonly label: string;
  /** The field's description in its model. */
  readonly description?: string;
  /** Only dimensions have a type. */
  readonly type?: DataType;
  /** The shapes of a map that its values name. */
  readonly regions?: RegionShape;
  /** Statistics of the field's values; times in milliseconds. */
  readonly profile?: {
    readonly distinct: number;
    readonly min?: number | string;
    readonly max?: number | string;
    readonly low?: number;
    readonly high?: number;
  };
}

export const isMeasureField = (field: FieldFacts) => field.type === undefined;

const maxBars = 10;
const rows: MeasureEncoding = { measure: 'rows' };

/**
 * Suggests a chart for one to three fields: a figure for a measure, a time series for a time, a histogram for
 * a number, a ranking for names. Two fields give the one along the other; two measures give a point per name.
 */
export function suggestTile(fields: readonly FieldFacts[]): Tile {
  const measures = fields.filter(isMeasureField);
  const dimensions = fields.filter(field => !isMeasureField(field));
  const [first, second] = dimensions;
  const measure: MeasureEncoding = measures[0] ? { measure: measures[0].name } : rows;
  if (fields.length === 3 && measures.length === 2 && first) {
    const other: MeasureEncoding = { measure: measures[1]!.name };
    return isContinuous(first)
      ? {
          kind: 'combo',
          x: axisOf(first),
          layers: [
            { mark: 'bar', y: measure },
            { mark: 'line', y: other, axis: 'right' },
          ],
        }
      : { kind: 'scatter', x: measure, y: other, detail: { field: first.name } };
  }
  if (fields.length > 3 || measures.length > 1)
    return { kind: 'table', columns: fields.map(field => field.name) };
  if (!first) return { kind: 'kpi', value: measure };
  if (!second) {
    if (isTime(first)) return { kind: measures.length > 0 ? 'line' : 'area', x: axisOf(first), y: measure };
    if (isNumber(first)) return { kind: 'bar', x: axisOf(first), y: measure };
    return { kind: 'bar', x: measure, y: { field: first.name, limit: maxBars } };
  }
  const time = dimensions.find(isTime);
  const numbers = dimensions.filter(isAmount);
  const names = dimensions.filter(field => field !== time && !isAmount(field));
  if (time && numbers[0])
    return { kind: 'line', x: axisOf(time), y: { field: numbers[0].name, aggregate: 'mean' } };
  if (time && names[0])
    return { kind: 'line', x: axisOf(time), y: measure, color: { field: names[0].name, limit: 5 } };
  if (numbers.length >= 2) return { kind: 'scatter', x: spreadOf(numbers[0]!), y: spreadOf(numbers[1]!) };
  if (numbers[0] && names[0])
    return {
      kind: 'bar',
      x: { field: numbers[0].name, aggregate: 'mean' },
      y: { field: names[0].name, limit: maxBars },
    };
  return { kind: 'heatmap', x: axisOf(second), y: axisOf(first), color: measure };
}

/**
 * Converts the tile to another kind, keeping its fields and measures where possible. Undefined when the tile
 * lacks something that the kind requires.
 * @param factsOf the facts of a field; undefined for an unknown name
 */
export function withTableCalculation(
  tile: Tile,
  kind: TileKind,
  factsOf: (name: string) => FieldFacts | undefined,
): Tile | undefined {
  if (tile.kind === kind) return tile;
  // Drops axis and legend settings: they belong to the old kind, and the new kind may have neither.
  const pieces = tileFields(tile);
  const [fields, measures] = [pieces.fields.map(withoutGuides), pieces.measures.map(withoutGuides)];
  const known = fields.flatMap(encoding => {
    const facts = factsOf(encoding.field);
    return facts ? [{ encoding, facts }] : [];
  });
  const dimensions = known.filter(({ facts }) => !isMeasureField(facts));
  const named = known
    .filter(({ facts }) => isMeasureField(facts))
    .map(({ facts }): MeasureEncoding => ({ measure: facts.name }));
  const all = measures.length > 0 ? measures : named.length > 0 ? named : [rows];
  const [measure] = all as [MeasureEncoding];
  const body = tileFromFields(kind, dimensions, all, measure);
  if (!body) return undefined;
  const { title, subtitle, description, model, filters, at, opens } = tile;
  const kept = Object.fromEntries(
    Object.entries({ title, subtitle, description, model, filters, at, opens }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const { kind: _, ...rest } = body as Tile & Record<string, unknown>;
  return { kind, ...kept, ...rest } as unknown as Tile;
}

/** What a tile lacks to be converted to a kind. */
export type MissingField =
  | 'dimension'
  | 'secondDimension'
  | 'secondMeasure'
  | 'time'
  | 'number'
  | 'secondNumber'
  | 'category'
  | 'secondCategory'
  | 'region'
  | 'ownFields';

/**
 * What the tile lacks where `withTableCalculation` cannot convert it to a kind.
 * @param factsOf the facts of a field; undefined for an unknown name
 */
export function missingField(
  tile: Tile,
  kind: TileKind,
  factsOf: (name: string) => FieldFacts | undefined,
): MissingField {
  const { fields, measures } = tileFields(tile);
  const known = fields.flatMap(({ field }) => factsOf(field) ?? []).filter(field => !isMeasureField(field));
  const amounts = known.filter(isAmount);
  const names = known.filter(field => !isAmount(field) && !isTime(field));
  switch (kind) {
    case 'heatmap':
      return known.length === 0 ? 'dimension' : 'secondDimension';
    case 'calendar':
      return 'time';
    case 'scatter':
      if (measures.length > 1) return 'category';
      return names.length === 0 && amounts.length > 0 ? 'secondNumber' : 'secondMeasure';
    case 'boxplot':
      return amounts.length === 0 ? 'number' : 'category';
    case 'sankey':
      return names.length === 0 ? 'category' : 'secondCategory';
    case 'treemap':
    case 'sunburst':
    case 'funnel':
      return 'category';
    case 'map':
      return 'region';
    case 'candlestick':
    case 'text':
    case 'image':
      return 'ownFields';
    default:
      return 'dimension';
  }
}

/** The most labels that each of these kinds can be read with. */
const mostLabels: Partial<Record<TileKind, number>> = {
  pie: 12,
  donut: 12,
  radar: 24,
  funnel: 12,
  waterfall: 60,
};

/**
 * The labels of a tile whose kind cannot be read with so many of them, such as a radar of 114 bins; undefined
 * where it can be, or where the
 * number is not known.
 */
export function labelsBeyondReading(
  tile: Tile,
  factsOf: (name: string) => FieldFacts | undefined,
): number | undefined {
  const most = mostLabels[tile.kind];
  if (most === undefined) return undefined;
  const along =
    tile.kind === 'pie' || tile.kind === 'donut'
      ? tile.color
      : tile.kind === 'radar' || tile.kind === 'waterfall'
        ? tile.x
        : tile.kind === 'funnel'
          ? tile.y
          : undefined;
  const count = along && labelsOf(along, factsOf(along.field));
  return count !== undefined && count > most ? count : undefined;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<NonNullable<FieldEncoding['timeUnit']>, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30.44 * dayMs,
  quarter: 91.3 * dayMs,
  fiscalQuarter: 91.3 * dayMs,
  year: 365.25 * dayMs,
  fiscalYear: 365.25 * dayMs,
};

/** About as many labels as an axis of the field has. */
function labelsOf({ limit, timeUnit, bin, scale }: FieldEncoding, field: FieldFacts | undefined) {
  const { distinct, min, max, low, high } = field?.profile ?? {};
  if (timeUnit !== undefined)
    return typeof min === 'number' && typeof max === 'number'
      ? Math.round((max - min) / unitMs[timeUnit]) + 1
      : undefined;
  if (typeof bin === 'object' && 'step' in bin && bin.step !== undefined) {
    const [from, to] = scale?.domain ?? [low, high];
    return from === undefined || to === undefined
      ? undefined
      : Math.round((Number(to) - Number(from)) / bin.step);
  }
  if (bin) return undefined;
  return limit === undefined ? distinct : Math.min(limit, distinct ?? limit);
}

function withoutGuides<E extends FieldEncoding | MeasureEncoding>({
  axis: _,
  legend: __,
  ...encoding
}: E): E {
  return encoding as unknown as E;
}

interface KnownField {
  readonly encoding: FieldEncoding;
  readonly facts: FieldFacts;
}

function tileFromFields(
  kind: TileKind,
  dimensions: readonly KnownField[],
  measures: readonly MeasureEncoding[],
  measure: MeasureEncoding,
): object | undefined {
  const time = dimensions.find(({ facts }) => isTime(facts));
  const along = time ?? dimensions.find(({ facts }) => isNumber(facts)) ?? dimensions[0];
  const others = dimensions.filter(field => field !== along);
  const colour = (most: number) => (others[0] ? { color: limited(others[0], most) } : {});
  const amounts = dimensions.filter(({ facts }) => isAmount(facts));
  const names = dimensions.filter(({ facts }) => !isAmount(facts) && !isTime(facts));
  switch (kind) {
    case 'kpi':
      return { kind, value: measure, ...(time && { spark: onAxis(time) }) };
    case 'gauge':
      return { kind, value: measure };
    case 'bar':
      if (!along) return undefined;
      return isContinuous(along.facts)
        ? { kind, x: onAxis(along), y: measure, ...colour(5) }
        : { kind, x: measure, y: limited(along, maxBars), ...colour(5) };
    case 'line':
    case 'area':
      return along && { kind, x: onAxis(along), y: measure, ...colour(5) };
    case 'waterfall':
      return along && { kind, x: onAxis(along), y: measure };
    case 'radar':
      return along && { kind, x: limited(along, 12), y: measure };
    case 'combo':
      return (
        along && {
          kind,
          x: onAxis(along),
          layers: [
            { mark: 'bar', y: measures.length > 1 ? measure : rows },
            { mark: 'line', y: measures[1] ?? measure, axis: 'right' },
          ],
        }
      );
    case 'heatmap':
      return along && others[0] && { kind, x: onAxis(along), y: onAxis(others[0]), color: measure };
    case 'calendar':
      return time && { kind, x: { field: time.facts.name, timeUnit: 'day' }, color: measure };
    case 'scatter':
      if (measures.length > 1 && names[0])
        return {
          kind,
          x: measures[0],
          y: measures[1],
          ...(measures[2] && { size: measures[2] }),
          detail: { field: names[0].facts.name },
          ...(names[1] && { color: limited(names[1], 5) }),
        };
      return amounts.length > 1
        ? { kind, x: spreadOf(amounts[0]!.facts), y: spreadOf(amounts[1]!.facts) }
        : undefined;
    case 'boxplot':
      return (
        amounts[0] && names[0] && { kind, x: limited(names[0], 12), y: { field: amounts[0].facts.name } }
      );
    case 'pie':
    case 'donut':
      return along && { kind, color: limited(names[0] ?? along, 5), theta: measure };
    case 'treemap':
    case 'sunburst':
      return names[0] && { kind, levels: names.slice(0, 3).map(field => limited(field, 12)), size: measure };
    case 'sankey':
      return names[1] && { kind, levels: names.slice(0, 4).map(field => limited(field, 8)), size: measure };
    case 'funnel':
      return names[0] && { kind, y: limited(names[0], 6), x: measure };
    case 'table':
      return {
        kind,
        columns: [
          ...dimensions.map(({ facts }) => facts.name),
          ...measures.flatMap(one => ('measure' in one ? [one.measure] : [])),
        ].slice(0, 100),
      };
    case 'pivot':
      return (
        along && {
          kind,
          rows: [onAxis(names[0] ?? along)],
          ...(dimensions.find(field => field !== (names[0] ?? along)) && {
            columns: [onAxis(dimensions.find(field => field !== (names[0] ?? along))!)],
          }),
          values: measures.slice(0, 6),
        }
      );
    case 'map': {
      const region = names.find(({ facts }) => facts.regions !== undefined)?.facts;
      return region && { kind, shape: region.regions, region: { field: region.name }, color: measure };
    }
    case 'control':
      return along && { kind, field: along.facts.name };
    // A candlestick needs four measures, a text and an image their own content. No tile converts to these.
    default:
      return undefined;
  }
}

/** Keeps the encoding that the tile had for the field, else encodes the field as `axisOf` does. */
function onAxis({ encoding, facts }: KnownField): FieldEncoding {
  if (isTime(facts))
    return encoding.timeUnit ? { field: facts.name, timeUnit: encoding.timeUnit } : axisOf(facts);
  if (encoding.bin !== undefined)
    return { field: facts.name, bin: encoding.bin, ...(encoding.scale && { scale: encoding.scale }) };
  return isNumber(facts) ? axisOf(facts) : limited({ encoding, facts }, 12);
}

function limited({ encoding, facts }: KnownField, most: number): FieldEncoding {
  if (isContinuous(facts)) return onAxis({ encoding, facts });
  return {
    field: facts.name,
    limit: Math.min(encoding.limit ?? most, most),
    ...(encoding.sort !== undefined && { sort: encoding.sort }),
  };
}

/**
 * Encodes a field for an axis: times by a unit that gives about forty points, measured numbers in bins.
 * Integers with few values, and names, stay as they are.
 */
export function axisOf(field: FieldFacts): FieldEncoding {
  const { name, type, profile } = field;
  if (type && isTemporal(type))
    return {
      field: name,
      timeUnit: profile && typeof profile.min === 'number' ? unitFor(profile, type) : 'month',
    };
  if (!isNumber(field)) return { field: name, limit: 12 };
  if (!isAmount(field)) return { field: name };
  const { low, high } = profile ?? {};
  if (low === undefined || high === undefined || !(high > low)) return { field: name, bin: true };
  const step = niceStep(high - low, 30, type === 'integer');
  return {
    field: name,
    bin: { step },
    scale: { domain: [Math.floor(low / step) * step, (Math.floor(high / step) + 1) * step] },
  };
}

function spreadOf({ name, profile }: FieldFacts): FieldEncoding {
  const { low, high } = profile ?? {};
  return low !== undefined && high !== undefined && high > low
    ? { field: name, scale: { domain: [low, high] } }
    : { field: name };
}

const isTime = ({ type }: FieldFacts) => type !== undefined && isTemporal(type);
const isNumber = ({ type }: FieldFacts) => type !== undefined && isNumeric(type);
const isContinuous = (field: FieldFacts) => isTime(field) || isNumber(field);
/** A measured number, not a code with few values. */
const isAmount = (field: FieldFacts) =>
  isNumber(field) &&
  !(field.type === 'integer' && field.profile !== undefined && field.profile.distinct <= 31);
