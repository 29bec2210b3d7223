import { DashboardState, type Me, type SavedView } from '@belvedere/api';
import { ProblemError } from '../problems.ts';
import type { StateDatabase } from './state-database.ts';

const mostRecent = 24;
const mostViews = 1000;
const tables = ['favourite', 'recent', 'view'] as const;

/** Per-user data: favourites, recent dashboards with their last states, and saved views. */
export class UserPreferences {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /**
   * @param isThere whether a dashboard exists; views of missing dashboards, for example of those in the
   * trash, are omitted
   */
  of(owner: string, isThere: (dashboard: string) => boolean): Me {
    const rows = (sql: string) =>
      this.#state.all<Row>(sql, owner).filter(({ dashboard }) => isThere(dashboard));
    return {
      favourites: rows('select dashboard from favourite where owner = ? order by at').map(
        ({ dashboard }) => dashboard,
      ),
      recent: rows('select dashboard, state from recent where owner = ? order by at desc').map(
        ({ dashboard, state }) => ({ dashboard, ...readState(state) }),
      ),
      views: rows(
        'select dashboard, name, at, state from view where owner = ? order by dashboard, name',
      ).flatMap(row => viewOf(row) ?? []),
    };
  }

  mark(owner: string, dashboard: string, isFavourite: boolean): void {
    if (isFavourite)
      this.#state.run(
        'insert or ignore into favourite (owner, dashboard, at) values (?, ?, ?)',
        owner,
        dashboard,
        now(),
      );
    else this.#state.run('delete from favourite where owner = ? and dashboard = ?', owner, dashboard);
  }

  /**
   * @param state the state when leaving; null if it equals the default, undefined if the dashboard was only
   * opened
   */
  lookedAt(owner: string, dashboard: string, state: DashboardState | null | undefined): void {
    const text = state ? JSON.stringify(state) : null;
    this.#state.run(
      `insert into recent (owner, dashboard, at, state) values (?, ?, ?, ?) on conflict do update set at = excluded.at${state === undefined ? '' : ', state = excluded.state'}`,
      owner,
      dashboard,
      now(),
      text,
    );
    this.#state.run(
      'delete from recent where owner = ? and dashboard not in (select dashboard from recent where owner = ? order by at desc limit ?)',
      owner,
      owner,
      mostRecent,
    );
  }

  /** @throws ProblemError if there are too many */
  keepView(owner: string, dashboard: string, name: string, state: DashboardState): SavedView {
    const { count } = this.#state.get<{ count: number }>(
      'select count(*) as count from view where owner = ? and not (dashboard = ? and name = ?)',
      owner,
      dashboard,
      name,
    )!;
    if (count >= mostViews)
      throw new ProblemError(
        'request-invalid',
        `You have ${mostViews} saved views, the maximum. Delete one first.`,
      );
    const at = now();
    this.#state.run(
      'insert or replace into view (owner, dashboard, name, at, state) values (?, ?, ?, ?, ?)',
      owner,
      dashboard,
      name,
      at,
      JSON.stringify(state),
    );
    return { dashboard, name, state, at };
  }

  removeView(owner: string, dashboard: string, name: string): void {
    this.#state.run(
      'delete from view where owner = ? and dashboard = ? and name = ?',
      owner,
      dashboard,
      name,
    );
  }

  /** Moves all users' data of a renamed dashboard. */
  rename(from: string, to: string): void {
    for (const table of tables)
      this.#state.run(`update or replace ${table} set dashboard = ? where dashboard = ?`, to, from);
  }

  /** Deletes all users' data of a dashboard. */
  drop(dashboard: string): void {
    for (const table of tables) this.#state.run(`delete from ${table} where dashboard = ?`, dashboard);
  }
}

interface Row {
  readonly dashboard: string;
  readonly name: string;
  readonly at: string;
  readonly state: string | null;
}

function now(): string {
  return new Date().toISOString();
}

function readState(text: string | null): { readonly state?: DashboardState } {
  const read = DashboardState.safeParse(JSON.parse(text ?? 'null'));
  return read.success ? { state: read.data } : {};
}

function viewOf({ dashboard, name, at, state }: Row): SavedView | undefined {
  const read = readState(state);
  return read.state && { dashboard, name, at, state: read.state };
}
