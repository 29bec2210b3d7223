import {
  measureName,
  type MeasureEncoding,
  type Tile,
  type TileKind,
  type TimeUnit,
} from '@belvedere/document';
import { axisOf } from '../tiles/axis-of-field.ts';
import { convertTile } from '../tiles/convert-tile.ts';
import type { FieldFacts } from '../tiles/field-facts.ts';
import { suggestTile } from '../tiles/suggest-tile.ts';
import type { ShowAs } from '../tiles/table-calculations.ts';
import type { PhraseModel } from './phrase-model.ts';

/** How a phrase restricts the tile that its fields suggest. */
export interface PhraseShape {
  readonly range: Partial<{ readonly from: number; readonly below: number }> | undefined;
  readonly limit: { readonly count: number; readonly isLowest: boolean } | undefined;
  readonly kind: TileKind | undefined;
  readonly show: ShowAs | undefined;
  readonly model: PhraseModel;
}

/** Returns the tile that a phrase's measures and dimensions suggest, if there is one. */
export function tileOf(
  measures: readonly { readonly encoding: MeasureEncoding; readonly field?: FieldFacts }[],
  dimensions: readonly { readonly field: FieldFacts; readonly timeUnit?: TimeUnit }[],
  { range, limit, kind, show, model }: PhraseShape,
): Tile | undefined {
  const facts = new Map<string, FieldFacts>(model.fields.map(field => [field.name, field]));
  const encodings = new Map(measures.map(({ encoding }) => [measureName(encoding), encoding]));
  const along = dimensions.map(({ field }) =>
    field.name === model.time && range ? clipped(field, range) : field,
  );
  for (const field of along) facts.set(field.name, field);
  const of = measures.map(
    ({ encoding, field }): FieldFacts =>
      field ?? { name: measureName(encoding), label: measureName(encoding) },
  );
  for (const field of of) facts.set(field.name, field);
  const suggested = suggestedFor(of, along, model);
  // A table has columns of the model's own measures only.
  if (suggested.kind === 'table' && measures.some(({ encoding }) => !('measure' in encoding)))
    return undefined;
  const tile = kind ? convertTile(suggested, kind, name => facts.get(name)) : suggested;
  if (!tile || (show && !calculated.includes(tile.kind))) return undefined;
  // The sectors of these kinds are shares already.
  const shown = show && !wholes.includes(tile.kind) ? { show } : {};
  const units = new Map(
    dimensions.flatMap(({ field, timeUnit }) => (timeUnit ? [[field.name, timeUnit]] : [])),
  );
  const adjusted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(adjusted);
    if (value === null || typeof value !== 'object') return value;
    const encoding = value as Readonly<Record<string, unknown>>;
    if (typeof encoding['measure'] === 'string') {
      const { measure, ...rest } = encoding;
      return { ...(encodings.get(measure as string) ?? { measure }), ...rest, ...shown };
    }
    if (typeof encoding['field'] === 'string' && !('aggregate' in encoding)) {
      const timeUnit = units.get(encoding['field']);
      return {
        ...encoding,
        ...(timeUnit && { timeUnit }),
        ...(limit && 'limit' in encoding && { limit: limit.count, ...(limit.isLowest && { sort: 'value' }) }),
      };
    }
    return Object.fromEntries(Object.entries(encoding).map(([key, inner]) => [key, adjusted(inner)]));
  };
  return adjusted(tile) as Tile;
}

/** Kinds that can draw a table calculation, and those that always draw parts of a whole. */
const wholes: readonly TileKind[] = ['pie', 'donut', 'treemap'];
const calculated: readonly TileKind[] = ['bar', 'line', 'area', ...wholes];

/** A part of a time stands along the x axis in its own order. */
function suggestedFor(
  measures: readonly FieldFacts[],
  dimensions: readonly FieldFacts[],
  { timeParts = {} }: PhraseModel,
): Tile {
  const [only, ...others] = dimensions;
  return measures.length === 1 && only && others.length === 0 && Object.values(timeParts).includes(only)
    ? { kind: 'bar', x: axisOf(only), y: { measure: measures[0]!.name } }
    : suggestTile([...measures, ...dimensions]);
}

/** A time whose axis is chosen for a part of its range. */
function clipped(field: FieldFacts, { from, below }: NonNullable<PhraseShape['range']>): FieldFacts {
  const { profile } = field;
  if (!profile) return field;
  const [min, max] = [Number(profile.min), Number(profile.max)];
  return {
    ...field,
    profile: {
      ...profile,
      min: from === undefined ? min : Math.max(from, min),
      max: below === undefined ? max : Math.min(below, max),
    },
  };
}
