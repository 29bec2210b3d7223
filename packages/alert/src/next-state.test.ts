import { describe, expect, test } from 'vitest';
import { initialState, nextState, type AlertState } from './next-state.ts';
import type { Verdict } from './judge.ts';
import type { AlertRule } from './rule.ts';

const plain: AlertRule = { when: { above: 10 }, holdMs: 0, noData: 'notify', onError: 'notify' };
const ok: Verdict = { kind: 'ok', value: 1, reason: { kind: 'limit', high: 10 } };
const breach: Verdict = { kind: 'breach', value: 11, reason: { kind: 'limit', high: 10 } };
const noData: Verdict = { kind: 'noData' };
const error: Verdict = { kind: 'error', message: 'unreachable' };

/** Runs one check a minute and returns each state, with `!` where a message is due. */
function run(rule: Partial<AlertRule>, verdicts: readonly Verdict[], start: Partial<AlertState> = {}) {
  let state: AlertState = { ...initialState(0), ...start };
  return verdicts.map((verdict, minute) => {
    const next = nextState(state, verdict, minute * 60_000, { ...plain, ...rule });
    state = next.state;
    return `${state.state}${next.due === undefined ? '' : next.due === 'change' ? '!' : '…'}`;
  });
}

describe('the states of an alert', () => {
  test('each change has one message', () => {
    expect(run({}, [ok, breach, breach, ok, ok])).toEqual(['ok', 'firing!', 'firing', 'ok!', 'ok']);
  });

  test('a condition is pending until it has held for the hold time', () => {
    expect(run({ holdMs: 120_000 }, [breach, breach, breach, ok, breach, ok])).toEqual([
      'pending',
      'pending',
      'firing!',
      'ok!',
      'pending',
      'ok',
    ]);
  });

  test('missing data and errors are states of their own', () => {
    expect(run({}, [noData, noData, ok])).toEqual(['noData!', 'noData', 'ok!']);
    expect(run({}, [error, noData, breach])).toEqual(['error!', 'noData!', 'firing!']);
    expect(run({ noData: 'ignore' }, [noData, ok])).toEqual(['noData', 'ok']);
    expect(run({ noData: 'fire' }, [noData, ok])).toEqual(['firing!', 'ok!']);
  });

  test('missing data neither ends a firing nor repeats it', () => {
    expect(run({}, [breach, noData, breach, error, noData, ok])).toEqual([
      'firing!',
      'firing',
      'firing',
      'firing',
      'firing',
      'ok!',
    ]);
  });

  test('data that is missing now and then changes nothing within the hold time', () => {
    expect(run({ holdMs: 120_000 }, [noData, ok, noData, ok, noData, noData, noData])).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
      'noData!',
    ]);
  });

  test('a firing is repeated', () => {
    expect(run({ repeatMs: 120_000 }, [breach, breach, breach, breach, breach, ok])).toEqual([
      'firing!',
      'firing',
      'firing…',
      'firing',
      'firing…',
      'ok!',
    ]);
  });

  test('a snooze sends nothing, and at its end a message about what is different then', () => {
    const snoozedUntil = 120_000;
    expect(run({}, [breach, breach, breach, breach], { snoozedUntil })).toEqual([
      'firing',
      'firing',
      'firing!',
      'firing',
    ]);
    expect(run({}, [breach, ok, ok], { snoozedUntil })).toEqual(['firing', 'ok', 'ok']);
  });
});
