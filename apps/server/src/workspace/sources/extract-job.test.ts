import { duckdb } from '@belvedere/sql';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProblemError } from '../../http/problems.ts';
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

describe('copies of one table', () => {
  const wanted = [{ source: 'shop', table: 'orders', everyMs: 5000 }];
  const { signal } = new AbortController();
  let state: string;
  beforeEach(async () => {
    state = await mkdtemp(path.join(os.tmpdir(), 'belvedere-extracts-'));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rm(state, { recursive: true });
  });

  test('are made one after another, and the second one is not needed', async () => {
    let running = 0;
    let copies = 0;
    const engine = {
      dialect: duckdb,
      tableName: () => 'orders',
      copy: async (_: unknown, __: unknown, addRow: (row: readonly string[]) => void) => {
        expect(++running).toBe(1);
        copies++;
        await new Promise(resolve => setTimeout(resolve, 30));
        addRow(['a']);
        running--;
      },
    };
    const tables = [
      { called: 'orders', schema: '', name: 'orders', columns: [{ name: 'id', type: 'text' }] },
    ];
    const sources = {
      engineOf: () => ({ engine, circuit: { run: (work: () => Promise<void>) => work() } }),
      states: new Map([['shop', { state: 'ready', tables }]]),
    } as unknown as SourceStore;
    const store = new ExtractStore(state, sources, () => {});
    store.copyBy(async () => {});
    await store.update(wanted);
    expect(await Promise.all([store.copy('shop_orders', signal), store.copy('shop_orders', signal)])).toEqual(
      [true, true],
    );
    expect(copies).toBe(1);
    expect(await readFile(path.join(state, 'extracts', 'shop_orders.csv'), 'utf8')).toBe('"id"\n"a"\n');
    store.close();
  });

  test('that wait for their source are not begun again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const sources = { engineOf: () => undefined, states: new Map() } as unknown as SourceStore;
    const store = new ExtractStore(state, sources, () => {});
    const begun: string[] = [];
    store.copyBy(async (_, key) => begun.push(key));
    await store.update(wanted);
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    for (let i = 0; i < 30; i++) {
      expect(await store.copy('shop_orders', signal)).toBe(false);
      await vi.advanceTimersByTimeAsync(2000);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(begun).toHaveLength(1);
    store.close();
  });
});
