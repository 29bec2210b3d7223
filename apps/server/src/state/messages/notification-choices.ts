import type { StateDatabase } from '../database/state-database.ts';

/**
 * What a user hears of a document: `all` comments on a dashboard, or `none`, which also mutes an alert. Without a
 * choice, users hear of comments that mention them and of replies to them, and of the alerts that name them.
 */
export type NotificationChoice = 'all' | 'none';

/** What users of team mode chose to be notified of. Choices follow their document, and go with it. */
export class NotificationChoices {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Returns the choices about a document by the IDs of their users. */
  async of(documentId: string): Promise<ReadonlyMap<string, NotificationChoice>> {
    const rows = await this.#state.db
      .selectFrom('notification_choice')
      .select(['user_id', 'choice'])
      .where('document_id', '=', documentId)
      .execute();
    return new Map(rows.map(row => [row.user_id, row.choice]));
  }

  /** Returns the choices of a user by the paths of their documents; without those in the trash. */
  async by(userId: string): Promise<ReadonlyMap<string, NotificationChoice>> {
    const rows = await this.#state.db
      .selectFrom('notification_choice')
      .innerJoin('document', 'document.id', 'notification_choice.document_id')
      .select(['document.path', 'notification_choice.choice'])
      .where('notification_choice.user_id', '=', userId)
      .where('document.deleted_at', 'is', null)
      .orderBy('document.path')
      .execute();
    return new Map(rows.map(row => [row.path, row.choice]));
  }

  /** @param choice undefined for the default */
  async set(documentId: string, userId: string, choice: NotificationChoice | undefined): Promise<void> {
    const { db } = this.#state;
    if (choice === undefined)
      await db
        .deleteFrom('notification_choice')
        .where('document_id', '=', documentId)
        .where('user_id', '=', userId)
        .execute();
    else
      await db
        .insertInto('notification_choice')
        .values({ document_id: documentId, user_id: userId, choice })
        .onConflict(conflict => conflict.columns(['document_id', 'user_id']).doUpdateSet({ choice }))
        .execute();
  }
}
