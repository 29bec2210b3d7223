import type { Calendar, Tile } from '@belvedere/document';
import type { Axis, Channel } from '@belvedere/query';
import type { MapShapes } from './map-shapes.ts';
import type { ChartMeasure } from './chart-measure.ts';
import type { Mark, Rectangle, Size } from './scene.ts';
import type { ValueScale } from './guides/value-axis.ts';
import type { PositionScale } from './scales/position.ts';
import type { ChartTheme } from './theme.ts';

export type { ChartMeasure };
export type ChannelAxis = Axis & { readonly channel: Channel };
/** The kinds that are drawn as marks, from axes and numbers. */
export type ChartTile = Exclude<Tile, { kind: 'kpi' | 'table' | 'pivot' | 'text' | 'image' | 'control' }>;

export const isChartTile = (tile: Tile): tile is ChartTile =>
  !['kpi', 'table', 'pivot', 'text', 'image', 'control'].includes(tile.kind);

/** Whether something can be selected on a tile of this kind: of a single figure there is no part. */
export const hasParts = (tile: Tile): boolean => isChartTile(tile) && tile.kind !== 'gauge';

/** Everything a chart is drawn from. The same input gives the same scene, in a browser or on a server. */
export interface ChartInput {
  readonly tile: ChartTile;
  readonly axes: readonly ChannelAxis[];
  readonly measures: readonly ChartMeasure[];
  /** For each measure in turn its value for each group, under the filters alone; NaN for none. */
  readonly base: Float64Array;
  /** The values under the other tiles' selections too, where there are any: scales make room for it. */
  readonly filtered?: Float64Array;
  /** What scales make room for in place of these two, as in small multiples, which share theirs. */
  readonly room?: readonly Float64Array[];
  /** Single points of a scatter or a map, where there are few enough. */
  readonly points?: readonly ChartPoint[];
  /** What a map's regions look like; a map without waits for them. */
  readonly shapes?: MapShapes;
  /** So many pixels at the top are left to what stands above the chart. */
  readonly headroom?: number;
  /** One of several alike, of which the first has said what holds for all. */
  readonly isInRow?: boolean;
  /** Series to leave out, by their places on the colour axis; shapes as `hiddenShape` has them. */
  readonly hidden?: ReadonlySet<number>;
  readonly size: Size;
  readonly theme: ChartTheme;
  readonly locale: string;
  /** Where its weeks begin: on Monday where it is not said. */
  readonly calendar?: Calendar;
}

/** Everything that scales make room for. */
export function roomOf({ base, filtered, room }: ChartInput): readonly Float64Array[] {
  return room ?? (filtered ? [base, filtered] : [base]);
}

export interface ChartPoint {
  /** Which of the rows it is. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** The place on the colour axis, 0 without one. */
  readonly colour: number;
  /** The place on the axis of shapes. */
  readonly shape?: number;
  /** Of small multiples, the places of the panel it lies in. */
  readonly row?: number;
  readonly column?: number;
}

/**
 * Whether a group is selected, by its places on the axes: x and y where the chart has them (-1 for the one it
 * has not), else its axes in
 * their order. Undefined: nothing is selected on this tile, all marks are full.
 */
export type IsSelected = SelectedGroups | undefined;

interface SelectedGroups {
  (first: number, second?: number, third?: number): boolean;
  /**
   * Where the first axis alone tells: its places that are selected. Who draws thousands of them need not ask
   * for each.
   */
  readonly runs?: PositionRuns;
}

/** Runs of places, ascending and apart. */
export type PositionRuns = readonly (readonly [from: number, below: number])[];

interface Look {
  /** Only standing behind others, as all that was there before a selection. */
  readonly isMuted?: boolean;
  readonly isSelected?: IsSelected;
  /** For small multiples, in place of `isSelected`: what is selected in each panel. */
  readonly isSelectedIn?: (panel: Panel) => IsSelected;
  readonly points?: readonly ChartPoint[];
}

/** A laid-out chart: what stays while values change, and a function from values to the marks that do. */
export interface Chart {
  readonly plot: Rectangle;
  /** Grid, axes and labels. */
  readonly guides: readonly Mark[];
  /** The marks for one set of values. */
  readonly marks: (values: Float64Array, look: Look) => readonly Mark[];
  readonly x?: PositionScale;
  readonly y?: PositionScale;
  /** The scale of the measure, and whether it runs along x or along y. */
  readonly value?: { readonly along: 'x' | 'y'; readonly scale: ValueScale };
  /** Where a measure lies along x and another along y: the scale of the one along x. */
  readonly across?: ValueScale;
  /**
   * Where the mark of a place ends, or of one series there: what an annotation points at. Undefined where
   * there is none.
   */
  readonly markAt?: (
    values: Float64Array,
    position: number,
    series?: number,
  ) => { readonly x: number; readonly y: number } | undefined;
  /** The colour of each series, in order, for a legend. */
  readonly series: readonly { readonly label: string; readonly colour: string }[];
  /** Charts whose marks lie on no axes: what can be pointed at, in the order in which one walks it. */
  readonly targets?: (values: Float64Array) => readonly Target[];
  /** Small multiples: the charts this one is made of. */
  readonly panels?: readonly Panel[];
}

/** A mark that can be pointed at, walked to and selected. */
export interface Target {
  /**
   * Its place on each of the chart's axes, in their order; -1 where it stands for all of them, as a branch
   * does.
   */
  readonly positions: readonly number[];
  /** The group it draws, where its places do not tell. */
  readonly group?: number;
  readonly name: string;
  readonly value: number;
  readonly colour: string;
  /** What it has to be read against: its share of this is told. */
  readonly whole?: number;
  /** Where a tooltip points. */
  readonly x: number;
  readonly y: number;
  /** An SVG path around it. */
  readonly outline: string;
  readonly contains: (x: number, y: number) => boolean;
}

export interface Panel {
  readonly chart: Chart;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Its place on the row and on the column axis, where there are such. */
  readonly row?: number;
  readonly column?: number;
  readonly label: string;
  /** This panel's part of all values. */
  readonly valuesOf: (values: Float64Array) => Float64Array;
}
