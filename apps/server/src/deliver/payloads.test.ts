import { webhookTemplates } from '@belvedere/api';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mailTexts } from '../mail/compose.ts';
import type { Message } from './message.ts';
import { payloadOf, type PayloadContext } from './payloads.ts';
import { retryAfterMs } from './sender.ts';
import { signatureOf } from './signature.ts';

const message: Message = {
  kind: 'alert',
  about: 'alert:late-flights',
  title: 'Firing: Late flights',
  state: 'firing',
  severity: 'critical',
  lines: ['<!channel> *bold* [link](https://evil.example) @everyone & more'],
  facts: [{ label: 'Value', value: '42 %' }],
  links: [
    { label: 'Open', href: '/alerts/late-flights' },
    { label: 'Runbook', href: 'https://wiki.example.org/a|b' },
  ],
  images: [{ name: 'a.png', alt: 'Chart', png: Uint8Array.of(1), width: 600 }],
  files: [{ name: 'a.csv', type: 'text/csv', bytes: Uint8Array.of(1) }],
};
const context: PayloadContext = {
  id: 'delivery-1',
  at: '2026-11-29T12:00:00.000Z',
  workspace: 'Flights',
  absolute: href => new URL(href, 'https://b.example').href,
  texts: mailTexts.en.message,
  routingKey: 'key',
};
const times = (count: number, one: Message) =>
  [one, ...Array.from({ length: count - 1 }, () => one)] as const;
const payload = (
  template: (typeof webhookTemplates)[number],
  ...messages: readonly [Message, ...Message[]]
) => JSON.parse(payloadOf(template, messages, context)) as Record<string, unknown>;

describe('a generic webhook', () => {
  test('has the message without pictures and files, and absolute links', () => {
    expect(payload('generic', message)).toEqual({
      version: 1,
      id: 'delivery-1',
      at: '2026-11-29T12:00:00.000Z',
      workspace: 'Flights',
      messages: [
        {
          kind: 'alert',
          about: 'alert:late-flights',
          title: 'Firing: Late flights',
          state: 'firing',
          severity: 'critical',
          lines: message.lines,
          facts: message.facts,
          links: [
            { label: 'Open', href: 'https://b.example/alerts/late-flights' },
            { label: 'Runbook', href: 'https://wiki.example.org/a|b' },
          ],
        },
      ],
    });
  });

  test('is signed over its time and its body', () => {
    const now = Date.UTC(2026, 10, 29);
    const digest = createHmac('sha256', 's3cret')
      .update(`${now / 1000}.{"a":1}`)
      .digest('hex');
    expect(signatureOf('{"a":1}', ['s3cret'], now + 999)).toBe(`t=${now / 1000},v1=${digest}`);
    expect(signatureOf('{"a":1}', ['new', 's3cret'], now)).toMatch(
      new RegExp(`^t=\\d+,v1=[0-9a-f]{64},v1=${digest}$`),
    );
  });
});

describe('Slack', () => {
  test('shows texts as they are: nothing notifies or links by itself', () => {
    const { text, blocks } = payload('slack', message) as { text: string; blocks: { type: string }[] };
    expect(text).toBe('Firing: Late flights');
    const all = JSON.stringify(blocks);
    expect(blocks[1]).toEqual({
      type: 'section',
      text: { type: 'plain_text', text: message.lines[0], emoji: false },
    });
    expect(all).toContain('<https://wiki.example.org/a%7Cb|Runbook>');
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'section', 'section']);
  });

  test('mentions no one in the text of a notification, and formats no value', () => {
    const named = { ...message, title: 'Firing: <!channel>', facts: [{ label: 'Watches', value: '*_a_*' }] };
    const { text, blocks } = payload('slack', named) as { text: string; blocks: { fields?: unknown }[] };
    expect(text).toBe('Firing: &lt;!channel&gt;');
    expect(blocks[2]!.fields).toEqual([{ type: 'plain_text', text: 'Watches\n*_a_*', emoji: false }]);
  });

  test('gets at most 50 blocks and short headers', () => {
    const long = { ...message, title: 'x'.repeat(500), lines: ['y'.repeat(9000)] };
    const { blocks } = payload('slack', ...times(20, long)) as {
      blocks: { text?: { text: string } }[];
    };
    expect(blocks.length).toBe(50);
    expect(Math.max(...blocks.map(({ text }) => text?.text.length ?? 0))).toBe(3000);
    expect(blocks[2]!.text!.text.length).toBe(150);
  });

  test('names all alerts of a group, also those without room', () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ ...message, title: `Alert ${i}` }));
    const [first, ...others] = many as [Message, ...Message[]];
    const { blocks } = payload('slack', first, ...others) as { blocks: { text?: { text: string } }[] };
    expect(blocks[0]!.text!.text).toMatch(/^20 alerts: Alert 0, .*, Alert 19$/);
  });
});

describe('Teams', () => {
  test('gets an Adaptive Card whose texts are not Markdown', () => {
    const { type, attachments } = payload('teams', message) as {
      type: string;
      attachments: {
        contentType: string;
        content: { body: { text?: string; color?: string }[]; actions: unknown };
      }[];
    };
    expect([type, attachments[0]!.contentType]).toEqual([
      'message',
      'application/vnd.microsoft.card.adaptive',
    ]);
    const { body, actions } = attachments[0]!.content;
    expect(body[0]).toMatchObject({ text: 'Firing: Late flights', color: 'Attention' });
    expect(body[1]!.text).toContain(String.raw`\[link\]\(https://evil.example\)`);
    expect(actions).toMatchObject([
      { type: 'Action.OpenUrl', url: 'https://b.example/alerts/late-flights' },
      {},
    ]);
  });

  test('stays under its limit of 28 KB', () => {
    const long: Message = {
      ...message,
      lines: Array.from({ length: 50 }, () => 'y'.repeat(500)),
      facts: Array.from({ length: 50 }, () => ({ label: 'z'.repeat(300), value: 'z'.repeat(900) })),
    };
    const many = Array.from({ length: 20 }, (_, i) => ({ ...message, title: `Alert ${i}` }));
    const [first, ...others] = many as [Message, ...Message[]];
    const { attachments } = payload('teams', first, ...others) as {
      attachments: { content: { body: { text: string }[] } }[];
    };
    expect(attachments[0]!.content.body[0]!.text).toMatch(/^20 alerts: Alert 0, .*, Alert 19$/);
    expect(payloadOf('teams', [long], context).length).toBeLessThan(28_000);
    const twenty = times(20, long);
    expect(payloadOf('teams', twenty, context).length).toBeLessThan(28_000);
  });
});

describe('Discord', () => {
  test('mentions no one, and stays under its limit of 6000 characters', () => {
    const long: Message = {
      ...message,
      lines: Array.from({ length: 50 }, () => '*'.repeat(500)),
      facts: Array.from({ length: 50 }, () => ({ label: 'z'.repeat(300), value: 'z'.repeat(900) })),
    };
    for (const count of [1, 3, 10, 20]) {
      const all = times(count, long);
      const body = payload('discord', ...all) as {
        allowed_mentions: unknown;
        embeds: { title: string; description: string; fields: { name: string; value: string }[] }[];
      };
      expect(body.allowed_mentions).toEqual({ parse: [] });
      expect(body.embeds.length).toBeLessThanOrEqual(10);
      const length = body.embeds.reduce(
        (sum, { title, description, fields }) =>
          sum +
          title.length +
          description.length +
          fields.reduce((all_, { name, value }) => all_ + name.length + value.length, 0),
        0,
      );
      expect(length).toBeLessThan(6000);
    }
  });
});

describe('PagerDuty', () => {
  test('opens an incident by the alert, and resolves the same one', () => {
    expect(payload('pagerduty', message)).toMatchObject({
      routing_key: 'key',
      event_action: 'trigger',
      dedup_key: 'alert:late-flights',
      payload: { summary: 'Firing: Late flights', severity: 'critical', source: 'Belvedere: Flights' },
    });
    expect(payload('pagerduty', { ...message, state: 'ok' })).toEqual({
      routing_key: 'key',
      event_action: 'resolve',
      dedup_key: 'alert:late-flights',
    });
  });

  test('keeps an incident open while other groups of the alert fire', () => {
    expect(payload('pagerduty', { ...message, state: 'ok', isOngoing: true })).toMatchObject({
      event_action: 'trigger',
      dedup_key: 'alert:late-flights',
    });
  });

  test('knows its own severities only', () => {
    const severities = (['info', 'warning', 'critical', undefined] as const).map(severity => {
      const { severity: _, ...rest } = message;
      const one = payload('pagerduty', severity === undefined ? rest : { ...rest, severity });
      return (one as { payload: { severity: string } }).payload.severity;
    });
    expect(severities).toEqual(['info', 'warning', 'critical', 'warning']);
  });
});

test.each(webhookTemplates)('%s gets the same bytes in every attempt', template => {
  expect(payloadOf(template, [message], context)).toBe(payloadOf(template, [message], context));
});

test.each([
  ['120', 120_000],
  [' 5 ', 5000],
  ['Sun, 29 Nov 2026 12:01:00 GMT', 60_000],
  ['Sun, 29 Nov 2026 11:00:00 GMT', 0],
  ['99999999', 3_600_000],
  ['soon', undefined],
  [undefined, undefined],
] as const)('Retry-After %s is a wait of %s ms', (header, wait) => {
  expect(retryAfterMs(header, Date.UTC(2026, 10, 29, 12))).toBe(wait);
});
