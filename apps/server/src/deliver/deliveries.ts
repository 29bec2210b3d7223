import { randomUUID } from 'node:crypto';
import type { JobRunner } from '../jobs/job-runner.ts';
import { ProblemError } from '../http/problem-error.ts';
import {
  DeliveryRecords,
  type DeliveryRecipient,
  type DeliveryRecord,
} from '../state/messages/deliveries.ts';
import { MessageRecords } from '../state/messages/messages.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { Channels } from './channels.ts';
import type { NewMessage, Target } from './message.ts';

/** The kind of the jobs that deliver. */
export const deliveryKind = 'delivery';
/** Of one attempt. */
export const deliveryTimeoutMs = 3 * 60_000;
/** A delivery that is late by this much has lost its job. */
const lostMs = 30 * 60_000;

interface Recipient {
  readonly to: DeliveryRecipient;
  /** For others, to be sent in one message. */
  readonly waitMs: number;
}

interface Parts {
  readonly state: StateDatabase;
  readonly channels: Channels;
  readonly clock: Pick<Clock, 'wall'>;
  readonly runner: Pick<JobRunner, 'enqueue'>;
}

/** Stores messages, and makes a job of each delivery. */
export class Deliveries {
  readonly records: DeliveryRecords;
  readonly messages: MessageRecords;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.records = new DeliveryRecords(parts.state);
    this.messages = new MessageRecords(parts.state);
  }

  /**
   * Stores a message for its recipients, as part of the transaction in which it is called. A message with a
   * known key is not stored again.
   */
  add(message: NewMessage): Promise<void> {
    return this.#parts.state.transaction(async () => {
      const now = this.#parts.clock.wall();
      const at = new Date(now).toISOString();
      const messageId = randomUUID();
      if (!(await this.messages.add(messageId, message, at))) return;
      for (const { to, waitMs } of this.#recipientsOf(message)) {
        const id = randomUUID();
        const dueAt = now + waitMs;
        await this.records.add(id, messageId, to, at, new Date(dueAt).toISOString());
        await this.#enqueue(id, 0, dueAt);
      }
    });
  }

  /**
   * Ends the incidents that an alert has opened in PagerDuty, where nothing else would: with the key with which
   * they were opened. Does nothing for channels that were told that the alert is over.
   *
   * @param title of the message
   * @param keeps whether a channel still gets the alert's messages, and so will be told by itself
   * @returns whether an incident was open
   */
  resolveIncidents(about: string, title: string, keeps: (channel: string) => boolean): Promise<boolean> {
    return this.#parts.state.transaction(async () => {
      let isOpen = false;
      for (const { id, name } of this.#parts.channels.ofTemplate('pagerduty')) {
        if (keeps(name)) continue;
        const last = await this.messages.lastAlert(about, id);
        if (!last || (last.state === 'ok' && !last.isOngoing)) continue;
        isOpen = true;
        await this.add({
          kind: 'alert',
          about,
          key: `${about}:over:${id}:${last.id}`,
          title,
          state: 'ok',
          lines: [],
          facts: [],
          links: [],
          images: [],
          files: [],
          to: [{ kind: 'channel', channel: name }],
          requires: [],
        });
      }
      return isOpen;
    });
  }

  /** Sends a delivery again. @throws ProblemError `not-found`, or `request-invalid` unless it has failed */
  resend(id: string): Promise<void> {
    return this.#parts.state.transaction(async () => {
      const now = this.#parts.clock.wall();
      const found = await this.records.find(id);
      if (!found)
        throw new ProblemError('not-found', 'This delivery was deleted. Deliveries are kept for 90 days.');
      if (isInFlight(found, now))
        throw new ProblemError('request-invalid', 'This mail was just handed over. Wait three minutes.');
      const round = await this.records.restart(id, new Date(now).toISOString());
      if (round === undefined)
        throw new ProblemError('request-invalid', 'This delivery was sent, or is on its way already.');
      await this.#enqueue(id, round, now);
    });
  }

  /** Makes new jobs for deliveries that have lost theirs, for example to a cancel. @param now ms since 1970 */
  async recover(now: number): Promise<void> {
    const hour = Math.floor(now / 3_600_000);
    for (const { id, round } of await this.records.overdue(new Date(now - lostMs).toISOString()))
      await this.#parts.runner.enqueue({
        kind: deliveryKind,
        object: id,
        dueAt: now,
        key: `${deliveryKind}:${id}:${round}:${hour}`,
      });
  }

  /** @param now wall-clock time, ms */
  prune(now: number): Promise<void> {
    return this.messages.prune(now);
  }

  #enqueue(id: string, round: number, dueAt: number): Promise<boolean> {
    return this.#parts.runner.enqueue({
      kind: deliveryKind,
      object: id,
      dueAt,
      key: `${deliveryKind}:${id}:${round}`,
    });
  }

  /** Returns each recipient once. A channel by mail has one delivery for each of its addresses. */
  #recipientsOf({ to, kind }: NewMessage): Recipient[] {
    const targets = new Map(to.map(target => [keyOf(target), target]));
    return [...targets.values()].flatMap((target): Recipient[] => {
      if (target.kind === 'user') return [{ to: target, waitMs: 0 }];
      const channel = this.#parts.channels.find({ name: target.channel });
      const waitMs = kind === 'alert' ? (channel?.limits.groupSeconds ?? 0) * 1000 : 0;
      const base = {
        kind: 'channel' as const,
        channel: target.channel,
        ...(channel && { channelId: channel.id }),
      };
      return channel?.target.kind === 'mail'
        ? channel.target.addresses.map(address => ({ to: { ...base, address }, waitMs }))
        : [{ to: base, waitMs }];
    });
  }
}

/** Whether a mail was handed over, and its answer may still come. */
function isInFlight({ state, nextAt, changedAt }: DeliveryRecord, now: number): boolean {
  return state === 'uncertain' && nextAt !== undefined && now - Date.parse(changedAt) < deliveryTimeoutMs;
}

const keyOf = (target: Target) =>
  target.kind === 'user' ? `user ${target.userId}` : `channel ${target.channel}`;
