import type { ChannelLimits, WebhookTemplate } from '@belvedere/api';
import type { StateDatabase } from './state-database.ts';

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

  /** Adds a channel, or replaces the one of the same ID. */
  async put(channel: ChannelRecord): Promise<void> {
    const changed = {
      settings: JSON.stringify(channel.target),
      secret: channel.sealedSecret,
      limits: JSON.stringify(channel.limits),
    };
    await this.#state.db
      .insertInto('channel')
      .values({
        id: channel.id,
        name: channel.name,
        kind: channel.target.kind,
        ...changed,
        created_by: channel.createdBy ?? null,
        created_at: channel.createdAt,
      })
      .onConflict(conflict => conflict.column('id').doUpdateSet(changed))
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('channel').where('id', '=', id).execute();
  }
}
