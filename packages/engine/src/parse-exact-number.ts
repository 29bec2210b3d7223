/** A number if a double holds all its digits exactly, otherwise the text of the digits. */
export function parseExactNumber(text: string): number | string {
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const digits = plain.replace(/^-?0*\.?0*/, '').replace('.', '');
  if (digits.length <= 15) return Number(plain);
  const value = Number(plain);
  return Number.isSafeInteger(value) && String(value) === plain ? value : plain;
}
