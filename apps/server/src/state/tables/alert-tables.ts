import type { ReportOutcome, ReportReason } from '@belvedere/api';
import type { GeneratedAlways } from 'kysely';

/** The tables of alerts and reports: their states, changes and runs. */
export interface AlertTables {
  readonly alert_check: AlertCheckTable;
  readonly alert_snooze: AlertSnoozeTable;
  readonly alert_state: AlertStateTable;
  readonly alert_change: AlertChangeTable;
  readonly report_run: ReportRunTable;
  readonly report_unsubscription: ReportUnsubscriptionTable;
}

/** The last check of an alert. Times of alerts are ms since 1970. */
interface AlertCheckTable {
  readonly document_id: string;
  /** When it was checked first. */
  readonly begun_at: number;
  readonly checked_at: number;
  /** A hash of what it watched. States of anything else do not count. */
  readonly watched: string;
  /** Why it does not run any more. */
  readonly stopped: string | null;
  /** Why the last check failed, for authors. */
  readonly problem: string | null;
  /** What it measures, as JSON. */
  readonly measure: string | null;
}

interface AlertSnoozeTable {
  readonly document_id: string;
  readonly until: number;
  readonly by_id: string;
}

/** The state of one group of an alert, or of its only value (an empty key). */
interface AlertStateTable {
  readonly document_id: string;
  readonly group_key: string;
  readonly label: string;
  readonly state: string;
  /** An `AlertState` and the last verdict, as JSON. */
  readonly record: string;
}

interface AlertChangeTable {
  readonly id: GeneratedAlways<number>;
  readonly document_id: string;
  readonly group_key: string;
  readonly label: string;
  readonly at: number;
  readonly from_state: string;
  readonly to_state: string;
  /** The value and the verdict's reason, as JSON. */
  readonly detail: string;
  /** What the alert watched then; null for changes from before it was recorded. */
  readonly watch: string | null;
}

/** The last try of a report at one due time. */
interface ReportRunTable {
  readonly document_id: string;
  /** ms since 1970. */
  readonly due_at: number;
  readonly started_at: string;
  readonly ended_at: string;
  readonly outcome: ReportOutcome;
  readonly reason: ReportReason | null;
  readonly detail: string | null;
  /** How many users and channels it was sent to. */
  readonly recipients: number;
  /** Recipients who got nothing, as JSON. */
  readonly left_out: string;
}

/** A user no longer wants to get a report. */
interface ReportUnsubscriptionTable {
  readonly document_id: string;
  readonly user_id: string;
  readonly at: string;
}
