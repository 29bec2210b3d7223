/*
 * Why a report was not sent. Pages translate these values, so no schema stands here.
 */

/** What a run of a report came to. */
export const reportOutcomes = ['sent', 'skipped', 'stopped', 'failed'] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

/** Why a run was skipped, stopped or failed. */
export const reportReasons = [
  /** Stopped: its text has errors, or those of its dashboard. */
  'invalid',
  /** Stopped: it names no owner, or one without an account. */
  'owner-unknown',
  'owner-disabled',
  /** Stopped: its owner may no longer see the dashboard. */
  'owner-forbidden',
  /** Skipped: a condition of `onlyIf` did not hold. */
  'not-fresh',
  'empty',
  'condition',
  /** Skipped: all recipients were left out, or there are none. */
  'no-recipients',
  /** Failed. */
  'timed-out',
  'error',
] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Why a recipient got nothing. */
export const recipientReasons = [
  'unknown',
  'disabled',
  'forbidden',
  'unsubscribed',
  /** No tile has rows for them. */
  'empty',
  /** A filter of `each` does not apply to every tile, so that others' rows would be shown. */
  'filter-not-applied',
  /** Users and groups exist in team mode only. */
  'no-accounts',
] as const;
export type RecipientReason = (typeof recipientReasons)[number];
