import { maxComments, type Comment } from '@belvedere/api';
import type { Kysely, Selectable } from 'kysely';
import { ProblemError } from '../../http/problem-error.ts';
import { wordsOf } from '../migrations/column-types.ts';
import type { StateDatabase } from '../database/state-database.ts';
import type { Tables } from '../tables/tables.ts';

type State = NonNullable<Comment['state']>;
type Anchor = NonNullable<Comment['anchor']>;
export type Mention = Comment['mentions'][number];

/** A comment as it is stored, for every reader alike. */
export interface CommentRecord {
  readonly id: number;
  readonly parent?: number;
  readonly tile?: string;
  readonly anchor?: Anchor;
  readonly state?: State;
  /** The ID of the user who wrote it. */
  readonly author: string;
  readonly body: string;
  readonly mentions: readonly Mention[];
  readonly createdAt: string;
  readonly editedAt?: string;
  readonly isDeleted: boolean;
  readonly resolved?: { readonly at: string; readonly by: string };
}

export type NewCommentRecord = Pick<
  CommentRecord,
  'parent' | 'tile' | 'anchor' | 'state' | 'author' | 'body' | 'mentions'
>;

/** The comments on dashboards. They refer to their dashboard's identity, and so follow it. */
export class Comments {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** In the order of writing. */
  async of(documentId: string): Promise<CommentRecord[]> {
    const rows = await this.#state.db
      .selectFrom('comment')
      .selectAll()
      .where('document_id', '=', documentId)
      .orderBy('id')
      .execute();
    return rows.map(recordOf);
  }

  /** @throws ProblemError `not-found` unless the dashboard has this comment, and it was not deleted */
  async find(documentId: string, id: number): Promise<CommentRecord> {
    const row = await this.#state.db
      .selectFrom('comment')
      .selectAll()
      .where('document_id', '=', documentId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw new ProblemError('not-found', 'This comment no longer exists.');
    return recordOf(row);
  }

  /** Adds a comment. A reply opens its thread again. @throws ProblemError if there are too many */
  add(documentId: string, comment: NewCommentRecord): Promise<CommentRecord> {
    return this.#state.transaction(() => this.#add(documentId, comment));
  }

  async #add(documentId: string, comment: NewCommentRecord): Promise<CommentRecord> {
    const { db } = this.#state;
    const { count } = await db
      .selectFrom('comment')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('document_id', '=', documentId)
      .executeTakeFirstOrThrow();
    if (count >= maxComments)
      throw new ProblemError(
        'request-invalid',
        `This dashboard has ${maxComments} comments, the maximum. Delete some first.`,
      );
    const { parent } = comment;
    if (parent !== undefined && !(await this.#lockThread(parent)))
      throw new ProblemError('not-found', 'The thread no longer exists.');
    const row = await db
      .insertInto('comment')
      .values({
        document_id: documentId,
        parent_id: parent ?? null,
        tile: comment.tile ?? null,
        anchor: comment.anchor ? JSON.stringify(comment.anchor) : null,
        state: comment.state ? JSON.stringify(comment.state) : null,
        author_id: comment.author,
        body: comment.body,
        mentions: JSON.stringify(comment.mentions),
        created_at: now(),
        edited_at: null,
        deleted_at: null,
        resolved_at: null,
        resolved_by: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (parent !== undefined) await this.resolve(parent, undefined);
    return recordOf(row);
  }

  async update(id: number, body: string, mentions: readonly Mention[]): Promise<void> {
    await this.#state.db
      .updateTable('comment')
      .set({ body, mentions: JSON.stringify(mentions), edited_at: now() })
      .where('id', '=', id)
      .execute();
  }

  /** @param by the user who resolves the thread; undefined opens it again */
  async resolve(id: number, by: string | undefined): Promise<void> {
    await this.#state.db
      .updateTable('comment')
      .set(
        by === undefined ? { resolved_at: null, resolved_by: null } : { resolved_at: now(), resolved_by: by },
      )
      .where('id', '=', id)
      .execute();
  }

  /**
   * Deletes a comment. One with replies stays in its place, without its contents, until the last reply is
   * deleted.
   */
  remove(comment: CommentRecord): Promise<void> {
    return this.#state.transaction(() => this.#remove(comment));
  }

  async #remove({ id, parent }: CommentRecord): Promise<void> {
    const { db } = this.#state;
    // A reply that is written at the same time must not go with the comment.
    await this.#lockThread(parent ?? id);
    if (await this.#hasReplies(id)) {
      await db
        .updateTable('comment')
        .set({ body: '', mentions: '[]', anchor: null, state: null, deleted_at: now() })
        .where('id', '=', id)
        .execute();
      await db.deleteFrom('inbox').where('comment_id', '=', id).execute();
      return;
    }
    await db.deleteFrom('comment').where('id', '=', id).execute();
    if (parent !== undefined && !(await this.#hasReplies(parent)))
      await db.deleteFrom('comment').where('id', '=', parent).where('deleted_at', 'is not', null).execute();
  }

  /** Returns the newest comment that a user has seen; 0 if none. */
  async readTo(documentId: string, userId: string): Promise<number> {
    const row = await this.#state.db
      .selectFrom('comment_read')
      .select('read_to')
      .where('document_id', '=', documentId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.read_to ?? 0;
  }

  /** Records what a user has seen. It never goes back. */
  async markRead(documentId: string, userId: string, readTo: number): Promise<void> {
    await this.#state.db
      .insertInto('comment_read')
      .values({ document_id: documentId, user_id: userId, read_to: readTo })
      .onConflict(conflict =>
        conflict
          .columns(['user_id', 'document_id'])
          .doUpdateSet({ read_to: readTo })
          .where('comment_read.read_to', '<', readTo),
      )
      .execute();
  }

  /** Keeps others from changing a thread up to the end of the transaction. Returns whether there is one. */
  async #lockThread(root: number): Promise<boolean> {
    const { db } = this.#state;
    // On SQLite, transactions follow each other.
    const { isPostgres } = wordsOf(db as Kysely<unknown>);
    const found = await db
      .selectFrom('comment')
      .select('id')
      .where('id', '=', root)
      .$if(isPostgres, query => query.forUpdate())
      .executeTakeFirst();
    return found !== undefined;
  }

  async #hasReplies(id: number): Promise<boolean> {
    const reply = await this.#state.db
      .selectFrom('comment')
      .select('id')
      .where('parent_id', '=', id)
      .executeTakeFirst();
    return reply !== undefined;
  }
}

const now = () => new Date().toISOString();

function recordOf(row: Selectable<Tables['comment']>): CommentRecord {
  return {
    id: row.id,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    ...(row.tile !== null && { tile: row.tile }),
    ...(row.anchor !== null && { anchor: JSON.parse(row.anchor) as Anchor }),
    ...(row.state !== null && { state: JSON.parse(row.state) as State }),
    author: row.author_id,
    body: row.body,
    mentions: JSON.parse(row.mentions) as Mention[],
    createdAt: row.created_at,
    ...(row.edited_at !== null && { editedAt: row.edited_at }),
    isDeleted: row.deleted_at !== null,
    ...(row.resolved_at !== null && { resolved: { at: row.resolved_at, by: row.resolved_by ?? '' } }),
  };
}
