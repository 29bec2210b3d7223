import type { StateDatabase } from './state-database.ts';

export interface BinnedFile {
  readonly file: string;
  readonly text: string;
}

export interface BinnedDashboard {
  readonly number: number;
  readonly dashboard: string;
  readonly title: string;
  readonly at: string;
}

const keptDays = 30;

/** Dashboards that were taken away, for 30 days. */
export class Bin {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
    state.sql.prepare('delete from binned where at < ?').run(new Date(Date.now() - keptDays * 86_400_000).toISOString());
  }

  put(dashboard: string, title: string, files: readonly BinnedFile[]): number {
    return Number(this.#state.sql.prepare('insert into binned (dashboard, title, at, files) values (?, ?, ?, ?)').run(dashboard, title, new Date().toISOString(), JSON.stringify(files)).lastInsertRowid);
  }

  /** The newest first. */
  all(): BinnedDashboard[] {
    return this.#state.sql.prepare('select number, dashboard, title, at from binned order by number desc').all() as unknown as BinnedDashboard[];
  }

  files(number: number): readonly BinnedFile[] | undefined {
    const found = this.#state.sql.prepare('select files from binned where number = ?').get(number) as { files: string } | undefined;
    return found && (JSON.parse(found.files) as BinnedFile[]);
  }

  forget(number: number): void {
    this.#state.sql.prepare('delete from binned where number = ?').run(number);
  }
}
