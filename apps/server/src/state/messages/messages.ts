import type { Message, MessageFile, MessageImage, NewMessage } from '../../deliver/message.ts';
import type { StateDatabase } from '../database/state-database.ts';
import { endStates } from './deliveries.ts';
import type { MessageContent } from './message-content.ts';

/** Files of a message are deleted this long after it has ended. */
const filesKeptMs = 7 * 86_400_000;
/** Messages that have ended are deleted after this time. */
const keptMs = 90 * 86_400_000;
const idsAtOnce = 500;

export interface StoredMessage extends Message {
  readonly id: string;
  readonly at: string;
  readonly requires: NewMessage['requires'];
  readonly sight?: NewMessage['sight'];
}

/** Messages and their files in the state database. Their deliveries are records of their own. */
export class MessageRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Stores a message unless there is one with its key. Returns whether it was stored. */
  async add(
    id: string,
    { kind, about, key, images, files, to: _, ...content }: NewMessage,
    at: string,
  ): Promise<boolean> {
    const { db } = this.#state;
    const added = await db
      .insertInto('message')
      .values({
        id,
        kind,
        about,
        key,
        content: JSON.stringify({ ...content, files: images.length + files.length } satisfies MessageContent),
        at,
      })
      .onConflict(conflict => conflict.column('key').doNothing())
      .executeTakeFirst();
    if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0) return false;
    const rows = [
      ...images.map(({ name, alt, png, width }) => ({
        name,
        type: 'image/png',
        is_inline: 1,
        alt,
        width,
        base64: base64Of(png),
      })),
      ...files.map(({ name, type, bytes }) => ({
        name,
        type,
        is_inline: 0,
        alt: null,
        width: null,
        base64: base64Of(bytes),
      })),
    ];
    for (const [position, row] of rows.entries())
      await db
        .insertInto('message_file')
        .values({ message_id: id, position, ...row })
        .execute();
    return true;
  }

  /** Returns a message; undefined if it was deleted. @param hasFiles whether its files are read, too */
  async find(id: string, { hasFiles = true } = {}): Promise<StoredMessage | undefined> {
    const { db } = this.#state;
    const row = await db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const files = hasFiles
      ? await db
          .selectFrom('message_file')
          .selectAll()
          .where('message_id', '=', id)
          .orderBy('position')
          .execute()
      : [];
    const { files: _, ...content } = JSON.parse(row.content) as MessageContent;
    return {
      ...content,
      id: row.id,
      kind: row.kind,
      about: row.about,
      at: row.at,
      images: files.flatMap(({ is_inline: isInline, name, alt, width, base64 }): MessageImage[] =>
        isInline === 1
          ? [{ name, alt: alt ?? '', width: width ?? 0, png: Buffer.from(base64, 'base64') }]
          : [],
      ),
      files: files.flatMap(({ is_inline: isInline, name, type, base64 }): MessageFile[] =>
        isInline === 1 ? [] : [{ name, type, bytes: Buffer.from(base64, 'base64') }],
      ),
    };
  }

  /** Returns the last message about an alert that a channel got, or will get; undefined if there is none. */
  async lastAlert(
    about: string,
    channelId: string,
  ): Promise<(Pick<Message, 'state' | 'isOngoing'> & { readonly id: string }) | undefined> {
    const row = await this.#state.db
      .selectFrom('message')
      .innerJoin('delivery', 'delivery.message_id', 'message.id')
      .select(['message.id', 'message.content'])
      .where('message.about', '=', about)
      .where('message.kind', '=', 'alert')
      .where('delivery.channel_id', '=', channelId)
      .where('delivery.state', '!=', 'dropped')
      .orderBy('message.at', 'desc')
      .orderBy('delivery.created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && { ...(JSON.parse(row.content) as MessageContent), id: row.id };
  }

  /** Returns the subjects of all messages of alerts. */
  async alertSubjects(): Promise<string[]> {
    const rows = await this.#state.db
      .selectFrom('message')
      .select('about')
      .distinct()
      .where('kind', '=', 'alert')
      .execute();
    return rows.map(({ about }) => about);
  }

  /** Deletes the files of messages that ended a week ago, and messages after 90 days. @param now wall-clock, ms */
  async prune(now: number): Promise<void> {
    const { db } = this.#state;
    /** The messages that have not ended, or only since a time. */
    const lively = (since: string) =>
      db
        .selectFrom('delivery')
        .select('message_id')
        .where(({ or, eb, not }) => or([not(eb('state', 'in', endStates)), eb('changed_at', '>', since)]));
    const filesBefore = new Date(now - filesKeptMs).toISOString();
    await db
      .deleteFrom('message_file')
      .where('message_id', 'not in', lively(filesBefore))
      .where('message_id', 'in', db.selectFrom('message').select('id').where('at', '<=', filesBefore))
      .execute();
    const before = new Date(now - keptMs).toISOString();
    const old = await db
      .selectFrom('message')
      .select('id')
      .where('at', '<=', before)
      .where('id', 'not in', lively(before))
      .execute();
    for (let i = 0; i < old.length; i += idsAtOnce) {
      const ids = old.slice(i, i + idsAtOnce).map(({ id }) => id);
      await db.deleteFrom('message').where('id', 'in', ids).execute();
    }
  }
}

const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
