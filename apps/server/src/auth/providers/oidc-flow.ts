import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { valueOf } from '../sessions/account-cookies.ts';

const lifeMs = 10 * 60_000;
const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];
/** Flows that have ended. Beyond this number the oldest are forgotten; a provider takes a code once, too. */
const maxUsedStates = 50_000;

/**
 * The purpose of a visit to a provider. `again`: signs in in a window of its own, whose opener waits.
 */
export type FlowKind = 'sign-in' | 'again' | 'confirm' | 'link';

/** A visit to a provider, from its begin to its end. */
export interface Flow {
  readonly kind: FlowKind;
  /** The ID of the provider. */
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The session that is confirmed, or whose user connects an account. */
  readonly session?: string;
  /** Wall clock, ms: compared with the provider's. */
  readonly startedAt: number;
}

interface Options {
  readonly port: () => number;
  readonly publicUrl: string | undefined;
  /** Monotonic, ms. */
  readonly elapsed: () => number;
}

/**
 * Keeps each visit to a provider in a cookie, sealed with a key of this process: browsers can neither read nor
 * change it. It is valid once, for ten minutes.
 */
export class OidcFlows {
  readonly #options: Options;
  readonly #key = randomBytes(32);
  /** The states of flows that have ended, with the time until which they would have been valid. */
  readonly #used = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns the value of a `set-cookie` header. */
  begin(flow: Flow): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    const text = JSON.stringify({ flow, until: this.#options.elapsed() + lifeMs });
    const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return this.#cookie(sealed.toString('base64url'), lifeMs / 1000);
  }

  /** Ends the flow of a request's cookies; undefined if it has none that is valid. */
  end(cookies: string | undefined): Flow | undefined {
    const opened = this.#open(valueOf(cookies, this.#name) ?? '');
    if (!opened || opened.until < this.#options.elapsed() || this.#used.has(opened.flow.state))
      return undefined;
    this.#used.set(opened.flow.state, opened.until);
    if (this.#used.size > maxUsedStates) this.#used.delete(this.#used.keys().next().value!);
    return opened.flow;
  }

  /** Returns the value of a `set-cookie` header that deletes the cookie. */
  cleared(): string {
    return this.#cookie('', 0);
  }

  #open(sealed: string): { readonly flow: Flow; readonly until: number } | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= nonceBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
      return JSON.parse(text.toString()) as { readonly flow: Flow; readonly until: number };
    } catch {
      return undefined;
    }
  }

  get #isSecure(): boolean {
    return this.#options.publicUrl?.startsWith('https:') ?? false;
  }

  get #name(): string {
    return this.#isSecure ? '__Host-belvedere-provider' : `belvedere-${this.#options.port()}-provider`;
  }

  /** `Lax`, as the provider leads the browser back from another site. */
  #cookie(value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.#name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }
}
