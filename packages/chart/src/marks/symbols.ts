import { positionsOf } from '@belvedere/query';
import type { ChannelAxis } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';
import type { ChartTheme } from '../theme.ts';

/** What points are told apart by beside their colour; all cover about as much of the ground. */
const symbols: readonly ((x: number, y: number, r: number) => string)[] = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x} ${y - 1.35 * r}L${x + 1.25 * r} ${y + 0.85 * r}H${x - 1.25 * r}z`,
  (x, y, r) => `M${x - 0.9 * r} ${y - 0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (x, y, r) => `M${x} ${y - 1.4 * r}L${x + 1.15 * r} ${y}L${x} ${y + 1.4 * r}L${x - 1.15 * r} ${y}z`,
  (x, y, r) =>
    `M${x - 0.42 * r} ${y - 1.25 * r}h${0.84 * r}v${0.83 * r}h${0.83 * r}v${0.84 * r}h${-0.83 * r}v${0.83 * r}h${-0.84 * r}v${-0.83 * r}h${-0.83 * r}v${-0.84 * r}h${0.83 * r}z`,
  (x, y, r) => `M${x} ${y + 1.35 * r}L${x + 1.25 * r} ${y - 0.85 * r}H${x - 1.25 * r}z`,
];

/** A point's outline, as an SVG path; what has no shape of its own is round. */
export function symbolPath(symbol: number, x: number, y: number, radius: number): string {
  return (symbols[symbol] ?? symbols[0]!)(x, y, radius);
}

/** A name in a legend, with the look of what bears it. */
export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly symbol?: number;
}

/**
 * A chart's series as its legend has them. Where its points have shapes for the same values, each series has
 * its own; shapes of other values
 * come after the series, in a colour of none.
 */
export function legendEntries(
  axes: readonly ChannelAxis[],
  series: readonly LegendEntry[],
  theme: ChartTheme,
  locale: string,
): readonly LegendEntry[] {
  const [shape, colour] = (['shape', 'color'] as const).map(channel =>
    axes.find(axis => axis.channel === channel),
  );
  if (!shape) return series;
  if (shape.field === colour?.field) return series.map((entry, symbol) => ({ ...entry, symbol }));
  return [
    ...series,
    ...Array.from({ length: positionsOf(shape) }, (_, symbol) => ({
      label: positionName(shape, symbol, locale),
      colour: theme.text2,
      symbol,
    })),
  ];
}
