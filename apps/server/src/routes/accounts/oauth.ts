import { assistantScopes, type oauthEndpoints } from '@belvedere/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { scopeText, type OAuth, type OAuthForm } from '../../auth/tokens/oauth.ts';
import { OAuthError } from '../../auth/tokens/oauth-error.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { ownAddress } from '../contract/own-address.ts';
import { visitOf } from './sign-in-replies.ts';

/** The parts of team mode with which assistants sign in. */
export interface OAuthServices {
  readonly accounts: Accounts;
  readonly oauth: OAuth;
  /** The address under which users reach the server, if it is not this machine's own. */
  readonly publicUrl: string | undefined;
}

const bodyLimit = 16_384;

/** Endpoints of the page on which users consent. Only team mode has them. */
export function oauthRoutes(
  parts: OAuthServices | undefined,
  note: NoteCall,
): Pick<Handlers, keyof typeof oauthEndpoints> {
  const of = () => {
    if (parts?.oauth.isOn) return parts;
    throw new ProblemError(
      'not-found',
      parts
        ? 'An owner has switched off that assistants connect by signing in.'
        : 'Assistants that sign in need accounts. `belvedere serve` has them.',
    );
  };
  return {
    getConsent: ({ query, request }) => {
      const { oauth, publicUrl } = of();
      const base = ownAddress(request, publicUrl);
      const { name, site, isProgram, scopes } = oauth.check(query, base);
      return { name, site, isProgram, scopes: [...scopes], refusal: oauth.refusal(query, base) };
    },
    giveConsent: async call => {
      const { accounts, oauth, publicUrl } = of();
      const { caller, body, request } = call;
      accounts.requireConfirmation(caller);
      const base = ownAddress(request, publicUrl);
      const { name, site } = oauth.check(body.request, base);
      const address = oauth.consent(caller.userId, body.request, body.scope, base);
      await note(call, 'assistant.connect', `${name} (${site})`, `scope: ${body.scope}`);
      return { address };
    },
    switchAssistants: async call => {
      if (!parts) throw new ProblemError('not-found', 'Assistants that sign in need accounts.');
      const { isOn } = call.body;
      await parts.accounts.settings.set('keepsAssistantsFromConnecting', !isOn);
      await note(call, 'assistant.switch', 'assistants', isOn ? 'on' : 'off');
      return {};
    },
  };
}

/**
 * Mounts the addresses by which assistants find out how to sign in (RFC 9728 and 8414), register (RFC 7591), and
 * exchange and revoke tokens (RFC 6749 and 7009). Without encryption there are none, but on this machine.
 */
export async function mountOAuth(app: FastifyInstance, parts: OAuthServices | undefined): Promise<void> {
  const of = (request: FastifyRequest) => {
    const found = offered(request, parts);
    if (found) return found;
    throw new ProblemError('not-found', 'Assistants cannot sign in here. Use an access token.');
  };
  const describeResource = async (request: FastifyRequest) => {
    const { base } = of(request);
    return {
      resource: `${base}/mcp`,
      authorization_servers: [base],
      scopes_supported: assistantScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Belvedere',
    };
  };
  app.get('/.well-known/oauth-protected-resource', describeResource);
  app.get(resourcePath, describeResource);
  app.get('/.well-known/oauth-authorization-server', async request => {
    const { base } = of(request);
    return {
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      registration_endpoint: `${base}/oauth/register`,
      revocation_endpoint: `${base}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: assistantScopes,
      authorization_response_iss_parameter_supported: true,
    };
  });
  app.post('/oauth/register', { bodyLimit }, async (request, reply) => {
    const { oauth } = of(request);
    return answer(reply, async () => reply.status(201).send(oauth.register(request.body)));
  });
  // No other address reads forms, which other sites could send.
  await app.register(async forms => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: string) => new URLSearchParams(body),
    );
    forms.post('/oauth/token', { bodyLimit }, async (request, reply) => {
      const { oauth, base } = of(request);
      return answer(reply, async () => {
        const tokens = await oauth.exchange(formOf(request.body), base, visitOf(request));
        return reply.send({
          access_token: tokens.accessToken,
          token_type: 'Bearer',
          expires_in: tokens.expiresInSeconds,
          refresh_token: tokens.refreshToken,
          scope: scopeText(tokens.scope),
        });
      });
    });
    forms.post('/oauth/revoke', { bodyLimit }, async (request, reply) => {
      const { oauth } = of(request);
      return answer(reply, async () => {
        await oauth.revoke(formOf(request.body), visitOf(request));
        return reply.send({});
      });
    });
  });
}

const resourcePath = '/.well-known/oauth-protected-resource/mcp';

/** Returns the `www-authenticate` header that tells an assistant where to find out how to sign in. */
export function challengeBy(parts: OAuthServices | undefined) {
  return (request: FastifyRequest): string | undefined => {
    const found = offered(request, parts);
    if (!found) return undefined;
    const isInvalid = request.headers.authorization !== undefined;
    return `Bearer ${isInvalid ? 'error="invalid_token", ' : ''}resource_metadata="${found.base}${resourcePath}"`;
  };
}

function offered(request: FastifyRequest, parts: OAuthServices | undefined) {
  if (!parts?.oauth.isOn) return undefined;
  const base = ownAddress(request, parts.publicUrl);
  const { protocol, hostname } = new URL(base);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || isLocal ? { ...parts, base } : undefined;
}

/** Sends OAuth errors in their own form. */
async function answer(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return reply.status(400).send({ error: error.code, error_description: error.message });
  }
}

/** @throws OAuthError for another body, and for a parameter that is there twice */
function formOf(body: unknown): OAuthForm {
  if (!(body instanceof URLSearchParams))
    throw new OAuthError('invalid_request', 'Send a form (`application/x-www-form-urlencoded`).');
  const form = new Map(body);
  if (form.size !== body.size) throw new OAuthError('invalid_request', 'A parameter is there twice.');
  return form;
}
