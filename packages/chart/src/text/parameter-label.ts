import type { Parameter, ParameterValue, TimeUnit } from '@belvedere/document';
import { formatNumber } from './format.ts';
import { chartMessagesIn } from './chart-messages.ts';

/**
 * The label of a parameter's value.
 * @param labelOf a measure's or field's label
 * @param isInside whether it is within a sentence, which decides the case of its first letter
 */
export function parameterText(
  { kind }: Parameter,
  value: ParameterValue,
  labelOf: (name: string) => string,
  locale: string,
  isInside = false,
): string {
  if (kind === 'number') return formatNumber(Number(value), 'number', locale, 'full');
  if (kind === 'choice') return String(value);
  const { units, inSentence } = chartMessagesIn(locale);
  const valueText = kind === 'timeUnit' ? units[value as TimeUnit] : labelOf(String(value));
  return isInside
    ? inSentence(valueText)
    : valueText.charAt(0).toLocaleUpperCase(locale) + valueText.slice(1);
}
