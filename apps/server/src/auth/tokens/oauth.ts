import {
  assistantScopes,
  type AssistantScope,
  type AuthorizationRequest,
  type TokenScope,
} from '@belvedere/api';
import { createHash } from 'node:crypto';
import { ProblemError } from '../../http/problems.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { OAuthTokens } from './access-tokens.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { actedBy } from '../actor.ts';
import { ExpiringRecords } from '../accounts/expiring-records.ts';
import { OAuthClients } from './oauth-clients.ts';
import { OAuthError } from './oauth-error.ts';
import { isRegistered, receiverOf, type Receiver } from './redirect-uris.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';
import type { Origin } from '../sessions/team-sessions.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';

/** Assistants exchange a code at once. Used ones are remembered longer, to notice that another has them. */
const [codeMs, usedMs] = [60_000, 10 * 60_000];
const maxCodes = 10_000;

/** What a user has consented to, until the assistant exchanges the code. */
interface Consented {
  readonly userId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly name: string;
  readonly client: string;
  readonly scope: AssistantScope;
}

/** A request of an assistant that may be shown to its user. */
interface CheckedRequest extends Receiver {
  readonly name: string;
  readonly scopes: readonly AssistantScope[];
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

/** The parameters of a form, each at most once. */
export type OAuthForm = ReadonlyMap<string, string>;

/**
 * Signs assistants in with the consent of their users (OAuth 2.1, as the Model Context Protocol has it): clients
 * without secrets, codes with PKCE, refresh tokens that serve once. A consent is an access token of the user, which
 * only `/mcp` accepts.
 */
export class OAuth {
  readonly #accounts: Accounts;
  readonly #clients: OAuthClients;
  readonly #codes: ExpiringRecords<Consented>;
  /** The tokens that used codes led to. */
  readonly #used: ExpiringRecords<{ readonly userId: string; readonly token: Promise<string | undefined> }>;

  constructor(accounts: Accounts, secrets: SealingSecrets, clock: Clock) {
    this.#accounts = accounts;
    this.#clients = new OAuthClients(secrets);
    this.#codes = new ExpiringRecords(codeMs, maxCodes, () => clock.elapsed());
    this.#used = new ExpiringRecords(usedMs, maxCodes, () => clock.elapsed());
  }

  get isOn(): boolean {
    return !this.#accounts.signUp.needsSetup && !this.#accounts.settings.keepsAssistantsFromConnecting;
  }

  /** @throws OAuthError */
  register(metadata: unknown): Readonly<Record<string, unknown>> {
    return this.#clients.register(metadata);
  }

  /**
   * Checks what an assistant asks for. No error leads back to it: any program may register itself, so the server
   * would lead browsers anywhere.
   *
   * @param base the server's own address
   * @throws ProblemError `request-invalid`
   */
  check(request: AuthorizationRequest, base: string): CheckedRequest {
    const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge } = request;
    const { name, redirectUris } = this.#clients.find(clientId);
    const receiver = redirectUri === undefined ? undefined : receiverOf(redirectUri);
    if (!receiver || !isRegistered(redirectUri!, redirectUris))
      throw refused('redirect_uri', 'is not one that it has registered');
    if (request.response_type !== 'code') throw refused('response_type', 'must be `code`');
    if (request.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(challenge ?? ''))
      throw refused('code_challenge', 'must be a SHA-256, with `code_challenge_method=S256` (PKCE)');
    if (request.resource !== undefined && !isOwnResource(request.resource, base))
      throw refused('resource', `must be ${base}/mcp`);
    return {
      ...receiver,
      name,
      scopes: scopesIn(request.scope),
      clientId: clientId!,
      redirectUri: redirectUri!,
      challenge: challenge!,
    };
  }

  /** Returns the address that leads a browser back to the assistant with a refusal. */
  refusal(request: AuthorizationRequest, base: string): string {
    return answerAddress(this.check(request, base).redirectUri, request, base, { error: 'access_denied' });
  }

  /** Notes a user's consent. @returns the address that leads the browser back to the assistant with a code */
  consent(userId: string, request: AuthorizationRequest, scope: AssistantScope, base: string): string {
    const { name, site, scopes, clientId, redirectUri, challenge } = this.check(request, base);
    if (!scopes.includes(scope)) throw refused('scope', `does not include \`${scope}\``);
    this.#accounts.tokens.requireRoom(userId);
    const code = newToken();
    const consented = { userId, clientId, redirectUri, challenge, name, client: site, scope };
    this.#codes.set(tokenHash(code), consented);
    return answerAddress(redirectUri, request, base, { code });
  }

  /** Exchanges a code or a refresh token. @throws OAuthError */
  async exchange(form: OAuthForm, base: string, origin: Origin): Promise<OAuthTokens> {
    const resource = form.get('resource');
    if (resource !== undefined && !isOwnResource(resource, base))
      throw new OAuthError('invalid_target', `The resource must be ${base}/mcp.`);
    const grant = form.get('grant_type');
    if (grant === 'authorization_code') return this.#redeem(form, origin);
    if (grant === 'refresh_token') return this.#renew(form, origin);
    throw new OAuthError('unsupported_grant_type', 'Use `authorization_code` or `refresh_token`.');
  }

  /** Ends the consent of an access token or a refresh token (RFC 7009). Unknown tokens are no error. */
  async revoke(form: OAuthForm, origin: Origin): Promise<void> {
    const { tokens, audit } = this.#accounts;
    const given = form.get('token') ?? '';
    const found = tokens.find(`Bearer ${given}`) ?? tokens.findByRefreshToken(given);
    if (found?.oauth?.clientHash !== tokenHash(form.get('client_id') ?? '')) return;
    await tokens.revoke(found.userId, found.id);
    await audit.add({
      ...actedBy(this.#accounts.actor(found.userId, origin)),
      action: 'token.revoke',
      object: found.name,
      outcome: 'done',
    });
  }

  async #redeem(form: OAuthForm, origin: Origin): Promise<OAuthTokens> {
    const key = tokenHash(form.get('code') ?? '');
    // A wrong attempt uses the code up, too.
    const consented = this.#codes.take(key);
    if (!consented) {
      const used = this.#used.take(key);
      const token = await used?.token;
      if (used && token !== undefined) await this.#endReplayed(used.userId, token, 'code', origin);
      throw new OAuthError('invalid_grant', 'The code is not valid: it was used, or it has expired.');
    }
    const { userId, clientId, redirectUri, challenge } = consented;
    const isMeant =
      form.get('client_id') === clientId &&
      form.get('redirect_uri') === redirectUri &&
      challengeOf(form.get('code_verifier') ?? '') === challenge;
    if (!isMeant || !this.#mayAct(userId))
      throw new OAuthError(
        'invalid_grant',
        'The client ID, the redirect URI or the code verifier are not those of the code.',
      );
    const connecting = this.#accounts.tokens.connect(userId, consented);
    this.#used.set(key, {
      userId,
      token: connecting.then(
        ({ id }) => id,
        () => undefined,
      ),
    });
    return connecting;
  }

  async #renew(form: OAuthForm, origin: Origin): Promise<OAuthTokens> {
    const { tokens } = this.#accounts;
    const refreshToken = form.get('refresh_token') ?? '';
    const found = tokens.findByRefreshToken(refreshToken);
    const ended = new OAuthError(
      'invalid_grant',
      'The refresh token is not valid. Connect the assistant again.',
    );
    if (!found || !this.#mayAct(found.userId)) throw ended;
    if (!isWithin(form.get('scope'), found.scope))
      throw new OAuthError('invalid_scope', `The user has consented to \`${found.scope}\` at most.`);
    const renewed = await tokens.renew(refreshToken, form.get('client_id') ?? '');
    if (renewed === 'unknown') throw ended;
    if (!('replayed' in renewed)) return renewed;
    await this.#noteReplay(found.userId, found.name, 'refresh token', origin);
    throw ended;
  }

  #mayAct(userId: string): boolean {
    const person = this.#accounts.people.find(userId);
    return person !== undefined && !person.isDisabled;
  }

  /** A code that is used twice was stolen, before or after its assistant used it. */
  async #endReplayed(userId: string, id: string, what: string, origin: Origin): Promise<void> {
    const { tokens } = this.#accounts;
    if (!tokens.list(userId).some(token => token.id === id)) return;
    const { name } = await tokens.revoke(userId, id);
    await this.#noteReplay(userId, name, what, origin);
  }

  #noteReplay(userId: string, name: string, what: string, origin: Origin): Promise<void> {
    return this.#accounts.audit.add({
      ...actedBy(this.#accounts.actor(userId, origin)),
      action: 'assistant.replay',
      object: name,
      outcome: 'refused',
      detail: what,
    });
  }
}

/** The value of `scope` in responses: each scope includes those before it. */
export function scopeText(scope: TokenScope): string {
  return assistantScopes.slice(0, assistantScopes.indexOf(scope as AssistantScope) + 1).join(' ');
}

/** Those that a request asks for, and what they include. Requests often name scopes of other servers, too. */
function scopesIn(scope: string | undefined): readonly AssistantScope[] {
  const last = assistantScopes.findLastIndex(one => scope?.split(' ').includes(one));
  return last < 0 ? assistantScopes : assistantScopes.slice(0, last + 1);
}

function isWithin(scope: string | undefined, consented: TokenScope): boolean {
  const maxScope = assistantScopes.indexOf(consented as AssistantScope);
  return !assistantScopes.slice(maxScope + 1).some(one => scope?.split(' ').includes(one));
}

function isOwnResource(resource: string, base: string): boolean {
  return [base, `${base}/`, `${base}/mcp`, `${base}/mcp/`].includes(resource);
}

/** @see RFC 7636, 4.6 */
function challengeOf(verifier: string): string | undefined {
  return /^[\w.~-]{43,128}$/.test(verifier)
    ? createHash('sha256').update(verifier).digest('base64url')
    : undefined;
}

/** With the issuer, by which an assistant tells two servers apart (RFC 9207). */
function answerAddress(
  redirectUri: string,
  { state }: AuthorizationRequest,
  base: string,
  answer: Readonly<Record<string, string>>,
): string {
  const given = { ...answer, ...(state !== undefined && { state }), iss: base };
  const [before, query] = redirectUri.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(given)) parameters.append(name, value);
  return `${before}?${parameters.toString()}`;
}

function refused(parameter: string, message: string): ProblemError {
  return new ProblemError(
    'request-invalid',
    `This assistant’s request is not valid: \`${parameter}\` ${message}.`,
    { errors: [{ path: parameter, message }] },
  );
}
