import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { URLSearchParams } from 'node:url';

/** A user of the provider; the ID is the subject. */
export interface ProviderUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly groups?: readonly string[];
  readonly region?: string;
  /**
   * The time at which the user signed in at the provider, in seconds since 1970; the current time if absent.
   */
  readonly signedInAt?: number;
}

export interface SignInProvider {
  readonly issuer: string;
  /** Users by ID, which tests can change at any time. */
  readonly users: Map<string, ProviderUser>;
  /** Allows the client to redirect users to these addresses. */
  allow(callback: string): void;
  close(): Promise<void>;
}

export const clientId = 'belvedere';
export const clientSecret = 'a-secret-of-the-client-0123456789';

/** The parts of oidc-provider that are used here; it has no types. */
interface Library {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly prompt: { readonly name: string }; readonly params: { readonly client_id: string } }>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly Grant: new (given: { accountId: string; clientId: string }) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
  on(event: string, listener: (...all: unknown[]) => void): void;
}

/** Starts a real OpenID Connect provider, whose only page asks for a user's ID. */
export async function startProvider(): Promise<SignInProvider> {
  const server = createServer();
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const users = new Map<string, ProviderUser>();
  const callbacks: string[] = [];
  const Provider = await loadProvider();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        // The list is read at each request.
        redirect_uris: ['http://127.0.0.1:1/auth/oidc/test/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'region'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/login/${uid}` },
    cookies: { keys: ['a key for the cookies of the tests'] },
    findAccount: (_context: unknown, id: string) => {
      const user = users.get(id);
      if (!user) return undefined;
      const { id: sub, signedInAt: _, ...claims } = user;
      return { accountId: sub, claims: () => ({ sub, ...claims }) };
    },
  });
  const { Client } = provider as unknown as {
    Client: { prototype: { redirectUriAllowed(address: string): boolean } };
  };
  Client.prototype.redirectUriAllowed = address => callbacks.includes(address);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/login/')) void interact(provider, users, request, response);
    else answer(request, response);
  });
  return {
    issuer,
    users,
    allow: callback => void callbacks.push(callback),
    close: () => closed(server),
  };
}

async function loadProvider(): Promise<new (issuer: string, options: object) => Library> {
  const require = createRequire(import.meta.url);
  const { default: Provider } = (await import(require.resolve('oidc-provider'))) as {
    default: new (issuer: string, options: object) => Library;
  };
  return Provider;
}

async function interact(
  provider: Library,
  users: ReadonlyMap<string, ProviderUser>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST' && prompt.name === 'login') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      '<!doctype html><title>Provider</title><form method="post"><label>User <input name="login"></label>' +
        '<button>Continue</button><button name="cancel" value="1">Cancel</button></form>',
    );
    return;
  }
  const body = new URLSearchParams(await textOf(request));
  const login = body.get('login') ?? '';
  if (body.has('cancel')) return provider.interactionFinished(request, response, { error: 'access_denied' });
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, {
      login: { accountId: login, ts: users.get(login)?.signedInAt },
    });
  const details = (await provider.interactionDetails(request, response)) as unknown as {
    readonly session: { readonly accountId: string };
  };
  const grant = new provider.Grant({ accountId: details.session.accountId, clientId: params.client_id });
  grant.addOIDCScope('openid email profile');
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(resolve => server.close(() => resolve()));
}
