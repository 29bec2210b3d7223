import type { ModelSummary } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import { canDrill, zoomChannel, type Adjustment, type Box } from '@belvedere/query';
import { useMemo } from 'react';
import { useCalendar } from '../chart/calendar.ts';
import type { Zoomable } from '../gestures/use-zoom.ts';
import { withZoom } from '../gestures/zoom.ts';

/**
 * Drilling down and zooming in on a tile.
 * @returns `open` drills into a mark, and `zoomable` is the axis that can be zoomed; undefined where the tile
 * has neither
 */
export function useTileDrill(
  tile: Tile,
  model: ModelSummary | undefined,
  typeOf: (field: string) => DataType,
  adjustment: Adjustment | undefined,
  onAdjust: (next: Adjustment | undefined) => void,
  isOffline: boolean,
) {
  const calendar = useCalendar();
  const isDrillable = canDrill(tile, typeOf, model?.hierarchies) !== undefined;
  const open = useMemo(
    () =>
      isDrillable && !isOffline
        ? (mark: Box) => onAdjust({ ...adjustment, drill: [...(adjustment?.drill ?? []), mark] })
        : undefined,
    [isDrillable, isOffline, onAdjust, adjustment],
  );
  const zoomable = useMemo((): Zoomable | undefined => {
    const along = isOffline ? undefined : zoomChannel(tile, typeOf);
    if (!along) return undefined;
    return {
      channel: along.channel,
      type: typeOf(along.encoding.field),
      unit: adjustment?.timeUnit,
      calendar,
      zoom: adjustment?.zoom,
      onZoom: zoom => onAdjust(withZoom(adjustment, zoom)),
    };
  }, [isOffline, tile, typeOf, calendar, adjustment, onAdjust]);
  return { open, zoomable };
}
