import type { WorkspaceFile } from '@belvedere/document';
import path from 'node:path';
import type { Grants } from '../state/sharing/grants.ts';
import { Directory } from '../access/directory.ts';
import type { Accounts } from '../auth/accounts/accounts.ts';
import { BreachedPasswords } from '../auth/passwords/breached-passwords.ts';
import { Embedding } from '../auth/guests/embedding.ts';
import { metricsToken } from '../auth/secrets/metrics-token.ts';
import { OAuth } from '../auth/tokens/oauth.ts';
import { openAccounts } from '../auth/accounts/open-accounts.ts';
import { PublicLinks } from '../auth/guests/public-links.ts';
import { localSecret } from '../auth/secrets/local-secret.ts';
import { SessionStore } from '../auth/sessions/session-store.ts';
import { openSecret } from '../auth/sign-in/sign-in-address.ts';
import { accountsSecret, storedSecret } from '../auth/secrets/stored-secret.ts';
import type { Services } from './create-services.ts';
import { openMailers, type Mailers } from '../mail/open-mailer.ts';
import { openSignIn } from './open-sign-in.ts';
import type { OAuthServices } from '../routes/accounts/oauth.ts';
import { ExternalSettings } from '../workspace/external-settings.ts';
import type { SignInServices } from '../routes/accounts/sign-in.ts';
import type { ServerOptions } from '../server-options.ts';
import type { DocumentIds } from '../state/documents/document-ids.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import { WallClock } from '../state/database/wall-clock.ts';
import { Providers } from '../auth/providers/providers.ts';
import { SealedSettings } from '../auth/secrets/sealed-settings.ts';
import { sendingSecret } from '../auth/secrets/sending-secret.ts';
import { MailServer } from '../mail/mail-server.ts';
import { providerId } from '../workspace/external-settings.ts';

/** All that tells who sends a request. Parts of team mode are undefined in local mode. */
export interface Callers {
  readonly clock: WallClock;
  readonly accounts: Accounts | undefined;
  readonly links: PublicLinks | undefined;
  readonly embedding: Embedding | undefined;
  readonly signIn: SignInServices | undefined;
  readonly oauth: OAuthServices | undefined;
  readonly mailServer: MailServer;
  readonly mailers: Mailers;
  /** `host:port` of webhooks, of a mail server and of sign-in providers that may be private. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly directory: Directory;
  readonly external: ExternalSettings;
  /** Sessions of local mode. */
  readonly sessions: SessionStore;
  readonly metrics: Awaited<ReturnType<typeof metricsToken>>;
  readonly openingSecret: Awaited<ReturnType<typeof openSecret>>;
}

/** @param port the port on which the server listens, once it does */
export async function openCallers(
  { location, mode, publicUrl, certificate, mail, breachedPasswords }: ServerOptions,
  { limits, settings, store, confirmations }: Services,
  records: { readonly state: StateDatabase; readonly grants: Grants; readonly ids: DocumentIds },
  port: () => number,
): Promise<Callers> {
  const { state, grants, ids } = records;
  const clock = await WallClock.start(state);
  const external = await ExternalSettings.open(settings, location.root, confirmations, {
    mode,
    hasOwnMailServer: Boolean(mail?.smtpUrl),
  });
  const breached = await openBreached(breachedPasswords, settings, location.root, external);
  const accounts =
    mode === 'team'
      ? await openAccounts(state, {
          limits,
          clock,
          folder: location.state,
          publicUrl: publicUrl ?? (certificate && 'https://localhost'),
          port,
          // With errors in the file, nothing says that passwords are for all.
          hasPasswords: settings ? settings.signIn?.password : false,
          breached,
        })
      : undefined;
  const allowedHosts = new Set<string>();
  await external.whenUsable('webhook-hosts', () =>
    settings?.webhooks?.allow?.forEach(host => allowedHosts.add(host)),
  );
  const sealed = new SealedSettings(state, await sendingSecret(location, mode === 'team'));
  const mailServer = await MailServer.open({
    options: mail,
    file: settings?.mail,
    isConfirmed: () => external.isUsable('mail-server'),
    sealed,
    allowed: allowedHosts,
  });
  const mailers = openMailers(mailServer);
  const signIn =
    accounts &&
    openSignIn(accounts, {
      state,
      clock,
      settings: await Providers.open({
        declared: settings?.signIn?.providers ?? [],
        isConfirmed: id => external.isUsable(providerId(id)),
        sealed,
        root: location.root,
        allowed: allowedHosts,
      }),
      mailer: mailers.forAccounts,
      publicUrl,
      port,
      workspace: () => ({ title: store.current.title, locale: store.current.settings.locale }),
    });
  const local = mode === 'team' ? undefined : await localSecret(location);
  const directory = new Directory(accounts, grants);
  await directory.refresh();
  const forGuests = accounts && {
    state,
    ids,
    settings: accounts.settings,
    secrets: (await storedSecret(location.state, accountsSecret)).all,
    directory,
    clock,
    workspace: () => store.current,
  };
  return {
    clock,
    accounts,
    links: forGuests && (await PublicLinks.open(forGuests)),
    embedding: forGuests && (await Embedding.open(forGuests)),
    signIn,
    oauth: accounts && {
      accounts,
      publicUrl,
      oauth: new OAuth(accounts, forGuests!.secrets, clock),
    },
    mailServer,
    mailers,
    allowedHosts,
    directory,
    external,
    sessions: await SessionStore.open(limits, state, clock, local ?? ''),
    metrics: await metricsToken(location, local),
    openingSecret: await openSecret(location, local),
  };
}

/**
 * Returns the lists of breached passwords: that of the command line, or that of `belvedere.yaml` once it may
 * be read.
 */
async function openBreached(
  given: string | undefined,
  settings: WorkspaceFile | undefined,
  root: string,
  external: ExternalSettings,
): Promise<Pick<BreachedPasswords, 'has'> | undefined> {
  if (given !== undefined) return BreachedPasswords.open(given);
  const file = settings?.signIn?.breachedPasswords;
  if (file === undefined) return undefined;
  let opened: BreachedPasswords | undefined;
  await external.whenUsable('breached-passwords', async () => {
    opened = await BreachedPasswords.open(path.resolve(root, file));
  });
  return { has: async password => (await opened?.has(password)) ?? false };
}
