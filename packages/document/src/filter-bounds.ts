/** The maximum number of values a filter lists, and of characters it searches for. */
export const maxValues = 1000;
export const maxSearchLength = 200;

/**
 * Whether both ends of a range fit together. Beside a calendar time, a number is milliseconds or, as YAML
 * reads a bare `2024`, a year.
 */
export function isOneKind(from: string | number | undefined, below: string | number | undefined): boolean {
  if (typeof from !== 'string' && typeof below !== 'string') return true;
  return [from, below].every(edge => typeof edge !== 'number' || (Number.isInteger(edge) && edge >= 0));
}
