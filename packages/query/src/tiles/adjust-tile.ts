import { isMeasure, type FieldEncoding, type Tile, type TimeUnit } from '@belvedere/document';
import { isTemporal, type DataType } from '@belvedere/model';
import type { Box } from '../filter.ts';
import type { Order } from '../query.ts';

/**
 * A viewer's own changes to a tile: time grain, breakout, zoom, sort order, hidden columns and drill path.
 */
export interface Adjustment {
  readonly timeUnit?: TimeUnit;
  /** A field to break out by, instead of the tile's own colour field. */
  readonly color?: string;
  /** The visible range of the tile's time or number axis. */
  readonly zoom?: { readonly from: string | number; readonly below: string | number };
  /** The sort order of a table. */
  readonly sort?: Order;
  /** Hidden columns of a table. They still group the rows, so hiding a column changes no other value. */
  readonly without?: readonly string[];
  /**
   * The drill path, from the outermost mark to the innermost. Each box filters the tile, which then shows the
   * next level.
   */
  readonly drill?: readonly Box[];
}

/**
 * Applies a viewer's adjustment to the tile. Ignores parts that do not fit: a link may be older than its
 * dashboard.
 */
export function adjustTile(
  tile: Tile,
  adjustment: Adjustment | undefined,
  typeOf: (field: string) => DataType | undefined,
  hierarchies: Hierarchies = [],
): Tile {
  if (!adjustment) return tile;
  let adjusted = tile;
  for (const box of adjustment.drill ?? []) {
    const next = canDrill(adjusted, typeOf, hierarchies);
    if (next)
      adjusted = {
        ...encoded(adjusted, next.channel, next.encoding),
        filters: [
          ...(adjusted.filters ?? []),
          ...Object.entries(box).map(([field, condition]) => ({ field, default: condition })),
        ],
      } as Tile;
  }
  const close = zoomChannel(adjusted, typeOf);
  if (adjustment.zoom && close)
    adjusted = {
      ...encoded(adjusted, close.channel, zoomed(close.encoding, adjustment.zoom)),
      filters: [
        ...(adjusted.filters ?? []),
        { field: close.encoding.field, default: { ...adjustment.zoom } },
      ],
    } as Tile;
  const grain = timeChannel(adjusted, typeOf);
  if (adjustment.timeUnit && grain)
    adjusted = encoded(adjusted, grain.channel, {
      ...untitled(grain.encoding),
      timeUnit: adjustment.timeUnit,
    });
  if (adjustment.color && canBreakOut(adjusted) && typeOf(adjustment.color))
    adjusted = { ...withoutAnnotationsOf(adjusted, 'color'), color: { field: adjustment.color } } as Tile;
  if (adjustment.sort && adjusted.kind === 'table' && isColumn(adjusted, adjustment.sort.by, typeOf))
    adjusted = {
      ...adjusted,
      sort: { field: adjustment.sort.by, order: adjustment.sort.descending ? 'descending' : 'ascending' },
    };
  return adjusted;
}

function isColumn(
  { columns }: Tile & { kind: 'table' },
  name: string,
  typeOf: (field: string) => DataType | undefined,
): boolean {
  return columns ? columns.includes(name) : typeOf(name) !== undefined;
}

/** The encoding along which a tile can zoom: a time axis, or numbers in bins. */
export function zoomChannel(
  tile: Tile,
  typeOf: (field: string) => DataType | undefined,
): { readonly channel: 'x' | 'y'; readonly encoding: FieldEncoding } | undefined {
  if (tile.kind === 'calendar' || tile.kind === 'scatter' || tile.kind === 'map') return undefined;
  return fieldsAlong(tile).find(
    ({ encoding }) => isTemporal(typeOf(encoding.field) ?? 'text') || encoding.bin,
  );
}

/**
 * A zoomed number axis keeps its number of bins and spans exactly the range. A zoomed time axis follows its
 * filter.
 */
function zoomed(encoding: FieldEncoding, { from, below }: NonNullable<Adjustment['zoom']>): FieldEncoding {
  if (typeof from !== 'number' || typeof below !== 'number') {
    const { timeUnit: _, ...free } = untitled(encoding);
    return free;
  }
  return { ...encoding, bin: true, scale: { ...encoding.scale, domain: [from, below] } };
}

/** Whether the tile's kind tells series apart by colour. */
export function canBreakOut(tile: Tile): boolean {
  return ['bar', 'line', 'area', 'radar'].includes(tile.kind);
}

/** The time encoding of a tile whose grain can change, if it has one. */
export function timeChannel(
  tile: Tile,
  typeOf: (field: string) => DataType | undefined,
): { readonly channel: 'x' | 'y'; readonly encoding: FieldEncoding } | undefined {
  return fieldsAlong(tile).find(
    ({ encoding }) => isTemporal(typeOf(encoding.field) ?? 'text') && tile.kind !== 'calendar',
  );
}

/** A model's hierarchies, each from the coarsest dimension to the finest. */
export type Hierarchies = readonly (readonly string[])[];

/**
 * Returns the encoding one drill level down: the next `drill` field, else the next level of the field's
 * hierarchy, else the next finer time grain.
 */
export function canDrill(
  tile: Tile,
  typeOf: (field: string) => DataType | undefined,
  hierarchies: Hierarchies = [],
): { readonly channel: 'x' | 'y'; readonly encoding: FieldEncoding } | undefined {
  const own = 'drill' in tile ? (tile.drill ?? []) : [];
  for (const { channel, encoding } of fieldsAlong(tile)) {
    const path =
      own.length > 0 ? own : (hierarchies.find(levels => levels.slice(0, -1).includes(encoding.field)) ?? []);
    const level = path.includes(encoding.field) ? path[path.indexOf(encoding.field) + 1] : path[0];
    if (level !== undefined && typeOf(level)) return { channel, encoding: { field: level } };
    const below = encoding.timeUnit && finer[encoding.timeUnit];
    if (
      isTemporal(typeOf(encoding.field) ?? 'text') &&
      below &&
      (below !== 'hour' || typeOf(encoding.field) !== 'date')
    )
      return { channel, encoding: { ...untitled(encoding), timeUnit: below } };
  }
  return undefined;
}

const finer: Readonly<Partial<Record<TimeUnit, TimeUnit>>> = {
  year: 'quarter',
  quarter: 'month',
  fiscalYear: 'fiscalQuarter',
  fiscalQuarter: 'month',
  month: 'day',
  week: 'day',
  day: 'hour',
  hour: 'minute',
};

/** The fields along a tile's axes, which zoom and drill use. */
export function fieldsAlong(tile: Tile): { channel: 'x' | 'y'; encoding: FieldEncoding }[] {
  return (['x', 'y'] as const).flatMap(channel => {
    const encoding = (tile as unknown as Record<string, unknown>)[channel];
    return encoding &&
      typeof encoding === 'object' &&
      'field' in encoding &&
      !isMeasure(encoding as FieldEncoding) &&
      tile.kind !== 'boxplot'
      ? [{ channel, encoding: encoding as FieldEncoding }]
      : [];
  });
}

/** Removes the axis title, because it may name the previous grain. */
function untitled(encoding: FieldEncoding): FieldEncoding {
  if (!encoding.axis) return encoding;
  const { title: _, ...axis } = encoding.axis;
  return { ...encoding, axis };
}

function encoded(tile: Tile, channel: 'x' | 'y', encoding: FieldEncoding): Tile {
  const { field } = (tile as unknown as Readonly<Record<string, FieldEncoding>>)[channel]!;
  return {
    ...(field === encoding.field ? tile : withoutAnnotationsOf(tile, channel)),
    [channel]: encoding,
  } as Tile;
}

/** Annotations at values of one field are meaningless on another field. */
function withoutAnnotationsOf(tile: Tile, channel: 'x' | 'y' | 'color'): Tile {
  if (!('annotations' in tile) || !tile.annotations) return tile;
  return { ...tile, annotations: tile.annotations.filter(annotation => annotation[channel] === undefined) };
}
