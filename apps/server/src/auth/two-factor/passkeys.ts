import {
  passkeyTransports,
  type NewPasskeyResponse,
  type Passkey,
  type PasskeyResponse,
} from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { ProblemError } from '../../http/problems.ts';
import { PasskeyRecords, type StoredPasskey } from '../../state/accounts/passkeys.ts';
import type { User } from '../../state/accounts/users.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import { ExpiringRecords } from '../accounts/expiring-records.ts';
import type { SessionOfUser, SignedIn, Visit } from '../sign-in/sign-in.ts';
import type { AccountAccess } from './two-factor.ts';

const challengeMs = 5 * 60_000;
const maxChallenges = 50_000;
const maxPasskeys = 20;
/** Each page for signing in asks for a challenge, and many users may have one network address. */
const [challengesPerAddress, perAddressMs] = [300, 60_000];

/** What a challenge was issued for. One of a session serves no other. */
interface Challenge {
  readonly purpose: 'add' | 'sign-in' | 'confirm';
  readonly sessionId?: string;
}

/** The names under which browsers keep and use passkeys. */
interface Site {
  readonly rpID: string;
  readonly origin: string;
}

/** The library is loaded when a passkey is first used: it takes a tenth of a second and 15 MB. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * Passkeys (Web Authentication): discoverable credentials whose authenticator verifies its user by a PIN or a
 * fingerprint, so that one counts as two factors.
 */
export class Passkeys {
  readonly #accounts: AccountAccess;
  readonly #records: PasskeyRecords;
  readonly #address: () => string;
  /** By the challenge itself. */
  readonly #challenges: ExpiringRecords<Challenge>;
  readonly #limit: AttemptLimit;

  /** @param address the address under which browsers reach the server */
  constructor(accounts: AccountAccess, address: () => string) {
    this.#accounts = accounts;
    this.#address = address;
    this.#records = new PasskeyRecords(accounts.state);
    const elapsed = () => accounts.clock.elapsed();
    this.#challenges = new ExpiringRecords(challengeMs, maxChallenges, elapsed);
    this.#limit = new AttemptLimit(challengesPerAddress, perAddressMs, elapsed);
  }

  /** Whether passkeys work for a browser that sent this `host` header: at the server's own address only. */
  isAvailableAt(host: string | undefined): boolean {
    return this.#site() !== undefined && host === new URL(this.#address()).host;
  }

  async list(userId: string): Promise<Passkey[]> {
    return (await this.#records.list(userId)).map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt,
      ...(usedAt !== undefined && { usedAt }),
    }));
  }

  /** Returns options for the browser's `navigator.credentials.create`. */
  async creationOptions({ userId, sessionId }: SessionOfUser, title: string): Promise<object> {
    const { rpID } = this.#requireSite();
    const { email, name } = this.#person(userId);
    const own = await this.#records.list(userId);
    if (own.length >= maxPasskeys)
      throw new ProblemError('request-invalid', `You have ${maxPasskeys} passkeys. Remove one first.`);
    const { generateRegistrationOptions } = await webAuthn();
    const options = await generateRegistrationOptions({
      rpName: title,
      rpID,
      userID: Uint8Array.from(Buffer.from(userId)),
      userName: email,
      userDisplayName: name,
      attestationType: 'none',
      excludeCredentials: own.map(one => ({ id: one.credentialId, ...transportsOf(one) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    this.#challenges.set(options.challenge, { purpose: 'add', sessionId });
    return options;
  }

  /** Adds a passkey that the browser has just created. @throws ProblemError `request-invalid` */
  async add(
    { userId, sessionId }: SessionOfUser,
    { name, created }: { readonly name: string; readonly created: NewPasskeyResponse },
    visit: Visit,
  ): Promise<void> {
    const { rpID, origin } = this.#requireSite();
    const { verifyRegistrationResponse } = await webAuthn();
    const { id, transports, ...response } = created;
    const found = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge => this.#use(challenge, { purpose: 'add', sessionId }),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (!found?.verified)
      throw new ProblemError('request-invalid', 'The passkey could not be checked. Try again.');
    const { credential } = found.registrationInfo;
    const isAdded = await this.#records.add({
      id: randomUUID(),
      userId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports,
      name,
    });
    if (!isAdded) throw new ProblemError('request-invalid', 'This passkey was added already.');
    await this.#changed(userId, visit, 'user.add-passkey', name);
  }

  /** @throws ProblemError `not-found` if it is not the user's own */
  async rename({ userId }: SessionOfUser, id: string, name: string): Promise<void> {
    if ((await this.#records.rename(userId, id, name)) === undefined) throw unknown();
  }

  /**
   * Removes a passkey, and ends all other sessions: its device may be in other hands.
   * @throws ProblemError `not-found`; `not-allowed` if it is the last second factor and one is required
   */
  async remove({ userId, sessionId }: SessionOfUser, id: string, visit: Visit): Promise<void> {
    const person = this.#person(userId);
    const found = (await this.#records.list(userId)).find(one => one.id === id);
    if (!found) throw unknown();
    if (this.#accounts.settings.requiresTwoFactor && !person.hasAuthenticator && person.passkeys === 1)
      throw new ProblemError(
        'not-allowed',
        'This workspace requires a second factor, and this is your only one. Set up another one first.',
      );
    if (!(await this.#records.remove(userId, id))) throw unknown();
    await this.#accounts.endSessions(userId, sessionId);
    await this.#changed(userId, visit, 'user.remove-passkey', found.name);
  }

  /** The caller reloads the users. */
  removeAll(userId: string): Promise<void> {
    return this.#records.removeAll(userId);
  }

  /** Returns options for the browser's `navigator.credentials.get`, for any user's passkey. */
  async signInOptions({ address }: Visit): Promise<object> {
    this.#limit.take(address);
    return this.#requestOptions({ purpose: 'sign-in' }, []);
  }

  /**
   * Signs in the user of a passkey. The answer is the same however it fails.
   *
   * @param email of the only account that may sign in, if there is one
   */
  async signIn(given: PasskeyResponse, email: string | undefined, visit: Visit): Promise<SignedIn> {
    this.#accounts.takeAddress(visit.address);
    const used = await this.#verified(given, { purpose: 'sign-in' });
    const person = used && this.#accounts.people.find(used.userId);
    if (
      !person ||
      person.isDisabled ||
      (email !== undefined && person.email !== email.trim().toLowerCase())
    ) {
      if (person) await this.#refused(person, visit, 'user.sign-in');
      throw new ProblemError(
        'not-signed-in',
        'This passkey is not valid here. Use another one or a password.',
      );
    }
    const signedIn = await this.#accounts.enter(person, visit, 'user.sign-in', 'with a passkey');
    return { ...signedIn, cookies: [...signedIn.cookies, this.#accounts.cookies.notPending()] };
  }

  /** Returns options for the browser's `navigator.credentials.get`, for the user's own passkeys. */
  async confirmOptions({ userId, sessionId }: SessionOfUser): Promise<object> {
    return this.#requestOptions({ purpose: 'confirm', sessionId }, await this.#records.list(userId));
  }

  /** @throws ProblemError `not-allowed` unless it is a passkey of the session's user */
  async confirm({ userId, sessionId }: SessionOfUser, given: PasskeyResponse, visit: Visit): Promise<void> {
    const used = await this.#verified(given, { purpose: 'confirm', sessionId }, userId);
    if (used) return;
    await this.#refused(this.#person(userId), visit, 'user.confirm-passkey');
    throw new ProblemError(
      'not-allowed',
      'This passkey is not valid here. Use another one or your password.',
    );
  }

  async #requestOptions(challenge: Challenge, allowed: readonly StoredPasskey[]): Promise<object> {
    const { rpID } = this.#requireSite();
    const { generateAuthenticationOptions } = await webAuthn();
    const options = await generateAuthenticationOptions({
      rpID,
      userVerification: 'required',
      allowCredentials: allowed.map(one => ({ id: one.credentialId, ...transportsOf(one) })),
    });
    this.#challenges.set(options.challenge, challenge);
    return options;
  }

  /**
   * Returns the passkey of a response if its signature, challenge, origin, user and counter are right.
   *
   * @param userId whose passkey it must be, if not anyone's
   */
  async #verified(
    { id, userHandle, ...response }: PasskeyResponse,
    challenge: Challenge,
    userId?: string,
  ): Promise<StoredPasskey | undefined> {
    const { rpID, origin } = this.#requireSite();
    const known = await this.#records.find(id);
    if (!known || (userId !== undefined && known.userId !== userId)) return undefined;
    if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== known.userId)
      return undefined;
    const { verifyAuthenticationResponse } = await webAuthn();
    const found = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: given => this.#use(given, challenge),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: known.credentialId,
        publicKey: Uint8Array.from(Buffer.from(known.publicKey, 'base64url')),
        counter: known.counter,
      },
    }).catch(() => undefined);
    if (!found?.verified) return undefined;
    return (await this.#records.use(known, found.authenticationInfo.newCounter)) ? known : undefined;
  }

  /** Uses a challenge up. False unless it was issued for this, not long ago. */
  #use(challenge: string, { purpose, sessionId }: Challenge): boolean {
    const issued = this.#challenges.take(challenge);
    return issued !== undefined && issued.purpose === purpose && issued.sessionId === sessionId;
  }

  /** Browsers accept names of hosts only, not IP addresses. */
  #site(): Site | undefined {
    const { hostname, origin } = new URL(this.#address());
    return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { rpID: hostname, origin } : undefined;
  }

  #requireSite(): Site {
    const site = this.#site();
    if (site) return site;
    throw new ProblemError(
      'request-invalid',
      'Passkeys need a host name: start the server with `--public-url`, with a name and not an IP address.',
    );
  }

  async #changed(userId: string, visit: Visit, action: string, name: string): Promise<void> {
    await this.#accounts.people.load();
    await this.#accounts.note(this.#person(userId), visit, { action, object: name, outcome: 'done' });
  }

  #refused(person: User, visit: Visit, action: string): Promise<void> {
    return this.#accounts.note(person, visit, { action, outcome: 'refused', detail: 'with a passkey' });
  }

  #person(id: string): User {
    const found = this.#accounts.people.find(id);
    if (!found) throw new ProblemError('not-found', 'This user no longer exists.');
    return found;
  }
}

function transportsOf({ transports }: StoredPasskey) {
  return { transports: passkeyTransports.filter(one => transports.includes(one)) };
}

function unknown(): ProblemError {
  return new ProblemError('not-found', 'This passkey was removed meanwhile.');
}
