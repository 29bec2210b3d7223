import { chartMessagesIn } from '../../text/chart-messages.ts';
import { labelSize } from '../../guides/frame.ts';
import type { Mark } from '../../scene.ts';
import { fitText, textWidth } from '../../text/text-width.ts';
import type { BubbleLayout } from './bubble-layout.ts';

/** Grid lines and labels of both axes. */
export function bubbleGrid({ plot, size, theme, xScale, yScale, xOptions, yOptions }: BubbleLayout): Mark[] {
  return [
    ...yScale.ticks.flatMap((tick): Mark[] => [
      ...(yOptions.grid !== false || tick.value === 0
        ? [
            {
              kind: 'rects',
              xywh: [plot.x, Math.round(tick.pixel), plot.width, 1],
              fill: tick.value === 0 ? theme.axis : theme.grid,
            } as const,
          ]
        : []),
      ...(yOptions.labels
        ? [
            {
              kind: 'text',
              x: plot.x - 8,
              y: tick.pixel + 4,
              text: tick.label,
              fill: theme.text3,
              align: 'right',
              size: labelSize,
            } as const,
          ]
        : []),
    ]),
    ...xScale.ticks.flatMap((tick): Mark[] => {
      const half = textWidth(tick.label, labelSize) / 2;
      const align = tick.pixel + half > size.width ? 'right' : 'center';
      return [
        ...(xOptions.grid !== false || tick.value === 0
          ? [
              {
                kind: 'rects',
                xywh: [Math.round(tick.pixel), plot.y, 1, plot.height],
                fill: tick.value === 0 ? theme.axis : theme.grid,
              } as const,
            ]
          : []),
        ...(xOptions.labels
          ? [
              {
                kind: 'text',
                x: align === 'right' ? size.width : tick.pixel,
                y: size.height - 4,
                text: tick.label,
                fill: theme.text3,
                align,
                size: labelSize,
              } as const,
            ]
          : []),
      ];
    }),
  ];
}

/** The names of both axes and of the size. */
export function bubbleTitles(
  { plot, theme, xMeasure, yMeasure, sizeMeasure, xOptions, yOptions }: BubbleLayout,
  locale: string,
): Mark[] {
  const title = (text: string, x: number, y: number, align: 'left' | 'right'): Mark => ({
    kind: 'text',
    x,
    y,
    text: fitText(text, plot.width * 0.6, 10),
    fill: theme.text2,
    align,
    size: 10,
    weight: 600,
  });
  const above = plot.y - 9;
  return [
    ...(yOptions.title ? [] : [title(`↑ ${yMeasure.label}`, 0, above, 'left')]),
    ...(xOptions.title
      ? []
      : [title(`${xMeasure.label} →`, plot.x + plot.width - 2, plot.y + plot.height - 5, 'right')]),
    ...(sizeMeasure
      ? [title(chartMessagesIn(locale).sized(sizeMeasure.label), plot.x + plot.width, above, 'right')]
      : []),
  ];
}
