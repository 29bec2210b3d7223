import { deliveryStates, type DeliveryState } from '@belvedere/api';
import type { Kysely, Selectable } from 'kysely';
import type { Message, Severity } from '../../deliver/message.ts';
import { wordsOf } from '../migrations/column-types.ts';
import type { StateDatabase } from '../database/state-database.ts';
import type { Tables } from '../tables/tables.ts';
import type { MessageContent } from './message-content.ts';

/** One message on its way to one recipient. */
export interface DeliveryRecord {
  readonly id: string;
  readonly messageId: string;
  readonly to: DeliveryRecipient;
  /** The delivery with which it is sent in one message; its own ID if it leads others. */
  readonly leaderId?: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** How many times it was sent again by hand. */
  readonly round: number;
  readonly reason?: string;
  readonly createdAt: string;
  readonly changedAt: string;
  /** The first attempt of this round. */
  readonly triedAt?: string;
  readonly nextAt?: string;
}

export type DeliveryRecipient =
  | { readonly kind: 'user'; readonly userId: string }
  | {
      readonly kind: 'channel';
      readonly channel: string;
      /** Undefined if there was no channel of this name. */
      readonly channelId?: string;
      readonly address?: string;
    };

/** A delivery with the names of its message, for lists. */
export interface ListedDelivery extends DeliveryRecord {
  readonly kind: Message['kind'];
  readonly about: string;
  readonly title: string;
  /** Whether its message had files that were deleted since. */
  readonly hasLostFiles: boolean;
}

/** The states after which a delivery is not tried any more, unless a user sends it again. */
export const endStates: readonly DeliveryState[] = ['sent', 'dropped', 'uncertain', 'given-up'];
/** Those of the dead letters. */
export const failedStates: readonly DeliveryState[] = ['dropped', 'uncertain', 'given-up'];

type Row = Selectable<Tables['delivery']>;
type Changes = Partial<
  Pick<DeliveryRecord, 'state' | 'attempts'> & {
    readonly reason: string | null;
    readonly triedAt: string | null;
    readonly nextAt: string | null;
  }
>;

/** Deliveries in the state database. */
export class DeliveryRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  async add(id: string, messageId: string, to: DeliveryRecipient, at: string, nextAt: string): Promise<void> {
    const channel = to.kind === 'channel' ? to : undefined;
    await this.#state.db
      .insertInto('delivery')
      .values({
        id,
        message_id: messageId,
        user_id: to.kind === 'user' ? to.userId : null,
        channel: channel?.channel ?? null,
        channel_id: channel?.channelId ?? null,
        address: channel?.address ?? null,
        leader_id: null,
        state: 'waiting',
        attempts: 0,
        round: 0,
        reason: null,
        created_at: at,
        changed_at: at,
        tried_at: null,
        next_at: nextAt,
      })
      .execute();
  }

  async find(id: string): Promise<DeliveryRecord | undefined> {
    const row = await this.#state.db
      .selectFrom('delivery')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && recordOf(row);
  }

  /** Returns the deliveries that are sent in one message, the leader first, then the oldest. */
  async ledBy(leaderId: string): Promise<DeliveryRecord[]> {
    const rows = await this.#state.db
      .selectFrom('delivery')
      .selectAll()
      .where('leader_id', '=', leaderId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(recordOf).toSorted((a, b) => Number(b.id === leaderId) - Number(a.id === leaderId));
  }

  /** Returns the titles of the messages of deliveries, by their IDs. */
  async titles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#state.db
      .selectFrom('delivery')
      .innerJoin('message', 'message.id', 'delivery.message_id')
      .select(['delivery.id', 'message.content'])
      .where('delivery.id', 'in', [...ids])
      .execute();
    return new Map(rows.map(({ id, content }) => [id, (JSON.parse(content) as MessageContent).title]));
  }

  /** Returns alerts that wait for the same recipient, with their severities, the oldest first. */
  async waitingFor(
    { channelId, address }: { readonly channelId: string; readonly address?: string | undefined },
    limit: number,
  ): Promise<{ readonly id: string; readonly severity?: Severity }[]> {
    const rows = await this.#state.db
      .selectFrom('delivery')
      .innerJoin('message', 'message.id', 'delivery.message_id')
      .select(['delivery.id', 'message.content'])
      .where('delivery.channel_id', '=', channelId)
      .where('delivery.address', address === undefined ? 'is' : '=', address ?? null)
      .where('delivery.state', '=', 'waiting')
      .where('delivery.leader_id', 'is', null)
      .where('message.kind', '=', 'alert')
      .orderBy('delivery.created_at')
      .orderBy('delivery.id')
      .limit(limit)
      .execute();
    return rows.map(({ id, content }) => {
      const { severity } = JSON.parse(content) as MessageContent;
      return { id, ...(severity !== undefined && { severity }) };
    });
  }

  /** Keeps other servers from sending to a channel up to the end of the transaction. */
  async lockChannel(channelId: string): Promise<void> {
    const { db } = this.#state;
    // On SQLite, transactions follow each other.
    if (wordsOf(db as Kysely<unknown>).isPostgres)
      await db.selectFrom('channel').select('id').where('id', '=', channelId).forUpdate().execute();
  }

  async lead(leaderId: string, ids: readonly string[]): Promise<void> {
    await this.#state.db
      .updateTable('delivery')
      .set({ leader_id: leaderId })
      .where('id', 'in', ids)
      .execute();
  }

  /** Returns when messages were sent to a channel since a time, or are being sent, the oldest first. */
  async sendsOf(channelId: string, since: string, except: string): Promise<string[]> {
    const rows = await this.#state.db
      .selectFrom('delivery')
      .select('changed_at')
      .where('channel_id', '=', channelId)
      .where('state', 'in', ['sent', 'sending', 'uncertain'])
      .where('changed_at', '>', since)
      .where('id', '!=', except)
      .where(({ or, eb, ref }) => or([eb('leader_id', 'is', null), eb('leader_id', '=', ref('id'))]))
      .orderBy('changed_at')
      .execute();
    return rows.map(row => row.changed_at);
  }

  async change(
    ids: readonly string[],
    { state, attempts, reason, triedAt, nextAt }: Changes,
    at: string,
  ): Promise<void> {
    await this.#state.db
      .updateTable('delivery')
      .set({
        ...(state !== undefined && { state }),
        ...(attempts !== undefined && { attempts }),
        ...(reason !== undefined && { reason }),
        ...(triedAt !== undefined && { tried_at: triedAt }),
        ...(nextAt !== undefined && { next_at: nextAt }),
        changed_at: at,
      })
      .where('id', 'in', ids)
      .execute();
  }

  /** Makes a delivery that has failed wait again. Returns its round; undefined if it has not failed. */
  async restart(id: string, at: string): Promise<number | undefined> {
    const row = await this.#state.db
      .updateTable('delivery')
      .set(({ eb }) => ({
        state: 'waiting' as const,
        attempts: 0,
        round: eb('round', '+', 1),
        reason: null,
        leader_id: null,
        tried_at: null,
        next_at: at,
        changed_at: at,
      }))
      .where('id', '=', id)
      .where('state', 'in', failedStates)
      .returning('round')
      .executeTakeFirst();
    return row?.round;
  }

  /** Returns deliveries that should have been tried before a time, with their rounds. */
  async overdue(before: string): Promise<{ readonly id: string; readonly round: number }[]> {
    return this.#state.db
      .selectFrom('delivery')
      .select(['id', 'round'])
      .where('state', 'in', ['waiting', 'sending'])
      .where('next_at', '<', before)
      .execute();
  }

  /** The newest first. @param after the time and ID of the delivery after which the list continues */
  async list({
    states,
    channel,
    about,
    after,
    limit,
  }: {
    readonly states?: readonly DeliveryState[] | undefined;
    readonly channel?: string | undefined;
    /** The subject of the messages, such as `alert:late-flights`. */
    readonly about?: string | undefined;
    readonly after?: readonly [createdAt: string, id: string] | undefined;
    readonly limit: number;
  }): Promise<ListedDelivery[]> {
    const { db } = this.#state;
    const rows = await db
      .selectFrom('delivery')
      .innerJoin('message', 'message.id', 'delivery.message_id')
      .selectAll('delivery')
      .select(['message.kind', 'message.about', 'message.content'])
      .select(({ selectFrom }) =>
        selectFrom('message_file')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('message_file.message_id', '=', 'message.id')
          .as('fileCount'),
      )
      .$if(states !== undefined, query => query.where('delivery.state', 'in', states!))
      .$if(channel !== undefined, query => query.where('delivery.channel', '=', channel!))
      .$if(about !== undefined, query => query.where('message.about', '=', about!))
      .$if(after !== undefined, query =>
        query.where(({ or, and, eb }) =>
          or([
            eb('delivery.created_at', '<', after![0]),
            and([eb('delivery.created_at', '=', after![0]), eb('delivery.id', '<', after![1])]),
          ]),
        ),
      )
      .orderBy('delivery.created_at', 'desc')
      .orderBy('delivery.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(row => {
      const { title, files } = JSON.parse(row.content) as MessageContent;
      return {
        ...recordOf(row),
        kind: row.kind,
        about: row.about,
        title,
        hasLostFiles: Number(row.fileCount ?? 0) < files,
      };
    });
  }

  async counts(): Promise<Record<DeliveryState, number>> {
    const rows = await this.#state.db
      .selectFrom('delivery')
      .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute();
    const counts = Object.fromEntries(deliveryStates.map(state => [state, 0])) as Record<
      DeliveryState,
      number
    >;
    for (const { state, count } of rows) counts[state] = Number(count);
    return counts;
  }
}

function recordOf(row: Row): DeliveryRecord {
  return {
    id: row.id,
    messageId: row.message_id,
    to:
      row.user_id !== null
        ? { kind: 'user', userId: row.user_id }
        : {
            kind: 'channel',
            channel: row.channel ?? '',
            ...(row.channel_id !== null && { channelId: row.channel_id }),
            ...(row.address !== null && { address: row.address }),
          },
    ...(row.leader_id !== null && { leaderId: row.leader_id }),
    state: row.state,
    attempts: row.attempts,
    round: row.round,
    ...(row.reason !== null && { reason: row.reason }),
    createdAt: row.created_at,
    changedAt: row.changed_at,
    ...(row.tried_at !== null && { triedAt: row.tried_at }),
    ...(row.next_at !== null && { nextAt: row.next_at }),
  };
}
