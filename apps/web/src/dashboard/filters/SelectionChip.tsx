import type { ModelSummary } from '@belvedere/api';
import { RemovableChip } from '@belvedere/ui';
import { useCallback, useLayoutEffect, useRef } from 'react';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { followReadably, useSelection } from '../../live/use-live.ts';
import { t } from '../../messages/messages.ts';
import { describeBoxes } from '../tiles/describe.ts';

/**
 * Describes the selection on a tile, and follows a brush. The text is written without React: rendering would
 * take half as long as drawing all charts of a step.
 */
export function SelectionChip({
  live,
  tile,
  title,
  models,
  onClear,
}: {
  readonly live: DashboardStore;
  readonly tile: string;
  readonly title: string;
  readonly models: readonly ModelSummary[];
  readonly onClear: (tile: string) => void;
}) {
  const words = useRef<HTMLSpanElement>(null);
  const selection = useSelection(live, tile, true);
  useLayoutEffect(() => {
    const write = () => {
      const text = t.filters.selected(title, describeBoxes(selection.now(), models));
      words.current!.textContent = text;
      words.current!.title = text;
    };
    write();
    return followReadably(selection, write);
  }, [selection, title, models]);
  const clear = useCallback(() => onClear(tile), [onClear, tile]);
  return (
    <RemovableChip
      label={<span ref={words} />}
      removeLabel={t.filters.removeSelection(title)}
      onRemove={clear}
    />
  );
}
