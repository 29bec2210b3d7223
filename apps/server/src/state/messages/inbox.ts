import type { Kysely } from 'kysely';
import { wordsOf } from '../migrations/column-types.ts';
import { dashboardAt } from '../documents/document-ids.ts';
import type { Mention } from './comments.ts';
import type { StateDatabase } from '../database/state-database.ts';

const maxListed = 200;
/** What was read is forgotten after this time. */
const keptMs = 90 * 86_400_000;

/** A comment that mentions a user, replies to their thread, or is on a dashboard whose comments they follow. */
export interface InboxRecord {
  readonly comment: number;
  readonly reason: 'mention' | 'reply' | 'follow';
  /** The ID of the dashboard, where it is now. */
  readonly dashboard: string;
  /** The ID of the user who wrote it. */
  readonly author: string;
  readonly body: string;
  readonly mentions: readonly Mention[];
  readonly at: string;
  readonly isRead: boolean;
  readonly isMailed: boolean;
}

/** What waits for users of team mode, and who gets mail about it. */
export class Inbox {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** The newest first; without those on dashboards in the trash. */
  async of(userId: string): Promise<InboxRecord[]> {
    const rows = await this.#state.db
      .selectFrom('inbox')
      .innerJoin('comment', 'comment.id', 'inbox.comment_id')
      .innerJoin('document', 'document.id', 'comment.document_id')
      .select([
        'inbox.comment_id',
        'inbox.reason',
        'inbox.at',
        'inbox.read_at',
        'inbox.mailed_at',
        'comment.author_id',
        'comment.body',
        'comment.mentions',
        'document.path',
      ])
      .where('inbox.user_id', '=', userId)
      .where('document.deleted_at', 'is', null)
      .orderBy('inbox.comment_id', 'desc')
      .limit(maxListed)
      .execute();
    return rows.flatMap(row => {
      const dashboard = dashboardAt(row.path);
      if (dashboard === undefined) return [];
      return {
        comment: row.comment_id,
        reason: row.reason,
        dashboard,
        author: row.author_id,
        body: row.body,
        mentions: JSON.parse(row.mentions) as Mention[],
        at: row.at,
        isRead: row.read_at !== null,
        isMailed: row.mailed_at !== null,
      };
    });
  }

  /** Puts a comment into inboxes that do not have it yet. Does nothing if it has just been deleted. */
  async add(comment: number, users: ReadonlyMap<string, InboxRecord['reason']>): Promise<void> {
    const at = new Date().toISOString();
    const rows = [...users].map(([userId, reason]) => ({
      user_id: userId,
      comment_id: comment,
      reason,
      at,
      read_at: null,
      mailed_at: null,
    }));
    if (rows.length === 0) return;
    await this.#state.transaction(async () => {
      const { db } = this.#state;
      const { isPostgres } = wordsOf(db as Kysely<unknown>);
      const found = await db
        .selectFrom('comment')
        .select('id')
        .where('id', '=', comment)
        // Keeps it up to the end of the transaction. On SQLite, transactions follow each other.
        .$if(isPostgres, query => query.forKeyShare())
        .executeTakeFirst();
      if (!found) return;
      await db
        .insertInto('inbox')
        .values(rows)
        .onConflict(conflict => conflict.doNothing())
        .execute();
    });
  }

  /** @param comments all if undefined */
  async mark(userId: string, comments: readonly number[] | undefined, isRead: boolean): Promise<void> {
    if (comments?.length === 0) return;
    await this.#state.db
      .updateTable('inbox')
      .set({ read_at: isRead ? new Date().toISOString() : null })
      .where('user_id', '=', userId)
      .$if(comments !== undefined, query => query.where('comment_id', 'in', comments!))
      .execute();
  }

  /** Marks the comments on a dashboard as read, up to one of them. */
  async markRead(userId: string, documentId: string, to: number): Promise<void> {
    await this.#state.db
      .updateTable('inbox')
      .set({ read_at: new Date().toISOString() })
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
      .where('comment_id', '<=', to)
      .where('comment_id', 'in', query =>
        query.selectFrom('comment').select('id').where('document_id', '=', documentId),
      )
      .execute();
  }

  /**
   * Returns the users with something unread that no mail has told of, from before a time, and who got no mail
   * since another.
   */
  async dueForMail(before: string, sentBefore: string): Promise<string[]> {
    const rows = await this.#state.db
      .selectFrom('inbox')
      .leftJoin('inbox_mail', 'inbox_mail.user_id', 'inbox.user_id')
      .select('inbox.user_id')
      .distinct()
      .where('inbox.read_at', 'is', null)
      .where('inbox.mailed_at', 'is', null)
      .where('inbox.at', '<=', before)
      .where(({ or, eb }) => or([eb('inbox_mail.is_off', 'is', null), eb('inbox_mail.is_off', '=', 0)]))
      .where(({ or, eb }) =>
        or([eb('inbox_mail.sent_at', 'is', null), eb('inbox_mail.sent_at', '<=', sentBefore)]),
      )
      .execute();
    return rows.map(row => row.user_id);
  }

  /** Records that a mail about comments is on its way. */
  async mailed(userId: string, comments: readonly number[], at: string): Promise<void> {
    const { db } = this.#state;
    await db
      .insertInto('inbox_mail')
      .values({ user_id: userId, is_off: 0, sent_at: at })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet({ sent_at: at }))
      .execute();
    await db
      .updateTable('inbox')
      .set({ mailed_at: at })
      .where('user_id', '=', userId)
      .where('comment_id', 'in', comments)
      .execute();
  }

  async wantsMail(userId: string): Promise<boolean> {
    const row = await this.#state.db
      .selectFrom('inbox_mail')
      .select('is_off')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.is_off !== 1;
  }

  async chooseMail(userId: string, isOn: boolean): Promise<void> {
    const isOff = isOn ? 0 : 1;
    await this.#state.db
      .insertInto('inbox_mail')
      .values({ user_id: userId, is_off: isOff, sent_at: null })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet({ is_off: isOff }))
      .execute();
  }

  /** Forgets what was read long ago. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    const before = new Date(now - keptMs).toISOString();
    await this.#state.db.deleteFrom('inbox').where('read_at', '<=', before).execute();
  }
}
