import type { Invitation, Level, ObjectKind, Role } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import type { StateDatabase } from '../database/state-database.ts';

const invitationDays = 7;

/** What is shared with a person once they accept, with the object as grants refer to it. */
export interface PromisedGrant {
  readonly objectKind: ObjectKind;
  readonly objectId: string;
  readonly level: Level;
}

interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  readonly groups: readonly string[];
  readonly grants: readonly PromisedGrant[];
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
  async create(
    { email, role, groups, grants, tokenHash, createdBy }: NewInvitation,
    now: Date,
  ): Promise<Invitation> {
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
      for (const { objectKind, objectId, level } of grants)
        await db
          .insertInto('invitation_grant')
          .values({ invitation_id: row.id, object_kind: objectKind, object_id: objectId, level })
          .execute();
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

  /** Shares with the new user what the invitation promised; within the transaction that accepts it. */
  async grantTo(userId: string, invitationId: string, now: Date): Promise<void> {
    const { db } = this.#state;
    const promised = await db
      .selectFrom('invitation_grant')
      .innerJoin('invitation', 'invitation.id', 'invitation_grant.invitation_id')
      .select(['object_kind', 'object_id', 'level', 'created_by'])
      .where('invitation_id', '=', invitationId)
      .execute();
    for (const grant of promised)
      await db
        .insertInto('access_grant')
        .values({
          ...grant,
          subject_kind: 'user',
          subject_id: userId,
          export_rows: null,
          at: now.toISOString(),
        })
        .execute();
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
