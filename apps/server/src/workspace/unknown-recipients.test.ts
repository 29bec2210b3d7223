import { readDocument } from '@belvedere/document';
import { expect, test } from 'vitest';
import { unknownRecipientsIn, type RecipientNames } from './unknown-recipients.ts';

const team: RecipientNames = {
  users: new Set(['ana@example.org']),
  groups: new Set(['Operations']),
  channels: new Set(['ops-room']),
};
const local: RecipientNames = { channels: team.channels };

function problemsOf(kind: 'alert' | 'report', more: string, names: RecipientNames): string[] {
  const about =
    kind === 'alert'
      ? 'watch: { model: orders, measure: rows }\nwhen: { above: 1 }'
      : 'dashboard: orders\nschedule: { at: "08:00" }';
  const text = `version: 1\ntitle: A\n${about}\n${more}\n`;
  const read = readDocument(kind, text, 'a.yaml');
  const found = { file: 'a.yaml', text, updated: '', read } as Parameters<typeof unknownRecipientsIn>[1];
  return unknownRecipientsIn('a', found, names).map(({ line, message }) => `${line}: ${message}`);
}

test.each([
  ['alert', 'notify: [{ user: ana@example.org }, { group: Operations }, { channel: ops-room }]', []],
  [
    'alert',
    'owner: anna@example.org',
    ['5: Unknown user `anna@example.org`; did you mean `ana@example.org`?'],
  ],
  ['alert', 'notify: [{ group: Operation }]', ['5: Unknown group `Operation`; did you mean `Operations`?']],
  ['report', 'to: [{ channel: ops-rom }]', ['5: Unknown channel `ops-rom`; did you mean `ops-room`?']],
  [
    'report',
    'each:\n  - to:\n      - { user: ANA@example.org }\n      - { user: x@y.org }\n    filters: {}',
    ['8: Unknown user `x@y.org`.'],
  ],
  ['alert', 'notify: [{ user: not an address }]', []],
] as const)('%s %s', (kind, more, expected) => {
  expect(problemsOf(kind, more, team)).toEqual(expected);
});

test('without accounts, users and groups are not checked', () => {
  expect(problemsOf('alert', 'owner: x@y.org\nnotify: [{ group: X }, { channel: x }]', local)).toEqual([
    '6: Unknown channel `x`.',
  ]);
});
