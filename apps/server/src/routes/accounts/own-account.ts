import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { accountsOf, sessionOf, signedIn, visitOf } from './sign-in-replies.ts';
import type { SignInServices } from './sign-in.ts';

/** Endpoints for signing in, and for one's own account. */
export function ownAccountRoutes(
  accounts: Accounts | undefined,
  title: () => string,
  signIn: SignInServices | undefined,
): Pick<
  Handlers,
  | 'getSignIn'
  | 'setUp'
  | 'signIn'
  | 'signOut'
  | 'getInvitation'
  | 'acceptInvitation'
  | 'resetPassword'
  | 'confirmPassword'
  | 'updateProfile'
  | 'changePassword'
  | 'listSessions'
  | 'endSession'
> {
  const of = () => accountsOf(accounts);
  const noteChanged = (userId: string, { headers }: FastifyRequest) =>
    signIn?.changes.notePasswordChanged(userId, signIn.mail.languageOf(headers['accept-language']));
  return {
    getSignIn: ({ request }) => ({
      title: title(),
      needsSetup: of().signUp.needsSetup,
      hasPasswords: of().passwords.areForAll,
      hasMail: signIn?.mail.isOn ?? false,
      providers: signIn?.providers.providers ?? [],
      canUsePasskeys: of().passkeys.isAvailableAt(request.headers.host),
    }),

    setUp: async ({ body, request, reply }) =>
      signedIn(reply, await of().signUp.setUp(body, visitOf(request))),

    signIn: async ({ body, request, reply }) => signedIn(reply, await of().signIn(body, visitOf(request))),

    signOut: async ({ request, reply }) => {
      reply.header('set-cookie', await of().signOut(visitOf(request)));
      // The next user of the browser must not find documents and pictures.
      reply.header('clear-site-data', '"cache"');
      return {};
    },

    getInvitation: async ({ params, request }) => ({
      title: title(),
      email: (await of().signUp.findInvitation(params.token, visitOf(request))).email,
    }),

    acceptInvitation: async ({ params, body, request, reply }) =>
      signedIn(reply, await of().signUp.acceptInvitation(params.token, body, visitOf(request))),

    resetPassword: async ({ params, body, request, reply }) => {
      const done = await of().resetPassword(params.token, body.password, visitOf(request));
      noteChanged(done.userId, request);
      return signedIn(reply, done);
    },

    confirmPassword: async ({ body, caller, request, reply }) => {
      reply.header('set-cookie', await of().confirm(sessionOf(caller), body, visitOf(request)));
      return {};
    },

    updateProfile: async ({ body, caller }) => {
      await of().updateProfile(caller.userId, body);
      return {};
    },

    changePassword: async ({ body, caller, request, reply }) => {
      reply.header('set-cookie', await of().changePassword(sessionOf(caller), body, visitOf(request)));
      noteChanged(caller.userId, request);
      return {};
    },

    listSessions: async ({ caller }) => ({ sessions: await of().listSessions(sessionOf(caller)) }),

    endSession: async ({ params, caller, request }) => {
      of().requireConfirmation(caller);
      await of().endSession(sessionOf(caller), params.session, visitOf(request));
      return {};
    },
  };
}
