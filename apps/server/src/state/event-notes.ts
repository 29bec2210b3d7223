import type { EventNote, NewEventNote } from '@belvedere/api';
import { ProblemError } from '../problems.ts';
import type { StateDatabase } from './state-database.ts';

const mostNotes = 500;

/** Dated event notes of dashboards, shown to all viewers on time charts. */
export class EventNotes {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** In the order of their dates. */
  of(dashboard: string): EventNote[] {
    const rows = this.#state.all<Omit<EventNote, 'from' | 'below'> & { start: string; below: string | null }>(
      'select id, start, below, text, at from note where dashboard = ? order by start, id',
      dashboard,
    );
    return rows.map(({ id, start, below, text, at }) => ({
      id,
      from: start,
      ...(below !== null && { below }),
      text,
      at,
    }));
  }

  /** @throws ProblemError if there are too many */
  add(dashboard: string, { from, below, text }: NewEventNote): EventNote {
    const { count } = this.#state.get<{ count: number }>(
      'select count(*) as count from note where dashboard = ?',
      dashboard,
    )!;
    if (count >= mostNotes)
      throw new ProblemError(
        'request-invalid',
        `This dashboard has ${mostNotes} event notes, the maximum. Delete one first.`,
      );
    const at = new Date().toISOString();
    const { lastInsertRowid } = this.#state.run(
      'insert into note (dashboard, start, below, text, at) values (?, ?, ?, ?, ?)',
      dashboard,
      from,
      below ?? null,
      text,
      at,
    );
    return { id: Number(lastInsertRowid), from, ...(below !== undefined && { below }), text, at };
  }

  /** @throws ProblemError `not-found` */
  change(dashboard: string, id: number, { from, below, text }: NewEventNote): EventNote {
    const at = new Date().toISOString();
    const { changes } = this.#state.run(
      'update note set start = ?, below = ?, text = ?, at = ? where dashboard = ? and id = ?',
      from,
      below ?? null,
      text,
      at,
      dashboard,
      id,
    );
    if (changes === 0) throw new ProblemError('not-found', 'This event note no longer exists.');
    return { id, from, ...(below !== undefined && { below }), text, at };
  }

  remove(dashboard: string, id: number): void {
    this.#state.run('delete from note where dashboard = ? and id = ?', dashboard, id);
  }

  /** Deletes all event notes of a dashboard. */
  drop(dashboard: string): void {
    this.#state.run('delete from note where dashboard = ?', dashboard);
  }

  /** Moves the event notes of a renamed dashboard. */
  rename(from: string, to: string): void {
    this.#state.run('update note set dashboard = ? where dashboard = ?', to, from);
  }
}
