import type { Tile } from '@belvedere/document';
import type { Axis } from '@belvedere/query';
import type { Mark, Rectangle, Size } from './scene.ts';
import type { Position } from './scales/position.ts';
import type { ChartTheme } from './theme.ts';

export type ChannelAxis = Axis & { readonly channel: 'x' | 'y' | 'color' | 'spark' };
export type ChartTile = Extract<Tile, { kind: 'bar' | 'line' | 'area' | 'heatmap' | 'scatter' }>;

/** Everything a chart is drawn from. The same input gives the same scene, in a browser or on a server. */
export interface ChartInput {
  readonly tile: ChartTile;
  readonly axes: readonly ChannelAxis[];
  readonly measure: { readonly label: string; readonly format?: string; readonly unit?: string; readonly isAdditive: boolean };
  /** The measure for each group, under the filters alone; NaN for none. */
  readonly base: Float64Array;
  /** The measure under the other tiles' selections too, where there are any: scales make room for it. */
  readonly filtered?: Float64Array;
  /** A scatter of single points, where there are few enough. */
  readonly points?: readonly ScatterPoint[];
  readonly size: Size;
  readonly theme: ChartTheme;
  readonly locale: string;
}

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  /** The place on the colour axis, -1 without one. */
  readonly colour: number;
}

/** Whether a group is selected, by its slots on the positional axes; undefined: nothing is selected on this tile, all marks are full. */
export type IsSelected = ((x: number, y: number) => boolean) | undefined;

/** A laid-out chart: what stays while values change, and a function from values to the marks that do. */
export interface Chart {
  readonly plot: Rectangle;
  /** Grid, axes and labels. */
  readonly guides: readonly Mark[];
  /** The marks for one set of values, `muted` where they only stand behind others. */
  readonly marks: (values: Float64Array, look: { readonly isMuted?: boolean; readonly isSelected?: IsSelected; readonly points?: readonly ScatterPoint[] }) => readonly Mark[];
  readonly x?: Position;
  readonly y?: Position;
  /** The colour of each series, in order, for a legend. */
  readonly series: readonly { readonly label: string; readonly colour: string }[];
}
