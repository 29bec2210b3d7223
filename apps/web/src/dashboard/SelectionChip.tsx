import { RemovableChip } from '@belvedere/ui';
import { useCallback } from 'react';
import type { DashboardLive } from '../live/dashboard-live.ts';
import { useReadableBoxes } from '../live/use-live.ts';
import { t } from '../messages/messages.ts';
import { describeBoxes } from './describe.ts';

/** What is selected on a tile, in words that follow a brush. */
export function SelectionChip({ live, tile, title, onClear }: { readonly live: DashboardLive; readonly tile: string; readonly title: string; readonly onClear: (tile: string) => void }) {
  const boxes = useReadableBoxes(live, tile);
  const clear = useCallback(() => onClear(tile), [onClear, tile]);
  return <RemovableChip label={t.filters.selected(title, describeBoxes(boxes))} removeLabel={t.filters.removeSelection(title)} onRemove={clear} />;
}
