import type { NamedAxis } from '@belvedere/api';
import type { Chart, Panel, Size } from '@belvedere/chart';
import type { DataType } from '@belvedere/model';
import type { Box } from '@belvedere/query';
import { useMemo } from 'react';
import { brushChannels, pixelsOf, type BrushChannel, type Spans } from './brush-gesture.ts';
import { boxOfPanel, panelsOf } from './pointing.ts';

/** A part of a panel, from where to where along its axes. */
export interface BrushedArea {
  readonly panel: Panel;
  readonly spans: Spans;
}

/** A chart's panels as a brush meets them. */
export interface BrushedPanels {
  readonly panels: readonly Panel[];
  /** The steps by which a panel is brushed along its axes. */
  readonly brushesOf: (panel: Panel) => readonly BrushChannel[];
  /** Where a selection is one area of a panel: which. */
  readonly brushedBy: (boxes: readonly Box[]) => BrushedArea | undefined;
  /** The brushed box if it is a range, which has a frame; undefined for a list of names. */
  readonly framedBy: (boxes: readonly Box[]) => BrushedArea | undefined;
}

/** @param chart undefined while there is nothing drawn: nothing can be brushed on it then */
export function useBrushedPanels(
  chart: Chart | undefined,
  size: Size | undefined,
  axes: readonly NamedAxis[] | undefined,
  typeOf: (field: string) => DataType,
): BrushedPanels {
  return useMemo(() => {
    const panels = chart && size ? panelsOf(chart, size) : [];
    const brushes = new Map(panels.map(panel => [panel, brushChannels(panel.chart, axes ?? [], typeOf)]));
    const brushesOf = (panel: Panel) => brushes.get(panel) ?? [];
    const brushedBy = ([box, ...others]: readonly Box[]) => {
      if (!box || others.length > 0) return undefined;
      for (const panel of panels) {
        const spans = panel.chart.targets ? undefined : pixelsOf(brushesOf(panel), box);
        if (spans && holds(boxOfPanel(panel, axes ?? []), box)) return { panel, spans };
      }
      return undefined;
    };
    const framedBy = (boxes: readonly Box[]) => {
      const area = brushedBy(boxes);
      return area && brushesOf(area.panel).some(brush => brush.edges !== undefined) ? area : undefined;
    };
    return { panels, brushesOf, brushedBy, framedBy };
  }, [chart, size, axes, typeOf]);
}

/** Whether a box has the conditions of a panel. */
function holds(own: Box | undefined, box: Box): boolean {
  return (
    own !== undefined &&
    Object.entries(own).every(
      ([field, condition]) => JSON.stringify(box[field]) === JSON.stringify(condition),
    )
  );
}
