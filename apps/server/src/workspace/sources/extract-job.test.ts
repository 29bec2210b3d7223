import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProblemError } from '../../problems.ts';
import { extractJob } from './extract-job.ts';
import { ExtractStore } from './extract-store.ts';
import type { SourceStore } from './source-store.ts';

const clock = { wall: () => 1000 };
const run = (copy: () => Promise<boolean | undefined>) =>
  extractJob({ copy }, clock).run({
    id: '1',
    object: 'shop_orders',
    dueAt: 1000,
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
  });

test.each([
  [true, { kind: 'done', detail: 'Copied' }],
  [undefined, { kind: 'done', detail: 'No model needs it any more' }],
  [false, { kind: 'postponed', until: 3000, detail: 'The source is not connected yet' }],
] as const)('a job of an extract that answers %j', async (copied, outcome) => {
  expect(await run(async () => copied)).toEqual(outcome);
});

test('a job whose copy fails says why, and is tried again', async () => {
  const failing = () => Promise.reject(new ProblemError('source-unreachable', 'The source did not answer.'));
  await expect(run(failing)).rejects.toThrow('The source did not answer.');
});

test('a table is copied once its copy is too old or absent, and never twice at a time', async () => {
  const state = await mkdtemp(path.join(os.tmpdir(), 'belvedere-extracts-'));
  await mkdir(path.join(state, 'extracts'));
  const copied = async (name: string, ageMs: number) => {
    const file = path.join(state, 'extracts', `${name}.csv`);
    await writeFile(file, '');
    const at = (Date.now() - ageMs) / 1000;
    await utimes(file, at, at);
  };
  await copied('shop_young', 1000);
  await copied('shop_old', 7_200_000);
  const store = new ExtractStore(state, {} as SourceStore, () => {});
  const begun: string[] = [];
  store.copyBy(async name => begun.push(name));
  const wanted = ['young', 'old', 'absent'].map(table => ({ source: 'shop', table, everyMs: 3_600_000 }));
  await store.update(wanted);
  await store.update(wanted);
  await expect.poll(() => begun.toSorted()).toEqual(['shop_absent', 'shop_old']);
  const { signal } = new AbortController();
  expect(await store.copy('shop_young', signal)).toBe(true);
  expect(await store.copy('shop_other', signal)).toBeUndefined();
  store.close();
  await rm(state, { recursive: true });
});
