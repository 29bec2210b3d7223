import type { NotifiedState } from '@belvedere/alert';
import type { AlertFile } from '@belvedere/document';
import { expect, test } from 'vitest';
import type { GroupState } from '../state/messages/alert-states.ts';
import { alertMessage } from './alert-message.ts';

const alert = {
  version: 1,
  title: 'Late',
  watch: { dashboard: 'flights', tile: 'by_airport' },
  when: { above: 20 },
} as unknown as AlertFile;
const group = (name: string, notified: NotifiedState): GroupState => ({
  group: name,
  label: name,
  state: { state: notified, since: 0, value: 1, notified, notifiedAt: 0 },
  verdict: { kind: 'ok', value: 1, reason: { kind: 'limit' } },
});
const breach = {
  kind: 'breach',
  value: 1234.5,
  reason: { kind: 'limit', high: 20 },
} as const;

test.each<[string, NotifiedState[], object]>([
  ['the last group', ['ok', 'ok'], { state: 'ok', isOngoing: undefined }],
  ['one group while another fires', ['ok', 'firing'], { state: 'ok', isOngoing: true }],
  ['one group while another has no data', ['ok', 'noData'], { state: 'ok', isOngoing: true }],
])('a message that %s is over says whether the alert goes on', (_, notified, expected) => {
  const groups = notified.map((state, i) => group(`g${i}`, state));
  const { state, isOngoing } = alertMessage({
    id: 'late',
    alert,
    due: [{ group: groups[0]!, due: 'change' }],
    groups,
    watches: 'By airport',
    to: [],
    key: 'key',
    now: 0,
    locale: 'en-US',
    zone: 'UTC',
  });
  expect({ state, isOngoing }).toEqual(expected);
});

test('a message carries the language of its alert', () => {
  const fired = { ...group('JFK', 'firing'), verdict: breach };
  const messageIn = (locale: string | undefined, written: string) =>
    alertMessage({
      id: 'late',
      alert: { ...alert, ...(locale !== undefined && { locale }) },
      due: [{ group: fired, due: 'change' }],
      groups: [fired],
      watches: 'By airport',
      to: [],
      key: 'key',
      now: 0,
      locale: written,
      zone: 'UTC',
    });
  expect(messageIn(undefined, 'en-US')).not.toHaveProperty('locale');
  expect(messageIn('de-CH', 'de-CH')).toMatchObject({
    locale: 'de-CH',
    title: 'Ausgelöst: Late',
    lines: ["JFK: 1'234.5 liegt über 20."],
  });
});
