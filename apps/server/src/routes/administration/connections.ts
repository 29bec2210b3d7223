import { preferredLanguage, type mailServerEndpoints, type providerEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { ProviderSignIn } from '../../auth/providers/provider-sign-in.ts';
import type { Providers } from '../../auth/providers/providers.ts';
import { testMail } from '../../mail/compose.ts';
import type { MailServer } from '../../mail/mail-server.ts';
import { MailError, Mailer, oneLine } from '../../mail/mailer.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { ownAddress } from '../contract/own-address.ts';

interface Parts {
  readonly mailServer: MailServer;
  /** Undefined in local mode. */
  readonly signIn:
    | {
        readonly settings: Providers;
        readonly providers: ProviderSignIn;
        readonly publicUrl: string | undefined;
      }
    | undefined;
  readonly note: NoteCall;
  readonly requireConfirmation: (caller: Caller) => void;
  /** The address under which users reach the server. */
  readonly address: () => string;
  readonly workspace: () => { readonly title: string; readonly locale?: string | undefined };
}

/** Endpoints for the mail server and the sign-in providers, which owners set. */
export function connectionRoutes({
  mailServer,
  signIn,
  note,
  requireConfirmation,
  address,
  workspace,
}: Parts): Pick<Handlers, keyof typeof mailServerEndpoints | keyof typeof providerEndpoints> {
  const of = () => {
    if (signIn) return signIn;
    throw new ProblemError('not-found', 'This Belvedere has no accounts.');
  };
  return {
    getMailServer: () => mailServer.status(),
    saveMailServer: async ({ body, ...call }) => {
      requireConfirmation(call.caller);
      await mailServer.change(body);
      await note(call, 'mail-server.change', `${body.host}:${body.port}`, body.from);
      return {};
    },
    removeMailServer: async call => {
      requireConfirmation(call.caller);
      await mailServer.remove();
      await note(call, 'mail-server.delete', 'mail server');
      return {};
    },
    testMailServer: async ({ body, ...call }) => {
      requireConfirmation(call.caller);
      // To oneself only: the server is no relay.
      const to = signIn ? call.caller.email : body.to;
      if (to === undefined) throw new ProblemError('request-invalid', 'Name the address of the test mail.');
      const server = body.server && { settings: mailServer.draft(body.server) };
      const { title, locale } = workspace();
      const about = { workspace: oneLine(title), address: address() };
      const mail = testMail(to, preferredLanguage([locale]), about);
      const answer = await new Mailer(server ?? mailServer).send(mail).then(
        detail => ({ isSent: true, detail: oneLine(detail) }),
        (error: unknown) => {
          if (error instanceof MailError) return { isSent: false, detail: error.message };
          throw error;
        },
      );
      await note(call, 'mail-server.test', to, answer.detail);
      return { ...answer, to };
    },
    listProviders: () => ({ providers: of().settings.list() }),
    createProvider: async ({ body: { id, ...changed }, ...call }) => {
      const { settings } = of();
      requireConfirmation(call.caller);
      await settings.create(id, changed);
      await note(call, 'provider.create', id, changed.issuer);
      return {};
    },
    updateProvider: async ({ body, params, ...call }) => {
      const { settings } = of();
      requireConfirmation(call.caller);
      await settings.update(params.provider, body, call.ifMatch);
      await note(call, 'provider.change', params.provider, body.issuer);
      return {};
    },
    removeProvider: async ({ params, ...call }) => {
      const { settings } = of();
      requireConfirmation(call.caller);
      await settings.remove(params.provider);
      await note(call, 'provider.delete', params.provider);
      return {};
    },
    checkProvider: async ({ body, params: { provider: id }, ...call }) => {
      const { settings, providers, publicUrl } = of();
      requireConfirmation(call.caller);
      const known = body.provider ? settings.draft(id, body.provider) : settings.find(id);
      if (!known || (!body.provider && !settings.isUsable(id)))
        throw new ProblemError('not-found', `There is no sign-in provider \`${id}\`, or it is unconfirmed.`);
      const answer = await providers.check(known, ownAddress(call.request, publicUrl));
      await note(call, 'provider.check', id, answer.result);
      return answer;
    },
  };
}
