import type { Encoding, MeasureEncoding } from './encoding.ts';

/** What a measure encoding asks for, as questions name it: a measure, or an aggregate written as a call. */
export function measureName(encoding: MeasureEncoding): string {
  return 'measure' in encoding ? encoding.measure : `${encoding.aggregate}(${encoding.field ?? ''})`;
}

export const isMeasure = (encoding: Encoding): encoding is MeasureEncoding => 'measure' in encoding || 'aggregate' in encoding;
