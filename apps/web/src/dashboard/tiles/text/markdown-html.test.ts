import { expect, test } from 'vitest';
import { markdownHtml } from './markdown-html.ts';

test.each([
  '//evil.example',
  '///evil.example',
  '\\\\\\\\evil.example',
  '/\\\\evil.example',
  '&#47;&#47;evil.example',
  '&sol;&sol;evil.example',
  '</\t/evil.example>',
  '</&Tab;/evil.example>',
  '</&#10;/evil.example>',
  '<\t//evil.example>',
  '<  //evil.example>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'ftp://evil.example/x',
  'file:///etc/passwd',
])('a link or picture to %s leads nowhere else', address => {
  for (const html of [
    markdownHtml(`[x](${address})`),
    markdownHtml(`![x](${address})`),
    markdownHtml(`[x]\n\n[x]: ${address}`),
  ]) {
    for (const [, found] of html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(new URL(found!.replaceAll('&amp;', '&'), 'https://own.example/d/a').origin).toBe(
        'https://own.example',
      );
  }
});

test.each([
  'https://example.org/a?b=c',
  'http://example.org',
  'mailto:a@example.org',
  '/d/orders',
  '#part',
  'd/orders//x',
])('a link to %s stays', address => {
  expect(markdownHtml(`[x](${address})`)).toContain(`href="${address}"`);
});

test('a picture of another server is its text', () => {
  for (const address of ['https://evil.example/x.png', 'HTTP://evil.example/x', '<https://evil.example/a b>'])
    expect(markdownHtml(`See ![a "figure"](${address} "title").`)).toBe('<p>See a &quot;figure&quot;.</p>');
  expect(markdownHtml('![logo](/api/v1/images/logo.png)')).toContain('<img src="/api/v1/images/logo.png"');
});
