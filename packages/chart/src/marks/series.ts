import { slotsOf } from '@belvedere/query';
import type { ChannelAxis } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';
import { seriesColour, type ChartTheme } from '../theme/theme.ts';

/** Returns the series of a colour axis with their colours; one unnamed series without such an axis. */
export function seriesOf(
  axis: ChannelAxis | undefined,
  theme: ChartTheme,
  locale: string,
): { label: string; colour: string }[] {
  if (!axis) return [{ label: '', colour: theme.accent }];
  const fixed = theme.fixed && Object.hasOwn(theme.fixed, axis.field) ? theme.fixed[axis.field]! : {};
  // A colour assigned to a value is not used for another series.
  const usedColours = new Set(Object.values(fixed));
  const free =
    usedColours.size === 0
      ? theme
      : {
          ...theme,
          series: [
            ...theme.series.filter(colour => !usedColours.has(colour)),
            ...theme.series.filter(colour => usedColours.has(colour)),
          ],
        };
  return Array.from({ length: slotsOf(axis) }, (_, position) => {
    const value = axis.kind === 'categories' ? axis.values[position] : undefined;
    const own = value !== undefined && Object.hasOwn(fixed, String(value)) ? fixed[String(value)] : undefined;
    const isOther = axis.kind === 'categories' ? position >= axis.values.length : position >= axis.count;
    return {
      label: positionName(axis, position, locale),
      colour:
        own ??
        seriesColour(
          free,
          axis.kind === 'categories' ? (axis.colours?.[position] ?? position) : position,
          isOther,
        ),
    };
  });
}
