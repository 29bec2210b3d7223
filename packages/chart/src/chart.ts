import type { Calendar, Tile } from '@belvedere/document';
import type { Axis, Channel } from '@belvedere/query';
import type { MapShapes } from './map-shapes.ts';
import type { ChartMeasure } from './chart-measure.ts';
import type { Mark, Rectangle, Size } from './scene.ts';
import type { ValueScale } from './guides/value-axis.ts';
import type { PositionScale } from './scales/position.ts';
import type { ChartTheme } from './theme/theme.ts';

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
  /** For each measure, its value for each group, under the filters alone; NaN if missing. */
  readonly base: Float64Array;
  /** The values under the other tiles' selections too, where there are any: scales make room for it. */
  readonly filtered?: Float64Array;
  /** The values that fit the scales, in place of these two. Small multiples share theirs. */
  readonly room?: readonly Float64Array[];
  /** Single points of a scatter or a map, where there are few enough. */
  readonly points?: readonly ChartPoint[];
  /** The shapes of a map's regions. A map without them waits. */
  readonly shapes?: MapShapes;
  /** The height at the top, in pixels, that is left for text above the chart. */
  readonly headroom?: number;
  /** Whether another chart beside this one already has the notes that apply to both. */
  readonly isInRow?: boolean;
  /** Series to leave out, by their places on the colour axis; shapes as `hiddenShape` has them. */
  readonly hidden?: ReadonlySet<number>;
  readonly size: Size;
  readonly theme: ChartTheme;
  readonly locale: string;
  /** The first day of the week; Monday by default. */
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
  /** In small multiples, the positions of the panel. */
  readonly row?: number;
  readonly column?: number;
}

/**
 * Whether a group is selected, by its positions on the axes: x and y if the chart has them (-1 for a missing
 * one), else its axes in order. Undefined if nothing is selected on this tile.
 */
export type IsSelected = SelectedGroups | undefined;

interface SelectedGroups {
  (first: number, second?: number, third?: number): boolean;
  /**
   * The selected positions, if the first axis alone decides. Charts of thousands of marks need no call for
   * each.
   */
  readonly runs?: PositionRuns;
}

/** Runs of places, ascending and apart. */
export type PositionRuns = readonly (readonly [from: number, below: number])[];

export interface Look {
  /** Only standing behind others, as all that was there before a selection. */
  readonly isMuted?: boolean;
  readonly isSelected?: IsSelected;
  /** In small multiples, the selection in each panel, in place of `isSelected`. */
  readonly isSelectedIn?: (panel: Panel) => IsSelected;
  readonly points?: readonly ChartPoint[];
}

/** A laid-out chart: its static part, and a function from values to marks. */
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
  /** The scale along x, for charts with a measure along each axis. */
  readonly across?: ValueScale;
  /**
   * The end of the mark at a position, or of one series there, to which annotations point. Undefined without
   * a mark.
   */
  readonly markAt?: (
    values: Float64Array,
    position: number,
    series?: number,
  ) => { readonly x: number; readonly y: number } | undefined;
  /** The colour of each series, in order, for a legend. */
  readonly series: readonly { readonly label: string; readonly colour: string }[];
  /** The targets of charts without axes, in keyboard order. */
  readonly targets?: (values: Float64Array) => readonly Target[];
  /** Small multiples: the charts this one is made of. */
  readonly panels?: readonly Panel[];
}

/** A mark that can be pointed at, walked to and selected. */
export interface Target {
  /** Its position on each of the chart's axes, in order; -1 if it combines all positions, like a branch. */
  readonly positions: readonly number[];
  /** The group it draws, where its places do not tell. */
  readonly group?: number;
  readonly name: string;
  readonly value: number;
  readonly colour: string;
  /** The total of which its share is shown. */
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
  /** Its positions on the row and on the column axis, if any. */
  readonly row?: number;
  readonly column?: number;
  readonly label: string;
  /** This panel's part of all values. */
  readonly valuesOf: (values: Float64Array) => Float64Array;
}
