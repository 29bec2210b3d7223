import type { SignedInSession } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import { ProblemError } from '../../http/problems.ts';
import { AuditLog, type NewAuditEntry } from '../../state/administration/audit-log.ts';
import { EmailChanges } from '../../state/accounts/email-changes.ts';
import { Groups } from '../../state/accounts/groups.ts';
import { Invitations } from '../../state/accounts/invitations.ts';
import { PasswordResets } from '../../state/accounts/password-resets.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { TeamSettings } from '../../state/administration/team-settings.ts';
import { Users, type ProfileChange, type User } from '../../state/accounts/users.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { AccountCookies } from '../sessions/account-cookies.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import type { Auth } from './better-auth.ts';
import { actedBy, actorOf } from '../actor.ts';
import { AccountPasswords } from '../passwords/account-passwords.ts';
import type { BreachedPasswords } from '../passwords/breached-passwords.ts';
import { Passkeys } from '../two-factor/passkeys.ts';
import { expiredLink } from './expired-link.ts';
import { People } from './people.ts';
import { SignUp } from './sign-up.ts';
import type { Actor, SessionOfUser, SignedIn, Visit } from '../sign-in/sign-in.ts';
import type { Origin, TeamSessions } from '../sessions/team-sessions.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';
import { TwoFactor, type AccountAccess } from '../two-factor/two-factor.ts';
import { UserAdministration } from './user-administration.ts';

const [perAccount, perAccountMs] = [10, 15 * 60_000];
const [perAddress, perAddressMs] = [60, 60_000];
const confirmedMs = 10 * 60_000;

interface AccountsOptions {
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
  readonly settings: TeamSettings;
  readonly twoFactor: TwoFactor;
  readonly passkeys: Passkeys;
  readonly signUp: SignUp;
  readonly passwords: AccountPasswords;
  readonly administration: UserAdministration;
  readonly #auth: Auth;
  readonly #cookies: AccountCookies;
  readonly #clock: Clock;
  readonly #invitations: Invitations;
  readonly #resets: PasswordResets;
  readonly #byAccount: AttemptLimit;
  readonly #byAddress: AttemptLimit;

  private constructor(options: AccountsOptions) {
    const { state, auth, sessions, tokens, cookies, clock, hasPasswords = true } = options;
    this.#auth = auth;
    this.sessions = sessions;
    this.tokens = tokens;
    this.#cookies = cookies;
    this.#clock = clock;
    this.users = new Users(state);
    this.groups = new Groups(state);
    this.audit = new AuditLog(state);
    this.people = new People(this.users);
    this.#invitations = new Invitations(state);
    this.#resets = new PasswordResets(state);
    this.emailChanges = new EmailChanges(state);
    this.#byAccount = new AttemptLimit(perAccount, perAccountMs, () => clock.elapsed());
    this.#byAddress = new AttemptLimit(perAddress, perAddressMs, () => clock.elapsed());
    this.settings = new TeamSettings(state);
    const access: AccountAccess = {
      ...options,
      people: this.people,
      settings: this.settings,
      takeAddress: address => this.#byAddress.take(address),
      requirePassword: (caller, password, visit) => this.passwords.require(caller, password, visit),
      enter: (person, visit, action, detail) =>
        this.enter(person.id, visit, { action, detail, isConfirmed: true }),
      endSessions: (userId, except) => sessions.endAll(userId, except),
      note: (person, visit, entry) => this.#note({ ...actedBy(actorOf(person, visit)), ...entry }),
    };
    this.twoFactor = new TwoFactor(access);
    this.passkeys = new Passkeys(access, options.address);
    const now = () => this.#now();
    this.passwords = new AccountPasswords(hasPasswords, {
      state,
      auth,
      people: this.people,
      resets: this.#resets,
      emailChanges: this.emailChanges,
      attempts: this.#byAccount,
      breached: options.breached,
      now,
      endSessions: async (userId, except) => {
        this.twoFactor.forget(userId);
        await sessions.endAll(userId, except);
      },
      noteRefused: async (userId, visit) => {
        const actor = actorOf(this.person(userId), visit);
        await this.#note({ ...actedBy(actor), action: 'user.confirm-password', outcome: 'refused' });
      },
    });
    this.signUp = new SignUp({
      state,
      auth,
      users: this.users,
      people: this.people,
      groups: this.groups,
      invitations: this.#invitations,
      passwords: this.passwords,
      now,
      takeAddress: address => this.#byAddress.take(address),
      begin: (userId, visit, action, detail) => this.#begin(userId, visit, action, detail),
      note: entry => this.#note(entry),
    });
    this.administration = new UserAdministration(this, {
      state,
      invitations: this.#invitations,
      resets: this.#resets,
      now,
    });
  }

  /** Opens the accounts of a state database. Without any user, a set-up code is made. */
  static async open(options: AccountsOptions): Promise<Accounts> {
    const accounts = new Accounts(options);
    await accounts.settings.load();
    await accounts.people.load();
    accounts.signUp.open();
    return accounts;
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
    const mayTry = known !== undefined && this.passwords.mayUse(known);
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

  /** Sets a new password with the token of a reset link, ends all sessions and signs in. */
  async resetPassword(token: string, password: string, visit: Visit): Promise<SignedIn> {
    this.#byAddress.take(visit.address);
    const person = await this.passwords.reset(token, password);
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
    await this.passwords.require(caller, password, visit);
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
    await this.passwords.check(next, person);
    // The new password confirms what follows, so it needs the second factor too.
    if (this.twoFactor.nextStep(person)) this.requireConfirmation({ session: caller.sessionId });
    await this.passwords.require(caller, current, visit);
    await this.passwords.change(caller, next);
    await this.#note({ ...actedBy(actorOf(person, visit)), action: 'user.change-password', outcome: 'done' });
    return this.#cookies.session(await this.sessions.confirm(caller.sessionId));
  }

  /** Changes a user's own name or time zone. */
  async updateProfile(userId: string, change: ProfileChange): Promise<void> {
    await this.users.updateProfile(userId, change);
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
    if (token === undefined) throw expiredLink('link');
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
