// Row ranges (“pieces”) that threads claim one after another. Each has three numbers: its first row, the row
// it ends below, and its run.

/** The run of rows outside of any run. */
export const noRun = -1;
/** Small enough that threads finish together, large enough that starting a piece costs nothing. */
export const pieceRows = 2 ** 18;

/** All rows, without runs. */
export function wholePieces(rows: number): Int32Array {
  return Int32Array.from(
    Array.from({ length: Math.ceil(rows / pieceRows) }, (_, i) => [
      i * pieceRows,
      Math.min(rows, (i + 1) * pieceRows),
      noRun,
    ]).flat(),
  );
}

/** The total number of rows in pieces. */
export function rowsIn(pieces: Int32Array): number {
  let rows = 0;
  for (let piece = 0; piece < pieces.length; piece += 3) rows += pieces[piece + 1]! - pieces[piece]!;
  return rows;
}
