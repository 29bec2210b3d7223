/** A number if a double holds all its digits exactly, otherwise the text of the digits. */
export function parseExactNumber(text: string): number | string {
  const plain = text.includes('.') ? withoutEndingZeros(text) : text;
  const digits = plain.replace(/^-?0*\.?0*/, '').replace('.', '');
  if (digits.length <= 15) return Number(plain);
  const value = Number(plain);
  return Number.isSafeInteger(value) && String(value) === plain ? value : plain;
}

/** In linear time: a server may send zeros by the thousand before the last digit. */
function withoutEndingZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, end < text.length && text[end - 1] === '.' ? end - 1 : end);
}
