/** What a filter may say at most: values it lists, and letters it looks for. */
export const maxValues = 1000;
export const maxSearchLength = 200;

/** Whether both ends of a range may be of one kind: beside a calendar time a number is a year, as YAML reads a bare `2024`, or milliseconds. */
export function isOneKind(from: string | number | undefined, below: string | number | undefined): boolean {
  if (typeof from !== 'string' && typeof below !== 'string') return true;
  return [from, below].every(edge => typeof edge !== 'number' || (Number.isInteger(edge) && edge >= 0));
}
