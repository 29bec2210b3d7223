import type { ChartTheme, Mark, Rectangle } from '@belvedere/chart';
import type { BrushedArea } from '../../gestures/use-brushed-panels.ts';

/**
 * The brushed area with a grip at each movable edge. It is drawn among the marks: an element that follows the
 * brush would cost a layout and a composition in each frame.
 */
export function brushMarks(area: BrushedArea, { accent, brush, surface }: ChartTheme): readonly Mark[] {
  const { spans } = area;
  const { x, y, width, height } = frameOf(area);
  return [
    { kind: 'rects', xywh: [x, y, width, height], fill: brush.fill },
    {
      kind: 'rects',
      xywh: [
        x,
        y,
        width,
        1,
        x,
        y + height - 1,
        width,
        1,
        x,
        y + 1,
        1,
        height - 2,
        x + width - 1,
        y + 1,
        1,
        height - 2,
      ],
      fill: brush.edge,
    },
    ...(spans.x
      ? [x, x + width].map((at): Mark => ({
          kind: 'group',
          x: at,
          y: y + height / 2,
          marks: [{ kind: 'path', d: upright, fill: surface, stroke: accent, width: 1 }],
        }))
      : []),
    ...(spans.y
      ? [y, y + height].map((at): Mark => ({
          kind: 'group',
          x: x + width / 2,
          y: at,
          marks: [{ kind: 'path', d: flat, fill: surface, stroke: accent, width: 1 }],
        }))
      : []),
  ];
}

/** The area on the chart, in whole pixels. Along an axis without a condition it is the whole plot. */
export function frameOf({
  panel: {
    x,
    y,
    chart: { plot },
  },
  spans,
}: BrushedArea): Rectangle {
  const [left, right] = (spans.x ?? [plot.x, plot.x + plot.width]).map(Math.round) as [number, number];
  const [top, bottom] = (spans.y ?? [plot.y, plot.y + plot.height]).map(Math.round) as [number, number];
  return {
    x: Math.round(x) + left,
    y: Math.round(y) + top,
    width: Math.max(1, right - left),
    height: Math.max(1, bottom - top),
  };
}

/** Six by twenty pixels, round at the ends, around 0, 0. */
const [upright, flat] = [
  'M-2.5-7a2.5 2.5 0 0 1 5 0V7a2.5 2.5 0 0 1-5 0Z',
  'M-7-2.5H7a2.5 2.5 0 0 1 0 5H-7a2.5 2.5 0 0 1 0-5Z',
];
