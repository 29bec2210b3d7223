import { includesLevel } from '@belvedere/api';
import type { Directory } from '../access/directory.ts';
import { levelOf, type ObjectName } from '../access/may.ts';
import { sightOf } from '../access/sight.ts';
import { GiveUpError, type JobKind, type JobOutcome, type RunningJob } from '../jobs/job-kind.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { ChannelRecord } from '../state/messages/channels.ts';
import { endStates, type DeliveryRecord, type DeliveryRecords } from '../state/messages/deliveries.ts';
import type { MessageRecords, StoredMessage } from '../state/messages/messages.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Channels, OpenChannel, Webhook } from './channels.ts';
import { deliveryKind, deliveryTimeoutMs } from './deliveries.ts';
import { quietUntil } from './quiet-hours.ts';
import type { Sender, SendResult } from './sender.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Waits between attempts, of almost 24 hours in all. */
export const backOffMs: readonly number[] = [
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
];
/** After its first attempt, a delivery is given up after this time, however often its target asks to wait. */
const maxMs = 24 * hour;
/** Alerts that are sent as one message. */
const maxGrouped = 20;

interface Parts {
  readonly state: StateDatabase;
  readonly records: DeliveryRecords;
  readonly messages: MessageRecords;
  readonly channels: Channels;
  readonly sender: Pick<Sender, 'mail' | 'webhook'>;
  readonly directory: Directory;
  readonly workspace: () => Workspace;
  readonly clock: Pick<Clock, 'wall'>;
  /** Makes a new job of a delivery that has failed. */
  readonly resend: (id: string) => Promise<void>;
}

/** Where a delivery goes now. */
type Destination =
  | { readonly kind: 'mail'; readonly address: string; readonly channel?: OpenChannel }
  | { readonly kind: 'webhook'; readonly to: Webhook; readonly channel: OpenChannel };

/**
 * The job that sends one delivery, or a group of them as one message. What is recorded of the delivery decides,
 * so that the job can be killed at any step and run again: a webhook gets the same idempotency key, and a mail
 * that was handed over is never sent again.
 */
export class DeliverJob implements JobKind {
  readonly kind = deliveryKind;
  readonly atOnce = 8;
  readonly timeoutMs = deliveryTimeoutMs;
  readonly backOffMs = backOffMs;
  readonly #parts: Parts;
  /** One at a time, so that a channel's limit holds. */
  #reserving: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run({ object, signal }: Pick<RunningJob, 'object' | 'signal'>): Promise<JobOutcome> {
    const { records, messages, clock } = this.#parts;
    const delivery = await records.find(object);
    if (!delivery) return { kind: 'done', detail: 'It was deleted.' };
    if (endStates.includes(delivery.state)) return { kind: 'done', detail: delivery.state };
    if (delivery.leaderId !== undefined && delivery.leaderId !== delivery.id)
      return { kind: 'done', detail: `It is sent with ${delivery.leaderId}.` };
    const message = await messages.find(delivery.messageId, { hasFiles: false });
    if (!message) return { kind: 'done', detail: 'It was deleted.' };
    const found = this.#destinationOf(delivery, message);
    if (typeof found === 'string') return this.#drop(delivery, found);
    if (delivery.triedAt !== undefined && clock.wall() - Date.parse(delivery.triedAt) > maxMs)
      return this.#giveUp([delivery.id], delivery.reason ?? 'It could not be sent within 24 hours.');
    const until = await this.#reserve(delivery, message, found);
    if (until === 'taken') return { kind: 'done', detail: 'It is sent with another one.' };
    if (until !== undefined) {
      const { reason, at } = until;
      await this.#change([delivery.id], { state: 'waiting', reason, nextAt: new Date(at).toISOString() });
      return { kind: 'postponed', until: at, detail: reason };
    }
    return this.#send(delivery, found, signal);
  }

  /** A cancelled delivery is listed with those that have failed, and can be sent again there. */
  async cancelled(object: string): Promise<void> {
    const delivery = await this.#parts.records.find(object);
    if (!delivery || endStates.includes(delivery.state)) return;
    await this.#change(await this.#idsOf(object), {
      state: 'given-up',
      reason: 'It was cancelled.',
      nextAt: null,
    });
  }

  again(object: string): Promise<void> {
    return this.#parts.resend(object);
  }

  /** Returns where a delivery goes, or why it must not be sent. */
  #destinationOf(delivery: DeliveryRecord, message: StoredMessage): Destination | string {
    const { channels, directory } = this.#parts;
    if (delivery.to.kind === 'user') {
      const user = directory.users.get(delivery.to.userId);
      const refused = this.#refusedUser(delivery.to.userId, message);
      if (refused !== undefined || !user) return refused ?? 'The user has no e-mail address here.';
      return { kind: 'mail', address: user.email };
    }
    const { channel: name, channelId, address } = delivery.to;
    const record = channelId === undefined ? undefined : channels.find({ id: channelId });
    if (!record) return `There is no channel \`${name}\`.`;
    const off = channels.offReason(record);
    if (off !== undefined) return off;
    const channel = this.#openChannel(record);
    if (typeof channel === 'string') return channel;
    if (channel.to.kind === 'webhook') {
      if (channel.to.template === 'pagerduty' && message.kind === 'report')
        return 'PagerDuty only gets alerts.';
      return { kind: 'webhook', to: channel.to, channel };
    }
    if (address === undefined || !channel.to.addresses.includes(address))
      return `${address ?? 'This address'} is no longer in the channel \`${name}\`.`;
    const refused = channels.refusedAddress(address);
    if (refused !== undefined) return refused;
    const user = [...directory.users.values()].find(({ email }) => email === address);
    const refusedUser = user && this.#refusedUser(user.id, message);
    return refusedUser ?? { kind: 'mail', address, channel };
  }

  /** Returns a channel with its secrets, or why they cannot be read. */
  #openChannel(record: ChannelRecord): OpenChannel | string {
    try {
      return this.#parts.channels.openForSending(record);
    } catch (error) {
      if (error instanceof ProblemError) return error.message;
      throw error;
    }
  }

  /** Why a user may not get a message now; undefined if they may. */
  #refusedUser(userId: string, { requires, sight }: StoredMessage): string | undefined {
    const { directory, workspace } = this.#parts;
    if (directory.users.size === 0) return 'Without accounts, only channels get mail.';
    const user = directory.users.get(userId);
    if (!user) return 'The user no longer exists.';
    if (user.isDisabled) return 'The account is disabled.';
    if (user.isService) return 'A service account gets no mail.';
    const now = workspace();
    const caller = directory.callerOf(userId, now);
    const missing = requires.find(
      object => !isThere(object, now) || !caller || !includesLevel(levelOf(caller, object, now), 'view'),
    );
    if (missing) return `The user may no longer see the ${missing.kind} \`${missing.id}\`.`;
    const shown = sight && now.dashboards.get(sight.dashboard)?.document;
    const isOther = sight && (!shown || !caller || sightOf(caller, shown, now) !== sight.hash);
    return isOther ? 'The user may see other data than when this was made.' : undefined;
  }

  /**
   * Claims a place within the channel's limits, and takes along alerts that wait for the same recipient.
   *
   * @returns until when the delivery must wait; undefined if it can be sent; `taken` if another one has taken it
   * along meanwhile
   */
  async #reserve(delivery: DeliveryRecord, message: StoredMessage, { channel }: Destination) {
    const done = this.#reserving.then(() => this.#reserveNow(delivery, message, channel));
    this.#reserving = done.catch(() => {});
    return done;
  }

  async #reserveNow(delivery: DeliveryRecord, message: StoredMessage, channel: OpenChannel | undefined) {
    const { state, records, clock } = this.#parts;
    const now = clock.wall();
    const quiet = channel?.limits.quiet;
    const quietEnd = quiet && quietUntil(quiet, now);
    const passes = (severity: StoredMessage['severity']) =>
      quietEnd === undefined || (severity === 'critical' && quiet?.passesCritical === true);
    if (!passes(message.severity)) return { reason: 'Quiet hours', at: quietEnd! };
    return state.transaction(async () => {
      if (channel) await records.lockChannel(channel.id);
      const current = await records.find(delivery.id);
      const leader = current?.leaderId ?? delivery.id;
      if (!current || endStates.includes(current.state) || leader !== delivery.id) return 'taken';
      if (channel) {
        const { perHour } = channel.limits;
        const sends = await records.sendsOf(channel.id, new Date(now - hour).toISOString(), delivery.id);
        const first = sends.at(-perHour);
        if (first !== undefined)
          return {
            reason: `At most ${perHour} messages an hour`,
            at: Math.max(Date.parse(first) + hour, now + 1),
          };
        if (isGrouping(channel) && message.kind === 'alert' && current.leaderId === undefined) {
          const { to } = delivery;
          const address = to.kind === 'channel' ? to.address : undefined;
          const others = await records.waitingFor({ channelId: channel.id, address }, maxGrouped);
          const ids = others.filter(({ severity }) => passes(severity)).map(({ id }) => id);
          await records.lead(delivery.id, [...new Set([delivery.id, ...ids.slice(0, maxGrouped - 1)])]);
        }
      }
      const ids = await this.#idsOf(delivery.id);
      await this.#change(ids, {
        state: 'sending',
        ...(delivery.triedAt === undefined && { triedAt: new Date(now).toISOString() }),
        // Shows when it has lost its job.
        nextAt: new Date(now).toISOString(),
      });
      return undefined;
    });
  }

  async #send(delivery: DeliveryRecord, to: Destination, signal: AbortSignal): Promise<JobOutcome> {
    const { records, messages, sender } = this.#parts;
    const ids: string[] = [];
    const stored: StoredMessage[] = [];
    for (const id of await this.#idsOf(delivery.id)) {
      const member = id === delivery.id ? delivery : await records.find(id);
      const message = member && (await messages.find(member.messageId));
      if (!message) continue;
      const found = this.#destinationOf(member, message);
      // In a group, each message has its own requirements.
      if (typeof found === 'string') {
        await this.#change([id], { state: 'dropped', reason: found, nextAt: null });
        continue;
      }
      ids.push(id);
      stored.push(message);
    }
    const [first, ...others] = stored.toSorted((a, b) => a.at.localeCompare(b.at));
    if (!first) return { kind: 'done', detail: 'It was deleted, or may not be sent any more.' };
    const sending = { id: delivery.id, at: first.at, messages: [first, ...others] as const, signal };
    const result =
      to.kind === 'mail'
        ? await sender.mail(
            to.address,
            sending,
            to.channel
              ? { kind: 'channel', channel: to.channel.name }
              : { kind: 'user', unsubscribe: first.unsubscribe },
            () =>
              this.#change(ids, {
                state: 'uncertain',
                reason: 'The mail was handed over, and then the server stopped.',
              }),
          )
        : await sender.webhook(to.to, sending);
    return this.#record(delivery, ids, result);
  }

  async #record(delivery: DeliveryRecord, ids: readonly string[], result: SendResult): Promise<JobOutcome> {
    const attempts = delivery.attempts + 1;
    switch (result.kind) {
      case 'sent':
        await this.#change(ids, { state: 'sent', attempts, reason: null, nextAt: null });
        return { kind: 'done', detail: result.detail };
      case 'uncertain':
        await this.#change(ids, { state: 'uncertain', attempts, reason: result.reason, nextAt: null });
        throw new GiveUpError(result.reason);
      case 'refused':
        return this.#giveUp(ids, result.reason, attempts);
      case 'failed': {
        const { reason, afterMs } = result;
        // It was cancelled while it was sent.
        const now = await this.#parts.records.find(delivery.id);
        if (now?.state === 'given-up') return { kind: 'done', detail: reason };
        const wait = Math.max(backOffMs[attempts - 1] ?? Infinity, afterMs ?? 0);
        if (wait === Infinity) return this.#giveUp(ids, reason, attempts);
        const until = this.#parts.clock.wall() + wait;
        await this.#change(ids, {
          state: 'waiting',
          attempts,
          reason,
          nextAt: new Date(until).toISOString(),
        });
        return { kind: 'postponed', until, detail: reason };
      }
    }
  }

  async #giveUp(ids: readonly string[], reason: string, attempts?: number): Promise<never> {
    await this.#change(ids, {
      state: 'given-up',
      reason,
      nextAt: null,
      ...(attempts !== undefined && { attempts }),
    });
    throw new GiveUpError(reason);
  }

  async #drop({ id }: DeliveryRecord, reason: string): Promise<JobOutcome> {
    await this.#change(await this.#idsOf(id), { state: 'dropped', reason, nextAt: null });
    return { kind: 'done', detail: reason };
  }

  /** The deliveries that are sent as one message with this one. */
  async #idsOf(id: string): Promise<string[]> {
    const group = await this.#parts.records.ledBy(id);
    return group.length === 0 ? [id] : group.map(member => member.id);
  }

  #change(ids: readonly string[], changes: Parameters<DeliveryRecords['change']>[1]): Promise<void> {
    const { records, clock } = this.#parts;
    return records.change(ids, changes, new Date(clock.wall()).toISOString());
  }
}

/** An incident of PagerDuty is one alert. */
function isGrouping({ limits, to }: OpenChannel): boolean {
  return limits.groupSeconds > 0 && !(to.kind === 'webhook' && to.template === 'pagerduty');
}

/** For an object that was deleted, authors would have the level of a new one. */
function isThere({ kind, id }: ObjectName, { dashboards, models }: Workspace): boolean {
  if (kind === 'dashboard') return dashboards.has(id);
  return kind !== 'model' || models.has(id);
}
