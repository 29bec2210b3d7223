/**
 * Parses a number as users type it: with or without thousands separators, with the decimal sign of their
 * language or, if unambiguous, another, with a currency or a percent sign.
 * @param isPercent whether the text is in hundredths, with or without the sign
 * @returns undefined for an empty text, NaN for an invalid one
 */
export function parseNumber(text: string, locale: string, isPercent = false): number | undefined {
  const typed = text.replace(/[\s\p{Sc}'’]/gu, '').replace('−', '-');
  if (typed === '') return undefined;
  const written = typed.replace(/%$/, '');
  const [decimal, group] = decimalSign(locale) === ',' ? [',', '.'] : ['.', ','];
  const isGrouped = new RegExp(
    `^[-+]?\\d{1,3}(?:\\${group}\\d{2,3})*\\${group}\\d{3}(?:\\${decimal}\\d*)?$`,
  ).test(written);
  const plain = isGrouped
    ? written.replaceAll(group, '').replace(decimal, '.')
    : written.replace(/[.,]/, '.');
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(plain)) return Number.NaN;
  return isPercent || typed.endsWith('%') ? shifted(plain, -2) : Number(plain);
}

/** A number as it may be typed again. */
export function typedNumber(value: number, locale: string, isPercent = false): string {
  const plain = isPercent ? String(shifted(String(value), 2)) : String(value);
  return `${decimalSign(locale) === ',' ? plain.replace('.', ',') : plain}${isPercent ? '%' : ''}`;
}

/** A number in digits times a power of ten, shifted in its text: 12.3 / 100 is not quite 0.123. */
function shifted(digits: string, power: number): number {
  const [plain, exponent = '0'] = digits.split(/e/i) as [string, string?];
  return Number(`${plain}e${Number(exponent) + power}`);
}

function decimalSign(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')!.value;
}
