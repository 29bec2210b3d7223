import { ChangedProvider, type ProviderSettings } from '@belvedere/api';
import { SignInProvider } from '@belvedere/document';
import { refusedTarget } from '../../deliver/safe-request.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { requireVersion } from '../../http/require-version.ts';
import { textHash } from '../../state/documents/revisions.ts';
import type { SealedSettings } from '../secrets/sealed-settings.ts';
import { clientSecret } from './client-secret.ts';

const maxProviders = 20;
/** Before the ID of a provider, in the names of settings. */
const prefix = 'provider:';

/** A provider with its rules, and how its secret is found. */
export interface KnownProvider {
  readonly provider: SignInProvider;
  readonly secret: () => Promise<string | undefined>;
  /** As of `OidcClient`. */
  readonly allowed?: ReadonlySet<string>;
}

interface TypedProvider extends KnownProvider {
  readonly typed: ChangedProvider;
}

interface Parts {
  /** The providers of `belvedere.yaml` at the start. */
  readonly declared: readonly SignInProvider[];
  readonly isConfirmed: (provider: string) => boolean;
  readonly sealed: SealedSettings;
  /** The workspace, whose folder of secrets has the secrets of declared providers. */
  readonly root: string;
  /** `host:port` of typed providers that may be private. */
  readonly allowed: ReadonlySet<string>;
}

/** The providers with which users sign in: those of `belvedere.yaml`, and those that owners have entered. */
export class Providers {
  readonly #parts: Parts;
  readonly #declared: ReadonlyMap<string, KnownProvider>;
  #typed: ReadonlyMap<string, TypedProvider> = new Map();
  #unreadable: readonly string[] = [];

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#declared = new Map(
      parts.declared.map(provider => [
        provider.id,
        { provider, secret: () => clientSecret(provider, parts.root) },
      ]),
    );
  }

  static async open(parts: Parts): Promise<Providers> {
    const providers = new Providers(parts);
    await providers.followOthers();
    return providers;
  }

  get all(): readonly KnownProvider[] {
    return [...this.#declared.values(), ...this.#typed.values()];
  }

  find(id: string): KnownProvider | undefined {
    return this.#declared.get(id) ?? this.#typed.get(id);
  }

  /** Whether users may sign in with a provider: an owner has entered or confirmed it. */
  isUsable(id: string): boolean {
    return this.#declared.has(id) ? this.#parts.isConfirmed(id) : this.#typed.has(id);
  }

  /** The providers as admins see them, without their secrets. */
  list(): ProviderSettings[] {
    const { isConfirmed } = this.#parts;
    const shown = ({ provider: { id, clientSecret: reference, ...provider } }: KnownProvider) => ({
      id,
      provider,
      hasSecret: reference !== undefined,
      version: textHash(JSON.stringify(provider)),
    });
    return [
      ...[...this.#declared.values()].map(known => ({
        ...shown(known),
        setBy: 'file' as const,
        state: isConfirmed(known.provider.id) ? ('active' as const) : ('unconfirmed' as const),
      })),
      ...[...this.#typed.values()].map(known => ({
        ...shown(known),
        hasSecret: known.typed.clientSecret !== undefined,
        setBy: 'owner' as const,
        state: 'active' as const,
        version: versionOf(known),
      })),
      ...this.#unreadable.map(id => ({
        id,
        hasSecret: false,
        setBy: 'owner' as const,
        state: 'unreadable' as const,
        version: '',
      })),
    ];
  }

  /** @throws ProblemError `request-invalid` */
  async create(id: string, changed: ChangedProvider): Promise<void> {
    if (this.find(id) || this.#unreadable.includes(id))
      throw invalid('id', `There is a sign-in provider \`${id}\`. Use another ID.`);
    if (this.all.length >= maxProviders)
      throw new ProblemError('request-invalid', `There are ${maxProviders} sign-in providers. Remove some.`);
    await this.#put(this.draft(id, changed));
  }

  /**
   * Changes a provider. Without a secret, the known one stays for the same issuer and client.
   * @param version of the settings that it replaces; any if undefined
   * @throws ProblemError `not-found`, `request-invalid`, `revision-conflict`
   */
  async update(id: string, changed: ChangedProvider, version?: string): Promise<void> {
    this.#requireTyped(id);
    const known = this.#typed.get(id);
    requireVersion(version, known ? versionOf(known) : '', `The sign-in provider \`${id}\``);
    await this.#put(this.draft(id, changed));
  }

  /** @throws ProblemError `not-found` */
  async remove(id: string): Promise<void> {
    this.#requireTyped(id);
    await this.#parts.sealed.remove(`${prefix}${id}`);
    await this.followOthers();
  }

  /** Returns a provider as it would be, which is not kept. @throws ProblemError `request-invalid` */
  draft(id: string, changed: ChangedProvider): TypedProvider {
    if (this.#declared.has(id)) throw isDeclared(id);
    const { clientSecret: _, ...rules } = changed;
    const read = SignInProvider.safeParse({ ...rules, id });
    if (!read.success)
      throw new ProblemError('request-invalid', 'The provider has errors.', {
        errors: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
      });
    const { issuer, clientId } = read.data;
    if (this.all.some(({ provider }) => provider.id !== id && provider.issuer === issuer))
      throw invalid('issuer', 'Another sign-in provider has this issuer.');
    const refused = refusedTarget(issuer, this.#parts.allowed);
    if (refused !== undefined) throw invalid('issuer', refused);
    const known = this.#typed.get(id)?.typed;
    // A secret is only sent to the provider for which it was entered.
    const isSame = known?.issuer === issuer && known.clientId === clientId;
    const kept = known?.clientSecret;
    if (changed.clientSecret === undefined && kept !== undefined && !isSame)
      throw invalid('clientSecret', 'Enter the client secret: the issuer or the client ID is another one.');
    const secret = changed.clientSecret ?? kept;
    return this.#known(read.data, { ...rules, ...(secret !== undefined && { clientSecret: secret }) });
  }

  /** Reads the settings again, after another server may have changed them. */
  async followOthers(): Promise<void> {
    const all = [...(await this.#parts.sealed.all())].filter(([name]) => name.startsWith(prefix));
    const typed = new Map<string, TypedProvider>();
    const unreadable: string[] = [];
    for (const [name, setting] of all) {
      const id = name.slice(prefix.length);
      // One of the same name in the file comes first.
      if (this.#declared.has(id)) continue;
      const read = ChangedProvider.safeParse(setting);
      const { clientSecret: _, ...rules } = read.data ?? {};
      const provider = SignInProvider.safeParse({ ...rules, id });
      if (!read.success || !provider.success) {
        unreadable.push(id);
        continue;
      }
      const known = this.#typed.get(id);
      // A provider that has not changed keeps what is known of it.
      const isSame = known && versionOf(known) === textHash(JSON.stringify(read.data));
      typed.set(id, isSame ? known : this.#known(provider.data, read.data));
    }
    [this.#typed, this.#unreadable] = [typed, unreadable];
  }

  #known(provider: SignInProvider, typed: ChangedProvider): TypedProvider {
    return {
      provider,
      typed,
      secret: () => Promise.resolve(typed.clientSecret),
      allowed: this.#parts.allowed,
    };
  }

  async #put({ provider: { id }, typed }: TypedProvider): Promise<void> {
    await this.#parts.sealed.put(`${prefix}${id}`, typed);
    await this.followOthers();
  }

  #requireTyped(id: string): void {
    if (this.#declared.has(id)) throw isDeclared(id);
    if (!this.#typed.has(id) && !this.#unreadable.includes(id))
      throw new ProblemError(
        'not-found',
        `There is no sign-in provider \`${id}\`. It may have been removed.`,
      );
  }
}

function versionOf({ typed }: TypedProvider): string {
  return textHash(JSON.stringify(typed));
}

function isDeclared(id: string): ProblemError {
  return new ProblemError(
    'not-allowed',
    `The sign-in provider \`${id}\` is set in belvedere.yaml. Change it there.`,
  );
}

function invalid(path: string, detail: string): ProblemError {
  return new ProblemError('request-invalid', detail, { errors: [{ path, message: detail }] });
}
