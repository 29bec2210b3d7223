import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Revisions } from './revisions.ts';
import { openStateDatabase } from './state-database.ts';

test('all revisions are kept for 90 days, and after that the last one of each day and file', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-revisions-'));
  const state = await openStateDatabase(folder);
  const revisions = new Revisions(state);
  const now = Date.UTC(2026, 5, 1, 12);
  const add = (file: string, daysAgo: number, hour: number) => {
    const { number } = revisions.add(file, `${file} ${daysAgo} ${hour}`, 'saved');
    state.run(
      'update revision set at = ? where number = ?',
      new Date(now - daysAgo * 86_400_000 + (hour - 12) * 3_600_000).toISOString(),
      number,
    );
    return number;
  };
  // More than one batch of them, two files in turn, three a day.
  const expected: number[] = [];
  state.transaction(() => {
    for (let daysAgo = 300; daysAgo >= 1; daysAgo--) {
      for (const hour of [8, 9, 10])
        for (const file of ['a', 'b']) {
          const number = add(file, daysAgo, hour);
          if (daysAgo < 90 || hour === 10) expected.push(number);
        }
    }
  });
  const kept = () =>
    state.all<{ number: number }>('select number from revision order by number').map(({ number }) => number);
  await revisions.prune(now);
  // Of the ninetieth day only the morning is older than 90 days.
  const plain = expected.filter(number => kept().includes(number));
  expect(plain).toEqual(expected);
  expect(kept().filter(number => !expected.includes(number)).length).toBeLessThanOrEqual(4);
  await revisions.prune(now);
  expect(kept().length).toBeLessThanOrEqual(expected.length + 4);
  state.close();
  await rm(folder, { recursive: true });
});
