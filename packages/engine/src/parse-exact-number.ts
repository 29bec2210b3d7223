/** A number where a double holds its every digit, else the digits themselves. */
export function parseExactNumber(text: string): number | string {
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const digits = plain.replace(/^-?0*\.?0*/, '').replace('.', '');
  if (digits.length <= 15) return Number(plain);
  const value = Number(plain);
  return Number.isSafeInteger(value) && String(value) === plain ? value : plain;
}
