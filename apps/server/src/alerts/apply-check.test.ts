import type { AlertFile } from '@belvedere/document';
import { expect, test } from 'vitest';
import type { AlertRecord } from '../state/messages/alert-states.ts';
import { applyCheck, applyFirstCheck, type Finding } from './apply-check.ts';
import { firingSpans } from './firing-spans.ts';
import type { Observed } from './observe.ts';

const above = (limit: number) =>
  ({
    version: 1,
    title: 'Late',
    watch: { model: 'flights', measure: 'late' },
    when: { above: limit },
  }) as AlertFile;
const found = (value: number): Finding => ({
  observed: {
    series: [{ group: '', label: '', points: [{ from: 0, below: 0, value }] }],
    by: [],
  } as unknown as Observed,
});

test.each([
  ['whose limit was raised ends to fire', 30, [[1000, 2000]]],
  ['that still fires after its change fires anew', 10, [[1000, 2000], [2000]]],
])('an alert %s (above %d)', (_, limit, expected) => {
  const none: AlertRecord = { groups: [] };
  const first = applyCheck(above(5), none, found(20), 1000);
  const second = applyFirstCheck(above(limit), { groups: first.groups }, found(20), 2000);
  const changes = [...first.changes, ...second.changes].toReversed();
  expect(firingSpans(changes).map(({ from, to }) => (to === undefined ? [from] : [from, to]))).toEqual(
    expected,
  );
});
