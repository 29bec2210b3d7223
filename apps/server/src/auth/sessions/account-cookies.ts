import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const deviceSeconds = 365 * 86_400;

interface CookieOptions {
  /** The port, which is known once the server listens. */
  readonly port: () => number;
  /** The address under which users reach the server, if it is not this machine's own. */
  readonly publicUrl: string | undefined;
  readonly lifeSeconds: number;
  /** Signs the names of devices. */
  readonly secret: string;
}

/**
 * The cookies of team mode: the session, and the name of a device on which a user has signed in before, whose
 * attempts are counted apart so that strangers cannot lock the user out.
 */
export class AccountCookies {
  readonly #options: CookieOptions;

  constructor(options: CookieOptions) {
    this.#options = options;
  }

  /** Cookies ignore ports: with the port in the name, two instances on one machine do not sign each other out. */
  get #name(): string {
    return this.#isSecure ? '__Host-belvedere' : `belvedere-${this.#options.port()}`;
  }

  get #isSecure(): boolean {
    return this.#options.publicUrl?.startsWith('https:') ?? false;
  }

  /** Returns the session's token from a `cookie` header. */
  token(header: string | undefined): string | undefined {
    return valueOf(header, this.#name);
  }

  /** Returns a name of the device if this user has signed in on it before. */
  device(header: string | undefined, userId: string): string | undefined {
    const [name = '', signature = ''] = (valueOf(header, this.#deviceName) ?? '').split('.');
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.#sign(name, userId))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? name : undefined;
  }

  /** Returns the values of `set-cookie` headers for a session that has begun. */
  signedIn(token: string, userId: string): string[] {
    const name = randomBytes(12).toString('base64url');
    return [
      this.session(token),
      this.#serialize(this.#deviceName, `${name}.${this.#sign(name, userId)}`, deviceSeconds),
    ];
  }

  /** Returns the value of a `set-cookie` header for a session. */
  session(token: string): string {
    return this.#serialize(this.#name, token, this.#options.lifeSeconds);
  }

  signedOut(): string {
    return this.#serialize(this.#name, '', 0);
  }

  /** Returns the token of a pending sign-in from a `cookie` header. */
  pendingToken(header: string | undefined): string | undefined {
    return valueOf(header, this.#pendingName);
  }

  /** Returns the value of a `set-cookie` header for a sign-in whose second step is to follow. */
  pending(token: string, lifeMs: number): string {
    return this.#serialize(this.#pendingName, token, lifeMs / 1000);
  }

  notPending(): string {
    return this.#serialize(this.#pendingName, '', 0);
  }

  get #pendingName(): string {
    return `${this.#name}-pending`;
  }

  get #deviceName(): string {
    return `${this.#name}-device`;
  }

  #sign(name: string, userId: string): string {
    return createHmac('sha256', this.#options.secret).update(`device ${name} ${userId}`).digest('base64url');
  }

  /** @param value of letters, digits, and `-_.` only */
  #serialize(name: string, value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }
}

/** Returns the value of a cookie in a `cookie` header; that of the first, if there are several. */
export function valueOf(header: string | undefined, name: string): string | undefined {
  return header
    ?.split(';')
    .map(one => one.trim())
    .find(one => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
