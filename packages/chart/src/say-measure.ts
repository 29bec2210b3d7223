import { aggregateCall } from '@belvedere/query';
import { wordsIn } from './words.ts';

/**
 * What a measure is called: as its model has it; an aggregate of a field, and the count of rows that every model has, in the words of the
 * locale's language, unless its maker has called it otherwise.
 * @param labelOf a field's label
 */
export function sayMeasure({ name, label }: { readonly name: string; readonly label: string }, labelOf: (field: string) => string, locale: string): string {
  const { aggregates } = wordsIn(locale);
  const call = aggregateCall(name);
  if (name === 'rows' || call?.field === '') return label === 'Rows' ? aggregates.rows : label;
  const say = call && (aggregates as Readonly<Record<string, unknown>>)[call.aggregate];
  return typeof say === 'function' ? (say as (field: string) => string)(labelOf(call!.field)) : label;
}
