/**
 * Rounds halves away from zero, for engines that round doubles to the even neighbour. The value is scaled by
 * a power of ten, rounded and scaled back: 3.14159 to two digits is 314 / 100.
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
