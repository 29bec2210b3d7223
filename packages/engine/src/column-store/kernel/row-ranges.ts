// Rows in pieces, which threads take one after another: three numbers each, where a piece begins and ends, and which run it belongs to.

/** Of rows that belong to none. */
export const noRun = -1;
/** Small enough that threads end together, large enough that beginning one costs nothing. */
export const pieceRows = 2 ** 18;

/** All rows, by no runs. */
export function wholePieces(rows: number): Int32Array {
  return Int32Array.from(
    Array.from({ length: Math.ceil(rows / pieceRows) }, (_, i) => [
      i * pieceRows,
      Math.min(rows, (i + 1) * pieceRows),
      noRun,
    ]).flat(),
  );
}

/** How many rows lie in pieces. */
export function rowsIn(pieces: Int32Array): number {
  let rows = 0;
  for (let piece = 0; piece < pieces.length; piece += 3) rows += pieces[piece + 1]! - pieces[piece]!;
  return rows;
}
