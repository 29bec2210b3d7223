import { Menu } from '@belvedere/ui';
import { AlarmClock } from 'lucide-react';
import { client } from '../data/server.ts';
import { words } from './messages/words.ts';

const hourMs = 3_600_000;
const spans = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;

/** Snoozes alerts for some time, or ends that. */
export function SnoozeMenu({
  ids,
  isSnoozed,
  attempt,
}: {
  readonly ids: readonly string[];
  readonly isSnoozed: boolean;
  readonly attempt: (work: () => Promise<unknown>) => Promise<unknown>;
}) {
  const snooze = (until: number | null) =>
    void attempt(() => client.snoozeAlerts({ body: { ids: [...ids], until } }));
  return (
    <Menu
      label={words.snooze}
      icon={<AlarmClock size={16} aria-hidden />}
      groups={() => [
        (Object.keys(spans) as (keyof typeof spans)[]).map(span => ({
          id: span,
          label: words.snoozeFor[span],
          onAction: () => snooze(Date.now() + spans[span]),
        })),
        isSnoozed ? [{ id: 'end', label: words.unsnooze, onAction: () => snooze(null) }] : [],
      ]}
    />
  );
}
