import { type Invitation, type Role, type SignedInSession } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import { ProblemError } from '../../http/problems.ts';
import { AuditLog, type NewAuditEntry } from '../../state/administration/audit-log.ts';
import { EmailChanges } from '../../state/accounts/email-changes.ts';
import { Groups } from '../../state/accounts/groups.ts';
import { Invitations } from '../../state/accounts/invitations.ts';
import { PasswordResets } from '../../state/accounts/password-resets.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { TeamSettings } from '../../state/administration/team-settings.ts';
import { Users, type User } from '../../state/accounts/users.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { AccountCookies } from '../sessions/account-cookies.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import type { Auth, NewUser } from './better-auth.ts';
import { actedBy, actorOf } from '../actor.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import type { BreachedPasswords } from '../passwords/breached-passwords.ts';
import { breachedPassword, checkPassword } from '../passwords/password-rules.ts';
import { Passkeys } from '../two-factor/passkeys.ts';
import { People } from './people.ts';
import { SetupCode } from '../sign-in/setup-code.ts';
import type { Actor, SessionOfUser, SignedIn, Visit } from '../sign-in/sign-in.ts';
import type { Origin, TeamSessions } from '../sessions/team-sessions.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';
import { tokenHash } from '../secrets/token-hash.ts';
import { TwoFactor, type AccountAccess } from '../two-factor/two-factor.ts';
import { UserAdministration } from './user-administration.ts';

const [perAccount, perAccountMs] = [10, 15 * 60_000];
const [perAddress, perAddressMs] = [60, 60_000];
const confirmedMs = 10 * 60_000;

interface Parts {
  readonly state: StateDatabase;
  readonly auth: Auth;
  readonly sessions: TeamSessions;
  readonly tokens: AccessTokens;
  readonly cookies: AccountCookies;
  readonly clock: Clock;
  /** Whether all users may sign in with passwords, or only owners. */
  readonly hasPasswords?: boolean;
  /** Passwords that are refused, beside those that Belvedere knows. */
  readonly breached?: Pick<BreachedPasswords, 'has'> | undefined;
  /** The instance's secrets. */
  readonly secrets: SealingSecrets;
  /** The address under which browsers reach the server. */
  readonly address: () => string;
}

/** Answers who a caller is. Roles and grants are applied elsewhere, and users are managed by `administration`. */
export class Accounts {
  readonly users: Users;
  readonly groups: Groups;
  readonly audit: AuditLog;
  readonly people: People;
  readonly sessions: TeamSessions;
  readonly tokens: AccessTokens;
  readonly emailChanges: EmailChanges;
  readonly hasPasswords: boolean;
  readonly settings: TeamSettings;
  readonly twoFactor: TwoFactor;
  readonly passkeys: Passkeys;
  readonly administration: UserAdministration;
  readonly #state: StateDatabase;
  readonly #auth: Auth;
  readonly #cookies: AccountCookies;
  readonly #clock: Clock;
  readonly #breached: Parts['breached'];
  readonly #invitations: Invitations;
  readonly #resets: PasswordResets;
  readonly #byAccount: AttemptLimit;
  readonly #byAddress: AttemptLimit;
  #setupCode: SetupCode | undefined;

  private constructor(parts: Parts) {
    const { state, auth, sessions, tokens, cookies, clock, hasPasswords = true } = parts;
    this.#state = state;
    this.#auth = auth;
    this.sessions = sessions;
    this.tokens = tokens;
    this.#cookies = cookies;
    this.#clock = clock;
    this.#breached = parts.breached;
    this.users = new Users(state);
    this.groups = new Groups(state);
    this.audit = new AuditLog(state);
    this.people = new People(this.users);
    this.#invitations = new Invitations(state);
    this.#resets = new PasswordResets(state);
    this.emailChanges = new EmailChanges(state);
    this.hasPasswords = hasPasswords;
    this.#byAccount = new AttemptLimit(perAccount, perAccountMs, () => clock.elapsed());
    this.#byAddress = new AttemptLimit(perAddress, perAddressMs, () => clock.elapsed());
    this.settings = new TeamSettings(state);
    const access: AccountAccess = {
      ...parts,
      people: this.people,
      settings: this.settings,
      takeAddress: address => this.#byAddress.take(address),
      requirePassword: (caller, password, visit) => this.requirePassword(caller, password, visit),
      enter: (person, visit, action, detail) =>
        this.enter(person.id, visit, { action, detail, isConfirmed: true }),
      endSessions: (userId, except) => sessions.endAll(userId, except),
      note: (person, visit, entry) => this.#note({ ...actedBy(actorOf(person, visit)), ...entry }),
    };
    this.twoFactor = new TwoFactor(access);
    this.passkeys = new Passkeys(access, parts.address);
    this.administration = new UserAdministration(this, {
      state,
      invitations: this.#invitations,
      resets: this.#resets,
      now: () => this.#now(),
    });
  }

  /** Opens the accounts of a state database. Without any user, a set-up code is made. */
  static async open(parts: Parts): Promise<Accounts> {
    const accounts = new Accounts(parts);
    await accounts.settings.load();
    await accounts.people.load();
    if (accounts.people.byId.size === 0) accounts.#setupCode = new SetupCode();
    return accounts;
  }

  /** Whether the first owner must be created before anything else. */
  get needsSetup(): boolean {
    return this.people.byId.size === 0;
  }

  /** The code to print at the start; undefined if the server is set up. Never sent over HTTP. */
  get setupCode(): string | undefined {
    return this.#setupCode?.text;
  }

  /**
   * Returns the user and session of a `cookie` header; undefined if it has no valid session.
   *
   * @param sessionId of the session that an earlier header had, whose token may have been replaced since
   */
  async userOf(
    cookies: string | undefined,
    sessionId?: string,
  ): Promise<{ readonly userId: string; readonly sessionId: string; readonly user: User } | undefined> {
    const token = sessionId === undefined ? this.#cookies.token(cookies) : undefined;
    const session =
      sessionId !== undefined
        ? await this.sessions.findById(sessionId)
        : token === undefined
          ? undefined
          : await this.sessions.find(token);
    const person = session && this.people.find(session.userId);
    if (!session || !person || person.isDisabled || this.twoFactor.isMissing(person)) return undefined;
    return { userId: person.id, sessionId: session.id, user: person };
  }

  /**
   * @throws ProblemError `confirmation-needed` unless the password was given in the last ten minutes. A token
   * that may make such changes was created with it.
   */
  requireConfirmation({ session: sessionId, token }: Pick<Caller, 'session' | 'token'>): void {
    if (token !== undefined) return;
    if (sessionId === undefined || !this.sessions.isConfirmed(sessionId, confirmedMs))
      throw new ProblemError('confirmation-needed', 'Confirm your password to continue.');
  }

  /** Creates the first owner. @throws ProblemError `not-allowed` for a wrong code, or if there is a user */
  async setUp(
    { code, name, email, password }: NewAccount & { readonly code: string },
    visit: Visit,
  ): Promise<SignedIn> {
    this.#byAddress.take(visit.address);
    // Another server on the same state database may have been set up.
    if (!this.needsSetup) this.#setupCode = undefined;
    if (!this.#setupCode?.matches(code)) await this.#refuseSetupCode(visit);
    await this.#checkPassword(password, { email, name });
    // Another request may have used it meanwhile.
    if (!this.#setupCode?.matches(code)) await this.#refuseSetupCode(visit);
    // Used up before anything is awaited, so that two requests at once cannot both create an owner.
    const setupCode = this.#setupCode;
    this.#setupCode = undefined;
    try {
      const hash = await hashPassword(password);
      const userId = await this.#state.transaction(() =>
        this.#auth.createUser({ name, email, role: 'owner' }, hash),
      );
      await this.people.load();
      return await this.#begin(userId, visit, 'server.set-up');
    } catch (error) {
      // A full disk does not use the code up.
      if (this.needsSetup) this.#setupCode = setupCode;
      throw error;
    }
  }

  /** @throws ProblemError `not-allowed` for a wrong code, or if the server is set up */
  async #refuseSetupCode({ address }: Visit): Promise<never> {
    await this.#note({ action: 'server.set-up', outcome: 'refused', address });
    throw new ProblemError(
      'not-allowed',
      this.#setupCode === undefined
        ? 'Belvedere is already set up.'
        : 'The set-up code is wrong. It is in the output of `belvedere serve`; a restart prints a new one.',
    );
  }

  /** @throws ProblemError `request-invalid` that says what to change */
  async #checkPassword(password: string, user: Pick<NewAccount, 'email' | 'name'>): Promise<void> {
    checkPassword(password, user);
    if (await this.#breached?.has(password)) throw breachedPassword();
  }

  /**
   * Signs a user in. The response and its time are the same whether the address is unknown, the password is
   * wrong, or the account is disabled.
   *
   * @throws ProblemError `not-signed-in`, or `rate-limited`
   */
  async signIn(
    given: { readonly email: string; readonly password: string },
    visit: Visit,
  ): Promise<SignedIn> {
    const email = given.email.trim().toLowerCase();
    this.#byAddress.take(visit.address);
    const known = this.people.findByEmail(email);
    const device = known && this.#cookies.device(visit.cookies, known.id);
    // Strangers' attempts do not count against a device on which the user has signed in before.
    const key = device === undefined ? `account ${email}` : `device ${device} ${email}`;
    this.#byAccount.take(key);
    // An unknown user takes the time of a hash, too.
    const mayTry = known !== undefined && this.mayUsePassword(known);
    const isRight = await this.#auth.isPassword(mayTry ? known.id : undefined, given.password);
    const person = known && this.people.find(known.id);
    if (!isRight || !person || person.isDisabled) {
      await this.#note({
        action: 'user.sign-in',
        outcome: 'refused',
        address: visit.address,
        object: email.slice(0, 254),
      });
      throw new ProblemError('not-signed-in', 'The e-mail address or the password is wrong.');
    }
    this.#byAccount.clear(key);
    return this.#begin(person.id, visit, 'user.sign-in');
  }

  /** Ends the session of a request, if it has one. */
  async signOut(visit: Visit): Promise<string> {
    const found = await this.userOf(visit.cookies);
    if (found) {
      await this.sessions.end(found.sessionId);
      await this.#note({ ...actedBy(actorOf(found.user, visit)), action: 'user.sign-out', outcome: 'done' });
    }
    return this.#cookies.signedOut();
  }

  /** @throws ProblemError `not-found` if the invitation is unknown, accepted, revoked or expired */
  async findInvitation(token: string, { address }: Origin): Promise<Invitation> {
    this.#byAddress.take(address);
    const found = await this.#invitations.find(tokenHash(token), this.#now());
    if (!found) throw lapsed('invitation');
    return found;
  }

  /** Creates the account of an invitation and signs in. */
  async acceptInvitation(
    token: string,
    { name, password }: Pick<NewAccount, 'name' | 'password'>,
    visit: Visit,
  ): Promise<SignedIn> {
    const invitation = await this.findInvitation(token, visit);
    const { email, role } = invitation;
    this.requirePasswords(invitation);
    await this.#checkPassword(password, { email, name });
    const hash = await hashPassword(password);
    const userId = await this.#state.transaction(async () => {
      await this.refuseKnown(email);
      if (!(await this.#invitations.accept(invitation.id, this.#now()))) throw lapsed('invitation');
      const id = await this.#auth.createUser({ name, email, role }, hash);
      const groups = new Set((await this.groups.list()).map(group => group.id));
      await this.groups.setGroupsOf(
        id,
        invitation.groups.filter(group => groups.has(group)),
      );
      await this.#invitations.grantTo(id, invitation.id, this.#now());
      return id;
    });
    await this.people.load();
    return this.#begin(userId, visit, 'invitation.accept', `as ${role}`);
  }

  /** Sets a new password with the token of a reset link, ends all sessions and signs in. */
  async resetPassword(token: string, password: string, visit: Visit): Promise<SignedIn> {
    this.#byAddress.take(visit.address);
    const userId = await this.#resets.find(tokenHash(token), this.#now());
    const person = userId === undefined ? undefined : this.people.find(userId);
    if (!person || person.isDisabled) throw lapsed('link');
    this.requirePasswords(person);
    await this.#checkPassword(password, person);
    const hash = await hashPassword(password);
    await this.#state.transaction(async () => {
      if (!(await this.#resets.use(tokenHash(token)))) throw lapsed('link');
      await this.emailChanges.removeOf(person.id);
      await this.#auth.setPassword(person.id, hash);
    });
    this.twoFactor.forget(person.id);
    await this.sessions.endAll(person.id);
    return this.#begin(person.id, visit, 'user.reset-password');
  }

  /**
   * Confirms the password, and a code where two-factor sign-in is on, for ten minutes.
   *
   * @returns the `set-cookie` header of the session's new token
   */
  async confirm(
    caller: SessionOfUser,
    { password, code }: { readonly password: string; readonly code?: string | undefined },
    visit: Visit,
  ): Promise<string> {
    await this.requirePassword(caller, password, visit);
    await this.twoFactor.requireSecond(caller, code, visit);
    return this.confirmSession(caller.sessionId);
  }

  /** Counts a session's user as confirmed. @returns the `set-cookie` header of the session's new token */
  async confirmSession(sessionId: string): Promise<string> {
    return this.#cookies.session(await this.sessions.confirm(sessionId));
  }

  /** Changes a user's own password and ends all other sessions. @returns the `set-cookie` header */
  async changePassword(
    caller: SessionOfUser,
    { current, next }: { readonly current: string; readonly next: string },
    visit: Visit,
  ): Promise<string> {
    const person = this.person(caller.userId);
    await this.#checkPassword(next, person);
    // The new password confirms what follows, so it needs the second factor too.
    if (this.twoFactor.nextStep(person)) this.requireConfirmation({ session: caller.sessionId });
    await this.requirePassword(caller, current, visit);
    await this.#auth.setPassword(person.id, await hashPassword(next));
    await this.#resets.removeOf(person.id);
    await this.emailChanges.removeOf(person.id);
    this.twoFactor.forget(person.id);
    await this.sessions.endAll(person.id, caller.sessionId);
    await this.#note({ ...actedBy(actorOf(person, visit)), action: 'user.change-password', outcome: 'done' });
    return this.#cookies.session(await this.sessions.confirm(caller.sessionId));
  }

  async rename(userId: string, name: string): Promise<void> {
    await this.users.rename(userId, name);
    await this.people.load();
  }

  listSessions(caller: SessionOfUser): Promise<SignedInSession[]> {
    return this.sessions.list(caller.userId, caller.sessionId);
  }

  /** Ends one of a user's own sessions. @throws ProblemError `not-found` */
  async endSession(caller: SessionOfUser, id: string, visit: Visit): Promise<void> {
    if (!(await this.listSessions(caller)).some(session => session.id === id))
      throw new ProblemError('not-found', 'This session has already ended.');
    await this.sessions.end(id);
    const actor = actorOf(this.person(caller.userId), visit);
    await this.#note({
      ...actedBy(actor),
      action: 'user.sign-out',
      outcome: 'done',
      detail: 'another session',
    });
  }

  /** Whether a user may sign in with a password. Owners may, so that a provider cannot lock all users out. */
  mayUsePassword({ role }: { readonly role: Role }): boolean {
    return this.hasPasswords || role === 'owner';
  }

  /** @throws ProblemError `not-allowed` if the user may not sign in with a password */
  requirePasswords(person: { readonly role: Role }): void {
    if (!this.mayUsePassword(person))
      throw new ProblemError('not-allowed', 'This workspace has no passwords. Sign in with a provider.');
  }

  /** Creates an account without a password, for a user whom a sign-in provider knows. @returns its ID */
  createUser(user: NewUser): Promise<string> {
    return this.#auth.createUser(user);
  }

  /** Returns the actor of a request's user, for the audit log. */
  actor(userId: string, origin: Origin): Actor {
    return actorOf(this.person(userId), origin);
  }

  /** Deletes what has expired. @param now ms since 1970 */
  async prune(now: number): Promise<void> {
    await this.sessions.prune(now);
    await this.tokens.prune(new Date(now));
    await this.#invitations.prune(new Date(now));
    await this.#resets.prune(new Date(now));
    await this.emailChanges.prune(new Date(now));
    await this.audit.prune(now);
  }

  #now(): Date {
    return new Date(this.#clock.wall());
  }

  /** @throws ProblemError `not-found` */
  person(id: string): User {
    const found = this.people.find(id);
    if (!found) throw new ProblemError('not-found', 'This user no longer exists.');
    return found;
  }

  /** @throws ProblemError `request-invalid` if an account has the address */
  async refuseKnown(email: string): Promise<void> {
    if (await this.users.findByEmail(email))
      throw new ProblemError('request-invalid', `${email} already has an account.`);
  }

  /** Limits attempts by session, so that no other browser can use them up. */
  async requirePassword({ userId, sessionId }: SessionOfUser, password: string, visit: Visit): Promise<void> {
    this.#byAccount.take(`session ${sessionId}`);
    if (await this.#auth.isPassword(userId, password)) return this.#byAccount.clear(`session ${sessionId}`);
    const actor = actorOf(this.person(userId), visit);
    await this.#note({ ...actedBy(actor), action: 'user.confirm-password', outcome: 'refused' });
    throw new ProblemError('not-allowed', 'The password is wrong.', {
      errors: [{ path: 'password', message: 'is wrong' }],
    });
  }

  /** Begins the session of a user who has shown one factor; a pending sign-in if there must be another. */
  async #begin(userId: string, visit: Visit, action: string, detail?: string): Promise<SignedIn> {
    const person = this.person(userId);
    const next = this.twoFactor.nextStep(person);
    return next
      ? this.twoFactor.begin(person, next, action, detail)
      : this.enter(userId, visit, { action, detail, isConfirmed: true });
  }

  /**
   * Begins the session of a user who has shown all factors, or whom a sign-in provider knows, which asks for
   * its own.
   *
   * @param isConfirmed whether it was this user's act just now, and not an open session elsewhere
   * @throws ProblemError `not-found` if the account is disabled
   */
  async enter(
    userId: string,
    visit: Visit,
    {
      action,
      detail,
      isConfirmed,
    }: { readonly action: string; readonly detail?: string | undefined; readonly isConfirmed: boolean },
  ): Promise<SignedIn> {
    const token = await this.#auth.beginSession(userId);
    if (token === undefined) throw lapsed('link');
    return this.#adopt(token, this.person(userId), visit, action, detail, isConfirmed);
  }

  /** Completes a new session. It replaces the one that the browser had. */
  async #adopt(
    token: string,
    person: User,
    visit: Visit,
    action: string,
    detail?: string,
    isConfirmed = true,
  ): Promise<SignedIn> {
    await this.sessions.adopt(token, visit, isConfirmed);
    const before = await this.userOf(visit.cookies);
    if (before) await this.sessions.end(before.sessionId);
    await this.#note({
      ...actedBy(actorOf(person, visit)),
      action,
      outcome: 'done',
      ...(detail !== undefined && { detail }),
    });
    return { userId: person.id, cookies: this.#cookies.signedIn(token, person.id) };
  }

  #note(entry: NewAuditEntry): Promise<void> {
    return this.audit.add(entry);
  }
}

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The same for all links that do not work, so that they tell nothing about accounts. */
function lapsed(what: 'invitation' | 'link'): ProblemError {
  return new ProblemError(
    'not-found',
    `This ${what} is not valid: it was used or withdrawn, or it has expired. Ask for a new one.`,
  );
}
