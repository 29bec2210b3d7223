import { TextSealer } from '../auth/secrets/sealed-text.ts';
import type { SealingSecrets } from '../auth/secrets/stored-secret.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { ChannelRecord } from '../state/messages/channels.ts';

/** How long bodies are also signed with the secret before a new one. */
const overlapMs = 24 * 3_600_000;
/** Each makes the header longer. */
const maxEarlierSecrets = 5;

/** What is sealed of a channel. */
export interface ChannelSecrets {
  /**
   * Of a channel by mail. They are no secret; the seal shows that they were entered on this machine, and did
   * not come with a workspace.
   */
  readonly addresses?: readonly string[];
  readonly url?: string;
  readonly routingKey?: string;
  /** With which bodies are signed. */
  readonly signing?: string;
  /** The secrets before it, the newest first, with which bodies are signed too for a while. */
  readonly earlier?: readonly EarlierSecret[];
}

interface EarlierSecret {
  readonly signing: string;
  /** Ms since 1970. */
  readonly until: number;
}

type SealedChannel = Pick<ChannelRecord, 'id' | 'name' | 'sealedSecret'>;

/**
 * Seals and opens the secrets of channels: addresses, keys, and the secrets with which bodies are signed. For a
 * while after a rotation, bodies are signed with the earlier secrets, too.
 */
export class ChannelSealer {
  readonly #sealer: TextSealer;
  readonly #clock: Pick<Clock, 'wall'>;

  /** @param secrets the instance's secrets */
  constructor(secrets: SealingSecrets, clock: Pick<Clock, 'wall'>) {
    this.#sealer = new TextSealer(secrets, 'channels');
    this.#clock = clock;
  }

  seal(id: string, secrets: ChannelSecrets): string {
    return this.#sealer.seal(JSON.stringify(secrets), id);
  }

  /** @throws ProblemError `request-invalid` if they were sealed by another instance */
  open(channel: SealedChannel): ChannelSecrets {
    const secrets = this.#openIfReadable(channel);
    if (secrets === undefined)
      throw new ProblemError(
        'request-invalid',
        `The address of the channel \`${channel.name}\` cannot be read: the secret of this instance has changed. ` +
          'Delete the channel and create it again.',
      );
    return secrets;
  }

  /** The secrets with which bodies are signed, the newest first. */
  signingSecrets(secrets: ChannelSecrets): readonly string[] {
    const { signing } = secrets;
    return signing === undefined ? [] : [signing, ...this.#stillValid(secrets).map(one => one.signing)];
  }

  /** Until when a body is also signed with an earlier secret; undefined if there is none. */
  earlierUntil(channel: SealedChannel): string | undefined {
    const [earlier] = this.#stillValid(this.#openIfReadable(channel) ?? {});
    return earlier && new Date(earlier.until).toISOString();
  }

  /** Makes the signing secret an earlier one, so that a new one is created. */
  retireSigning(secrets: ChannelSecrets): ChannelSecrets {
    const { signing, ...kept } = secrets;
    const until = this.#clock.wall() + overlapMs;
    const retired = signing === undefined ? [] : [{ signing, until }];
    return { ...kept, earlier: [...retired, ...this.#stillValid(secrets)].slice(0, maxEarlierSecrets) };
  }

  #openIfReadable({ id, sealedSecret }: SealedChannel): ChannelSecrets | undefined {
    const text = this.#sealer.open(sealedSecret, id);
    return text === undefined ? undefined : (JSON.parse(text) as ChannelSecrets);
  }

  #stillValid({ earlier = [] }: ChannelSecrets): readonly EarlierSecret[] {
    return earlier.filter(({ until }) => until > this.#clock.wall());
  }
}
