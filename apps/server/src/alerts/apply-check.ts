import {
  initialState,
  isActive,
  judge,
  nextState,
  ruleOf,
  sampleAt,
  type Due,
  type Verdict,
} from '@belvedere/alert';
import type { AlertFile } from '@belvedere/document';
import type { AlertChange, AlertRecord, GroupState } from '../state/messages/alert-states.ts';
import type { Observed } from './observe.ts';

/** Groups that have had no data for this long are forgotten. */
const forgottenMs = 7 * 86_400_000;

/** What a check found: values, or the reason why there are none. */
export type Finding = { readonly observed: Observed } | { readonly error: string };

export interface CheckResult {
  readonly groups: readonly GroupState[];
  readonly changes: readonly AlertChange[];
  /** The groups that a message is due about. */
  readonly due: readonly { readonly group: GroupState; readonly due: Due }[];
}

/**
 * Returns the states after a check. Groups that are known but were not found have no data.
 * @param before what is recorded about the alert, with the groups of what it watches now
 * @param now ms since 1970
 */
export function applyCheck(
  alert: AlertFile,
  before: AlertRecord,
  finding: Finding,
  now: number,
): CheckResult {
  const rule = ruleOf(alert);
  const known = new Map(before.groups.map(group => [group.group, group]));
  const groups: GroupState[] = [];
  const changes: AlertChange[] = [];
  const due: { group: GroupState; due: Due }[] = [];
  for (const { group, label, verdictOf } of subjectsOf(alert, [...known.values()], finding)) {
    const { snoozedUntil: _, ...last } = known.get(group)?.state ?? initialState(now);
    const verdict = verdictOf(isActive(last));
    const snoozed = before.snooze && { snoozedUntil: before.snooze.until };
    const next = nextState({ ...last, ...snoozed }, verdict, now, rule);
    const { state } = next;
    // A verdict that is no news, such as missing data while it fires, leaves the reason for the state.
    const isHeld = state.lacking !== undefined && known.has(group);
    const entry = { group, label, state, verdict: isHeld ? known.get(group)!.verdict : verdict };
    if (state.state !== last.state)
      changes.push({ group, label, at: now, from: last.state, to: state.state, verdict });
    const isForgotten =
      verdict.kind === 'noData' &&
      group !== '' &&
      state.state === 'noData' &&
      now - state.since > forgottenMs;
    if (!isForgotten) groups.push(entry);
    if (next.due) due.push({ group: entry, due: next.due });
  }
  return { groups, changes, due };
}

/**
 * Returns the states after the first check of a changed alert: its groups start over, and those that fired end to.
 * @param before what is recorded about the alert as it was
 */
export function applyFirstCheck(
  alert: AlertFile,
  before: AlertRecord,
  finding: Finding,
  now: number,
): CheckResult {
  const result = applyCheck(alert, { ...before, groups: [] }, finding, now);
  const ended = before.groups
    .filter(({ state }) => state.state === 'firing')
    .map(({ group, label }): AlertChange => ({
      group,
      label,
      at: now,
      from: 'firing',
      to: 'ok',
      verdict: noValue,
    }));
  return { ...result, changes: [...ended, ...result.changes] };
}

/** Values of groups are known again, so the alert as a whole has none. */
const noValue: Verdict = { kind: 'ok', value: null, reason: { kind: 'limit' } };

interface Subject {
  readonly group: string;
  readonly label: string;
  readonly verdictOf: (isActive: boolean) => Verdict;
}

function subjectsOf({ when }: AlertFile, known: readonly GroupState[], finding: Finding): readonly Subject[] {
  if ('error' in finding) {
    const failed = (): Verdict => ({ kind: 'error', message: finding.error });
    const all = known.length > 0 ? known : [{ group: '', label: '' }];
    return all.map(({ group, label }) => ({ group, label, verdictOf: failed }));
  }
  const { series, unit, by } = finding.observed;
  const found = series.map(({ group, label, points }): Subject => ({
    group,
    label,
    verdictOf: isOn =>
      points.length === 0
        ? { kind: 'noData' }
        : judge(when, sampleAt(points, points.length - 1, when, unit), isOn),
  }));
  const isFound = new Set(series.map(({ group }) => group));
  // The empty group stands for an alert with groups while none is known.
  const absent = known.filter(({ group }) => !isFound.has(group) && (by.length === 0 || group !== ''));
  const recovered = known.filter(
    ({ group, state }) => !isFound.has(group) && by.length > 0 && group === '' && state.notified !== 'ok',
  );
  const all = [
    ...found,
    ...recovered.map(({ group, label }): Subject => ({ group, label, verdictOf: () => noValue })),
    ...absent.map(({ group, label }): Subject => ({ group, label, verdictOf: () => ({ kind: 'noData' }) })),
  ];
  return all.length > 0 ? all : [{ group: '', label: '', verdictOf: () => ({ kind: 'noData' }) }];
}
