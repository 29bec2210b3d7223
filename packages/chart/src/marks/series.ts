import { slotsOf } from '@belvedere/query';
import type { ChannelAxis } from '../chart.ts';
import { placeName } from '../guides/place-axis.ts';
import { seriesColour, type ChartTheme } from '../theme.ts';

/** The series of a colour axis with their colours; one nameless series without such an axis. */
export function seriesOf(axis: ChannelAxis | undefined, theme: ChartTheme, locale: string): { label: string; colour: string }[] {
  if (!axis) return [{ label: '', colour: theme.accent }];
  return Array.from({ length: slotsOf(axis) }, (_, place) => ({
    label: placeName(axis, place, locale),
    colour: seriesColour(theme, axis.kind === 'categories' ? (axis.colours?.[place] ?? place) : place, axis.kind === 'categories' ? place >= axis.values.length : place >= axis.count),
  }));
}
