import { preferredLanguage } from '@belvedere/api';
import { composeMessages, mailTexts, type MessageReason } from '../mail/compose.ts';
import { MailError, oneLine, type Mailer } from '../mail/mailer.ts';
import type { Webhook } from './channels.ts';
import type { Message } from './message.ts';
import { payloadOf } from './payloads.ts';
import { RequestError } from './safe-addresses.ts';
import { postSafely, type Answer, type SafeOptions } from './safe-request.ts';
import { signatureOf } from './signature.ts';

/** The longest wait that a target can ask for. */
const maxRetryAfterMs = 3_600_000;

/** How an attempt ended. */
export type SendResult =
  | { readonly kind: 'sent'; readonly detail: string }
  /** A further attempt may succeed. `afterMs`: as the target asks. */
  | { readonly kind: 'failed'; readonly reason: string; readonly afterMs?: number }
  /** A further attempt cannot succeed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Handed over to a mail server that did not answer. */
  | { readonly kind: 'uncertain'; readonly reason: string };

/** One message, or several that are sent as one. */
export interface Sending {
  /** The same for every attempt. */
  readonly id: string;
  /** When the first message was created. */
  readonly at: string;
  readonly messages: readonly [Message, ...Message[]];
  readonly signal?: AbortSignal;
}

interface Parts {
  readonly mailer: Pick<Mailer, 'isSet' | 'send'>;
  readonly allowed: ReadonlySet<string>;
  readonly clock: { readonly wall: () => number };
  /** The address under which users reach the server. */
  readonly address: () => string;
  readonly workspace: () => { readonly title: string; readonly locale?: string | undefined };
  /** How names are resolved, and with which certificates. */
  readonly requests?: SafeOptions;
}

/** Sends messages by mail and to webhooks, in their language. */
export class Sender {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param handOver called before the last bytes are sent, after which a server may accept the mail */
  async mail(
    to: string,
    { id, at, messages, signal }: Sending,
    reason: MessageReason,
    handOver: () => Promise<void>,
  ): Promise<SendResult> {
    const { mailer, address, workspace } = this.#parts;
    if (!mailer.isSet) return { kind: 'refused', reason: 'No mail server is set.' };
    const about = { workspace: oneLine(workspace().title), address: address() };
    const mail = composeMessages(to, this.#languageOf(messages), messages, reason, about);
    try {
      const detail = await mailer.send(mail, {
        id,
        date: new Date(at),
        handOver,
        ...(signal && { signal }),
      });
      return { kind: 'sent', detail: oneLine(detail) };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { message, isPermanent, isUncertain } = error;
      return { kind: isUncertain ? 'uncertain' : isPermanent ? 'refused' : 'failed', reason: message };
    }
  }

  async webhook(to: Webhook, { id, at, messages, signal }: Sending): Promise<SendResult> {
    const { allowed, clock, address, workspace, requests } = this.#parts;
    const body = payloadOf(to.template, messages, {
      id,
      at,
      workspace: workspace().title,
      absolute: href => new URL(href, address()).href,
      texts: mailTexts[this.#languageOf(messages)].message,
      ...(to.routingKey !== undefined && { routingKey: to.routingKey }),
    });
    try {
      const answer = await postSafely(
        {
          url: to.url,
          body,
          allowed,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'user-agent': 'Belvedere',
            'idempotency-key': id,
            ...(to.signing.length > 0 && {
              'belvedere-signature': signatureOf(body, to.signing, clock.wall()),
            }),
          },
          ...(signal && { signal }),
        },
        requests,
      );
      return resultOf(answer, clock.wall());
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { kind: error.reason === 'forbidden' ? 'refused' : 'failed', reason: error.message };
    }
  }

  /** The language around messages: theirs, or the workspace's if alerts of several languages are sent together. */
  #languageOf(messages: Sending['messages']) {
    const workspace = this.#parts.workspace().locale;
    const all = new Set(messages.map(({ locale }) => preferredLanguage([locale ?? workspace])));
    return all.size === 1 ? [...all][0]! : preferredLanguage([workspace]);
  }
}

function resultOf({ status, retryAfter }: Answer, now: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'sent', detail: `The target answered ${status}.` };
  if (status >= 300 && status < 400)
    return {
      kind: 'refused',
      reason: `The target answered ${status}. Redirects are not followed: enter the address to which it leads.`,
    };
  const reason = `The target answered ${status}.`;
  if (status < 500 && status !== 408 && status !== 429) return { kind: 'refused', reason };
  const afterMs = retryAfterMs(retryAfter, now);
  return { kind: 'failed', reason, ...(afterMs !== undefined && { afterMs }) };
}

/** Returns the wait that a header asks for, at most an hour: seconds, or an HTTP date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}
