import type { SqlResult } from './ResultTable.tsx';

/** The state of running SQL: the last result, and what became of the statement after it. */
export interface SqlRun {
  readonly isRunning: boolean;
  /** Stays while another statement runs, fails or is cancelled. */
  readonly result: SqlResult | undefined;
  /** The statement of the result. */
  readonly sql: string;
  readonly error: string | undefined;
}

export type SqlRunEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'finish'; readonly sql: string; readonly result: SqlResult }
  | { readonly kind: 'fail'; readonly error: string }
  | { readonly kind: 'cancel' }
  /** The text could not be formatted. A running statement is not affected. */
  | { readonly kind: 'reject-format'; readonly error: string };

export const noRun: SqlRun = { isRunning: false, result: undefined, sql: '', error: undefined };

export function afterRunEvent(run: SqlRun, event: SqlRunEvent): SqlRun {
  switch (event.kind) {
    case 'start':
      return { ...run, isRunning: true, error: undefined };
    case 'finish':
      return { ...run, isRunning: false, result: event.result, sql: event.sql };
    case 'fail':
      return { ...run, isRunning: false, error: event.error };
    case 'cancel':
      return { ...run, isRunning: false };
    case 'reject-format':
      return { ...run, error: event.error };
  }
}

/** Whether the result belongs to the statement before the failed one. */
export const isPreviousResult = ({ result, error }: SqlRun): boolean =>
  result !== undefined && error !== undefined;
