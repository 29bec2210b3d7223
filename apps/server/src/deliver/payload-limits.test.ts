import type { AlertFile } from '@belvedere/document';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alertMessage } from '../alerts/alert-message.ts';
import { applyCheck } from '../alerts/apply-check.ts';
import type { Observed } from '../alerts/observe.ts';
import { mailTexts } from '../mail/compose.ts';
import type { Message } from './message.ts';
import { payloadOf, type PayloadContext } from './payloads.ts';

/*
 * Payloads of random alerts within the limits that the services document:
 * Slack, https://docs.slack.dev/reference/block-kit/blocks and …/composition-objects/text-object;
 * Teams, Adaptive Cards 1.4 (https://adaptivecards.io/schemas/1.4.0/adaptive-card.json), 28 KB for a webhook;
 * Discord, https://discord.com/developers/docs/resources/message#embed-object-embed-limits;
 * PagerDuty, https://developer.pagerduty.com/docs/events-api-v2/trigger-events, 512 KB for an event.
 */

const hostile = [
  '@everyone',
  '@here',
  '<!channel>',
  '<@U024BE7LH>',
  '<at>all</at>',
  '*bold* _it_ ~no~ `code` ```block```',
  '[text](https://evil.example)',
  '<https://evil.example|text>',
  '# heading\n- item\n> quote',
  '> quote',
  '| a | b |',
  'https://evil.example/?a=1&b=2',
  '&amp;&lt;',
  '\\\\',
  ']]>}}${x}{{DATE(2026-01-01T00:00:00Z,SHORT)}}',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '𝒳'.repeat(40),
  '漢字'.repeat(30),
  'العربية\u202E',
  '\u0000\u0007',
  ' ',
];
const texts = (longest: number) =>
  fc.oneof(
    fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 30 }).map(all => all.join(' ')),
    fc.constantFrom(...hostile),
    fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
    fc.constantFrom('&', '*', '<', '\\', 'é', '👍').map(one => one.repeat(longest)),
  );
const title = texts(200).map(text => [...text].slice(0, 100).join('') || '–');

/** An alert with many groups and texts that have a meaning for the services. */
const randomAlerts = fc
  .record({
    id: fc.oneof(fc.constant('late'), fc.constant(`${'folder/'.repeat(40)}late`)),
    title,
    description: fc.option(texts(2000), { nil: undefined }),
    owner: fc.option(fc.constant('eva@example.org'), { nil: undefined }),
    severity: fc.constantFrom('info', 'warning', 'critical', undefined),
    groups: fc.array(texts(300), { minLength: 1, maxLength: 12 }),
    copies: fc.constantFrom(1, 1, 100),
    value: fc.constantFrom(20, 1e300, -5, null),
    filters: fc.constantFrom(0, 1, 500),
    runbook: fc.constantFrom(
      undefined,
      'https://wiki.example.org/a|b)c?d=[e]',
      `https://w.example/${'x'.repeat(1900)}`,
    ),
    locale: fc.constantFrom('en', 'de', 'zh'),
  })
  .map(({ id, groups, copies, value, filters, locale, ...more }): Message => {
    const alert = {
      version: 1,
      watch: {
        dashboard: 'flights',
        tile: 'late',
        ...(filters > 0 && {
          filters: { city: { oneOf: Array.from({ length: filters }, (_, i) => `Città ${i}`) } },
        }),
      },
      when: { above: 10 },
      onNoData: 'notify',
      ...Object.fromEntries(Object.entries(more).filter(([, part]) => part !== undefined)),
    } as unknown as AlertFile;
    const labels = Array.from({ length: copies }, () => groups).flat();
    const observed = {
      series: labels.map((label, i) => ({ group: `${i}`, label, points: [{ from: 0, below: 1, value }] })),
      by: ['city'],
    } as unknown as Observed;
    const known = {
      groups: applyCheck(alert, { groups: [] }, { observed }, 0).groups,
    };
    const { due } = applyCheck(alert, known, { error: 'The server does not answer.' }, 9e9);
    const first = applyCheck(alert, { groups: [] }, { observed }, 0).due;
    return alertMessage({
      groups: known.groups,
      id,
      alert,
      due:
        first.length > 0
          ? first
          : due.length > 0
            ? due
            : known.groups.map(group => ({ group, due: 'change' as never })),
      watches: more.title,
      to: [],
      key: 'k',
      now: Date.UTC(2026, 10, 29),
      locale,
      zone: 'UTC',
    });
  });
/** Messages of other kinds and sizes than those of today's alerts. */
const randomMessages = fc
  .record({
    title,
    state: fc.constantFrom('firing', 'ok', 'noData', 'error'),
    severity: fc.constantFrom('info', 'warning', 'critical'),
    lines: fc.array(texts(5000), { maxLength: 40 }),
    facts: fc.array(fc.record({ label: texts(3000), value: texts(3000) }), { maxLength: 40 }),
    links: fc.array(
      fc.record({
        label: texts(500),
        href: fc.constantFrom('/d/a', `/d/${'ü'.repeat(900)}`, 'https://w.example/|)('),
      }),
      { maxLength: 12 },
    ),
  })
  .map(
    (parts): Message =>
      ({ kind: 'alert', about: `alert:${'a/'.repeat(200)}`, images: [], files: [], ...parts }) as Message,
  );
const groups = fc.array(fc.oneof(randomAlerts, randomMessages), { minLength: 1, maxLength: 20 });
const context = (language: 'en' | 'de' | 'zh'): PayloadContext => ({
  id: 'delivery-1',
  at: '2026-11-29T12:00:00.000Z',
  workspace: 'Flüge'.repeat(40),
  absolute: href => new URL(href, 'https://bi.example.org').href,
  texts: mailTexts[language].message,
  routingKey: 'k'.repeat(32),
});
const rounds = Number(process.env['BELVEDERE_ROUNDS'] ?? 40);

type Json = Readonly<Record<string, unknown>>;
/** Sends the payloads of random messages to a check. */
const each = (
  template: Parameters<typeof payloadOf>[0],
  most: number,
  check: (payload: Json, text: string) => void,
) =>
  fc.assert(
    fc.property(groups, fc.constantFrom('en', 'de', 'zh'), (messages, language) => {
      const [first, ...others] = messages.slice(0, most);
      const text = payloadOf(template, [first!, ...others], context(language));
      expect(text.isWellFormed()).toBe(true);
      check(JSON.parse(text) as Json, text);
    }),
    { numRuns: rounds },
  );
const length = (text: unknown, from: number, to: number) => {
  expect(typeof text).toBe('string');
  const found = (text as string).length;
  expect(found >= from && found <= to, `${found} characters, ${from} to ${to} allowed`).toBe(true);
};
const keys = (object: object, ...known: readonly string[]) =>
  expect(Object.keys(object).filter(key => !known.includes(key))).toEqual([]);
const bytes = (text: string) => Buffer.byteLength(text);

describe('payloads of random alerts', () => {
  test('fit Slack’s blocks, and link or mention nothing by themselves', () => {
    each('slack', 20, payload => {
      keys(payload, 'text', 'blocks', 'unfurl_links');
      length(payload['text'], 1, 40_000);
      const blocks = payload['blocks'] as Json[];
      expect(blocks.length).toBeGreaterThan(0);
      expect(blocks.length).toBeLessThanOrEqual(50);
      const written: string[] = [payload['text'] as string];
      const text = (object: unknown, most: number) => {
        const { type, text: said, ...more } = object as { type: string; text: string };
        length(said, 1, most);
        if (type === 'plain_text') return keys(more, 'emoji');
        expect([type, more]).toEqual(['mrkdwn', { verbatim: true }]);
        return written.push(said);
      };
      for (const block of blocks) {
        keys(block, 'type', 'text', 'fields');
        if (block['type'] === 'divider') continue;
        if (block['type'] === 'header') {
          expect(block['text']).toMatchObject({ type: 'plain_text' });
          text(block['text'], 150);
          continue;
        }
        expect(block['type']).toBe('section');
        expect(block['text'] ?? block['fields']).toBeDefined();
        if (block['text'] !== undefined) text(block['text'], 3000);
        const fields = (block['fields'] ?? []) as unknown[];
        expect(fields.length).toBeLessThanOrEqual(10);
        for (const field of fields) text(field, 2000);
      }
      for (const said of written) {
        // Only whole links to addresses are between angle brackets, and entities are whole.
        expect(said.replaceAll(/<https?:\/\/[^<>|]+\|[^<>|]*>/g, '')).not.toMatch(/[<>]/);
        expect(said.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
      }
      // The first is for notifications. Texts from data begin no bold text, code or quotation in the others.
      for (const said of written.slice(1)) {
        const unlinked = said.replaceAll(/<https?:\/\/[^<>|]+\|[^<>|]*>/g, '').replace(/^\*[^*]+\*\n/, '');
        expect(unlinked).not.toMatch(/[*_~`]|^&gt;/m);
      }
    });
  });

  test('are Adaptive Cards of Teams within 28 KB', () => {
    each('teams', 20, (payload, all) => {
      expect(bytes(all)).toBeLessThan(28_000);
      keys(payload, 'type', 'attachments');
      const [{ content, ...attachment }] = payload['attachments'] as [{ content: Json }];
      expect(attachment).toEqual({
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
      });
      keys(content, '$schema', 'type', 'version', 'fallbackText', 'body', 'actions', 'msteams');
      length(content['fallbackText'], 1, 300);
      const body = content['body'] as Json[];
      expect(body.length).toBeGreaterThan(0);
      for (const part of body) {
        if (part['type'] === 'FactSet') {
          keys(part, 'type', 'facts');
          for (const fact of part['facts'] as Json[]) {
            keys(fact, 'title', 'value');
            length(fact['title'], 0, 100);
            length(fact['value'], 0, 200);
          }
          continue;
        }
        expect(part['type']).toBe('TextBlock');
        keys(part, 'type', 'text', 'wrap', 'spacing', 'weight', 'size', 'color', 'separator');
        // That of a group lists the titles of all.
        length(part['text'], 0, part === body[0] ? 2000 : 400);
        if (part['color'] !== undefined)
          expect(['Good', 'Accent', 'Warning', 'Attention', 'Default']).toContain(part['color']);
        // An unescaped bracket would begin a link, and a last backslash would escape what follows.
        expect((part['text'] as string).replaceAll(/\\./gs, '')).not.toMatch(/[[\]*_`\\]/);
      }
      const actions = content['actions'] as Json[];
      expect(actions.length).toBeLessThanOrEqual(6);
      for (const action of actions) {
        keys(action, 'type', 'title', 'url');
        expect(URL.canParse(action['url'] as string)).toBe(true);
      }
    });
  });

  test('fit Discord’s embeds, and mention no one', () => {
    each('discord', 20, payload => {
      keys(payload, 'content', 'allowed_mentions', 'embeds');
      expect(payload['allowed_mentions']).toEqual({ parse: [] });
      length(payload['content'], 1, 2000);
      const embeds = payload['embeds'] as Json[];
      expect(embeds.length).toBeLessThanOrEqual(10);
      let total = 0;
      for (const embed of embeds) {
        keys(embed, 'title', 'description', 'url', 'color', 'fields', 'timestamp');
        length(embed['title'], 1, 256);
        length(embed['description'], 0, 4096);
        if (embed['url'] !== undefined) length(embed['url'], 1, 2048);
        expect(embed['color']).toBeLessThanOrEqual(0xffffff);
        total += (embed['title'] as string).length + (embed['description'] as string).length;
        const fields = embed['fields'] as { name: string; value: string; inline: boolean }[];
        expect(fields.length).toBeLessThanOrEqual(25);
        for (const { name, value } of fields) {
          length(name.trim(), 1, 256);
          length(value.trim(), 1, 1024);
          total += name.length + value.length;
        }
        expect((embed['title'] as string).replaceAll(/\\./gs, '')).not.toMatch(/[*_~`[\]\\]/);
        // Links are whole.
        const said = (embed['description'] as string).replaceAll(/\\./gs, '');
        expect(said.replaceAll(/\[[^[\]]*\]\(https?:[^()]*\)/g, '')).not.toMatch(/[[\]]/);
      }
      expect(total).toBeLessThanOrEqual(6000);
    });
  });

  test('fit PagerDuty’s events, with one key for each alert', () => {
    each('pagerduty', 1, (payload, all) => {
      expect(bytes(all)).toBeLessThan(512 * 1024);
      length(payload['routing_key'], 32, 32);
      length(payload['dedup_key'], 1, 255);
      expect(['trigger', 'resolve']).toContain(payload['event_action']);
      if (payload['event_action'] === 'resolve')
        return keys(payload, 'routing_key', 'dedup_key', 'event_action');
      keys(payload, 'routing_key', 'dedup_key', 'event_action', 'payload', 'links', 'client', 'client_url');
      const event = payload['payload'] as Json;
      keys(event, 'summary', 'source', 'severity', 'timestamp', 'component', 'custom_details');
      length(event['summary'], 1, 1024);
      length(event['source'], 1, 255);
      expect(['critical', 'warning', 'error', 'info']).toContain(event['severity']);
      expect(new Date(event['timestamp'] as string).toISOString()).toBe(event['timestamp']);
      for (const { href, text } of payload['links'] as { href: string; text: string }[]) {
        expect(URL.canParse(href)).toBe(true);
        length(text, 1, 200);
      }
    });
    const keyOf = (about: string) =>
      JSON.parse(
        payloadOf(
          'pagerduty',
          [
            {
              kind: 'alert',
              about,
              title: 'A',
              state: 'ok',
              lines: [],
              facts: [],
              links: [],
              images: [],
              files: [],
            },
          ],
          context('en'),
        ),
      ).dedup_key as string;
    expect(keyOf(`alert:${'a'.repeat(300)}1`)).not.toBe(keyOf(`alert:${'a'.repeat(300)}2`));
    expect(keyOf('alert:late')).toBe('alert:late');
  });
});
