import type { ChartInput, ChartMeasure } from '../chart.ts';
import type { Mark } from '../scene.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';
import { formatNumber } from '../text/format.ts';
import { fitText, textWidth } from '../text/text-width.ts';
import type { seriesOf } from './series.ts';

/** Size of names and shares beside slices. */
export const labelSize = 11;

interface PieLayout extends Pick<ChartInput, 'theme' | 'locale' | 'size'> {
  readonly series: ReturnType<typeof seriesOf>;
  readonly radius: number;
}

/** Name and share at each slice's side, moved apart where they would meet. */
export function besideLabels(
  { series, theme, locale, size, radius }: PieLayout,
  arcs: readonly { startAngle: number; endAngle: number; value: number }[],
  whole: number,
): Mark[] {
  const room = (size.width - radius * 2) / 2 - 14;
  const spots = arcs.flatMap((slice, position) => {
    if (slice.value === 0 || slice.endAngle - slice.startAngle < 0.05) return [];
    const angle = (slice.startAngle + slice.endAngle) / 2 - Math.PI / 2;
    return [
      {
        position,
        isRight: Math.cos(angle) >= 0,
        x: Math.cos(angle) * (radius + 8),
        y: Math.sin(angle) * (radius + 6) + 4,
        share: slice.value / whole,
      },
    ];
  });
  for (const isRight of [true, false]) {
    const column = spots.filter(spot => spot.isRight === isRight).toSorted((a, b) => a.y - b.y);
    for (let i = 0; i < column.length; i++) {
      const above = i === 0 ? labelSize - size.height / 2 : column[i - 1]!.y + 14;
      column[i]!.y = Math.max(column[i]!.y, above);
    }
    for (let i = column.length - 1; i >= 0; i--)
      column[i]!.y = Math.min(column[i]!.y, size.height / 2 - 4 - 14 * (column.length - 1 - i));
  }
  return spots.map(({ position, isRight, x, y, share }): Mark => {
    const percent = formatNumber(share, 'percent', locale, 'label');
    const text = `${fitText(series[position]!.label, Math.max(20, room - textWidth(percent, labelSize) - 6), labelSize)} ${percent}`;
    // A label that was moved stays beside the circle.
    const nearest = Math.max(0, y - labelSize > 0 ? y - labelSize : -y);
    const beside = Math.max(radius * 0.5, nearest < radius ? Math.sqrt(radius ** 2 - nearest ** 2) + 8 : 0);
    return {
      kind: 'text',
      x: isRight ? Math.max(x, beside) : Math.min(x, -beside),
      y,
      text,
      fill: theme.text2,
      align: isRight ? 'left' : 'right',
      size: labelSize,
    };
  });
}

/** The whole in the middle of a donut, with its name below. */
export function wholeInMiddle(
  { theme, locale, radius }: Pick<PieLayout, 'theme' | 'locale' | 'radius'>,
  format: ChartMeasure['format'],
  whole: number,
): Mark[] {
  return [
    {
      kind: 'text',
      x: 0,
      y: 4,
      text: formatNumber(whole, format, locale, 'label'),
      fill: theme.text,
      align: 'center',
      size: Math.min(22, radius / 3.4),
      weight: 600,
    },
    {
      kind: 'text',
      x: 0,
      y: 20,
      text: fitText(chartMessagesIn(locale).total, radius, labelSize),
      fill: theme.text3,
      align: 'center',
      size: labelSize,
    },
  ];
}
