import { ProblemError } from '../../http/problems.ts';

/**
 * Passes chunks through and fails past the format's row limit. The total was not known before, and no rows
 * are omitted silently.
 */
export async function* noMoreThan<T>(
  maxRows: number,
  pieces: AsyncIterable<T>,
  rowsIn: (piece: T) => number,
  refused: (maxRows: number) => ProblemError = tooLong,
): AsyncGenerator<T, void> {
  let rows = 0;
  for await (const piece of pieces) {
    rows += rowsIn(piece);
    if (rows > maxRows) throw refused(maxRows);
    yield piece;
  }
}

function tooLong(maxRows: number): ProblemError {
  return new ProblemError(
    'query-too-large',
    `There are more than ${maxRows.toLocaleString('en')} rows, the maximum of this format. Select fewer rows, or use another format.`,
  );
}

/** Requests the first chunk at once, so that errors appear before anything is sent. */
export async function begun<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  return (await withFirst(pieces))[0];
}

/** Returns the same chunks, and the first of them if there is one. */
export async function withFirst<T>(
  pieces: AsyncIterable<T>,
): Promise<readonly [AsyncIterable<T>, T | undefined]> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const all = (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
  return [all, first.done ? undefined : first.value];
}
