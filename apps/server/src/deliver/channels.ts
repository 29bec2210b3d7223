import type { ChannelSettings, ChannelTarget, NewChannel, WebhookTemplate } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import type { Directory } from '../access/directory.ts';
import type { SealingSecrets } from '../auth/secrets/stored-secret.ts';
import { ProblemError } from '../http/problem-error.ts';
import { requireVersion } from '../http/require-version.ts';
import type { Mailer } from '../mail/mailer.ts';
import { ChannelRecords, type ChannelRecord } from '../state/messages/channels.ts';
import { textHash } from '../state/documents/revisions.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { TeamSettings } from '../state/administration/team-settings.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ChannelSealer, type ChannelSecrets } from './channel-secrets.ts';
import { checkMailChannel, checkWebhook, invalidChannel } from './check-channel.ts';

const maxChannels = 100;

/** A webhook with its secrets. */
export interface Webhook extends Pick<ChannelSecrets, 'routingKey'> {
  readonly kind: 'webhook';
  readonly template: WebhookTemplate;
  readonly url: string;
  /** The secrets with which bodies are signed, the newest first. */
  readonly signing: readonly string[];
}

/** Everything that sending needs. */
export type OpenChannel = Pick<ChannelRecord, 'id' | 'name' | 'limits'> & {
  readonly to: { readonly kind: 'mail'; readonly addresses: readonly string[] } | Webhook;
};

export interface ChannelParts {
  readonly state: StateDatabase;
  readonly settings: TeamSettings;
  /** The instance's secrets. */
  readonly secrets: SealingSecrets;
  readonly directory: Directory;
  /** Whether there are accounts. */
  readonly isTeam: boolean;
  readonly clock: Clock;
  /** Through which channels get mail. */
  readonly mailer: Pick<Mailer, 'isSet' | 'offReason'>;
  readonly workspace: () => Workspace;
  /** `host:port` of webhooks that may be private and may use plain HTTP. */
  readonly allowed: ReadonlySet<string>;
  /** Domains of addresses that are not users'. */
  readonly domains: ReadonlySet<string>;
}

/**
 * The channels to which alerts and reports are sent. All are in memory. The addresses and keys of webhooks are
 * secrets: they are stored sealed, and are never shown again.
 */
export class Channels {
  readonly #records: ChannelRecords;
  readonly #parts: ChannelParts;
  readonly #sealer: ChannelSealer;
  #byName: ReadonlyMap<string, ChannelRecord> = new Map();
  /** Changes wait for each other. */
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(parts: ChannelParts) {
    this.#parts = parts;
    this.#records = new ChannelRecords(parts.state);
    this.#sealer = new ChannelSealer(parts.secrets, parts.clock);
  }

  static async open(parts: ChannelParts): Promise<Channels> {
    const channels = new Channels(parts);
    await channels.#load();
    return channels;
  }

  get hasWebhooks(): boolean {
    return this.#parts.settings.hasWebhooks;
  }

  get hasMail(): boolean {
    return this.#parts.mailer.isSet;
  }

  get allowed(): ReadonlySet<string> {
    return this.#parts.allowed;
  }

  switchWebhooks(isOn: boolean): Promise<void> {
    return this.#parts.settings.set('hasWebhooks', isOn);
  }

  /** By their names. */
  list(): ChannelSettings[] {
    return [...this.#byName.values()].map(channel => this.#asAnswer(channel));
  }

  /** Returns a channel's record by its name, or by its ID. */
  find(key: { readonly name: string } | { readonly id: string }): ChannelRecord | undefined {
    if ('name' in key) return this.#byName.get(key.name);
    return [...this.#byName.values()].find(({ id }) => id === key.id);
  }

  /** Returns the webhooks with a template. */
  ofTemplate(template: WebhookTemplate): ChannelRecord[] {
    return [...this.#byName.values()].filter(
      ({ target }) => target.kind === 'webhook' && target.template === template,
    );
  }

  /** Opens a channel for sending. @throws ProblemError if its secrets were sealed by another instance */
  openForSending({ id, name, limits, target, sealedSecret }: ChannelRecord): OpenChannel {
    const secrets = this.#sealer.open({ id, name, sealedSecret });
    const { addresses = [], url = '', routingKey } = secrets;
    if (target.kind === 'mail') return { id, name, limits, to: { kind: 'mail', addresses } };
    return {
      id,
      name,
      limits,
      to: {
        kind: 'webhook',
        template: target.template,
        url,
        ...(routingKey !== undefined && { routingKey }),
        signing: this.#sealer.signingSecrets(secrets),
      },
    };
  }

  /** Why a channel gets nothing now; undefined if it is on. */
  offReason({ target }: ChannelRecord): string | undefined {
    if (target.kind === 'mail') return this.#parts.mailer.offReason;
    return this.hasWebhooks ? undefined : 'Webhooks are switched off under Settings › Channels.';
  }

  /**
   * Why an address may not get mail; undefined if it may. In team mode, addresses are those of users, or of the
   * domains of `belvedere.yaml`.
   */
  refusedAddress(address: string): string | undefined {
    const { isTeam, directory, domains } = this.#parts;
    const email = address.toLowerCase();
    if (!isTeam || domains.has(email.split('@').at(-1)!)) return undefined;
    const user = [...directory.users.values()].find(one => one.email === email);
    if (user) return user.isDisabled ? `The account of ${address} is disabled.` : undefined;
    return `${address} is neither a user’s address, nor of a domain in \`mail.domains\` of belvedere.yaml.`;
  }

  /** @returns the channel, and for a generic webhook its secret. @throws ProblemError `request-invalid` */
  create(
    { name, target, limits }: NewChannel,
    createdBy: string | undefined,
  ): Promise<{ readonly channel: ChannelSettings; readonly secret?: string }> {
    return this.#change(async () => {
      if (this.#byName.has(name)) throw nameTaken(name);
      if (this.#byName.size >= maxChannels)
        throw new ProblemError('request-invalid', `There are ${maxChannels} channels. Delete some of them.`);
      if (target.kind === 'webhook' && !this.hasWebhooks)
        throw new ProblemError(
          'not-allowed',
          'Webhooks are switched off. An owner can switch them on under Settings › Channels.',
        );
      return this.#put(
        {
          id: randomUUID(),
          name,
          limits,
          ...(createdBy !== undefined && { createdBy }),
          createdAt: new Date(this.#parts.clock.wall()).toISOString(),
        },
        target,
        {},
      );
    });
  }

  /**
   * Changes a channel; secrets that are not given stay.
   * @param version of the channel that it replaces; any if undefined
   * @throws ProblemError `not-found`, `request-invalid`, `revision-conflict`
   */
  update(
    name: string,
    { target, limits }: Omit<NewChannel, 'name'>,
    version?: string,
  ): Promise<{ readonly channel: ChannelSettings; readonly secret?: string }> {
    return this.#change(async () => {
      const known = this.get(name);
      requireVersion(version, versionOf(known), `The channel \`${name}\``);
      if (known.target.kind !== target.kind)
        throw invalidChannel(
          'target',
          'The kind of a channel cannot change. Create another one.',
          'cannot change',
        );
      return this.#put({ ...known, limits }, target, target.kind === 'mail' ? {} : this.#sealer.open(known));
    });
  }

  /**
   * Replaces the secret with which bodies are signed. For a day they are signed with those before it, too, so
   * that their receiver can change it meanwhile, also if the new one was lost and replaced again.
   * @throws ProblemError `not-found`, `request-invalid`
   */
  rotateSecret(name: string): Promise<{ readonly channel: ChannelSettings; readonly secret?: string }> {
    return this.#change(async () => {
      const known = this.get(name);
      const { target } = known;
      if (target.kind !== 'webhook' || target.template !== 'generic')
        throw new ProblemError('request-invalid', 'Only generic webhooks are signed.');
      const secrets = this.#sealer.retireSigning(this.#sealer.open(known));
      return this.#put(known, { kind: 'webhook', template: 'generic' }, secrets);
    });
  }

  /** @throws ProblemError `not-found` */
  remove(name: string): Promise<void> {
    return this.#change(() => this.#records.remove(this.get(name).id));
  }

  /** @throws ProblemError `not-found` */
  get(name: string): ChannelRecord {
    const found = this.#byName.get(name);
    if (!found)
      throw new ProblemError('not-found', `There is no channel \`${name}\`. It may have been deleted.`);
    return found;
  }

  async #put(
    base: Omit<ChannelRecord, 'target' | 'sealedSecret'>,
    target: ChannelTarget,
    known: ChannelSecrets,
  ): Promise<{ readonly channel: ChannelSettings; readonly secret?: string }> {
    const { secrets, created, ...checked } =
      target.kind === 'mail'
        ? checkMailChannel(target, address => this.refusedAddress(address))
        : checkWebhook(target, known, this.#parts.allowed);
    const channel = { ...base, ...checked, sealedSecret: this.#sealer.seal(base.id, secrets) };
    if (this.#byName.has(base.name)) await this.#records.replace(channel);
    // Another server took the name at the same moment.
    else if (!(await this.#records.add(channel))) throw nameTaken(base.name);
    return {
      channel: this.#asAnswer(channel),
      ...(created !== undefined && { secret: created }),
    };
  }

  /** Changes channels as they are now, which another server may just have changed. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      try {
        return await this.#parts.state.transaction(async () => {
          await this.#records.lock();
          await this.#load();
          return work();
        });
      } finally {
        await this.#load();
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }

  /** Reads all channels again, after another server has changed some. */
  followOthers(): Promise<void> {
    return this.#inTurn(() => this.#load());
  }

  async #load(): Promise<void> {
    this.#byName = new Map((await this.#records.all()).map(channel => [channel.name, channel]));
  }

  #asAnswer(channel: ChannelRecord): ChannelSettings {
    const { name, target, limits, createdBy, createdAt } = channel;
    const earlierUntil = this.#sealer.earlierUntil(channel);
    const offReason = this.offReason(channel);
    const maker = createdBy === undefined ? undefined : this.#parts.directory.users.get(createdBy)?.name;
    return {
      name,
      kind: target.kind,
      ...(target.kind === 'mail'
        ? { addresses: [...target.addresses] }
        : { template: target.template, host: target.host }),
      ...(earlierUntil !== undefined && { earlierSecretUntil: earlierUntil }),
      limits,
      ...(maker !== undefined && { createdBy: maker }),
      createdAt,
      state: offReason === undefined ? 'active' : 'off',
      ...(offReason !== undefined && { offReason }),
      version: versionOf(channel),
    };
  }
}

function versionOf({ target, limits, sealedSecret }: ChannelRecord): string {
  return textHash(JSON.stringify([target, limits, sealedSecret]));
}

function nameTaken(name: string): ProblemError {
  return invalidChannel('name', `There is a channel \`${name}\`.`, 'is taken');
}
