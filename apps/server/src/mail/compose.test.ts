import { interfaceLanguages } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import type { Message } from '../deliver/message.ts';
import { compose, composeMessages, mailTexts } from './compose.ts';

const workspace = 'Shop “A & B” <i>';
const about = { workspace, address: 'https://b.example' };
const link = 'https://b.example/reset/token?a=1&b="2"';

describe.each(interfaceLanguages)('mails in %s', language => {
  const texts = mailTexts[language];
  const all = [
    texts.invitation({ workspace, by: 'Ana <script>', address: link }),
    texts.reset({ workspace, address: link, life: 'hour' }),
    texts.confirmEmail({ workspace, address: link }),
    texts.emailChanging({ workspace, next: 'ana@example.org' }),
    texts.passwordChanged({ workspace }),
    texts.methodAdded({ workspace, method: 'Company' }),
    texts.digest({
      workspace,
      address: link,
      named: [
        { reason: 'mention', by: 'Ana <script>', dashboard: 'Sales <i>', times: 3 },
        { reason: 'reply', by: undefined, dashboard: 'Sales', times: 1 },
      ],
      count: 12,
    }),
    texts.test({ workspace }),
  ];

  test('have the same content as plain text and as HTML, and no markup of others', () => {
    for (const text of all) {
      const mail = compose('ana@example.org', language, text, about);
      expect(mail.text).toContain(workspace);
      expect(mail.html).toContain('Shop “A &amp; B” &lt;i&gt;');
      expect(mail.html).not.toMatch(/<script|<i>|<img|undefined/);
      expect(mail.text.includes(link)).toBe(text.link !== undefined);
      expect(mail.html.includes('href="https://b.example/reset/token?a=1&amp;b=&quot;2&quot;"')).toBe(
        text.link !== undefined,
      );
      expect(mail.subject).not.toMatch(/[\r\n]/);
    }
  });

  test('of comments say how many there are of a user on a dashboard, and how many more', () => {
    const { text } = compose('ana@example.org', language, all[6]!, about);
    const lines = text.split('\n\n');
    expect(lines.filter(line => line.includes('Sales <i>'))).toEqual([expect.stringContaining('3')]);
    expect(lines.filter(line => line.includes('8'))).toHaveLength(1);
  });

  test('have different subjects', () => {
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(all.length);
  });
});

describe.each(interfaceLanguages)('messages in %s', language => {
  const message: Message = {
    kind: 'alert',
    about: 'alert:late',
    title: 'Late <b>flights</b>',
    state: 'firing',
    severity: 'critical',
    lines: ['More than 40 % & rising'],
    facts: [{ label: 'Airline <i>', value: 'A "quoted" one' }],
    links: [
      { label: 'Open', href: '/alerts/late?a=1&b=2' },
      { label: 'Runbook', href: 'https://wiki.example.org/' },
    ],
    images: [{ name: 'a.png', alt: 'A chart', png: Uint8Array.of(1), width: 600 }],
    files: [{ name: 'a.csv', type: 'text/csv', bytes: Uint8Array.of(1) }],
  };
  const mail = composeMessages(
    'ana@example.org',
    language,
    [message],
    { kind: 'user', unsubscribe: '/u' },
    about,
  );

  test('say the same as plain text and as HTML, without remote content', () => {
    for (const text of ['Late <b>flights</b>', 'More than 40 % & rising', 'a.csv', 'A chart'])
      expect(mail.text).toContain(text);
    expect(mail.text).toContain('https://b.example/alerts/late?a=1&b=2');
    expect(mail.html).toContain('Late &lt;b&gt;flights&lt;/b&gt;');
    expect(mail.html).toContain('href="https://b.example/alerts/late?a=1&amp;b=2"');
    expect(mail.html).not.toMatch(/<script|<b>|<i>|undefined|url\(|@import/);
    expect(Array.from(mail.html.matchAll(/src="([^"]*)"/g), ([, src]) => src)).toEqual([
      'cid:image-1-1@belvedere',
    ]);
    expect(mail.images).toEqual([{ cid: 'image-1-1@belvedere', name: 'a.png', png: Uint8Array.of(1) }]);
  });

  test('have colours of their own for dark mode', () => {
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(mail.html).toMatch(
      /prefers-color-scheme:dark\)\{\.b-page\{background:#15181e!important;color:#e7eaf0!important;\}/,
    );
  });

  test('have their title as the subject, or all titles of several', () => {
    expect(mail.subject).toBe(message.title);
    const several = composeMessages(
      'ana@example.org',
      language,
      [message, { ...message, title: 'Cancelled' }],
      { kind: 'channel', channel: 'ops' },
      about,
    );
    expect(several.subject).toMatch(/2.*Late <b>flights<\/b>.*Cancelled/);
    expect(several.text).toContain('ops');
    expect(several.images?.map(({ cid }) => cid)).toEqual(['image-1-1@belvedere', 'image-2-1@belvedere']);
  });

  test('have a page for unsubscribing only for users', () => {
    expect(mail.unsubscribe).toBe('https://b.example/u');
    const other = composeMessages(
      'a@b.example',
      language,
      [message],
      { kind: 'channel', channel: 'ops' },
      about,
    );
    expect(other.unsubscribe).toBeUndefined();
  });
});
