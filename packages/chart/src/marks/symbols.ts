import { positionsOf } from '@belvedere/query';
import type { ChannelAxis } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';
import type { ChartTheme } from '../theme/theme.ts';

/** The shapes of points, of about the same area. */
const symbols: readonly ((x: number, y: number, r: number) => string)[] = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x} ${y - 1.35 * r}L${x + 1.25 * r} ${y + 0.85 * r}H${x - 1.25 * r}z`,
  (x, y, r) => `M${x - 0.9 * r} ${y - 0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (x, y, r) => `M${x} ${y - 1.4 * r}L${x + 1.15 * r} ${y}L${x} ${y + 1.4 * r}L${x - 1.15 * r} ${y}z`,
  (x, y, r) =>
    `M${x - 0.42 * r} ${y - 1.25 * r}h${0.84 * r}v${0.83 * r}h${0.83 * r}v${0.84 * r}h${-0.83 * r}v${0.83 * r}h${-0.84 * r}v${-0.83 * r}h${-0.83 * r}v${-0.84 * r}h${0.83 * r}z`,
  (x, y, r) => `M${x} ${y + 1.35 * r}L${x + 1.25 * r} ${y - 0.85 * r}H${x - 1.25 * r}z`,
];

/** A point's outline, as an SVG path; a circle without a shape. */
export function symbolPath(symbol: number, x: number, y: number, radius: number): string {
  return (symbols[symbol] ?? symbols[0]!)(x, y, radius);
}

/** An entry of a legend, with its colour and shape. */
export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly symbol?: number;
}

/**
 * The entries of a chart's legend. If shapes and colours have the same field, each series has its shape;
 * otherwise the shapes follow the series, without a colour.
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
