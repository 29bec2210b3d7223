import { describeExternalSetting, type ExternalSetting } from '@belvedere/api';
import { secretNamed, type SignInProvider, type WorkspaceFile } from '@belvedere/document';
import type { Confirmations } from './sources/confirmations.ts';
import { hashOf, pathOutside } from './sources/source-access.ts';

/** A setting of `belvedere.yaml` that must be confirmed, and its place in the file. */
export interface PlacedSetting extends ExternalSetting {
  readonly at: readonly (string | number)[];
}

/**
 * Returns the settings of `belvedere.yaml` that reach or trust anything outside the workspace: sign-in
 * providers, the mail server, exceptions for mail and webhooks, a file elsewhere. Resolves and reads nothing.
 */
export async function externalSettings(
  { signIn = {}, mail = {}, webhooks = {} }: WorkspaceFile,
  root: string,
): Promise<PlacedSetting[]> {
  const { providers = [], breachedPasswords: file } = signIn;
  const outside = file === undefined ? undefined : await pathOutside(file, root);
  return [
    ...providers.map((provider, i) => providerSetting(provider, ['signIn', 'providers', i])),
    ...(outside === undefined
      ? []
      : [setting('breached-passwords', [outside], outside, ['signIn', 'breachedPasswords'])]),
    ...(mail.server === undefined
      ? []
      : [setting('mail-server', [mail.server], mail.server, ['mail', 'server'])]),
    ...(mail.domains?.length
      ? [setting('mail-domains', mail.domains, mail.domains, ['mail', 'domains'])]
      : []),
    ...(webhooks.allow?.length
      ? [setting('webhook-hosts', webhooks.allow, webhooks.allow, ['webhooks', 'allow'])]
      : []),
  ];
}

function setting(
  kind: ExternalSetting['kind'],
  names: readonly string[],
  content: unknown,
  at: PlacedSetting['at'],
): PlacedSetting {
  return { id: kind, kind, names: [...names], content: hashOf([kind, content]), at };
}

/** All of a provider is confirmed, since each part decides who signs in, or as whom. */
function providerSetting(provider: SignInProvider, at: PlacedSetting['at']): PlacedSetting {
  const { id, name, issuer, clientSecret, createAccounts = false, roles = {}, defaultRole } = provider;
  return {
    ...setting('provider', [issuer], provider, at),
    id: providerId(id),
    provider: name,
    ...(clientSecret !== undefined && { secret: secretNamed(clientSecret) }),
    createsAccounts: createAccounts,
    roles: [...new Set([...(defaultRole ? [defaultRole] : []), ...Object.values(roles)])],
  };
}

export function providerId(provider: string): string {
  return `provider:${provider}`;
}

interface Options {
  readonly mode: 'local' | 'team' | undefined;
  /** Whether the command line or the environment names the mail server. */
  readonly hasOwnMailServer: boolean;
}

/** The external settings that a server uses, and which of them are confirmed. */
export class ExternalSettings {
  readonly #all: ReadonlyMap<string, PlacedSetting>;
  readonly #confirmations: Confirmations;
  readonly #confirmed: Set<string>;
  readonly #waiting = new Map<string, () => void | Promise<void>>();

  private constructor(
    all: ReadonlyMap<string, PlacedSetting>,
    confirmations: Confirmations,
    confirmed: Set<string>,
  ) {
    this.#all = all;
    this.#confirmations = confirmations;
    this.#confirmed = confirmed;
  }

  /** @param settings `belvedere.yaml` at the start; undefined if it has errors */
  static async open(
    settings: WorkspaceFile | undefined,
    root: string,
    confirmations: Confirmations,
    { mode = 'local', hasOwnMailServer }: Options,
  ): Promise<ExternalSettings> {
    const used = (await externalSettings(settings ?? {}, root)).filter(({ kind }) =>
      kind === 'mail-server' ? !hasOwnMailServer : kind === 'webhook-hosts' || mode === 'team',
    );
    const confirmed = new Set<string>();
    for (const { id, content } of used)
      if (await confirmations.has(confirmationName(id), content)) confirmed.add(id);
    return new ExternalSettings(new Map(used.map(one => [one.id, one])), confirmations, confirmed);
  }

  /** Whether a setting may be used: it is confirmed, or needs no confirmation. */
  isUsable(id: string): boolean {
    return !this.#all.has(id) || this.#confirmed.has(id);
  }

  get unconfirmed(): ExternalSetting[] {
    return [...this.#all.values()]
      .filter(({ id }) => !this.#confirmed.has(id))
      .map(({ at: _, ...shown }) => shown);
  }

  /** Does something once a setting may be used: now, or as part of its confirmation. */
  async whenUsable(id: string, action: () => void | Promise<void>): Promise<void> {
    if (this.isUsable(id)) await action();
    else this.#waiting.set(id, action);
  }

  /** @returns false if there is no such setting, or its content is another one */
  async confirm(id: string, content: string): Promise<boolean> {
    const found = this.#all.get(id);
    if (found?.content !== content) return false;
    if (this.#confirmed.has(id)) return true;
    await this.#waiting.get(id)?.();
    await this.#confirmations.add(confirmationName(id), content);
    this.#confirmed.add(id);
    return true;
  }
}

/** A name that no source can have. */
export function confirmationName(id: string): string {
  return `belvedere.yaml ${id}`;
}

/** Says what an unconfirmed setting would do, and how to confirm it. */
export function unconfirmedSetting(setting: ExternalSetting): string {
  return `${describeExternalSetting(setting)} This needs confirmation: confirm it under Settings › System, or use --trust for one run.`;
}
