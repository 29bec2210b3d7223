import type { FieldEncoding, MeasureEncoding, Tile, TileKind } from '@belvedere/document';
import { axisOf, spreadOf } from './axis-of-field.ts';
import { isAmount, isContinuous, isMeasureField, isNumber, isTime, type FieldFacts } from './field-facts.ts';
import { maxBars, rows } from './suggest-tile.ts';
import { tileFields } from './tile-encodings.ts';

/**
 * Converts the tile to another kind, keeping its fields and measures where possible. Undefined when the tile
 * lacks something that the kind requires.
 * @param factsOf the facts of a field; undefined for an unknown name
 */
export function convertTile(
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
  const body = tilesByKind[kind](fieldsFor(dimensions, all, measure));
  if (!body) return undefined;
  const { title, subtitle, description, model, filters, at, opens } = tile;
  const kept = Object.fromEntries(
    Object.entries({ title, subtitle, description, model, filters, at, opens }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return { kind, ...kept, ...body } as unknown as Tile;
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
 * What the tile lacks where `convertTile` cannot convert it to a kind.
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

/** A tile's fields and measures by the parts that they can take in another kind. */
interface ConvertedFields {
  readonly dimensions: readonly KnownField[];
  readonly time: KnownField | undefined;
  /** The field of the main axis: a time, else a number, else the first. */
  readonly along: KnownField | undefined;
  /** The dimensions beside the main axis. */
  readonly others: readonly KnownField[];
  readonly amounts: readonly KnownField[];
  readonly names: readonly KnownField[];
  /** At least one: the number of rows if the tile has none. */
  readonly measures: readonly MeasureEncoding[];
  readonly measure: MeasureEncoding;
}

function fieldsFor(
  dimensions: readonly KnownField[],
  measures: readonly MeasureEncoding[],
  measure: MeasureEncoding,
): ConvertedFields {
  const time = dimensions.find(({ facts }) => isTime(facts));
  const along = time ?? dimensions.find(({ facts }) => isNumber(facts)) ?? dimensions[0];
  return {
    dimensions,
    time,
    along,
    others: dimensions.filter(field => field !== along),
    amounts: dimensions.filter(({ facts }) => isAmount(facts)),
    names: dimensions.filter(({ facts }) => !isAmount(facts) && !isTime(facts)),
    measures,
    measure,
  };
}

/** The encodings of each kind for the fields of a tile; undefined where they do not suffice. */
const tilesByKind: Readonly<Record<TileKind, (fields: ConvertedFields) => object | undefined>> = {
  kpi: ({ time, measure }) => ({ value: measure, ...(time && { spark: onAxis(time) }) }),
  gauge: ({ measure }) => ({ value: measure }),
  bar: ({ along, others, measure }) =>
    along &&
    (isContinuous(along.facts)
      ? { x: onAxis(along), y: measure, ...colourOf(others) }
      : { x: measure, y: limited(along, maxBars), ...colourOf(others) }),
  line: series,
  area: series,
  waterfall: ({ along, measure }) => along && { x: onAxis(along), y: measure },
  radar: ({ along, measure }) => along && { x: limited(along, 12), y: measure },
  combo: ({ along, measures, measure }) =>
    along && {
      x: onAxis(along),
      layers: [
        { mark: 'bar', y: measures.length > 1 ? measure : rows },
        { mark: 'line', y: measures[1] ?? measure, axis: 'right' },
      ],
    },
  heatmap: ({ along, others: [other], measure }) =>
    along && other && { x: onAxis(along), y: onAxis(other), color: measure },
  calendar: ({ time, measure }) => time && { x: { field: time.facts.name, timeUnit: 'day' }, color: measure },
  scatter: ({ amounts, names, measures: [x, y, size] }) => {
    if (y && names[0])
      return {
        x,
        y,
        ...(size && { size }),
        detail: { field: names[0].facts.name },
        ...colourOf(names.slice(1)),
      };
    return amounts[1] && { x: spreadOf(amounts[0]!.facts), y: spreadOf(amounts[1].facts) };
  },
  boxplot: ({ amounts: [amount], names: [name] }) =>
    amount && name && { x: limited(name, 12), y: { field: amount.facts.name } },
  pie: slices,
  donut: slices,
  treemap: nested,
  sunburst: nested,
  sankey: ({ names, measure }) =>
    names[1] && { levels: names.slice(0, 4).map(field => limited(field, 8)), size: measure },
  funnel: ({ names: [name], measure }) => name && { y: limited(name, 6), x: measure },
  table: ({ dimensions, measures }) => ({
    columns: [
      ...dimensions.map(({ facts }) => facts.name),
      ...measures.flatMap(one => ('measure' in one ? [one.measure] : [])),
    ].slice(0, 100),
  }),
  pivot: ({ dimensions, along, names, measures }) => {
    const row = names[0] ?? along;
    const column = dimensions.find(field => field !== row);
    return (
      row && {
        rows: [onAxis(row)],
        ...(column && { columns: [onAxis(column)] }),
        values: measures.slice(0, 6),
      }
    );
  },
  map: ({ names, measure }) => {
    const region = names.find(({ facts }) => facts.regions !== undefined)?.facts;
    return region && { shape: region.regions, region: { field: region.name }, color: measure };
  },
  control: ({ along }) => along && { field: along.facts.name },
  // A candlestick needs four measures, a text and an image their own content. No tile converts to these.
  candlestick: () => undefined,
  text: () => undefined,
  image: () => undefined,
};

function series({ along, others, measure }: ConvertedFields) {
  return along && { x: onAxis(along), y: measure, ...colourOf(others) };
}

function slices({ along, names, measure }: ConvertedFields) {
  return along && { color: limited(names[0] ?? along, 5), theta: measure };
}

function nested({ names, measure }: ConvertedFields) {
  return names[0] && { levels: names.slice(0, 3).map(field => limited(field, 12)), size: measure };
}

function colourOf([field]: readonly KnownField[]) {
  return field ? { color: limited(field, 5) } : {};
}

/** Keeps the encoding that the tile had for the field, else encodes the field as `axisOf` does. */
function onAxis({ encoding, facts }: KnownField): FieldEncoding {
  if (isTime(facts))
    return encoding.timeUnit ? { field: facts.name, timeUnit: encoding.timeUnit } : axisOf(facts);
  if (encoding.bin !== undefined)
    return { field: facts.name, bin: encoding.bin, ...(encoding.scale && { scale: encoding.scale }) };
  return isNumber(facts) ? axisOf(facts) : limited({ encoding, facts }, 12);
}

function limited({ encoding, facts }: KnownField, max: number): FieldEncoding {
  if (isContinuous(facts)) return onAxis({ encoding, facts });
  return {
    field: facts.name,
    limit: Math.min(encoding.limit ?? max, max),
    ...(encoding.sort !== undefined && { sort: encoding.sort }),
  };
}
