/**
 * Rounds halves away from zero, where an engine's own rounding of doubles goes to the even neighbour. The digits are shifted before
 * the point by a power of ten and back, so that 3.14159 to two digits is 314 / 100.
 */
export function roundedAwayFromZero(
  value: string,
  digits: string | undefined,
  powerOfTen: string,
  sign: (value: string) => string,
): string {
  const rounded = (shifted: string) => `(${sign(shifted)} * floor(abs(${shifted}) + 0.5))`;
  if (digits === undefined) return rounded(value);
  const up = `${powerOfTen}abs(${digits}))`;
  return `case when ${digits} >= 0 then ${rounded(`${value} * ${up}`)} / ${up} else ${rounded(`${value} / ${up}`)} * ${up} end`;
}
