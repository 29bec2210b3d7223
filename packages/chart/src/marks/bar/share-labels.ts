import { labelSize } from '../../guides/frame.ts';
import type { ValueScale } from '../../guides/value-axis.ts';
import type { Mark } from '../../scene.ts';
import { formatNumber } from '../../text/format.ts';
import { textWidth } from '../../text/text-width.ts';
import { inkOn } from '../../theme/theme.ts';
import type { Bars, WriteBox } from './bar-rectangles.ts';

/** The share that each bar of a normalized stack has, in its middle where there is room. */
export function shareLabels(
  values: Float64Array,
  bars: Bars,
  scale: ValueScale,
  writeBox: WriteBox,
  isSelected: ((position: number) => boolean) | undefined,
): Mark[] {
  const { stacks, shading, series, theme, measure, input } = bars;
  const { amounts, lanes, perPosition, positionCount } = stacks;
  const xywh = new Float64Array(4);
  const labels: Mark[] = [];
  for (let position = 0; position < positionCount; position++) {
    stacks.readAmounts(values, position, scale);
    const isDim = isSelected !== undefined && !isSelected(position);
    for (const [lane, s] of lanes.entries()) {
      const share = amounts[2 * lane + 1]! - amounts[2 * lane]!;
      if (Number.isNaN(share)) continue;
      writeBox(position, lane, amounts, xywh, 0);
      const [x, y, width, height] = xywh as unknown as [number, number, number, number];
      const text = formatNumber(share, measure.format, input.locale, 'label');
      if (height < labelSize + 1 || width < textWidth(text, labelSize) + 2) continue;
      const colour = shading
        ? shading.colours[shading.shadeOf(values, position * perPosition + s)]!
        : series[s]!.colour;
      labels.push({
        kind: 'text',
        x: x + width / 2,
        y: y + height / 2 + 4,
        text,
        fill: isDim ? theme.text3 : inkOn(colour),
        align: 'center',
        size: labelSize,
      });
    }
  }
  return labels;
}
