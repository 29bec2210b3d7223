import { labelSize } from '../../guides/frame.ts';
import { colourRamp } from '../../scales/ramp.ts';
import type { Mark, Rectangle } from '../../scene.ts';
import { fitText, textWidth } from '../../text/text-width.ts';
import { inkOn } from '../../theme/theme.ts';
import type { Bubble, BubbleLayout } from './bubble-layout.ts';
import type { LineMark } from './bubble-lines.ts';

/** Of bubbles that may lie over each other. */
export const bubbleOpacity = 0.72;

/**
 * The names of the first `max` bubbles, which are the largest: right of each, else left of it, above or
 * below, where there is room. Others are left out.
 */
export function bubbleNames(
  bubbles: readonly Bubble[],
  max: number,
  lines: readonly LineMark[],
  values: Float64Array,
  { plot, xMeasure, size, theme, shading, colourOf }: BubbleLayout,
): Mark[] {
  // Shades run from pale to dark, unlike the hues of series, on which the text's colour is legible.
  const inkIn = (bubble: Bubble) =>
    shading
      ? inkOn(colourRamp([theme.surface, colourOf(bubble, values)], 101)[Math.round(bubbleOpacity * 100)]!)
      : theme.text;
  const below: Rectangle = {
    x: plot.x + plot.width - textWidth(xMeasure.label, 10) - 18,
    y: plot.y + plot.height - 14,
    width: plot.width,
    height: 14,
  };
  const occupied: Rectangle[] = [
    below,
    ...bubbles.map(({ x, y, radius }) => ({
      x: x - radius,
      y: y - radius,
      width: radius * 2,
      height: radius * 2,
    })),
    ...lines.flatMap(alongLine),
  ];
  return bubbles.slice(0, max).flatMap((bubble): Mark[] => {
    const text = fitText(bubble.name, 120, labelSize);
    const width = textWidth(text, labelSize);
    const { x, y, radius } = bubble;
    if (width < radius * 2 - 6)
      return [{ kind: 'text', x, y: y + 4, text, fill: inkIn(bubble), align: 'center', size: labelSize }];
    const positions = (
      [
        ['left', x + radius + 3, y - 6],
        ['right', x - radius - 3 - width, y - 6],
        ['center', x - width / 2, y - radius - 14],
        ['center', x - width / 2, y + radius + 2],
      ] as const
    ).map(([align, px, py]) => ({ align, x: px, y: py, width, height: 12 }));
    const free = positions.find(
      position =>
        position.x >= plot.x &&
        position.x + width <= size.width &&
        position.y >= 12 &&
        position.y + 12 <= plot.y + plot.height &&
        occupied.every(other => !overlap(position, other)),
    );
    if (!free) return [];
    occupied.push(free);
    return [
      {
        kind: 'text',
        x: free.x + { left: 0, center: width / 2, right: width }[free.align],
        y: free.y + 10,
        text,
        fill: theme.text2,
        align: free.align,
        size: labelSize,
      },
    ];
  });
}

/** Small rectangles along a line, so that no name covers it. */
function alongLine({ xy }: LineMark): Rectangle[] {
  const pieces: Rectangle[] = [];
  for (let i = 2; i < xy.length; i += 2) {
    const [x, y, nextX, nextY] = xy.slice(i - 2, i + 2) as [number, number, number, number];
    const steps = Math.ceil(Math.hypot(nextX - x, nextY - y) / 6);
    for (let step = 0; step <= steps; step++)
      pieces.push({
        x: x + ((nextX - x) * step) / steps - 2,
        y: y + ((nextY - y) * step) / steps - 2,
        width: 4,
        height: 4,
      });
  }
  return pieces;
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
