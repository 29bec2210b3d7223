import type { NewAuditEntry } from '../../state/administration/audit-log.ts';
import { ProblemError } from '../../http/problems.ts';
import { SecondFactors } from '../../state/accounts/second-factors.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { User } from '../../state/accounts/users.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { AccountCookies } from '../sessions/account-cookies.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import { backupCodeHash, isBackupCode, newBackupCodes } from './backup-codes.ts';
import { ExpiringRecords } from '../accounts/expiring-records.ts';
import type { People } from '../accounts/people.ts';
import { TextSealer } from '../secrets/sealed-text.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';
import type { NextStep, SessionOfUser, SignedIn, Visit } from '../sign-in/sign-in.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';
import { newTotpKey, stepOfCode, totpAddress } from './totp.ts';

const pendingMs = 10 * 60_000;
const [perAccount, perAccountMs] = [10, 15 * 60_000];
const maxPending = 10_000;

/** A sign-in whose password was right, of the browser that has its token in a cookie. It is no session. */
interface PendingSignIn {
  readonly userId: string;
  readonly step: NextStep;
  /** For the audit log, once it is complete. */
  readonly action: string;
  readonly detail: string | undefined;
}

interface FoundSignIn {
  readonly key: string;
  readonly pending: PendingSignIn;
  readonly person: User;
}

/** Of the accounts, what second factors need. */
export interface AccountAccess {
  readonly state: StateDatabase;
  readonly people: People;
  readonly settings: TeamSettings;
  readonly cookies: AccountCookies;
  readonly clock: Clock;
  /** The instance's secrets. */
  readonly secrets: SealingSecrets;
  /** Counts an attempt of a network address. @throws ProblemError `rate-limited` */
  takeAddress(address: string): void;
  /** @throws ProblemError `not-allowed` for a wrong password, or `rate-limited` */
  requirePassword(caller: SessionOfUser, password: string, visit: Visit): Promise<void>;
  /** Begins the session of a user who has shown all factors. */
  enter(person: User, visit: Visit, action: string, detail?: string): Promise<SignedIn>;
  endSessions(userId: string, except?: string): Promise<void>;
  note(
    person: User,
    visit: Visit,
    entry: Omit<NewAuditEntry, 'actor' | 'actorId' | 'address'>,
  ): Promise<void>;
}

/** A new key, not in use before a code of it was given. */
export interface NewAuthenticator {
  /** In base32, to type. */
  readonly key: string;
  /** The address in the QR code. */
  readonly address: string;
}

/** Codes of authenticator apps (RFC 6238) and backup codes as the second step of signing in. */
export class TwoFactor {
  readonly #accounts: AccountAccess;
  readonly #records: SecondFactors;
  readonly #sealer: TextSealer;
  /** By the hash of the token. */
  readonly #pending: ExpiringRecords<PendingSignIn>;
  /** Keys that are being set up, by the session or the pending sign-in. */
  readonly #newKeys: ExpiringRecords<{ readonly userId: string; readonly key: string }>;
  readonly #limit: AttemptLimit;

  constructor(accounts: AccountAccess) {
    const elapsed = () => accounts.clock.elapsed();
    this.#accounts = accounts;
    this.#records = new SecondFactors(accounts.state);
    this.#sealer = new TextSealer(accounts.secrets, 'totp');
    this.#pending = new ExpiringRecords(pendingMs, maxPending, elapsed);
    this.#newKeys = new ExpiringRecords(pendingMs, maxPending, elapsed);
    this.#limit = new AttemptLimit(perAccount, perAccountMs, elapsed);
  }

  /** Returns what a user must do after the right password; undefined if nothing. */
  nextStep({ hasAuthenticator, passkeys }: User): NextStep | undefined {
    if (hasAuthenticator) return 'code';
    if (!this.#accounts.settings.requiresTwoFactor) return undefined;
    return passkeys > 0 ? 'passkey' : 'set-up';
  }

  /**
   * Whether a user may not be signed in, because the workspace requires a second factor. A provider asks for
   * its own; a password of its users does not sign in without one here.
   */
  isMissing(person: User): boolean {
    return this.nextStep(person) === 'set-up' && !person.hasProvider;
  }

  /** Begins a pending sign-in. @returns the cookie that binds it to the browser */
  begin(person: User, step: NextStep, action: string, detail?: string): SignedIn {
    const token = newToken();
    this.#pending.set(tokenHash(token), { userId: person.id, step, action, detail });
    return { userId: person.id, cookies: [this.#accounts.cookies.pending(token, pendingMs)], next: step };
  }

  /** Completes the pending sign-in of a browser with a code. */
  async finish(code: string, visit: Visit): Promise<SignedIn> {
    const { key, pending, person } = this.#pendingOf(visit);
    if (pending.step !== 'code') throw expired();
    const used = await this.#requireCode(person, code, visit, this.#keyOf(person, visit));
    return this.#complete(key, pending, person, visit, used);
  }

  /** Starts the set-up that the workspace requires, within a pending sign-in. */
  startRequired(visit: Visit, issuer: string): NewAuthenticator {
    const { key, person } = this.#settingUp(visit);
    return this.#start(key, person, issuer);
  }

  /** Ends the required set-up with a code, and signs in. */
  async finishRequired(
    code: string,
    visit: Visit,
  ): Promise<{ readonly signedIn: SignedIn; readonly backupCodes: readonly string[] }> {
    const { key, pending, person } = this.#settingUp(visit);
    const backupCodes = await this.#enable(key, person, code, visit);
    return { signedIn: await this.#complete(key, pending, person, visit, 'code'), backupCodes };
  }

  /** Starts a set-up by a signed-in user. @throws ProblemError `request-invalid` if there is one already */
  start({ userId, sessionId }: SessionOfUser, issuer: string): NewAuthenticator {
    const person = this.#person(userId);
    if (person.hasAuthenticator) throw alreadyOn();
    return this.#start(`session ${sessionId}`, person, issuer);
  }

  /** Ends a set-up with a code of the new key, and all other sessions. @returns the backup codes */
  async enable({ userId, sessionId }: SessionOfUser, code: string, visit: Visit): Promise<readonly string[]> {
    const person = this.#person(userId);
    const codes = await this.#enable(`session ${sessionId}`, person, code, visit);
    await this.#accounts.endSessions(userId, sessionId);
    return codes;
  }

  /** @throws ProblemError `not-allowed` if the user has a second step and this is no code for it */
  async requireSecond(
    { userId, sessionId }: SessionOfUser,
    code: string | undefined,
    visit: Visit,
  ): Promise<void> {
    const person = this.#person(userId);
    const step = this.nextStep(person);
    if (step === 'passkey')
      throw new ProblemError('not-allowed', 'Your password is not enough here. Confirm with a passkey.');
    if (step === 'code') await this.#requireCode(person, code ?? '', visit, `session ${sessionId}`);
  }

  /**
   * Turns the authenticator app off, and ends all other sessions.
   * @throws ProblemError `not-allowed` if the workspace requires it
   */
  async disable(caller: SessionOfUser, given: PasswordAndCode, visit: Visit): Promise<void> {
    const person = await this.#requireBoth(caller, given, visit);
    if (this.#accounts.settings.requiresTwoFactor && person.passkeys === 0)
      throw new ProblemError('not-allowed', 'This workspace requires a second factor. Add a passkey first.');
    await this.#records.remove(person.id);
    await this.#accounts.people.load();
    await this.#accounts.endSessions(person.id, caller.sessionId);
    await this.#accounts.note(person, visit, { action: 'user.disable-two-factor', outcome: 'done' });
  }

  /** Replaces the backup codes, used or not. */
  async renewBackupCodes(
    caller: SessionOfUser,
    given: PasswordAndCode,
    visit: Visit,
  ): Promise<readonly string[]> {
    const person = await this.#requireBoth(caller, given, visit);
    const codes = newBackupCodes();
    await this.#records.setBackupCodes(person.id, codes.map(backupCodeHash));
    await this.#accounts.note(person, visit, { action: 'user.renew-backup-codes', outcome: 'done' });
    return codes;
  }

  countBackupCodes(userId: string): Promise<number> {
    return this.#records.countBackupCodes(userId);
  }

  /** Removes a user's authenticator app and backup codes. The caller reloads the users. */
  remove(userId: string): Promise<void> {
    return this.#records.remove(userId);
  }

  /** Ends a user's pending sign-ins, as after a change of the password. */
  forget(userId: string): void {
    this.#pending.deleteWhere(pending => pending.userId === userId);
    this.#newKeys.deleteWhere(started => started.userId === userId);
  }

  #start(by: string, { id, email }: User, issuer: string): NewAuthenticator {
    const key = newTotpKey();
    this.#newKeys.set(by, { userId: id, key });
    return { key, address: totpAddress(key, { issuer, email }) };
  }

  async #enable(by: string, person: User, code: string, visit: Visit): Promise<readonly string[]> {
    if (person.hasAuthenticator) throw alreadyOn();
    const started = this.#newKeys.get(by);
    if (started?.userId !== person.id)
      throw new ProblemError('request-invalid', 'The set-up has expired. Start it again.');
    this.#limit.take(`new ${by}`);
    const step = stepOfCode(started.key, plain(code), this.#accounts.clock.wall());
    if (step === undefined) throw wrongCode();
    const codes = newBackupCodes();
    const key = this.#sealer.seal(started.key, person.id);
    if (!(await this.#records.add(person.id, key, step, codes.map(backupCodeHash)))) throw alreadyOn();
    this.#newKeys.take(by);
    await this.#accounts.people.load();
    await this.#accounts.note(person, visit, { action: 'user.enable-two-factor', outcome: 'done' });
    return codes;
  }

  async #complete(
    key: string,
    pending: PendingSignIn,
    person: User,
    visit: Visit,
    used: 'code' | 'back-up code',
  ): Promise<SignedIn> {
    // Another request may have completed it meanwhile, or the password was changed.
    if (!this.#pending.take(key)) throw expired();
    const detail = [pending.detail, `with a ${used}`].filter(part => part !== undefined).join('; ');
    const signedIn = await this.#accounts.enter(person, visit, pending.action, detail);
    return { ...signedIn, cookies: [...signedIn.cookies, this.#accounts.cookies.notPending()] };
  }

  /** @throws ProblemError `not-signed-in` unless this browser gave the right password a moment ago */
  #pendingOf(visit: Visit): FoundSignIn {
    this.#accounts.takeAddress(visit.address);
    const token = this.#accounts.cookies.pendingToken(visit.cookies);
    const key = token === undefined ? '' : tokenHash(token);
    const pending = this.#pending.get(key);
    const person = pending && this.#accounts.people.find(pending.userId);
    if (!pending || !person || person.isDisabled) throw expired();
    return { key, pending, person };
  }

  #settingUp(visit: Visit): FoundSignIn {
    const found = this.#pendingOf(visit);
    if (found.pending.step !== 'set-up') throw expired();
    return found;
  }

  /** Strangers' wrong codes do not count against a device on which the user has signed in before. */
  #keyOf({ id }: User, visit: Visit): string {
    const device = this.#accounts.cookies.device(visit.cookies, id);
    return device === undefined ? `account ${id}` : `device ${device} ${id}`;
  }

  async #requireBoth(
    caller: SessionOfUser,
    { password, code }: PasswordAndCode,
    visit: Visit,
  ): Promise<User> {
    const person = this.#person(caller.userId);
    if (!person.hasAuthenticator)
      throw new ProblemError('request-invalid', 'Two-factor sign-in is not on for this account.');
    await this.#accounts.requirePassword(caller, password, visit);
    await this.#requireCode(person, code, visit, `session ${caller.sessionId}`);
    return person;
  }

  /**
   * @param by whose wrong codes are counted
   * @throws ProblemError `not-allowed` for a wrong code or one that was used before, or `rate-limited`
   */
  async #requireCode(person: User, code: string, visit: Visit, by: string): Promise<'code' | 'back-up code'> {
    this.#limit.take(by);
    const used = await this.#useCode(person.id, code);
    if (used === undefined) {
      await this.#accounts.note(person, visit, { action: 'user.enter-code', outcome: 'refused' });
      throw wrongCode();
    }
    this.#limit.clear(by);
    return used;
  }

  async #useCode(userId: string, given: string): Promise<'code' | 'back-up code' | undefined> {
    if (isBackupCode(given))
      return (await this.#records.useBackupCode(userId, backupCodeHash(given))) ? 'back-up code' : undefined;
    const sealed = await this.#records.keyOf(userId);
    const key = sealed === undefined ? undefined : this.#sealer.open(sealed, userId);
    // The file of the secret was lost or replaced: backup codes still work.
    if (sealed !== undefined && key === undefined)
      console.error(new Date().toISOString(), 'A key of two-factor sign-in was sealed with another secret.');
    const step = key === undefined ? undefined : stepOfCode(key, plain(given), this.#accounts.clock.wall());
    return step !== undefined && (await this.#records.useStep(userId, step)) ? 'code' : undefined;
  }

  #person(id: string): User {
    const found = this.#accounts.people.find(id);
    if (!found) throw new ProblemError('not-found', 'This user no longer exists.');
    return found;
  }
}

interface PasswordAndCode {
  readonly password: string;
  readonly code: string;
}

/** Apps show codes in groups. */
const plain = (code: string) => code.replaceAll(/\s/g, '');

function wrongCode(): ProblemError {
  return new ProblemError('not-allowed', 'The code is wrong, or was used before. Wait for the next one.', {
    errors: [{ path: 'code', message: 'is wrong or was used before' }],
  });
}

function alreadyOn(): ProblemError {
  return new ProblemError(
    'request-invalid',
    'Two-factor sign-in is already on. Turn it off before you set it up for another device.',
  );
}

function expired(): ProblemError {
  return new ProblemError('not-signed-in', 'This sign-in has expired. Enter your password again.');
}
