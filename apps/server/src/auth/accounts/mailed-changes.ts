import type { InterfaceLanguage } from '@belvedere/api';
import type { AccountMail } from '../../mail/account-mail.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { Identities } from '../../state/accounts/identities.ts';
import { PasswordResets } from '../../state/accounts/password-resets.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { User } from '../../state/accounts/users.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { Accounts } from './accounts.ts';
import type { SessionOfUser, Visit } from '../sign-in/sign-in.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';

const windowMs = 15 * 60_000;
const [perAccount, perAddress] = [3, 20];
const resetMs = 3_600_000;

interface Parts {
  readonly accounts: Accounts;
  readonly state: StateDatabase;
  readonly mail: AccountMail;
  readonly clock: Clock;
}

/** Changes that a user makes with a link from a mail: a forgotten password, a new e-mail address. */
export class MailedChanges {
  readonly #accounts: Accounts;
  readonly #mail: AccountMail;
  readonly #clock: Clock;
  readonly #resets: PasswordResets;
  readonly #identities: Identities;
  readonly #byAccount: AttemptLimit;
  readonly #byAddress: AttemptLimit;

  constructor({ accounts, state, mail, clock }: Parts) {
    this.#accounts = accounts;
    this.#mail = mail;
    this.#clock = clock;
    this.#resets = new PasswordResets(state);
    this.#identities = new Identities(state);
    this.#byAccount = new AttemptLimit(perAccount, windowMs, () => clock.elapsed());
    this.#byAddress = new AttemptLimit(perAddress, windowMs, () => clock.elapsed());
  }

  /**
   * Mails a reset link, if the address has an account with a password. Returns before it is known whether it
   * has, so that neither the response nor its time tells.
   *
   * @throws ProblemError `rate-limited`, or `not-found` without mail
   */
  requestReset(email: string, visit: Visit, language: InterfaceLanguage): void {
    this.#requireMail();
    this.#byAddress.take(visit.address);
    this.#byAccount.take(`reset ${email}`);
    setImmediate(() => {
      this.#sendReset(email, visit, language).catch((error: Error) =>
        console.error(new Date().toISOString(), 'Could not create a reset link:', error.message),
      );
    });
  }

  async #sendReset(email: string, { address }: Visit, language: InterfaceLanguage): Promise<void> {
    const { people, audit } = this.#accounts;
    const person = people.findByEmail(email);
    const mayReset =
      person &&
      !person.isDisabled &&
      this.#accounts.passwords.mayUse(person) &&
      (await this.#hasPassword(person));
    await audit.add({
      action: 'user.request-password-reset',
      outcome: mayReset ? 'done' : 'refused',
      address,
      object: email.slice(0, 254),
    });
    if (!mayReset) return;
    const token = newToken();
    await this.#resets.create(person.id, tokenHash(token), this.#now(), resetMs);
    this.#mail.sendReset(person.email, token, language);
  }

  /**
   * Mails a confirmation to a new address and a notice to the old one. If another account has the address, all
   * is the same for the user, but nothing is sent to it.
   *
   * @param password required of users who have one; others have confirmed their session
   */
  async requestEmail(
    caller: SessionOfUser,
    { email, password }: { readonly email: string; readonly password?: string | undefined },
    visit: Visit,
    language: InterfaceLanguage,
  ): Promise<void> {
    this.#requireMail();
    const { people, audit, emailChanges } = this.#accounts;
    const person = people.find(caller.userId);
    if (!person) throw new ProblemError('not-found', 'This user no longer exists.');
    if (await this.#hasPassword(person))
      await this.#accounts.passwords.require(caller, password ?? '', visit);
    else this.#accounts.requireConfirmation({ session: caller.sessionId });
    this.#byAccount.take(`email ${person.id}`);
    await audit.add({
      ...this.#actedBy(person, visit),
      action: 'user.request-email-change',
      object: email,
      outcome: 'done',
    });
    const token = newToken();
    await emailChanges.create(person.id, email, tokenHash(token), this.#now());
    if (!people.findByEmail(email)) this.#mail.sendEmailConfirmation(email, token, language);
    this.#mail.noteEmailChanging(person.email, email, language);
  }

  /** Sets the address of a change that was mailed. @throws ProblemError `not-found` for a token that lapsed */
  async confirmEmail(token: string, visit: Visit): Promise<{ readonly email: string }> {
    this.#byAddress.take(visit.address);
    const { people, users, audit, emailChanges } = this.#accounts;
    const change = await emailChanges.use(tokenHash(token), this.#now());
    const person = change && people.find(change.userId);
    if (!person || person.isDisabled)
      throw new ProblemError(
        'not-found',
        'This link is not valid: it was used or withdrawn, or it has expired. Change the address again.',
      );
    await users.setEmail(person.id, change.email);
    // Links that were sent to the old address.
    await this.#resets.removeOf(person.id);
    await people.load();
    await audit.add({
      ...this.#actedBy(person, visit),
      action: 'user.change-email',
      object: change.email,
      outcome: 'done',
    });
    return { email: change.email };
  }

  /** Tells a user by mail that the password was changed. */
  notePasswordChanged(userId: string, language: InterfaceLanguage): void {
    const person = this.#accounts.people.find(userId);
    if (person) this.#mail.notePasswordChanged(person.email, language);
  }

  #hasPassword({ id }: User): Promise<boolean> {
    return this.#identities.hasPassword(id);
  }

  #actedBy({ id, name, email }: User, { address }: Visit) {
    return { actor: `${name} (${email})`, actorId: id, address };
  }

  #requireMail(): void {
    if (!this.#mail.isOn) throw new ProblemError('not-found', 'This server cannot send mail. Ask an admin.');
  }

  #now(): Date {
    return new Date(this.#clock.wall());
  }
}
