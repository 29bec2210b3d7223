import { contract } from '@belvedere/api';
import { expect, test } from 'vitest';
import { readIfMatch } from './if-match.ts';

const read = (header: string | undefined, definition: Parameters<typeof readIfMatch>[1]) => {
  try {
    return readIfMatch(header, definition);
  } catch (error) {
    return (error as { type: string }).type;
  }
};

test.each([
  [undefined, undefined],
  ['"abc"', 'abc'],
  [' "2026-11-29T10:00:00.000Z" ', '2026-11-29T10:00:00.000Z'],
  ['*', 'request-invalid'],
  ['abc', 'request-invalid'],
  ['W/"abc"', 'request-invalid'],
  ['"a", "b"', 'request-invalid'],
  ['""', 'request-invalid'],
  [`"${'a'.repeat(65)}"`, 'request-invalid'],
])('the header %s is read as %s', (header, version) => {
  expect(read(header, { replaces: 'document' })).toBe(version);
});

test('a request that compares no versions is refused with the header, and works without it', () => {
  expect([read('"abc"', {}), read(undefined, {})]).toEqual(['request-invalid', undefined]);
});

test('endpoints that save a text, a connection, a group, a channel, a provider or a note compare versions', () => {
  const comparing = Object.entries(contract).filter(([, definition]) => 'replaces' in definition);
  expect(comparing.map(([name]) => name).toSorted()).toEqual([
    'patchDashboard',
    'saveAlertText',
    'saveDashboardText',
    'saveGroup',
    'saveModelText',
    'saveReportText',
    'saveSource',
    'updateChannel',
    'updateEventNote',
    'updateProvider',
  ]);
});
