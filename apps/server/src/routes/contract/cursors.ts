import { ProblemError } from '../../http/problems.ts';

/** A position in a list: what identifies its last entry that was read, and orders it. */
export type Position = readonly (string | number)[];

/** Of the database's type `integer`, which the IDs of counted records have. */
export const largestInteger = 2 ** 31 - 1;

interface Page {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Reads one page of a list.
 *
 * @param name names the list, so that the cursor of another one is refused
 * @param read returns so many entries after a position, or the first ones
 * @param bounds for each part of a position, the largest number that the database can compare, or any text
 * @throws ProblemError `request-invalid` for a cursor that is not one of this list
 */
export async function readPage<Entry, At extends Position | []>(
  name: string,
  { cursor, limit }: Page,
  bounds: At,
  read: (after: At | undefined, count: number) => Promise<readonly Entry[]>,
  positionOf: (entry: Entry) => At,
): Promise<{ readonly entries: readonly Entry[]; readonly nextCursor?: string }> {
  const after = cursor === undefined ? undefined : positionIn(cursor, name, bounds);
  const found = await read(after, limit + 1);
  const entries = found.slice(0, limit);
  if (found.length <= limit) return { entries };
  return { entries, nextCursor: cursorOf(name, positionOf(entries.at(-1)!)) };
}

function cursorOf(name: string, position: Position): string {
  return Buffer.from(JSON.stringify([name, ...position])).toString('base64url');
}

/** Anyone can write a cursor, so its parts are only used as values that entries are compared with. */
function positionIn<At extends Position | []>(cursor: string, name: string, bounds: At): At {
  const [of, ...position] = partsIn(cursor);
  const isWithin = (part: unknown, bound: string | number | undefined) =>
    typeof bound === 'number'
      ? Number.isSafeInteger(part) && Math.abs(part as number) <= bound
      : typeof part === 'string' && /^[\x20-\x7e]*$/.test(part);
  if (
    of !== name ||
    position.length !== bounds.length ||
    !position.every((part, i) => isWithin(part, bounds[i]))
  )
    throw new ProblemError(
      'request-invalid',
      'This `cursor` does not belong to this list. Pass the `nextCursor` of its previous page, or none.',
    );
  return position as unknown as At;
}

function partsIn(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
