import type { Aggregate, Encoding, FieldEncoding, MeasureEncoding } from './schema/encoding.ts';

/** The name of an encoding's measure in queries: a measure, or an aggregate as a call. */
export function measureName(
  encoding:
    | MeasureEncoding
    | { readonly measure: string }
    | { readonly aggregate: Aggregate; readonly field?: string | undefined },
): string {
  return 'measure' in encoding ? encoding.measure : `${encoding.aggregate}(${encoding.field ?? ''})`;
}

export const isMeasure = (encoding: Encoding): encoding is MeasureEncoding =>
  'measure' in encoding || 'aggregate' in encoding;

/** The measure or aggregate that a field's values are sorted by, if any, and the direction. */
export function sortingMeasure(
  sort: FieldEncoding['sort'],
): { readonly measure: string; readonly isDescending: boolean } | undefined {
  return typeof sort === 'object' && !Array.isArray(sort)
    ? { measure: measureName(sort), isDescending: sort.order !== 'ascending' }
    : undefined;
}
