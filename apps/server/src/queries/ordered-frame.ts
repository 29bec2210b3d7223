import type { Cells, Frame } from '@belvedere/api';

/**
 * Returns a frame whose cells are in the order of their groups, with whole numbers as integers, since their
 * order and form depend on how the query happened to run. Files of the same data then have the same bytes.
 * The time that the query took is left out.
 */
export function orderedFrame({ header, cells }: Frame): Frame {
  return {
    header: header.kind === 'cells' ? { ...header, engineMs: 0 } : header,
    ...(cells && { cells: orderedCells(cells) }),
  };
}

function orderedCells({ groups, parts }: Cells): Cells {
  const order = Uint32Array.from(groups.keys()).sort((a, b) => groups[a]! - groups[b]! || a - b);
  return {
    groups: Int32Array.from(order, i => groups[i]!),
    parts: parts.map(part => {
      const isWhole = part.every(value => Object.is(value | 0, value));
      return isWhole ? Int32Array.from(order, i => part[i]!) : Float64Array.from(order, i => part[i]!);
    }),
  };
}
