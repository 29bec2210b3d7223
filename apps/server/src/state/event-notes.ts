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
  async of(documentId: string): Promise<EventNote[]> {
    const rows = await this.#state.db
      .selectFrom('event_note')
      .select(['id', 'start', 'below', 'text', 'at'])
      .where('document_id', '=', documentId)
      .orderBy('start')
      .orderBy('id')
      .execute();
    return rows.map(({ id, start, below, text, at }) => ({
      id,
      from: start,
      ...(below !== null && { below }),
      text,
      at,
    }));
  }

  /** @throws ProblemError if there are too many */
  async add(documentId: string, { from, below, text }: NewEventNote): Promise<EventNote> {
    const { db } = this.#state;
    const { count } = await db
      .selectFrom('event_note')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('document_id', '=', documentId)
      .executeTakeFirstOrThrow();
    if (count >= mostNotes)
      throw new ProblemError(
        'request-invalid',
        `This dashboard has ${mostNotes} event notes, the maximum. Delete one first.`,
      );
    const at = new Date().toISOString();
    const { id } = await db
      .insertInto('event_note')
      .values({ document_id: documentId, start: from, below: below ?? null, text, at })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, from, ...(below !== undefined && { below }), text, at };
  }

  /** @throws ProblemError `not-found` */
  async change(documentId: string, id: number, { from, below, text }: NewEventNote): Promise<EventNote> {
    const at = new Date().toISOString();
    const { numUpdatedRows } = await this.#state.db
      .updateTable('event_note')
      .set({ start: from, below: below ?? null, text, at })
      .where('document_id', '=', documentId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ProblemError('not-found', 'This event note no longer exists.');
    return { id, from, ...(below !== undefined && { below }), text, at };
  }

  async remove(documentId: string, id: number): Promise<void> {
    await this.#state.db
      .deleteFrom('event_note')
      .where('document_id', '=', documentId)
      .where('id', '=', id)
      .execute();
  }
}
