import { interfaceLanguages } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { compose, mailTexts } from './compose.ts';

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
        { reason: 'mention', by: 'Ana <script>', dashboard: 'Sales <i>' },
        { reason: 'reply', by: undefined, dashboard: 'Sales' },
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

  test('have different subjects', () => {
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(all.length);
  });
});
