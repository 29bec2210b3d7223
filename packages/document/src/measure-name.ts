import type { Aggregate, Encoding, FieldEncoding, MeasureEncoding } from './schema/encoding.ts';

/** What a measure encoding asks for, as questions name it: a measure, or an aggregate written as a call. */
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

/** What a field's values are in the order of, where that is a measure or an aggregate, and whether the largest come first. */
export function sortingMeasure(
  sort: FieldEncoding['sort'],
): { readonly measure: string; readonly isDescending: boolean } | undefined {
  return typeof sort === 'object' && !Array.isArray(sort)
    ? { measure: measureName(sort), isDescending: sort.order !== 'ascending' }
    : undefined;
}
