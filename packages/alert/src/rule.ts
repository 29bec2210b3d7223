import { durationMs, type AlertFile } from '@belvedere/document';

/** What an alert does about missing data and failed checks. */
export type Fallback = NonNullable<AlertFile['noData']>;

/** How an alert's values become states. */
export interface AlertRule {
  readonly when: AlertFile['when'];
  /** How long a condition must hold, and data must be missing, before the state changes. */
  readonly holdMs: number;
  /** Tells again after this time while it fires. */
  readonly repeatMs?: number;
  readonly noData: Fallback;
  readonly onError: Fallback;
}

export function ruleOf({ when, hold, repeat, noData, onError }: AlertFile): AlertRule {
  return {
    when,
    holdMs: hold === undefined ? 0 : durationMs(hold),
    ...(repeat !== undefined && { repeatMs: durationMs(repeat) }),
    noData: noData ?? 'notify',
    onError: onError ?? 'notify',
  };
}
