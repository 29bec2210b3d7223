import { signInAdvice, type signInEndpoints } from '@belvedere/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { MailedChanges } from '../../auth/accounts/mailed-changes.ts';
import type { ProviderSignIn } from '../../auth/providers/provider-sign-in.ts';
import type { Providers } from '../../auth/providers/providers.ts';
import { visitOf } from './sign-in-replies.ts';
import type { AccountMail } from '../../mail/account-mail.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { ownAddress } from '../contract/own-address.ts';

/** The parts of team mode with which users sign in, beside the accounts themselves. */
export interface SignInServices {
  readonly accounts: Accounts;
  readonly mail: AccountMail;
  readonly changes: MailedChanges;
  readonly providers: ProviderSignIn;
  readonly settings: Providers;
  /** The address under which users reach the server, if it is not this machine's own. */
  readonly publicUrl: string | undefined;
}

/** Endpoints for providers, and for changes that are confirmed by mail. Only team mode has them. */
export function signInRoutes(
  parts: SignInServices | undefined,
): Pick<Handlers, keyof typeof signInEndpoints> {
  const of = () => {
    if (parts) return parts;
    throw new ProblemError('not-found', 'This Belvedere has no accounts.');
  };
  return {
    requestPasswordReset: ({ body, request }) => {
      const { changes, mail } = of();
      changes.requestReset(body.email, visitOf(request), mail.languageOf(accepted(request)));
      return {};
    },
    requestEmailChange: async ({ body, caller, request }) => {
      const { changes, mail } = of();
      const language = mail.languageOf(accepted(request));
      await changes.requestEmail(sessionOf(caller), body, visitOf(request), language);
      return {};
    },
    confirmEmailChange: async ({ params, request }) =>
      of().changes.confirmEmail(params.token, visitOf(request)),

    beginProviderSignIn: async ({ params, body, request, reply }) => {
      const { providers, publicUrl } = of();
      const visit = { visit: visitOf(request), base: ownAddress(request, publicUrl) };
      const begun = await providers.begin(params.provider, body.again ? 'again' : 'sign-in', visit);
      reply.header('set-cookie', begun.cookie);
      return { address: begun.address };
    },
    beginProviderConfirmation: async ({ params, caller, request, reply }) => {
      const { providers, publicUrl } = of();
      const { sessionId: session } = sessionOf(caller);
      const visit = { visit: visitOf(request), base: ownAddress(request, publicUrl), session };
      const begun = await providers.begin(params.provider, 'confirm', visit);
      reply.header('set-cookie', begun.cookie);
      return { address: begun.address };
    },
    listIdentities: async ({ caller }) => ({
      ...(await of().providers.methodsOf(caller.userId)),
      hasMail: of().mail.isOn,
    }),
    beginIdentity: async ({ params, caller, request, reply }) => {
      const { accounts, providers, publicUrl } = of();
      const { sessionId: session } = sessionOf(caller);
      // Otherwise an open browser would be enough to add a way in that stays.
      accounts.requireConfirmation({ session });
      const visit = { visit: visitOf(request), base: ownAddress(request, publicUrl), session };
      const begun = await providers.begin(params.provider, 'link', visit);
      reply.header('set-cookie', begun.cookie);
      return { address: begun.address };
    },
    removeIdentity: async ({ params, caller, request }) => {
      const { accounts, providers } = of();
      accounts.requireConfirmation({ session: sessionOf(caller).sessionId });
      await providers.disconnect(caller.userId, params.identity, visitOf(request));
      return {};
    },
  };
}

/** Mounts the address to which providers lead browsers back. */
export function openCallback(app: FastifyInstance, parts: SignInServices | undefined): void {
  app.get<{ Params: { provider: string } }>('/auth/oidc/:provider/callback', async (request, reply) => {
    if (!parts) throw new ProblemError('not-found', 'This Belvedere has no accounts.');
    const { accounts, providers, mail, publicUrl } = parts;
    const at = request.url.indexOf('?');
    const { page, cookies, connected } = await providers.finish(
      request.params.provider,
      at < 0 ? '' : request.url.slice(at),
      { visit: visitOf(request), base: ownAddress(request, publicUrl) },
    );
    const person = connected && accounts.people.find(connected.userId);
    if (person) mail.noteMethodAdded(person.email, connected.provider, mail.languageOf(accepted(request)));
    return reply
      .header('set-cookie', [...cookies])
      .header('cache-control', 'no-store')
      .redirect(page);
  });
}

const accepted = ({ headers }: FastifyRequest) => headers['accept-language'];

function sessionOf({ userId, session }: { readonly userId: string; readonly session?: string | undefined }) {
  if (session === undefined) throw new ProblemError('not-signed-in', signInAdvice);
  return { userId, sessionId: session };
}
