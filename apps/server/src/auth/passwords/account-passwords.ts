import type { Role } from '@belvedere/api';
import { ProblemError } from '../../http/problems.ts';
import type { EmailChanges } from '../../state/accounts/email-changes.ts';
import type { PasswordResets } from '../../state/accounts/password-resets.ts';
import type { User } from '../../state/accounts/users.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Auth } from '../accounts/better-auth.ts';
import { expiredLink } from '../accounts/expired-link.ts';
import type { People } from '../accounts/people.ts';
import type { AttemptLimit } from '../limits/attempt-limits.ts';
import { tokenHash } from '../secrets/token-hash.ts';
import type { SessionOfUser, Visit } from '../sign-in/sign-in.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import { hashPassword } from './password-hash.ts';
import { breachedPassword, checkPassword } from './password-rules.ts';

/** What passwords need of the accounts. */
interface PasswordAccess {
  readonly state: StateDatabase;
  readonly auth: Auth;
  readonly people: Pick<People, 'find'>;
  readonly resets: PasswordResets;
  readonly emailChanges: EmailChanges;
  /** Counts attempts by account. */
  readonly attempts: AttemptLimit;
  /** Passwords that are refused, beside those that Belvedere knows. */
  readonly breached?: Pick<BreachedPasswords, 'has'> | undefined;
  readonly now: () => Date;
  /** Ends a user's sessions, and the sign-ins that wait for a second factor, after the password has changed. */
  readonly endSessions: (userId: string, except?: string) => Promise<void>;
  readonly noteRefused: (userId: string, visit: Visit) => Promise<void>;
}

/** The passwords of accounts: who may have one, which are good enough, and how they are changed. */
export class AccountPasswords {
  /** Whether all users may sign in with passwords, or only owners. */
  readonly areForAll: boolean;
  readonly #access: PasswordAccess;

  constructor(areForAll: boolean, access: PasswordAccess) {
    this.areForAll = areForAll;
    this.#access = access;
  }

  /** Whether a user may sign in with a password. Owners may, so that a provider cannot lock all users out. */
  mayUse({ role }: { readonly role: Role }): boolean {
    return this.areForAll || role === 'owner';
  }

  /** @throws ProblemError `not-allowed` if the user may not sign in with a password */
  requireAllowed(person: { readonly role: Role }): void {
    if (!this.mayUse(person))
      throw new ProblemError('not-allowed', 'This workspace has no passwords. Sign in with a provider.');
  }

  /** Checks a new password. @throws ProblemError `request-invalid` that says what to change */
  async check(password: string, user: Pick<User, 'email' | 'name'>): Promise<void> {
    checkPassword(password, user);
    if (await this.#access.breached?.has(password)) throw breachedPassword();
  }

  /**
   * Requires a signed-in user's password. Limits attempts by session, so that no other browser can use them up.
   * @throws ProblemError `not-allowed` for a wrong one, `rate-limited`
   */
  async require({ userId, sessionId }: SessionOfUser, password: string, visit: Visit): Promise<void> {
    const { attempts, auth } = this.#access;
    attempts.take(`session ${sessionId}`);
    if (await auth.isPassword(userId, password)) return attempts.clear(`session ${sessionId}`);
    await this.#access.noteRefused(userId, visit);
    throw new ProblemError('not-allowed', 'The password is wrong.', {
      errors: [{ path: 'password', message: 'is wrong' }],
    });
  }

  /** Changes a checked password and ends all other sessions. */
  async change({ userId, sessionId }: SessionOfUser, password: string): Promise<void> {
    const { auth, resets, emailChanges } = this.#access;
    await auth.setPassword(userId, await hashPassword(password));
    await resets.removeOf(userId);
    await emailChanges.removeOf(userId);
    await this.#access.endSessions(userId, sessionId);
  }

  /**
   * Sets a new password with the token of a reset link and ends all sessions.
   * @returns the user
   * @throws ProblemError `not-found` for a link that does not work, `request-invalid`, `not-allowed`
   */
  async reset(token: string, password: string): Promise<User> {
    const { state, auth, people, resets, emailChanges } = this.#access;
    const userId = await resets.find(tokenHash(token), this.#access.now());
    const person = userId === undefined ? undefined : people.find(userId);
    if (!person || person.isDisabled) throw expiredLink('link');
    this.requireAllowed(person);
    await this.check(password, person);
    const hash = await hashPassword(password);
    await state.transaction(async () => {
      if (!(await resets.use(tokenHash(token)))) throw expiredLink('link');
      await emailChanges.removeOf(person.id);
      await auth.setPassword(person.id, hash);
    });
    await this.#access.endSessions(person.id);
    return person;
  }
}
