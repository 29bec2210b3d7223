import type { Tile } from '@belvedere/document';
import { aggregateCall, type ShowAs } from '@belvedere/query';
import { chartMessagesIn } from './chart-messages.ts';

/**
 * The label of a measure: that of its model, or in the locale's language for aggregates of a field, the count
 * of rows and guessed measures (`inferModel`) without a label of their own.
 * @param labelOf a field's label
 */
export function measureText(
  { name, label }: { readonly name: string; readonly label: string },
  labelOf: (field: string) => string,
  locale: string,
): string {
  const { aggregates } = chartMessagesIn(locale);
  const call = aggregateCall(name);
  if (name === 'rows' || call?.field === '') return label === 'Rows' ? aggregates.rows : label;
  const aggregateLabel = call && (aggregates as Readonly<Record<string, unknown>>)[call.aggregate];
  if (typeof aggregateLabel === 'function')
    return (aggregateLabel as (field: string) => string)(labelOf(call!.field));
  const [, guess, column = ''] = guessedName.exec(name) ?? [];
  const guessed = guess === 'avg' ? 'average' : 'total';
  return guess !== undefined && label === chartMessagesIn('en').aggregates[guessed](labelOf(column))
    ? aggregates[guessed](labelOf(column))
    : label;
}

/**
 * The label of a measure among those of its tile. A combo names the calculations of its layers, because it can
 * draw a measure and its change together. Elsewhere the title names the calculation.
 */
export function layerLabel(
  { kind }: Pick<Tile, 'kind'>,
  show: ShowAs | null | undefined,
  label: string,
  locale: string,
): string {
  return kind === 'combo' && show ? chartMessagesIn(locale).calculated[show](label) : label;
}

/** As measures are named that are guessed: `total_quantity`, `avg_price`. */
const guessedName = /^(total|avg)_(.+)$/;
