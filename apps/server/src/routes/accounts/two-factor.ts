import type { twoFactorEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { accountsOf, sessionOf, signedIn, visitOf } from './sign-in-replies.ts';

/** Endpoints for authenticator apps, backup codes and passkeys. Only team mode has them. */
export function twoFactorRoutes(
  accounts: Accounts | undefined,
  title: () => string,
): Pick<Handlers, keyof typeof twoFactorEndpoints> {
  const of = () => accountsOf(accounts);
  /** The session of a caller who has confirmed who they are a short time ago. */
  const confirmed = (caller: Caller) => {
    of().requireConfirmation(caller);
    return sessionOf(caller);
  };
  const asOptions = (options: object) => ({ options: { ...options } });
  return {
    enterCode: async ({ body, request, reply }) =>
      signedIn(reply, await of().twoFactor.finish(body.code, visitOf(request))),
    startRequiredTwoFactor: ({ request }) => of().twoFactor.startRequired(visitOf(request), title()),
    enableRequiredTwoFactor: async ({ body, request, reply }) => {
      const enabled = await of().twoFactor.finishRequired(body.code, visitOf(request));
      signedIn(reply, enabled.signedIn);
      return { backupCodes: [...enabled.backupCodes] };
    },
    getPasskeyOptions: async ({ request }) => asOptions(await of().passkeys.signInOptions(visitOf(request))),
    signInWithPasskey: async ({ body, request, reply }) =>
      signedIn(reply, await of().passkeys.signIn(body.passkey, body.email, visitOf(request))),

    getTwoFactor: async ({ caller, request }) => {
      const { twoFactor, passkeys, settings, people } = of();
      return {
        isOn: people.find(caller.userId)?.hasAuthenticator ?? false,
        backupCodes: await twoFactor.countBackupCodes(caller.userId),
        isRequired: settings.requiresTwoFactor,
        passkeys: await passkeys.list(caller.userId),
        canUsePasskeys: passkeys.isAvailableAt(request.headers.host),
      };
    },
    startTwoFactor: ({ caller }) => of().twoFactor.start(confirmed(caller), title()),
    enableTwoFactor: async ({ body, caller, request }) => ({
      backupCodes: [...(await of().twoFactor.enable(confirmed(caller), body.code, visitOf(request)))],
    }),
    disableTwoFactor: async ({ body, caller, request }) => {
      await of().twoFactor.disable(sessionOf(caller), body, visitOf(request));
      return {};
    },
    renewBackupCodes: async ({ body, caller, request }) => ({
      backupCodes: [...(await of().twoFactor.renewBackupCodes(sessionOf(caller), body, visitOf(request)))],
    }),

    startPasskey: async ({ caller }) =>
      asOptions(await of().passkeys.creationOptions(confirmed(caller), title())),
    addPasskey: async ({ body, caller, request }) => {
      await of().passkeys.add(
        confirmed(caller),
        { name: body.name, created: body.passkey },
        visitOf(request),
      );
      return {};
    },
    renamePasskey: async ({ params, body, caller }) => {
      await of().passkeys.rename(sessionOf(caller), params.passkey, body.name);
      return {};
    },
    removePasskey: async ({ params, caller, request }) => {
      await of().passkeys.remove(confirmed(caller), params.passkey, visitOf(request));
      return {};
    },
    getConfirmOptions: async ({ caller }) => asOptions(await of().passkeys.confirmOptions(sessionOf(caller))),
    confirmWithPasskey: async ({ body, caller, request, reply }) => {
      const session = sessionOf(caller);
      await of().passkeys.confirm(session, body.passkey, visitOf(request));
      reply.header('set-cookie', await of().confirmSession(session.sessionId));
      return {};
    },

    resetTwoFactor: async ({ params, caller, request }) => {
      confirmed(caller);
      await of().administration.resetTwoFactor(params.user, of().actor(caller.userId, visitOf(request)));
      return {};
    },
    requireTwoFactor: async ({ body, caller, request }) => {
      confirmed(caller);
      await of().administration.requireTwoFactor(
        body.isRequired,
        of().actor(caller.userId, visitOf(request)),
      );
      return {};
    },
  };
}
