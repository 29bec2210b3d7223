import {
  isMeasure,
  type Encoding,
  type FieldEncoding,
  type MeasureEncoding,
  type Tile,
  type TileKind,
} from '@belvedere/document';
import { axisOf, isMeasureField, type FieldFacts } from '@belvedere/query';
import { isNumeric, isTemporal } from '@belvedere/model';

/** A place of a tile for fields. `name`: only their names; `layer`: measures, each with how it is drawn. */
export interface Shelf {
  readonly key:
    | 'value'
    | 'spark'
    | 'x'
    | 'y'
    | 'color'
    | 'detail'
    | 'column'
    | 'row'
    | 'layers'
    | 'open'
    | 'high'
    | 'low'
    | 'close'
    | 'theta'
    | 'levels'
    | 'size'
    | 'shape'
    | 'order'
    | 'region'
    | 'longitude'
    | 'latitude'
    | 'columns'
    | 'rows'
    | 'values'
    | 'field'
    | 'tooltip';
  readonly takes: 'field' | 'measure' | 'either' | 'name' | 'layer';
  readonly isNeeded?: true;
  readonly max?: number;
  readonly min?: number;
}

const x: Shelf = { key: 'x', takes: 'field', isNeeded: true };
const y: Shelf = { key: 'y', takes: 'measure', isNeeded: true };
const colour: Shelf = { key: 'color', takes: 'field' };
/** Tells series apart by a field, or shades marks by a measure. */
const shade: Shelf = { key: 'color', takes: 'either' };
const multiples: readonly Shelf[] = [
  { key: 'column', takes: 'field' },
  { key: 'row', takes: 'field' },
];
const tooltipMeasures: Shelf = { key: 'tooltip', takes: 'measure', max: 6 };
const measured = (key: Shelf['key']): Shelf => ({ key, takes: 'measure', isNeeded: true });
const levels = (min: number, max: number): Shelf => ({
  key: 'levels',
  takes: 'field',
  isNeeded: true,
  min,
  max,
});

export const shelvesOf: Readonly<Record<TileKind, readonly Shelf[]>> = {
  kpi: [measured('value'), { key: 'spark', takes: 'field' }],
  bar: [
    { key: 'x', takes: 'either', isNeeded: true },
    { key: 'y', takes: 'either', isNeeded: true },
    shade,
    ...multiples,
    tooltipMeasures,
  ],
  line: [x, y, colour, ...multiples, tooltipMeasures],
  area: [x, y, colour, ...multiples, tooltipMeasures],
  combo: [
    x,
    { key: 'layers', takes: 'layer', isNeeded: true, min: 2, max: 4 },
    ...multiples,
    tooltipMeasures,
  ],
  heatmap: [
    x,
    { key: 'y', takes: 'field', isNeeded: true },
    measured('color'),
    ...multiples,
    tooltipMeasures,
  ],
  scatter: [
    { key: 'x', takes: 'either', isNeeded: true },
    { key: 'y', takes: 'either', isNeeded: true },
    { key: 'detail', takes: 'field' },
    { key: 'size', takes: 'measure' },
    shade,
    { key: 'shape', takes: 'field' },
    { key: 'order', takes: 'field' },
    ...multiples,
    { ...tooltipMeasures, takes: 'either' },
  ],
  calendar: [x, measured('color'), tooltipMeasures],
  boxplot: [x, { key: 'y', takes: 'field', isNeeded: true }, ...multiples],
  waterfall: [x, y, ...multiples, tooltipMeasures],
  candlestick: [
    x,
    measured('open'),
    measured('high'),
    measured('low'),
    measured('close'),
    ...multiples,
    tooltipMeasures,
  ],
  pie: [{ ...colour, isNeeded: true }, measured('theta'), tooltipMeasures],
  donut: [{ ...colour, isNeeded: true }, measured('theta'), tooltipMeasures],
  treemap: [levels(1, 3), measured('size'), { key: 'color', takes: 'measure' }, tooltipMeasures],
  sunburst: [levels(1, 3), measured('size'), tooltipMeasures],
  sankey: [levels(2, 4), measured('size'), tooltipMeasures],
  funnel: [
    { key: 'y', takes: 'field' },
    { key: 'x', takes: 'measure', isNeeded: true, min: 1, max: 10 },
    tooltipMeasures,
  ],
  gauge: [measured('value')],
  radar: [x, y, colour, tooltipMeasures],
  map: [
    { key: 'region', takes: 'field' },
    { key: 'longitude', takes: 'field' },
    { key: 'latitude', takes: 'field' },
    { key: 'color', takes: 'measure' },
    tooltipMeasures,
  ],
  table: [{ key: 'columns', takes: 'name', max: 100 }],
  pivot: [
    { key: 'rows', takes: 'field', isNeeded: true, min: 1, max: 3 },
    { key: 'columns', takes: 'field', max: 2 },
    { key: 'values', takes: 'measure', isNeeded: true, min: 1, max: 6 },
  ],
  text: [],
  image: [],
  control: [{ key: 'field', takes: 'name', isNeeded: true }],
};

export type Layer = {
  readonly mark: 'bar' | 'line' | 'area';
  readonly y: MeasureEncoding;
  readonly axis?: 'left' | 'right';
};
export type Item = string | Encoding | Layer;

export function itemsOf(tile: Tile, { key }: Shelf): readonly Item[] {
  const value = (tile as Readonly<Record<string, unknown>>)[key];
  return value === undefined ? [] : Array.isArray(value) ? (value as Item[]) : [value as Item];
}

export const isLayer = (item: Item): item is Layer => typeof item === 'object' && 'mark' in item;
export const encodingOf = (item: Item): Encoding | undefined =>
  typeof item === 'string' ? undefined : isLayer(item) ? item.y : item;

/** The field that an item is about; an aggregate of nothing is about the rows. */
export function fieldOf(item: Item): string {
  if (typeof item === 'string') return item;
  const encoding = encodingOf(item)!;
  return isMeasure(encoding)
    ? 'measure' in encoding
      ? encoding.measure
      : (encoding.field ?? 'rows')
    : encoding.field;
}

/** The value of a shelf's key for these items; undefined removes the key. */
export function shelfValue(shelf: Shelf, items: readonly Item[]): unknown {
  if (items.length === 0) return undefined;
  // A funnel has one measure, or several in a list.
  const isList = shelf.max !== undefined && !(shelf.key === 'x' && items.length === 1);
  return isList ? items : items[0];
}

/** A field as a shelf holds it: grouped, counted or averaged. Undefined if the shelf does not take it. */
export function asItem(field: FieldFacts, shelf: Shelf): Item | undefined {
  if (shelf.takes === 'name') return field.name;
  if (shelf.takes === 'layer') return { mark: 'line', y: asMeasure(field), axis: 'right' };
  if (shelf.takes === 'measure') return asMeasure(field);
  if (isMeasureField(field)) return shelf.takes === 'either' ? { measure: field.name } : undefined;
  // A point for each of them, not for the first dozen.
  if (shelf.key === 'detail' && !(field.type && isTemporal(field.type))) return { field: field.name };
  if (
    shelf.key === 'tooltip' ||
    shelf.key === 'longitude' ||
    shelf.key === 'latitude' ||
    shelf.key === 'region'
  )
    return { field: field.name };
  const encoding = axisOf(field);
  if (shelf.key === 'shape' || shelf.key === 'order') return { field: field.name };
  return shelf.key === 'color' && encoding.limit !== undefined ? { field: field.name, limit: 5 } : encoding;
}

function asMeasure(field: FieldFacts): MeasureEncoding {
  if (isMeasureField(field)) return { measure: field.name };
  return { field: field.name, aggregate: field.type && isNumeric(field.type) ? 'mean' : 'distinct' };
}

/**
 * The tile with a field on one of its shelves: added if there is room, else in place of the last one. Bars
 * have one axis for groups and one for the measure, so a field that takes the other's axis swaps them. A
 * scatter plots rows or measures: a measure makes it plot measures, and its numbers become means.
 */
export function withField(tile: Tile, shelf: Shelf, field: FieldFacts): Tile | undefined {
  const item = asItem(field, shelf);
  if (item === undefined) return undefined;
  const items = itemsOf(tile, shelf);
  const isFull = items.length >= (shelf.max ?? 1);
  const next = {
    ...tile,
    [shelf.key]: shelfValue(shelf, isFull ? [...items.slice(0, -1), item] : [...items, item]),
  } as Tile;
  if (next.kind === 'scatter') return scattered(next, shelf, field, tile as Scatter);
  if (next.kind !== 'bar' || (shelf.key !== 'x' && shelf.key !== 'y')) return next;
  const other = shelf.key === 'x' ? 'y' : 'x';
  const sides = [next.x, next.y].map(encoding => isMeasure(encoding));
  if (sides[0] === sides[1])
    return {
      ...next,
      [other]: sides[0]
        ? ((tile as Extract<Tile, { kind: 'bar' }>)[shelf.key === 'x' ? 'x' : 'y'] as FieldEncoding)
        : ({ measure: 'rows' } as MeasureEncoding),
    } as Tile;
  return next;
}

/** The target of a field on a tile: the shelf, and the tile with the field on it. */
export interface Placement {
  readonly shelf: Shelf;
  readonly tile: Tile;
  /** The guessed item that the field replaces. */
  readonly replaces?: Item;
}

/** Every shelf of a tile that takes a field, as the tile has them. */
export function placementsOf(tile: Tile, field: FieldFacts): readonly Placement[] {
  return shelvesOf[tile.kind].flatMap(shelf => {
    const next = withField(tile, shelf, field);
    return next ? [{ shelf, tile: next }] : [];
  });
}

/**
 * The target of a field that is dropped onto a tile, or clicked: a measure replaces the guessed one. Other
 * fields go to the first shelf that is empty or has room, else to the first shelf that takes them.
 */
export function placementOf(
  tile: Tile,
  field: FieldFacts,
  isGuessed: (measure: MeasureEncoding) => boolean = isRowCount,
): Placement | undefined {
  const replaced = isMeasureField(field) ? withMeasure(tile, asMeasure(field), isGuessed) : undefined;
  if (replaced) return replaced;
  const fits = placementsOf(tile, field);
  return (
    fits.find(
      ({ shelf }) =>
        (tile as Readonly<Record<string, unknown>>)[shelf.key] === undefined || shelf.max !== undefined,
    ) ?? fits[0]
  );
}

/** The number of rows, which a tile shows until a measure is chosen. */
export const isRowCount = (measure: MeasureEncoding): boolean =>
  'measure' in measure ? measure.measure === 'rows' : measure.aggregate === 'count' && !measure.field;

/** The first measure that a tile draws. */
export function drawnMeasure(tile: Tile): MeasureEncoding | undefined {
  for (const shelf of drawnShelves(tile))
    for (const item of itemsOf(tile, shelf)) {
      const encoding = encodingOf(item);
      if (encoding && isMeasure(encoding)) return encoding;
    }
  return undefined;
}

const drawnShelves = (tile: Tile) => shelvesOf[tile.kind].filter(({ key }) => key !== 'tooltip');

/** The tile with a measure in place of the first guessed one. */
export function withMeasure(
  tile: Tile,
  measure: MeasureEncoding,
  isGuessed: (measure: MeasureEncoding) => boolean = isRowCount,
): Placement | undefined {
  for (const shelf of drawnShelves(tile)) {
    const items = itemsOf(tile, shelf);
    const at = items.findIndex(item => {
      const encoding = encodingOf(item);
      return encoding !== undefined && isMeasure(encoding) && isGuessed(encoding);
    });
    const replaces = items[at];
    if (replaces === undefined) continue;
    const item = isLayer(replaces) ? { ...replaces, y: measure } : measure;
    const next = { ...tile, [shelf.key]: shelfValue(shelf, items.with(at, item)) } as Tile;
    return { shelf, tile: next, replaces };
  }
  return undefined;
}

type Scatter = Extract<Tile, { kind: 'scatter' }>;

function scattered(tile: Scatter, shelf: Shelf, field: FieldFacts, before: Scatter): Tile | undefined {
  const isOfMeasures =
    isMeasure(tile.x) ||
    isMeasure(tile.y) ||
    shelf.key === 'detail' ||
    shelf.key === 'size' ||
    (shelf.key === 'color' && isMeasureField(field)) ||
    shelf.key === 'order';
  if (!isOfMeasures) return tile;
  const side = (key: 'x' | 'y'): Encoding => {
    const encoding = tile[key];
    if (isMeasure(encoding)) return encoding;
    return key === shelf.key ? asMeasure(field) : { field: encoding.field, aggregate: 'mean' };
  };
  // Shapes and fields of tooltips exist only where points are rows.
  const { color, shape: _, tooltip = [], ...rest } = tile;
  const tooltipMeasures = tooltip.filter(isMeasure);
  // The field that distinguished the points becomes the detail if there is none.
  const divides = [color, before.color].find(one => one !== undefined && !isMeasure(one)) as
    | FieldEncoding
    | undefined;
  const parts = tile.detail
    ? { ...(color && { color }) }
    : {
        ...(divides && { detail: { field: divides.field } }),
        ...(color && isMeasure(color) && { color }),
      };
  // Points of rows have no measure; without a field that tells points apart there are none of measures.
  if (shelf.key === 'color' && isMeasureField(field) && !tile.detail && !divides) return undefined;
  return {
    ...rest,
    ...parts,
    ...(tooltipMeasures.length > 0 && { tooltip: tooltipMeasures }),
    x: side('x'),
    y: side('y'),
  };
}
