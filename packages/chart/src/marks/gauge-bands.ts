import type { Tile } from '@belvedere/document';

type GaugeTile = Tile & { kind: 'gauge' };

/** A range of a gauge's scale, with its ends: infinite where it is open. */
export interface GaugeBand {
  readonly from: number;
  readonly below: number;
  readonly look: NonNullable<GaugeTile['bands']>[number]['look'];
}

/** Returns the bands of a gauge. Parameters may put an end before the one before it: such a band is empty. */
export function gaugeBands({ bands = [] }: GaugeTile): readonly GaugeBand[] {
  let from = -Infinity;
  return bands.flatMap(({ below = Infinity, look }) => {
    if (below <= from) return [];
    const band = { from, below, look };
    from = below;
    return [band];
  });
}

/** Returns the band in which a value lies. */
export function bandOf(tile: GaugeTile, value: number): GaugeBand | undefined {
  return gaugeBands(tile).find(({ from, below }) => value >= from && value < below);
}
