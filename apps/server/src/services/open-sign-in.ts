import type { WorkspaceFile } from '@belvedere/document';
import type { Accounts } from '../auth/accounts/accounts.ts';
import { MailedChanges } from '../auth/accounts/mailed-changes.ts';
import { ProviderSignIn } from '../auth/providers/provider-sign-in.ts';
import { AccountMail } from '../mail/account-mail.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { SignInServices } from '../routes/accounts/sign-in.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import { providerId, unconfirmedSetting, type ExternalSettings } from '../workspace/external-settings.ts';
import type { Providers } from '../auth/providers/providers.ts';

interface Options {
  readonly state: StateDatabase;
  readonly clock: Clock;
  readonly settings: Providers;
  readonly mailer: Mailer;
  readonly publicUrl: string | undefined;
  readonly port: () => number;
  /** The workspace as it is now. */
  readonly workspace: () => { readonly title: string; readonly locale?: string | undefined };
}

/** Opens signing in with providers, and mails about accounts. */
export function openSignIn(
  accounts: Accounts,
  { state, clock, settings, mailer, publicUrl, port, workspace }: Options,
): SignInServices {
  const mail = new AccountMail({
    mailer,
    address: () => publicUrl ?? `http://127.0.0.1:${port()}`,
    workspace,
    audit: accounts.audit,
  });
  return {
    accounts,
    mail,
    changes: new MailedChanges({ accounts, state, mail, clock }),
    settings,
    providers: new ProviderSignIn({ accounts, state, clock, settings, port, publicUrl }),
    publicUrl,
  };
}

/** Says with whom users sign in, for those who start the server. */
export function signInNotices(settings: WorkspaceFile | undefined, external: ExternalSettings): string[] {
  if (settings === undefined)
    return [
      'belvedere.yaml has errors, so its sign-in providers and mail are off, and only owners sign in with ' +
        'passwords. Correct it and restart: `belvedere check` lists the errors.',
    ];
  return (settings.signIn?.providers ?? []).flatMap(({ id, name, issuer, createAccounts }) =>
    external.isUsable(providerId(id))
      ? [`Users sign in with ${name} (${issuer})${createAccounts ? ', which creates accounts' : ''}.`]
      : [],
  );
}

/** Says which settings of `belvedere.yaml` wait for a confirmation: the file may come from someone else. */
export function unconfirmedNotices({ unconfirmed }: ExternalSettings): string[] {
  return unconfirmed.map(setting => `belvedere.yaml: ${unconfirmedSetting(setting)}`);
}
