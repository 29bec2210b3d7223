import type { SignInProvider } from '@belvedere/document';
import { RequestError } from '../../deliver/safe-addresses.ts';
import { readSafely } from '../../deliver/safe-request.ts';
import type { Configuration } from 'openid-client';
import { claimAt, claimsRead, type Claims } from './oidc-claims.ts';
import type { Flow } from './oidc-flow.ts';

const answerMs = 10_000;
const answerBytes = 2 ** 20;
/** How long a provider's description of itself is used, and how long a failure is not repeated, ms. */
const [knownMs, failedMs] = [3_600_000, 5000];
const clockSkewSeconds = 60;
/** Codes by which a provider refuses the client itself (RFC 6749). */
const clientErrors = ['invalid_client', 'unauthorized_client'];
const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Why a visit to a provider failed. `cancelled`: by its user, or by the provider's own rules. */
export type ProviderFailure = 'unavailable' | 'cancelled' | 'invalid';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** A user whom a provider has identified. */
export interface Identified {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Claims;
  /** When the user last signed in at the provider, s since 1970. */
  readonly authTime?: number;
}

interface Options {
  readonly provider: SignInProvider;
  /** Returns the client secret; undefined for a public client. */
  readonly secret: () => Promise<string | undefined>;
  /**
   * Of a provider that was typed in the interface: `host:port` of hosts that may be private. Any host may be
   * reached if undefined, since the owner has confirmed `belvedere.yaml`.
   */
  readonly allowed?: ReadonlySet<string> | undefined;
  /** Monotonic, ms. */
  readonly elapsed: () => number;
}

type Library = typeof import('openid-client');

/** One provider of OpenID Connect: authorization code with PKCE, state and nonce, and signed ID tokens. */
export class OidcClient {
  readonly provider: SignInProvider;
  readonly #options: Options;
  #known:
    | { readonly at: number; readonly isGood: boolean; readonly config: Promise<Configuration> }
    | undefined;

  constructor(options: Options) {
    this.provider = options.provider;
    this.#options = options;
  }

  /** Returns the provider's page on which the user signs in. @throws ProviderError */
  async begin(
    { state, nonce, verifier, kind }: Pick<Flow, 'state' | 'nonce' | 'verifier' | 'kind'>,
    callback: string,
  ): Promise<URL> {
    const library = await import('openid-client');
    const config = await this.#configuration(library);
    const { scopes = ['email', 'profile'] } = this.provider;
    const address = library.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: ['openid', ...scopes.filter(scope => scope !== 'openid')].join(' '),
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // An open session at the provider is no confirmation.
      ...(kind === 'confirm' && { prompt: 'login', max_age: '0' }),
    });
    if (!isAllowed(address, this.#isLocal))
      throw new ProviderError('invalid', 'The provider has no `https:` address to sign in.');
    return address;
  }

  /** Exchanges the code of a callback and checks all that came with it. @throws ProviderError */
  async finish(callback: URL, { state, nonce, verifier, kind }: Flow): Promise<Identified> {
    const library = await import('openid-client');
    const config = await this.#configuration(library);
    try {
      const tokens = await library.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        // The time itself is compared with the start of the visit.
        ...(kind === 'confirm' && { maxAge: 3600 }),
      });
      const token = tokens.claims()!;
      return {
        issuer: token.iss,
        subject: token.sub,
        claims: await this.#withUserInfo(library, config, token, tokens.access_token),
        ...(typeof token.auth_time === 'number' && { authTime: token.auth_time }),
      };
    } catch (error) {
      throw this.#failureOf(library, error);
    }
  }

  /**
   * Offers the provider a code that it has never given: the way in which it refuses tells whether it knows the
   * client and its secret. @throws ProviderError
   */
  async check(callback: string): Promise<void> {
    const library = await import('openid-client');
    const config = await this.#configuration(library);
    try {
      await library.genericGrantRequest(config, 'authorization_code', {
        code: 'check',
        redirect_uri: callback,
        code_verifier: library.randomPKCECodeVerifier(),
      });
    } catch (error) {
      const isKnown = error instanceof library.ResponseBodyError && !clientErrors.includes(error.error);
      if (!isKnown) throw this.#failureOf(library, error);
    }
  }

  /** Asks for the user info if the ID token lacks claims that the workspace's rules read. */
  async #withUserInfo(
    library: Library,
    config: Configuration,
    token: Claims & { readonly sub: string },
    accessToken: string,
  ): Promise<Claims> {
    const isComplete = claimsRead(this.provider).every(name => claimAt(token, name) !== undefined);
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return token;
    const info = await library.fetchUserInfo(config, accessToken, token.sub);
    const isSameAddress = token['email'] === undefined || token['email'] === info.email;
    const { email_verified: verified, ...others } = info;
    return { ...others, ...(isSameAddress && { email_verified: verified }), ...token };
  }

  get #isLocal(): boolean {
    return this.provider.issuer.startsWith('http:');
  }

  /** Reads the provider's description of itself once for many visits. */
  async #configuration(library: Library): Promise<Configuration> {
    const now = this.#options.elapsed();
    const { at = 0, isGood = false, config } = this.#known ?? {};
    if (config && now - at < (isGood ? knownMs : failedMs)) return config;
    const reading = this.#discover(library);
    const mark = (isRead: boolean) => {
      if (this.#known?.config === reading)
        this.#known = { at: this.#options.elapsed(), isGood: isRead, config: reading };
    };
    this.#known = { at: now, isGood: true, config: reading };
    reading.then(
      () => mark(true),
      () => mark(false),
    );
    return reading;
  }

  async #discover(library: Library): Promise<Configuration> {
    const { issuer, clientId, clientAuthentication = 'basic' } = this.provider;
    try {
      const secret = await this.#options.secret();
      const authentication =
        secret === undefined
          ? library.None()
          : clientAuthentication === 'post'
            ? library.ClientSecretPost(secret)
            : library.ClientSecretBasic(secret);
      return await library.discovery(
        new URL(issuer),
        clientId,
        { [library.clockTolerance]: clockSkewSeconds },
        authentication,
        {
          timeout: answerMs / 1000,
          [library.customFetch]: boundedFetch(this.#isLocal, this.#options.allowed),
          execute: [
            // The signature of ID tokens is verified, although they come over TLS.
            library.enableNonRepudiationChecks,
            ...(this.#isLocal ? [library.allowInsecureRequests] : []),
          ],
        },
      );
    } catch (error) {
      throw this.#failureOf(library, error);
    }
  }

  #failureOf(library: Library, error: unknown): ProviderError {
    if (error instanceof ProviderError) return error;
    const { cause } = error as Error;
    if (cause instanceof ProviderError) return cause;
    const request = [error, cause].find(one => one instanceof RequestError);
    if (request)
      return new ProviderError(request.reason === 'forbidden' ? 'invalid' : 'unavailable', request.message, {
        cause: error,
      });
    const { name } = this.provider;
    if (error instanceof library.AuthorizationResponseError)
      return new ProviderError('cancelled', `${name} did not sign the user in: ${error.error}`, {
        cause: error,
      });
    const known = [library.ResponseBodyError, library.WWWAuthenticateChallengeError];
    if (known.some(kind => error instanceof kind))
      return new ProviderError('invalid', `${name} refused the request: ${(error as Error).message}`, {
        cause: error,
      });
    const { code, message } = error as { readonly code?: string; readonly message: string };
    const isAway = code === undefined || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
    return new ProviderError(isAway ? 'unavailable' : 'invalid', `${name}: ${message}`, { cause: error });
  }
}

/**
 * Sends only to `https:`, or to this machine; limits the time and size of answers; follows no redirects.
 * @param allowed as of the client
 */
function boundedFetch(isLocal: boolean, allowed: ReadonlySet<string> | undefined) {
  return async (address: string, init: object): Promise<Response> => {
    if (!isAllowed(new URL(address), isLocal))
      throw new ProviderError('invalid', 'The provider names an address that is not `https:`.');
    const { signal } = init as { readonly signal?: AbortSignal };
    if (allowed) {
      const request = new Request(address, init);
      return readSafely(
        {
          url: address,
          method: request.method,
          headers: Object.fromEntries(request.headers),
          body: new Uint8Array(await request.arrayBuffer()),
          allowed,
          ...(signal && { signal }),
        },
        answerBytes,
        { timeoutMs: answerMs },
      );
    }
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(answerMs), ...(signal ? [signal] : [])]),
    });
    const body = await bounded(response);
    const { status, headers } = response;
    return new Response(body.length > 0 ? body : null, { status, headers });
  };
}

async function bounded(response: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > answerBytes) throw new ProviderError('invalid', 'The provider’s answer is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function isAllowed({ protocol, hostname }: URL, isLocal: boolean): boolean {
  return protocol === 'https:' || (isLocal && protocol === 'http:' && loopback.includes(hostname));
}
