import type { EventNote, NewEventNote } from '@belvedere/api';
import { requireVersion } from '../../http/require-version.ts';
import { ProblemError } from '../../http/problems.ts';
import type { StateDatabase } from '../database/state-database.ts';

const maxNotes = 500;

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
      .leftJoin('user', 'user.id', 'event_note.author_id')
      .select([
        'event_note.id',
        'event_note.start',
        'event_note.below',
        'event_note.text',
        'event_note.at',
        'user.name as author',
      ])
      .where('event_note.document_id', '=', documentId)
      .orderBy('event_note.start')
      .orderBy('event_note.id')
      .execute();
    return rows.map(({ id, start, below, text, at, author }) => ({
      id,
      from: start,
      ...(below !== null && { below }),
      text,
      at,
      ...(author !== null && { author }),
    }));
  }

  /** @throws ProblemError if there are too many */
  async add(documentId: string, { from, below, text }: NewEventNote, by: string): Promise<EventNote> {
    const { db } = this.#state;
    const { count } = await db
      .selectFrom('event_note')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('document_id', '=', documentId)
      .executeTakeFirstOrThrow();
    if (count >= maxNotes)
      throw new ProblemError(
        'request-invalid',
        `This dashboard has ${maxNotes} event notes, the maximum. Delete one first.`,
      );
    const at = new Date().toISOString();
    const { id } = await db
      .insertInto('event_note')
      .values({ document_id: documentId, start: from, below: below ?? null, text, at, author_id: by })
      .returning('id')
      .executeTakeFirstOrThrow();
    return this.#find(documentId, id);
  }

  /**
   * @param version `at` of the note that it replaces; any if undefined
   * @throws ProblemError `not-found`, `revision-conflict`
   */
  async change(
    documentId: string,
    id: number,
    { from, below, text }: NewEventNote,
    by: string,
    version?: string,
  ): Promise<EventNote> {
    const before = await this.#find(documentId, id);
    requireVersion(version, before.at, 'This event note');
    const { numUpdatedRows } = await this.#state.db
      .updateTable('event_note')
      .set({ start: from, below: below ?? null, text, at: timeAfter(before.at), author_id: by })
      .where('document_id', '=', documentId)
      .where('id', '=', id)
      .where('at', '=', before.at)
      .executeTakeFirst();
    // Another request has replaced it since it was read here.
    if (numUpdatedRows === 0n) return this.change(documentId, id, { from, below, text }, by, version);
    return this.#find(documentId, id);
  }

  async #find(documentId: string, id: number): Promise<EventNote> {
    const found = (await this.of(documentId)).find(note => note.id === id);
    if (!found) throw gone();
    return found;
  }

  async remove(documentId: string, id: number): Promise<void> {
    await this.#state.db
      .deleteFrom('event_note')
      .where('document_id', '=', documentId)
      .where('id', '=', id)
      .execute();
  }
}

/** Returns the time, later than that of the replaced version: two saves in a millisecond are two versions. */
function timeAfter(before: string): string {
  return new Date(Math.max(Date.now(), Date.parse(before) + 1)).toISOString();
}

function gone(): ProblemError {
  return new ProblemError('not-found', 'This event note no longer exists.');
}
