import type { Invitation, Role } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import type { StateDatabase } from '../database/state-database.ts';

const invitationDays = 7;

interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  readonly groups: readonly string[];
  readonly tokenHash: string;
  /** The ID of the user who invites. */
  readonly createdBy: string;
}

/** Open invitations, one for each e-mail address. */
export class Invitations {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Returns invitations that can still be accepted, the newest first. */
  async list(now: Date): Promise<Invitation[]> {
    const rows = await this.#open(now).orderBy('created_at', 'desc').orderBy('id').execute();
    return rows.map(asInvitation);
  }

  /** Returns the invitation of a token, if it can still be accepted. */
  async find(tokenHash: string, now: Date): Promise<Invitation | undefined> {
    const row = await this.#open(now).where('token_hash', '=', tokenHash).executeTakeFirst();
    return row && asInvitation(row);
  }

  #open(now: Date) {
    return this.#state.db
      .selectFrom('invitation')
      .selectAll()
      .where('accepted_at', 'is', null)
      .where('expires_at', '>', now.toISOString());
  }

  /** Creates an invitation, valid for seven days. It replaces an open one for the same address. */
  async create({ email, role, groups, tokenHash, createdBy }: NewInvitation, now: Date): Promise<Invitation> {
    const row = {
      id: randomUUID(),
      email,
      role,
      groups: JSON.stringify(groups),
      token_hash: tokenHash,
      created_by: createdBy,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + invitationDays * 86_400_000).toISOString(),
      accepted_at: null,
    };
    await this.#state.transaction(async () => {
      const { db } = this.#state;
      await db.deleteFrom('invitation').where('email', '=', email).where('accepted_at', 'is', null).execute();
      await db.insertInto('invitation').values(row).execute();
    });
    return asInvitation(row);
  }

  /** Marks an invitation as accepted. False if another request has accepted or revoked it meanwhile. */
  async accept(id: string, now: Date): Promise<boolean> {
    const { numUpdatedRows } = await this.#state.db
      .updateTable('invitation')
      .set({ accepted_at: now.toISOString() })
      .where('id', '=', id)
      .where('accepted_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Returns the invitation that was revoked; undefined if there is none to revoke. */
  async revoke(id: string): Promise<Invitation | undefined> {
    const row = await this.#state.db
      .deleteFrom('invitation')
      .where('id', '=', id)
      .where('accepted_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    return row && asInvitation(row);
  }

  /** Revokes the open invitations that a user has created. */
  async revokeOf(userId: string): Promise<void> {
    await this.#state.db
      .deleteFrom('invitation')
      .where('created_by', '=', userId)
      .where('accepted_at', 'is', null)
      .execute();
  }

  /** Deletes invitations whose time has passed, accepted or not. */
  async prune(now: Date): Promise<void> {
    await this.#state.db.deleteFrom('invitation').where('expires_at', '<=', now.toISOString()).execute();
  }
}

interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly groups: string;
  readonly created_at: string;
  readonly expires_at: string;
}

function asInvitation({ id, email, role, groups, created_at, expires_at }: InvitationRow): Invitation {
  return {
    id,
    email,
    role,
    groups: JSON.parse(groups) as string[],
    createdAt: created_at,
    expiresAt: expires_at,
  };
}
