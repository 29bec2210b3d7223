import { expect, test } from 'vitest';
import { isLinkTemplate, linkTo } from './link-template.ts';

test.each([
  ['https://example.org/{value}', true],
  ['mailto:{value}', true],
  ['{value}', true],
  ['{value}/edit', true],
  ['/d/orders?f.customer=["{value}"]', true],
  ['https://example.org/', false],
  ['javascript:alert({value})', false],
  ['//example.org/{value}', false],
  ['/\\example.org/{value}', false],
  ['\\\\example.org/{value}', false],
  ['/\t/example.org/{value}', false],
  ['/\n/example.org/{value}', false],
  ['\n//example.org/{value}', false],
  ['data:text/html,{value}', false],
  ['example.org/{value}', false],
])('`%s` is a template: %s', (text, is) => expect(isLinkTemplate(text)).toBe(is));

test.each([
  ['https://example.org/{value}', 'a b/c?d&e', 'https://example.org/a%20b%2Fc%3Fd%26e'],
  ['https://example.org/{value}', '日本', 'https://example.org/%E6%97%A5%E6%9C%AC'],
  ['https://example.org/{value}/{value}', 7, 'https://example.org/7/7'],
  ['https://example.org/{value}', '$&', 'https://example.org/%24%26'],
  ['mailto:{value}', 'ana@example.org', 'mailto:ana%40example.org'],
  ['/d/orders?f.customer=["{value}"]', 'A&B', '/d/orders?f.customer=["A%26B"]'],
  ['{value}', 'https://example.org/a?b=c', 'https://example.org/a?b=c'],
  ['{value}', 'javascript:alert(1)', undefined],
  ['{value}', ' JavaScript:alert(1)', undefined],
  ['{value}', 'data:text/html,<script>', undefined],
  ['{value}', 'no address', undefined],
  ['{value}', '//example.org', undefined],
  ['{value}', '/\\example.org', undefined],
  ['{value}', '\t//example.org', undefined],
  ['/\t/example.org/{value}', 'x', undefined],
  ['/{value}', '/example.org', '/%2Fexample.org'],
  ['https://example.org/{value}', null, undefined],
  ['https://example.org/{value}', '', undefined],
] as const)('by `%s`, %j leads to %s', (template, value, address) =>
  expect(linkTo(template, value)).toBe(address),
);
