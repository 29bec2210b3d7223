import { denseParts, shownValues, type CellsHeader, type Frame } from '@belvedere/api';
import type { ChannelAxis } from '@belvedere/chart';
import { isAdditive } from '@belvedere/query';

/** One part of a tile's result, such as its main numbers or those of the previous period. */
export interface ResultPart {
  readonly header: CellsHeader;
  readonly axes: readonly ChannelAxis[];
  readonly values: Float64Array;
  /** Of each measure, whether it adds up. */
  readonly additive: readonly boolean[];
}

/** Returns the numbers and axes of one part of a tile's result, filtered by selections if there are any. */
export function partOf(frames: readonly Frame[], part: string): ResultPart | undefined {
  const of = (scope: 'base' | 'filtered') =>
    frames.find(({ header }) => header.kind === 'cells' && header.part === part && header.scope === scope);
  const frame = of('filtered') ?? of('base');
  if (frame?.header.kind !== 'cells' || !frame.cells) return undefined;
  const { header } = frame;
  return {
    header,
    axes: header.axes,
    values: shownValues(header, denseParts(header.axes, header.merges, frame.cells)),
    additive: header.values.map(value => isAdditive(value, header.merges)),
  };
}
