/** The tables of jobs and their schedules. */
export interface JobTables {
  readonly job: JobTable;
  readonly schedule: ScheduleTable;
  readonly paused_jobs: PausedJobsTable;
}

export type JobState = 'queued' | 'running' | 'done' | 'given-up' | 'cancelled';

/** Work that runs at a time, once. Times in ms since 1970. */
interface JobTable {
  readonly id: string;
  readonly kind: string;
  /** What it is about, such as the ID of an alert. */
  readonly object: string;
  /** The same work has the same key. */
  readonly key: string;
  readonly due_at: number;
  /** The time of its next try. */
  readonly run_at: number;
  readonly state: JobState;
  /** Tries so far, the running one included. */
  readonly attempt: number;
  /** The process that runs it, and until when that may be believed. */
  readonly locked_by: string | null;
  readonly locked_until: number | null;
  readonly queued_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** What it is doing, or has done. */
  readonly detail: string | null;
  readonly error: string | null;
}

/** Up to when the due times of a schedule have become jobs. */
interface ScheduleTable {
  readonly kind: string;
  readonly object: string;
  readonly seen_to: number;
}

/** Kinds of jobs that an admin has paused. */
interface PausedJobsTable {
  readonly kind: string;
}
