import type { Edit, Path } from '@belvedere/document';

/**
 * Sets keys of the map at a path. An undefined value removes its key, and the map goes with its last key.
 *
 * @param now the map as it is; undefined if there is none
 */
export function setKeys(
  path: Path,
  now: Readonly<Record<string, unknown>> | undefined,
  changes: Readonly<Record<string, unknown>>,
): Edit[] {
  const next = { ...now, ...changes };
  if (now !== undefined && Object.values(next).every(value => value === undefined))
    return [{ kind: 'remove', path }];
  return Object.entries(changes).flatMap(([key, value]): Edit[] => {
    if (value !== undefined) return [{ kind: 'set', path: [...path, key], value }];
    return now && Object.hasOwn(now, key) ? [{ kind: 'remove', path: [...path, key] }] : [];
  });
}
