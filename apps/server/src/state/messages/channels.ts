import type { ChannelLimits, WebhookTemplate } from '@belvedere/api';
import type { Kysely } from 'kysely';
import { wordsOf } from '../migrations/column-types.ts';
import type { StateDatabase } from '../database/state-database.ts';

/** What is stored of a channel in plain text. */
type ChannelTargetRecord =
  | { readonly kind: 'mail'; readonly addresses: readonly string[] }
  | { readonly kind: 'webhook'; readonly template: WebhookTemplate; readonly host: string };

export interface ChannelRecord {
  readonly id: string;
  readonly name: string;
  readonly target: ChannelTargetRecord;
  /** Sealed with the instance's secret. */
  readonly sealedSecret: string;
  readonly limits: ChannelLimits;
  /** The ID of a user. */
  readonly createdBy?: string;
  readonly createdAt: string;
}

/** The channels in the state database. */
export class ChannelRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** By their names. */
  async all(): Promise<ChannelRecord[]> {
    const rows = await this.#state.db.selectFrom('channel').selectAll().orderBy('name').execute();
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      target: JSON.parse(row.settings) as ChannelTargetRecord,
      sealedSecret: row.secret,
      limits: JSON.parse(row.limits) as ChannelLimits,
      ...(row.created_by !== null && { createdBy: row.created_by }),
      createdAt: row.created_at,
    }));
  }

  /** Keeps other servers from changing channels up to the end of the transaction. */
  async lock(): Promise<void> {
    const { db } = this.#state;
    // On SQLite, transactions follow each other.
    if (wordsOf(db as Kysely<unknown>).isPostgres)
      await db.selectFrom('channel').select('id').orderBy('id').forUpdate().execute();
  }

  /** Adds a channel, unless there is one of its name. Returns whether it was added. */
  async add(channel: ChannelRecord): Promise<boolean> {
    const added = await this.#state.db
      .insertInto('channel')
      .values({
        id: channel.id,
        name: channel.name,
        kind: channel.target.kind,
        ...changeable(channel),
        created_by: channel.createdBy ?? null,
        created_at: channel.createdAt,
      })
      .onConflict(conflict => conflict.column('name').doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows ?? 0) > 0;
  }

  /** Replaces the channel of the same ID. */
  async replace(channel: ChannelRecord): Promise<void> {
    await this.#state.db
      .updateTable('channel')
      .set(changeable(channel))
      .where('id', '=', channel.id)
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('channel').where('id', '=', id).execute();
  }
}

function changeable({ target, sealedSecret, limits }: ChannelRecord) {
  return { settings: JSON.stringify(target), secret: sealedSecret, limits: JSON.stringify(limits) };
}
