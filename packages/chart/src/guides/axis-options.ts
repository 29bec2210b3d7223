import type { ChartTile } from '../chart.ts';

/** The axis options of an encoding, with their defaults. */
export interface AxisOptions {
  readonly title?: string;
  readonly labels: boolean;
  readonly grid?: boolean;
  readonly tickCount?: number;
  readonly format?: string;
}

type Axis = false | Partial<AxisOptions> | undefined;

export function axisOptions(encoding: unknown): AxisOptions {
  const { axis } = (encoding ?? {}) as { readonly axis?: Axis };
  return axis === false ? { labels: false, grid: false } : { labels: true, ...axis };
}

/**
 * The titles that a chart's axes have of their own: at the end of the one below, above the one at the left,
 * and above that at the right.
 */
export function axisTitles(tile: ChartTile): {
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly right?: string | undefined;
} {
  const { x, y } = tile as { readonly x?: unknown; readonly y?: unknown };
  if (tile.kind !== 'combo') return { x: axisOptions(x).title, y: axisOptions(y).title };
  const title = (which: 'left' | 'right') =>
    tile.layers
      .filter(layer => (layer.axis ?? 'left') === which)
      .map(layer => axisOptions(layer.y).title)
      .find(Boolean);
  return { x: axisOptions(x).title, y: title('left'), right: title('right') };
}

/** Whether a chart's colours have labels anywhere. */
export function hasLegend(tile: ChartTile): boolean {
  const { color } = tile as { readonly color?: { readonly legend?: unknown } };
  return color?.legend !== false;
}

/** The title of a legend. */
export function legendTitle(tile: ChartTile): string | undefined {
  const { color } = tile as { readonly color?: { readonly legend?: { readonly title?: string } | false } };
  return color?.legend ? color.legend.title : undefined;
}
