import { preferredLanguage } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import { mailTexts } from '../mail/compose.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { Channels } from './channels.ts';
import type { Message } from './message.ts';
import type { Sender, SendResult } from './sender.ts';

/** Sends a test message to a channel at once, past its limits, and returns what the target answered. */
export type TestChannel = (
  channel: string,
  signal: AbortSignal,
) => Promise<{ readonly isSent: boolean; readonly detail: string }>;

interface Parts {
  readonly channels: Channels;
  readonly sender: Pick<Sender, 'mail' | 'webhook'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly workspace: () => { readonly title: string; readonly locale?: string | undefined };
}

export function testChannels({ channels, sender, clock, workspace }: Parts): TestChannel {
  return async (name, signal) => {
    const record = channels.get(name);
    const off = channels.offReason(record);
    if (off !== undefined) return { isSent: false, detail: off };
    const { to } = channels.openForSending(record);
    const { title, locale } = workspace();
    const texts = mailTexts[preferredLanguage([locale])].message.test;
    const message: Message = {
      kind: 'test',
      about: `channel:${name}`,
      title: texts.title(title),
      lines: [texts.line(name)],
      facts: [],
      links: [],
      images: [],
      files: [],
    };
    const id = randomUUID();
    const sending = { id, at: new Date(clock.wall()).toISOString(), messages: [message] as const, signal };
    if (to.kind === 'webhook') {
      const result = await sender.webhook(to, sending);
      // The incident of a test is resolved at once.
      if (to.template === 'pagerduty' && result.kind === 'sent')
        await sender.webhook(to, { ...sending, messages: [{ ...message, state: 'ok' }] });
      return answerOf(result);
    }
    const answers = [];
    for (const [i, address] of to.addresses.entries()) {
      const refused = channels.refusedAddress(address);
      const result: SendResult =
        refused === undefined
          ? await sender.mail(
              address,
              { ...sending, id: `${id}-${i}` },
              { kind: 'channel', channel: name },
              async () => {},
            )
          : { kind: 'refused', reason: refused };
      answers.push({ address, ...answerOf(result) });
    }
    return {
      isSent: answers.every(({ isSent }) => isSent),
      detail: answers.map(({ address, detail }) => `${address}: ${detail}`).join('\n'),
    };
  };
}

function answerOf(result: SendResult): { readonly isSent: boolean; readonly detail: string } {
  return result.kind === 'sent'
    ? { isSent: true, detail: result.detail }
    : { isSent: false, detail: result.reason };
}
