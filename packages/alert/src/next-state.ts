import type { Verdict } from './judge.ts';
import type { AlertRule } from './rule.ts';

export const alertStates = ['ok', 'pending', 'firing', 'noData', 'error'] as const;
export type StateName = (typeof alertStates)[number];

/** The states that messages are about. */
export type NotifiedState = Exclude<StateName, 'pending'>;

/** The state of one group of an alert. Times are milliseconds since 1970. */
export interface AlertState {
  readonly state: StateName;
  /** When it was entered. */
  readonly since: number;
  /** The last value; null before the first. */
  readonly value: number | null;
  /** Data that is missing, or checks that fail, but not yet for long enough to be a state. */
  readonly lacking?: { readonly kind: 'noData' | 'error'; readonly since: number };
  /** The state in the last message. */
  readonly notified: NotifiedState;
  readonly notifiedAt?: number;
  /** No message is sent until then. */
  readonly snoozedUntil?: number;
}

/** The state of a group that was never checked. It needs no message. */
export function initialState(now: number): AlertState {
  return { state: 'ok', since: now, value: null, notified: 'ok' };
}

/** A message that is due: of a change since the last one, or a repetition. */
export type Due = 'change' | 'repeat';

/** Whether the condition counts as holding, so that `clear` applies. */
export function isActive({ state }: AlertState): boolean {
  return state === 'firing' || state === 'pending';
}

/**
 * Returns the state after a check, and the message that is due. Each change has one message: it is due if
 * the state differs from that of the last message.
 *
 * Missing data and failed checks neither end a firing nor start one, unless the rule says `fire`. They are
 * states of their own once they have lasted for the rule's hold time.
 */
export function nextState(
  before: AlertState,
  verdict: Verdict,
  now: number,
  rule: AlertRule,
): { readonly state: AlertState; readonly due?: Due } {
  const entered = enter(before, verdict, now, rule);
  const due = dueOf(entered, now, rule);
  const state: AlertState =
    due === undefined ? entered : { ...entered, notified: entered.state as NotifiedState, notifiedAt: now };
  return due === undefined ? { state } : { state, due };
}

function enter(before: AlertState, verdict: Verdict, now: number, rule: AlertRule): AlertState {
  const { lacking, ...kept } = before;
  if (verdict.kind === 'ok') return into(kept, 'ok', now, verdict.value);
  if (verdict.kind === 'breach' || fallbackOf(verdict.kind, rule) === 'fire') {
    const value = verdict.kind === 'breach' ? verdict.value : null;
    if (before.state === 'firing') return into(kept, 'firing', now, value);
    const since = before.state === 'pending' ? before.since : now;
    return into(kept, now - since >= rule.holdMs ? 'firing' : 'pending', now, value);
  }
  if (before.state === verdict.kind) return kept;
  const since = lacking?.kind === verdict.kind ? lacking.since : now;
  return before.state !== 'firing' && now - since >= rule.holdMs
    ? into(kept, verdict.kind, now, null)
    : { ...before, lacking: { kind: verdict.kind, since } };
}

function into(kept: AlertState, state: StateName, now: number, value: number | null): AlertState {
  return { ...kept, state, value, since: state === kept.state ? kept.since : now };
}

function fallbackOf(kind: 'noData' | 'error', { noData, onError }: AlertRule) {
  return kind === 'noData' ? noData : onError;
}

function dueOf(
  { state, notified, notifiedAt, snoozedUntil }: AlertState,
  now: number,
  rule: AlertRule,
): Due | undefined {
  if (state === 'pending' || (snoozedUntil !== undefined && now < snoozedUntil)) return undefined;
  if (state !== notified) {
    const isSilent = (state === 'noData' || state === 'error') && fallbackOf(state, rule) !== 'notify';
    return isSilent ? undefined : 'change';
  }
  return state === 'firing' && rule.repeatMs !== undefined && now - (notifiedAt ?? 0) >= rule.repeatMs
    ? 'repeat'
    : undefined;
}
