import type { StateDatabase } from './state-database.ts';

export interface TrashedFile {
  readonly file: string;
  readonly text: string;
}

export interface TrashedDashboard {
  readonly number: number;
  readonly dashboard: string;
  readonly title: string;
  readonly at: string;
}

const keptDays = 30;

/** Deleted dashboards, kept for 30 days. */
export class Trash {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  put(dashboard: string, title: string, files: readonly TrashedFile[]): number {
    return Number(
      this.#state.run(
        'insert into binned (dashboard, title, at, files) values (?, ?, ?, ?)',
        dashboard,
        title,
        new Date().toISOString(),
        JSON.stringify(files),
      ).lastInsertRowid,
    );
  }

  /** Newest first. */
  all(): TrashedDashboard[] {
    return this.#state.all<TrashedDashboard>(
      'select number, dashboard, title, at from binned order by number desc',
    );
  }

  /** Dashboards whose 30 days have passed. */
  expired(now: number): TrashedDashboard[] {
    const before = new Date(now - keptDays * 86_400_000).toISOString();
    return this.all().filter(({ at }) => at < before);
  }

  files(number: number): readonly TrashedFile[] | undefined {
    const found = this.#state.get<{ files: string }>('select files from binned where number = ?', number);
    return found && (JSON.parse(found.files) as TrashedFile[]);
  }

  forget(number: number): void {
    this.#state.run('delete from binned where number = ?', number);
  }
}
