// Row ranges (“pieces”) that threads claim one after another. Each has three numbers: its first row, the row
// it ends below, and its run.

/** The run of rows outside of any run. */
export const noRun = -1;
/** Small enough that threads finish together, large enough that starting a piece costs nothing. */
export const chunkRows = 2 ** 18;

/** All rows, without runs. */
export function wholeChunks(rows: number): Int32Array {
  return Int32Array.from(
    Array.from({ length: Math.ceil(rows / chunkRows) }, (_, i) => [
      i * chunkRows,
      Math.min(rows, (i + 1) * chunkRows),
      noRun,
    ]).flat(),
  );
}

/** The total number of rows in pieces. */
export function rowsIn(chunks: Int32Array): number {
  let rows = 0;
  for (let chunk = 0; chunk < chunks.length; chunk += 3) rows += chunks[chunk + 1]! - chunks[chunk]!;
  return rows;
}
