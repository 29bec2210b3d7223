import type { Field, RowsHeader } from '@belvedere/api';
import type { ChartPoint, ChartTile, Panel, Target } from '@belvedere/chart';
import { shadingMeasures, tooltipMeasures, type Box, type NotedEvent } from '@belvedere/query';
import { useMemo } from 'react';
import type { LiveTile, Picture } from '../../live/live-tile.ts';
import { boxOfPositions } from './brush-gesture.ts';
import {
  hoverPosition,
  hoverPoint,
  hoverTarget,
  withAnnotationsAt,
  withEventsAt,
} from '../chart/hover/hover.ts';
import {
  boxInPanel,
  boxOfTarget,
  panelAt,
  pointNear,
  targetsIn,
  type Cursor,
  type Point,
} from './pointing.ts';
import type { TooltipContent } from '../chart/hover/Tooltip.tsx';
import type { BrushedPanels } from './use-brushed-panels.ts';

interface DrawnChart {
  readonly live: LiveTile;
  readonly tile: ChartTile;
  readonly brushed: BrushedPanels;
  readonly picture: Picture;
  readonly points: readonly ChartPoint[] | undefined;
  readonly rows: RowsHeader | undefined;
  readonly measures: readonly Field[];
  readonly notes: readonly NotedEvent[];
}

/**
 * The panels of a chart for pointers and keys: their targets, the conditions of these, and their tooltips.
 */
export interface PanelTargets extends BrushedPanels {
  readonly axes: Picture['axes'];
  /** The marks that are neither places nor points, as the slices of a pie. */
  readonly targetsOf: (panel: Panel) => readonly Target[];
  /**
   * The conditions of the mark under a point. Undefined without a mark, or if it has no values of its own.
   */
  readonly markAt: (at: Point) => Box | undefined;
  /** The same for where the keys are. */
  readonly markOf: (at: Cursor) => Box | undefined;
  readonly contentAt: (at: Point) => TooltipContent | undefined;
  /** The same for where the keys are. */
  readonly contentOf: (at: Cursor) => TooltipContent | undefined;
  /** The cursor's position after the axes have changed. */
  readonly cursorAt: (panel: number, at: Point) => Cursor | undefined;
}

export function usePanelTargets({
  live,
  tile,
  brushed,
  picture,
  points,
  rows,
  measures,
  notes,
}: DrawnChart): PanelTargets {
  const { axes } = picture;
  return useMemo(() => {
    const { panels, brushesOf } = brushed;
    const hovered = () => ({
      picture,
      values: live.current('main') ?? picture.values,
      measures,
      tooltipMeasures: tooltipMeasures(tile).length + shadingMeasures(tile).length,
      isLine: tile.kind === 'line' || tile.kind === 'area' || tile.kind === 'combo',
    });
    // Children precede their branch, so the first target that contains a point is the innermost.
    const targetsOf = (panel: Panel): readonly Target[] =>
      targetsIn(panel, live.current('main') ?? picture.values, live.view.isSliced);

    const markIn = (panel: Panel, at: Point | Target): Box | undefined => {
      if ('positions' in at) return boxOfTarget(panel, at, axes);
      const positions = { x: [at.x, at.x + 1], y: [at.y, at.y + 1] } as const;
      return boxInPanel(panel, axes, boxOfPositions(brushesOf(panel), positions));
    };
    const targetAt = (panel: Panel, { x, y }: Point) =>
      targetsOf(panel).find(target => target.contains(x, y));
    const markAt = (at: Point): Box | undefined => {
      const panel = panelAt(panels, at);
      const local = inPanel(panel, at);
      const mark = panel.chart.targets ? targetAt(panel, local) : placesAt(panel, local);
      return mark && markIn(panel, mark);
    };
    const markOf = (at: Cursor): Box | undefined => {
      const panel = panels[at.panel]!;
      const mark = at.target === undefined ? at : targetsOf(panel)[at.target];
      return mark && markIn(panel, mark);
    };

    /** The tooltip of a position or a target, with annotations and event notes. */
    const contentIn = (panel: Panel, at: Point | Target): TooltipContent | undefined =>
      'positions' in at
        ? withAnnotationsAt(hoverTarget(panel, at, axes, hovered()), tile, axes, {
            ...placesOfPanel(panel),
            detail: at.positions[0]!,
          })
        : withAnnotationsAt(
            withEventsAt(hoverPosition(panel, axes, at, hovered()), axes, at.x, notes),
            tile,
            axes,
            { ...placesOfPanel(panel), x: at.x, y: at.y },
          );

    const contentAt = (at: Point): TooltipContent | undefined => {
      const panel = panelAt(panels, at);
      const local = inPanel(panel, at);
      if (panel.chart.targets) {
        const target = targetAt(panel, local);
        return target && contentIn(panel, target);
      }
      // Between single points there is no tooltip.
      if (points && rows && panel.chart.x && panel.chart.y) {
        const pointed = pointNear(panel, points, local);
        return pointed && hoverPoint(panel, pointed, rows);
      }
      const positions = placesAt(panel, local);
      return local.x < panel.chart.plot.x - 40 ? undefined : contentIn(panel, positions);
    };

    const contentOf = (at: Cursor): TooltipContent | undefined => {
      const panel = panels[at.panel];
      const mark = panel && (at.target === undefined ? at : targetsOf(panel)[at.target]);
      return mark && contentIn(panel, mark);
    };
    const cursorAt = (position: number, at: Point): Cursor | undefined => {
      const panel = panels[position];
      return panel && !panel.chart.targets ? { panel: position, ...placesAt(panel, at) } : undefined;
    };

    return { ...brushed, axes, targetsOf, markAt, markOf, contentAt, contentOf, cursorAt };
  }, [live, tile, picture, points, rows, measures, notes, brushed, axes]);
}

export function inPanel(panel: Panel, at: Point): Point {
  return { x: at.x - panel.x, y: at.y - panel.y };
}

function placesAt(panel: Panel, at: Point): Point {
  return { x: panel.chart.x?.positionAt(at.x) ?? -1, y: panel.chart.y?.positionAt(at.y) ?? -1 };
}

/** The positions of a panel. */
function placesOfPanel({ row, column }: Panel): { readonly row?: number; readonly column?: number } {
  return { ...(row !== undefined && { row }), ...(column !== undefined && { column }) };
}
