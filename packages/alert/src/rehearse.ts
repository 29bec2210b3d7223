import { judge, type Verdict } from './judge.ts';
import { initialState, isActive, nextState, type AlertState, type StateName } from './next-state.ts';
import type { PeriodUnit } from './condition.ts';
import type { AlertRule } from './rule.ts';
import { sampleAt, type Series } from './series.ts';

/** A time during which a group would have been in a state. */
export interface Span {
  readonly group: string;
  readonly state: Exclude<StateName, 'ok'>;
  readonly from: number;
  readonly below: number;
}

/** What an alert would have done over past values. */
export interface Rehearsal {
  /** All spans that are not *ok*, by group and time. */
  readonly spans: readonly Span[];
  /** Number of times that it would have fired, and the longest of them. */
  readonly fired: number;
  readonly longestMs: number;
  /** Messages that would have been sent. Groups that change at the same check share one. */
  readonly messages: number;
  /** The state and verdict of each group after its last value. */
  readonly last: readonly { readonly group: string; readonly state: AlertState; readonly verdict: Verdict }[];
}

/**
 * Runs a rule over past values, as if it had been checked at the end of each period.
 * @param unit of the series' periods; undefined for a figure at several times
 */
export function rehearse(rule: AlertRule, all: readonly Series[], unit: PeriodUnit | undefined): Rehearsal {
  const spans: Span[] = [];
  const messageTimes = new Set<number>();
  const last = all.map(series => rehearseOne(rule, series, unit, spans, messageTimes));
  const firing = spans.filter(span => span.state === 'firing');
  return {
    spans,
    fired: firing.length,
    longestMs: firing.reduce((longest, { from, below }) => Math.max(longest, below - from), 0),
    messages: messageTimes.size,
    last,
  };
}

function rehearseOne(
  rule: AlertRule,
  { group, points }: Series,
  unit: PeriodUnit | undefined,
  spans: Span[],
  messageTimes: Set<number>,
): Rehearsal['last'][number] {
  let state = initialState(points[0]?.below ?? 0);
  let verdict: Verdict = { kind: 'noData' };
  let begin = points[0]?.from ?? 0;
  const close = (below: number) => {
    if (state.state !== 'ok') spans.push({ group, state: state.state, from: begin, below });
  };
  for (const [i, point] of points.entries()) {
    for (const at of repeatsBefore(state, point.below, rule)) {
      messageTimes.add(at);
      state = { ...state, notifiedAt: at };
    }
    verdict = judge(rule.when, sampleAt(points, i, rule.when, unit), isActive(state));
    const next = nextState(state, verdict, point.below, rule);
    if (next.due) messageTimes.add(point.below);
    if (next.state.state !== state.state) {
      close(point.from);
      begin = point.from;
    }
    state = next.state;
  }
  close(points.at(-1)?.below ?? begin);
  return { group, state, verdict };
}

/** The repetitions between two periods' ends, which checks in between would have sent. */
function repeatsBefore({ state, notifiedAt }: AlertState, end: number, { repeatMs }: AlertRule): number[] {
  if (state !== 'firing' || repeatMs === undefined || notifiedAt === undefined) return [];
  return Array.from(
    { length: Math.max(0, Math.ceil((end - notifiedAt) / repeatMs) - 1) },
    (_, i) => notifiedAt + (i + 1) * repeatMs,
  );
}
