/** All rows of a state database as they were at one moment, whatever changes meanwhile. */
export interface StateSnapshot {
  /** The name of the newest migration. */
  readonly migration: string;
  /** Lines of JSON: `{"table": NAME}`, then the rows of that table. Tables come after those they refer to. */
  lines(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** Rows of one table, at most some hundred. */
export interface SomeRows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}
