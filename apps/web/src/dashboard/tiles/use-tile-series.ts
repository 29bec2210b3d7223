import type { Field } from '@belvedere/api';
import { legendEntries, seriesOf } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { useMemo } from 'react';
import type { TileView } from '../../live/live-tile.ts';
import { locale } from '../../messages/messages.ts';
import { useChartTheme } from '../chart/use-theme.ts';

/** The series of a legend. Charts that label their marks have none. */
export function useTileSeries(tile: Tile, view: TileView, measures: readonly Field[]) {
  const theme = useChartTheme();
  const axes = view.rows?.axes ?? (view.filtered?.main ?? view.base.main)?.axes;
  const colour = axes?.find(axis => axis.channel === 'color');
  return useMemo(() => {
    if (tile.kind === 'combo')
      return {
        series: measures
          .slice(0, tile.layers.length)
          .map(({ label }, i) => ({ label, colour: theme.series[i]! })),
        choices: tile.layers.length,
      };
    const own =
      colour && ['bar', 'line', 'area', 'scatter', 'radar'].includes(tile.kind)
        ? seriesOf(colour, theme, locale).slice(0, colour.kind === 'categories' ? undefined : colour.count)
        : [];
    const entries = legendEntries(axes ?? [], own, theme, locale);
    return entries.length > 0 ? { series: entries, choices: own.length } : undefined;
  }, [tile, axes, colour, theme, measures]);
}
