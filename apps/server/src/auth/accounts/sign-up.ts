import type { Invitation } from '@belvedere/api';
import { ProblemError } from '../../http/problems.ts';
import type { NewAuditEntry } from '../../state/administration/audit-log.ts';
import type { Groups } from '../../state/accounts/groups.ts';
import type { Invitations } from '../../state/accounts/invitations.ts';
import type { Users } from '../../state/accounts/users.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Auth, NewUser } from './better-auth.ts';
import { expiredLink } from './expired-link.ts';
import type { People } from './people.ts';
import type { AccountPasswords } from '../passwords/account-passwords.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { tokenHash } from '../secrets/token-hash.ts';
import type { Origin } from '../sessions/team-sessions.ts';
import { SetupCode } from '../sign-in/setup-code.ts';
import type { SignedIn, Visit } from '../sign-in/sign-in.ts';

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** What signing up needs of the accounts. */
interface SignUpAccess {
  readonly state: StateDatabase;
  readonly auth: Auth;
  readonly users: Users;
  readonly people: People;
  readonly groups: Groups;
  readonly invitations: Invitations;
  readonly passwords: AccountPasswords;
  readonly now: () => Date;
  /** Counts an attempt of a network address. @throws ProblemError `rate-limited` */
  takeAddress(address: string): void;
  /** Begins the first session of a new user. */
  begin(userId: string, visit: Visit, action: string, detail?: string): Promise<SignedIn>;
  note(entry: NewAuditEntry): Promise<void>;
}

/** How accounts are made: the first owner's with the set-up code, the others' by invitation. */
export class SignUp {
  readonly #access: SignUpAccess;
  #setupCode: SetupCode | undefined;

  constructor(access: SignUpAccess) {
    this.#access = access;
  }

  /** Makes a set-up code, if there is no user. */
  open(): void {
    if (this.needsSetup) this.#setupCode = new SetupCode();
  }

  /** Whether the first owner must be created before anything else. */
  get needsSetup(): boolean {
    return this.#access.people.byId.size === 0;
  }

  /** The code to print at the start; undefined if the server is set up. Never sent over HTTP. */
  get setupCode(): string | undefined {
    return this.#setupCode?.text;
  }

  /** Creates the first owner. @throws ProblemError `not-allowed` for a wrong code, or if there is a user */
  async setUp(
    { code, name, email, password }: NewAccount & { readonly code: string },
    visit: Visit,
  ): Promise<SignedIn> {
    const { state, auth, people, passwords } = this.#access;
    this.#access.takeAddress(visit.address);
    // Another server on the same state database may have been set up.
    if (!this.needsSetup) this.#setupCode = undefined;
    if (!this.#setupCode?.matches(code)) await this.#refuseSetupCode(visit);
    await passwords.check(password, { email, name });
    // Another request may have used it meanwhile.
    if (!this.#setupCode?.matches(code)) await this.#refuseSetupCode(visit);
    // Used up before anything is awaited, so that two requests at once cannot both create an owner.
    const setupCode = this.#setupCode;
    this.#setupCode = undefined;
    try {
      const hash = await hashPassword(password);
      const userId = await state.transaction(() => auth.createUser({ name, email, role: 'owner' }, hash));
      await people.load();
      return await this.#access.begin(userId, visit, 'server.set-up');
    } catch (error) {
      // A full disk does not use the code up.
      if (this.needsSetup) this.#setupCode = setupCode;
      throw error;
    }
  }

  /** @throws ProblemError `not-allowed` for a wrong code, or if the server is set up */
  async #refuseSetupCode({ address }: Visit): Promise<never> {
    await this.#access.note({ action: 'server.set-up', outcome: 'refused', address });
    throw new ProblemError(
      'not-allowed',
      this.#setupCode === undefined
        ? 'Belvedere is already set up.'
        : 'The set-up code is wrong. It is in the output of `belvedere serve`; a restart prints a new one.',
    );
  }

  /** @throws ProblemError `not-found` if the invitation is unknown, accepted, revoked or expired */
  async findInvitation(token: string, { address }: Origin): Promise<Invitation> {
    this.#access.takeAddress(address);
    const found = await this.#access.invitations.find(tokenHash(token), this.#access.now());
    if (!found) throw expiredLink('invitation');
    return found;
  }

  /** Creates the account of an invitation and signs in. */
  async acceptInvitation(
    token: string,
    { name, password }: Pick<NewAccount, 'name' | 'password'>,
    visit: Visit,
  ): Promise<SignedIn> {
    const { state, passwords, people } = this.#access;
    const invitation = await this.findInvitation(token, visit);
    passwords.requireAllowed(invitation);
    await passwords.check(password, { email: invitation.email, name });
    const hash = await hashPassword(password);
    const userId = await state.transaction(() => this.#createInvited(invitation, name, hash));
    await people.load();
    return this.#access.begin(userId, visit, 'invitation.accept', `as ${invitation.role}`);
  }

  /** @returns the new user's ID */
  async #createInvited(invitation: Invitation, name: string, passwordHash: string): Promise<string> {
    const { auth, groups, invitations, now } = this.#access;
    const { id: invitationId, email, role } = invitation;
    await this.refuseKnown(email);
    if (!(await invitations.accept(invitationId, now()))) throw expiredLink('invitation');
    const userId = await auth.createUser({ name, email, role }, passwordHash);
    const existing = new Set((await groups.list()).map(group => group.id));
    await groups.setGroupsOf(
      userId,
      invitation.groups.filter(group => existing.has(group)),
    );
    await invitations.grantTo(userId, invitationId, now());
    return userId;
  }

  /** Creates an account without a password, for a user whom a sign-in provider knows. @returns its ID */
  createProvided(user: NewUser): Promise<string> {
    return this.#access.auth.createUser(user);
  }

  /** @throws ProblemError `request-invalid` if an account has the address */
  async refuseKnown(email: string): Promise<void> {
    if (await this.#access.users.findByEmail(email))
      throw new ProblemError('request-invalid', `${email} already has an account.`);
  }
}
