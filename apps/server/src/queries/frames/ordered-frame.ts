import type { Cells, Frame, Merge } from '@belvedere/api';

/**
 * Returns a frame whose cells are in the order of their groups, without those that say no more than a missing
 * one, and with whole numbers as integers. The engine returns a cell for each group with rows, encoded columns
 * only those with a total, each in its own order and form. Files of the same data then have the same bytes.
 * The time that the query took is left out.
 */
export function orderedFrame({ header, cells }: Frame): Frame {
  const merges = header.kind === 'cells' || header.kind === 'index' ? header.merges : [];
  return {
    header: header.kind === 'cells' ? { ...header, engineMs: 0 } : header,
    ...(cells && { cells: orderedCells(cells, merges) }),
  };
}

function orderedCells({ groups, parts }: Cells, merges: readonly Merge[]): Cells {
  // As `denseParts` reads them: a sum that is missing is 0, and any other part NaN.
  const isMissing = (part: number, value: number) =>
    Number.isNaN(value) || (value === 0 && merges[part] === 'sum');
  const order = Uint32Array.from(
    [...groups.keys()].filter(i => parts.some((values, part) => !isMissing(part, values[i]!))),
  ).sort((a, b) => groups[a]! - groups[b]! || a - b);
  return {
    groups: Int32Array.from(order, i => groups[i]!),
    parts: parts.map((values, part) => {
      const given = Float64Array.from(order, i =>
        isMissing(part, values[i]!) ? missing(merges[part]) : values[i]!,
      );
      return given.every(value => Object.is(value | 0, value)) ? Int32Array.from(given) : given;
    }),
  };
}

const missing = (merge: Merge | undefined) => (merge === 'sum' ? 0 : Number.NaN);
