import { inkOn, type ColourScale } from '@belvedere/chart';
import type { CSSProperties } from 'react';

/** The colours of a cell that is shaded by its value. */
export function heatStyle(scale: ColourScale, value: number): CSSProperties {
  const background = scale.colours[scale.bucketOf(value)]!;
  return { background, color: inkOn(background) };
}
