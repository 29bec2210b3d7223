import type { AlertDetail } from '@belvedere/api';
import { useState } from 'react';
import { momentOf } from './alert-texts.ts';
import { words } from './messages/words.ts';

const days = 30;
const dayMs = 86_400_000;

const fills = {
  ok: 'bg-good',
  pending: 'bg-warn',
  firing: 'bg-bad',
  noData: 'bg-border-strong',
  error: 'bg-warn',
} as const;

/** From the least to the most grave: of several groups, the gravest state is shown. */
const gravity = ['ok', 'pending', 'noData', 'error', 'firing'] as const;
type State = (typeof gravity)[number];

/** The states of the last 30 days as a strip. The table below it says the same in words. */
export function HistoryStrip({ alert }: { readonly alert: AlertDetail }) {
  const [openedAt] = useState(() => Date.now());
  const last = alert.checkedAt ?? alert.history[0]?.at ?? 0;
  // A state lasts until the next check, which may wait for new data.
  const now = alert.isPaused || alert.stopped !== undefined ? last : Math.max(last, openedAt);
  const begin = Math.max(now - days * dayMs, alert.begunAt ?? 0);
  const spans = spansOf(alert, begin, now);
  return (
    <div className="px-4 pb-3">
      <p className="pb-1 text-12 text-text-2">
        {words.historyStrip(Math.max(1, Math.ceil((now - begin) / dayMs)))}
      </p>
      <div aria-hidden className="flex h-4 overflow-hidden rounded-control bg-hover">
        {spans.map(({ state, from, below }) => (
          <span
            key={from}
            title={`${words.states[state]}: ${momentOf(from)} – ${momentOf(below)}`}
            className={`${fills[state]} min-w-1`}
            style={{ flexGrow: below - from, flexBasis: 0 }}
          />
        ))}
      </div>
    </div>
  );
}

/** The gravest state of all groups, from one change to the next. */
function spansOf({ history }: AlertDetail, begin: number, end: number) {
  const changes = history.toReversed();
  const states = new Map<string, State>();
  // Before its first change, a group had the state that it left then.
  for (const { group, from } of history) states.set(group, from);
  const worst = () => gravity.findLast(state => [...states.values()].includes(state)) ?? 'ok';
  const spans: { state: State; from: number; below: number }[] = [];
  let from = begin;
  for (const { group, at, to } of changes) {
    const before = worst();
    states.set(group, to);
    if (at > from && worst() !== before) {
      spans.push({ state: before, from, below: at });
      from = at;
    }
  }
  spans.push({ state: worst(), from, below: Math.max(end, from + 1) });
  return spans;
}
