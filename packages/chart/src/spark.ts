import { extentOf } from './guides/value-axis.ts';
import type { Mark, Size } from './scene.ts';

/** A small line without axes: the shape of a measure's course. */
export function drawSpark(values: ArrayLike<number>, size: Size, colour: string, extent: readonly [number, number] = extentOf(values)): Mark[] {
  const [low, high] = extent;
  const count = values.length;
  const xy: number[] = [];
  for (let i = 0; i < count; i++) xy.push(2 + ((size.width - 4) * (i + 0.5)) / count, size.height - 2 - ((values[i]! - low) / (high - low || 1)) * (size.height - 4));
  return [{ kind: 'line', xy, stroke: colour, width: 1.5 }];
}

