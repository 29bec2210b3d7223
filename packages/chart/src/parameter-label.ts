import type { Parameter, ParameterValue, TimeUnit } from '@belvedere/document';
import { formatNumber } from './format.ts';
import { chartMessagesIn } from './chart-messages.ts';

/**
 * What a parameter's value is called, for people.
 * @param labelOf a measure's or field's label
 * @param isInside in the midst of a sentence, where its first letter is as the language has it
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
