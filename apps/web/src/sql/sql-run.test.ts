import { describe, expect, test } from 'vitest';
import type { SqlResult } from './ResultTable.tsx';
import { afterRunEvent, isPreviousResult, noRun, type SqlRunEvent } from './sql-run.ts';

const resultOf = (ms: number): SqlResult => ({ columns: [], rows: [], isCut: false, ms });
const start: SqlRunEvent = { kind: 'start' };
const finish: SqlRunEvent = { kind: 'finish', sql: 'select 1', result: resultOf(1) };
const fail: SqlRunEvent = { kind: 'fail', error: 'No such table' };
const after = (...events: readonly SqlRunEvent[]) => events.reduce(afterRunEvent, noRun);

describe('a SQL run', () => {
  test('shows its result and statement once it has finished', () => {
    expect(after(start, finish)).toEqual({
      isRunning: false,
      result: resultOf(1),
      sql: 'select 1',
      error: undefined,
    });
  });

  test('keeps the previous result while the next statement runs, and when it is cancelled', () => {
    expect(after(start, finish, start)).toMatchObject({ isRunning: true, result: resultOf(1) });
    expect(after(start, finish, start, { kind: 'cancel' })).toEqual(after(start, finish));
  });

  test('marks the result as previous after an error, until the next statement starts', () => {
    const failed = after(start, finish, start, fail);
    expect(failed).toMatchObject({ isRunning: false, sql: 'select 1', error: 'No such table' });
    expect(isPreviousResult(failed)).toBe(true);
    expect(isPreviousResult(afterRunEvent(failed, start))).toBe(false);
  });

  test('has no previous result if the first statement fails', () => {
    expect(isPreviousResult(after(start, fail))).toBe(false);
  });

  test('goes on when the text cannot be formatted', () => {
    const run = after(start, { kind: 'reject-format', error: 'Not SQL' });
    expect(run).toMatchObject({ isRunning: true, error: 'Not SQL' });
  });
});
