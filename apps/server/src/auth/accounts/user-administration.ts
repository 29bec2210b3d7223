import { isAtLeast, type Invitation, type UserGroup } from '@belvedere/api';
import { ProblemError } from '../../http/problems.ts';
import type { AuditLog, NewAuditEntry } from '../../state/administration/audit-log.ts';
import type { EmailChanges } from '../../state/accounts/email-changes.ts';
import type { Groups } from '../../state/accounts/groups.ts';
import type { Invitations, PromisedGrant } from '../../state/accounts/invitations.ts';
import type { PasswordResets } from '../../state/accounts/password-resets.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { User, UserChange, Users } from '../../state/accounts/users.ts';
import { actedBy, userLabel } from '../actor.ts';
import type { Passkeys } from '../two-factor/passkeys.ts';
import type { AccountPasswords } from '../passwords/account-passwords.ts';
import type { SignUp } from './sign-up.ts';
import type { People } from './people.ts';
import type { Actor } from '../sign-in/sign-in.ts';
import type { TeamSessions } from '../sessions/team-sessions.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';

/** What the accounts offer for administering users. */
interface AdministeredAccounts {
  readonly users: Users;
  readonly groups: Groups;
  readonly people: People;
  readonly sessions: TeamSessions;
  readonly emailChanges: EmailChanges;
  readonly audit: AuditLog;
  readonly settings: TeamSettings;
  readonly twoFactor: TwoFactor;
  readonly passkeys: Passkeys;
  person(id: string): User;
  readonly passwords: Pick<AccountPasswords, 'requireAllowed'>;
  readonly signUp: Pick<SignUp, 'refuseKnown'>;
}

/** A group to save, and the IDs of users who become its members or are no longer. */
type SavedGroup = Parameters<Groups['save']>[1] & {
  readonly addMembers?: readonly string[];
  readonly removeMembers?: readonly string[];
};

interface AdministrationRecords {
  readonly state: StateDatabase;
  readonly invitations: Invitations;
  readonly resets: PasswordResets;
  readonly now: () => Date;
}

/** How admins manage users: accounts, invitations, lost passwords and second factors, groups. */
export class UserAdministration {
  readonly #accounts: AdministeredAccounts;
  readonly #records: AdministrationRecords;

  constructor(accounts: AdministeredAccounts, records: AdministrationRecords) {
    this.#accounts = accounts;
    this.#records = records;
  }

  openInvitations(): Promise<Invitation[]> {
    return this.#records.invitations.list(this.#records.now());
  }

  /** Changes a user's role, groups or attributes, or disables the account, which ends its sessions. */
  async updateUser(
    id: string,
    change: UserChange & { readonly groups?: readonly string[] | undefined },
    actor: Actor,
  ): Promise<User> {
    const { before } = await this.#records.state.transaction(async () => {
      const updated = await this.#accounts.users.update(id, change, actor.role);
      if (change.groups !== undefined) await this.#accounts.groups.setGroupsOf(id, change.groups);
      // An open link would give its holder the new role.
      if (change.isDisabled || change.role !== undefined) await this.#records.resets.removeOf(id);
      if (change.isDisabled) await this.#accounts.emailChanges.removeOf(id);
      // They would go on giving what the user may no longer give.
      const isLowered = change.role !== undefined && !isAtLeast(change.role, updated.before.role);
      if (change.isDisabled || isLowered) await this.#records.invitations.revokeOf(id);
      return updated;
    });
    if (change.isDisabled) {
      this.#accounts.twoFactor.forget(id);
      await this.#accounts.sessions.endAll(id);
    }
    await this.#accounts.people.load();
    const after = this.#person(id);
    const names = new Map((await this.#accounts.groups.list()).map(group => [group.id, group.name]));
    for (const detail of differences(before, after, names))
      await this.#note({
        ...actedBy(actor),
        action: 'user.update',
        object: userLabel(after),
        outcome: 'done',
        detail,
      });
    return after;
  }

  /** Removes the authenticator app and the passkeys of a user who lost them, and ends all sessions. */
  async resetTwoFactor(userId: string, actor: Actor): Promise<void> {
    const person = this.#person(userId);
    if (person.role === 'owner' && actor.role !== 'owner')
      throw new ProblemError('not-allowed', 'Only owners may reset the second factor of an owner.');
    if (person.id === actor.id)
      throw new ProblemError('request-invalid', 'Turn off your own second factor in your profile.');
    if (!person.hasAuthenticator && person.passkeys === 0)
      throw new ProblemError('request-invalid', `${person.name} has no second factor.`);
    await this.#records.state.transaction(async () => {
      await this.#accounts.twoFactor.remove(userId);
      await this.#accounts.passkeys.removeAll(userId);
    });
    this.#accounts.twoFactor.forget(userId);
    await this.#accounts.sessions.endAll(userId);
    const entry = { action: 'user.reset-two-factor', object: userLabel(person), outcome: 'done' } as const;
    await this.#changed({ ...actedBy(actor), ...entry });
  }

  /** Ends all sessions of a user, and sign-ins that wait for a second factor. */
  async endSessionsOf(userId: string, actor: Actor): Promise<void> {
    const person = this.#person(userId);
    if (person.role === 'owner' && actor.role !== 'owner')
      throw new ProblemError('not-allowed', 'Only owners may sign out an owner.');
    this.#accounts.twoFactor.forget(userId);
    await this.#accounts.sessions.endAll(userId);
    const entry = { action: 'user.end-sessions', object: userLabel(person), outcome: 'done' } as const;
    await this.#note({ ...actedBy(actor), ...entry });
  }

  /** Sets whether all users need a second factor. Ends the sessions of those who have none. */
  async requireTwoFactor(isRequired: boolean, actor: Actor): Promise<void> {
    const own = actor.id === undefined ? undefined : this.#person(actor.id);
    if (isRequired && own && !own.hasAuthenticator && own.passkeys === 0)
      throw new ProblemError('request-invalid', 'Set up two-factor sign-in for your own account first.');
    if (isRequired === this.#accounts.settings.requiresTwoFactor) return;
    await this.#accounts.settings.set('requiresTwoFactor', isRequired);
    for (const person of this.#accounts.people.byId.values())
      // Users of providers sign in there again: their sessions may have begun with a password.
      if (this.#accounts.twoFactor.nextStep(person) === 'set-up')
        await this.#accounts.sessions.endAll(person.id);
    const detail = isRequired ? 'required' : 'optional';
    await this.#note({ ...actedBy(actor), action: 'server.require-two-factor', outcome: 'done', detail });
  }

  /** Creates a token with which a user sets a new password within a day. */
  async createPasswordReset(userId: string, actor: Actor): Promise<string> {
    const person = this.#accounts.people.find(userId);
    if (!person || person.isDisabled || person.isService)
      throw new ProblemError('not-found', 'This user does not exist, is disabled or is a service account.');
    if (person.role === 'owner' && actor.role !== 'owner')
      throw new ProblemError('not-allowed', 'Only owners may reset the password of an owner.');
    this.#accounts.passwords.requireAllowed(person);
    const token = newToken();
    await this.#records.resets.create(userId, tokenHash(token), this.#records.now());
    await this.#note({
      ...actedBy(actor),
      action: 'user.create-password-reset',
      object: userLabel(person),
      outcome: 'done',
    });
    return token;
  }

  /**
   * Invites a user. Replaces an open invitation of the same address.
   *
   * @param grants what is shared with them once they accept
   * @returns the token to pass on
   */
  async invite(
    { email, role, groups }: Pick<Invitation, 'email' | 'role' | 'groups'>,
    actor: Actor,
    grants: readonly PromisedGrant[] = [],
  ): Promise<{ readonly token: string; readonly invitation: Invitation }> {
    if (role === 'owner' && actor.role !== 'owner')
      throw new ProblemError('not-allowed', 'Only owners may invite owners.');
    await this.#accounts.signUp.refuseKnown(email);
    await this.#accounts.groups.check(groups);
    const token = newToken();
    const invitation = await this.#records.invitations.create(
      { email, role, groups, grants, tokenHash: tokenHash(token), createdBy: actor.id ?? '' },
      this.#records.now(),
    );
    await this.#note({
      ...actedBy(actor),
      action: 'invitation.create',
      object: email,
      outcome: 'done',
      detail: `as ${role}`,
    });
    return { token, invitation };
  }

  async revokeInvitation(id: string, actor: Actor): Promise<void> {
    const invitation = await this.#records.invitations.revoke(id);
    if (!invitation)
      throw new ProblemError('not-found', 'This invitation was accepted or revoked meanwhile.');
    const entry = { action: 'invitation.revoke', object: invitation.email, outcome: 'done' } as const;
    await this.#note({ ...actedBy(actor), ...entry });
  }

  /** Creates or changes a group and its members. All of it is done, or nothing. */
  async saveGroup(
    id: string,
    { addMembers = [], removeMembers = [], ...group }: SavedGroup,
    actor: Actor,
  ): Promise<UserGroup> {
    const all = await this.#accounts.groups.list();
    const before = all.find(one => one.id === id);
    const { saved, members } = await this.#records.state.transaction(async () => {
      await this.#accounts.groups.save(id, group);
      const changed: User[] = [];
      for (const userId of new Set([...addMembers, ...removeMembers])) {
        // Like any other change of a user: only owners change owners.
        changed.push((await this.#accounts.users.update(userId, {}, actor.role)).before);
        await this.#accounts.groups.setMember(id, userId, addMembers.includes(userId));
      }
      const list = await this.#accounts.groups.list();
      return { saved: list.find(one => one.id === id)!, members: changed };
    });
    const contained = listed(all.flatMap(one => (saved.groups.includes(one.id) ? [one.name] : [])));
    const changes = [
      ...(before && before.name !== saved.name ? [`renamed from “${before.name}”`] : []),
      ...(JSON.stringify(before?.attributes ?? {}) === JSON.stringify(saved.attributes)
        ? []
        : [`attributes: ${listed(Object.keys(saved.attributes))}`]),
      ...((before?.groups ?? []).join() === saved.groups.join() ? [] : [`contains: ${contained}`]),
    ];
    await this.#changed({
      ...actedBy(actor),
      action: before ? 'group.update' : 'group.create',
      object: saved.name,
      outcome: 'done',
      ...(changes.length > 0 && { detail: changes.join('; ') }),
    });
    const names = new Map([...all, saved].map(one => [one.id, one.name]));
    for (const member of members)
      for (const detail of differences(member, this.#person(member.id), names))
        await this.#note({
          ...actedBy(actor),
          action: 'user.update',
          object: userLabel(member),
          outcome: 'done',
          detail,
        });
    return saved;
  }

  async removeGroup(id: string, actor: Actor): Promise<void> {
    const { name } = await this.#accounts.groups.remove(id);
    await this.#changed({ ...actedBy(actor), action: 'group.delete', object: name, outcome: 'done' });
  }

  /** Makes a change of users or groups known, and notes it. */
  async #changed(entry: NewAuditEntry): Promise<void> {
    await this.#accounts.people.load();
    await this.#note(entry);
  }

  #person(id: string): User {
    return this.#accounts.person(id);
  }

  #note(entry: NewAuditEntry): Promise<void> {
    return this.#accounts.audit.add(entry);
  }
}

/** Returns what changed, a text for each part. Attributes are named without their values. */
function differences(before: User, after: User, groups: ReadonlyMap<string, string>): string[] {
  const inWords = (user: User) => listed(user.groups.map(id => groups.get(id) ?? id));
  return [
    ...(before.role === after.role ? [] : [`role: ${before.role} → ${after.role}`]),
    ...(before.isDisabled === after.isDisabled ? [] : [after.isDisabled ? 'disabled' : 'enabled']),
    ...(inWords(before) === inWords(after) ? [] : [`groups: ${inWords(before)} → ${inWords(after)}`]),
    ...(JSON.stringify(before.attributes) === JSON.stringify(after.attributes)
      ? []
      : [`attributes: ${listed(Object.keys(after.attributes))}`]),
  ];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
