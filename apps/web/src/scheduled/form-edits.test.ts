import { editText, type Recipient } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { addRecipient, removeRecipient } from './recipient-edits.ts';
import { setKeys } from './set-keys.ts';

describe('recipients in a text', () => {
  const text = 'title: A\nto:\n  - { user: ana@example.org } # the boss\n  - { group: Sales }\n';
  const all: readonly Recipient[] = [{ user: 'ana@example.org' }, { group: 'Sales' }];

  test('one is added as a line of its own', () => {
    expect(editText(text, addRecipient(['to'], all, { channel: 'ops' }))).toBe(
      `${text}  - { channel: ops }\n`,
    );
    expect(editText('title: A\n', addRecipient(['to'], undefined, { channel: 'ops' }))).toBe(
      'title: A\nto: [{ channel: ops }]\n',
    );
  });

  test('one that is there is not added again', () => {
    expect(addRecipient(['to'], all, { group: 'Sales' })).toEqual([]);
    expect(addRecipient(['to'], all, { channel: 'Sales' })).toHaveLength(1);
  });

  test('one is removed, and the list with the last one', () => {
    expect(editText(text, removeRecipient(['to'], all, 1))).toBe(
      'title: A\nto:\n  - { user: ana@example.org } # the boss\n',
    );
    expect(editText('title: A\nto: [{ group: Sales }]\n', removeRecipient(['to'], all.slice(1), 0))).toBe(
      'title: A\n',
    );
  });
});

test.each([
  ['title: A\n', undefined, { a: 1 }, 'title: A\nmap: { a: 1 }\n'],
  ['title: A\nmap: { a: 1 }\n', { a: 1 }, { b: 2 }, 'title: A\nmap: { a: 1, b: 2 }\n'],
  ['title: A\nmap: { a: 1, b: 2 }\n', { a: 1, b: 2 }, { a: undefined, b: 3 }, 'title: A\nmap: { b: 3 }\n'],
  ['title: A\nmap: { a: 1 }\n', { a: 1 }, { a: undefined }, 'title: A\n'],
  ['title: A\n', undefined, { a: undefined }, 'title: A\n'],
])('keys of a map: %j with %j and %j', (text, now, changes, expected) => {
  expect(editText(text, setKeys(['map'], now, changes))).toBe(expected);
});
