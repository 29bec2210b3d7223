import type { DashboardState } from '@belvedere/api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '../random/random-from.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

/** `limits.cacheMemory` bounds the total of all cached results, whichever endpoint requested them. */

const limitBytes = 2 ** 20;
const seed = Number(process.env['BELVEDERE_SEED']);
let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-memory-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\nlimits: { cacheMemory: 1 MiB }\n');
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `${i % 700},${(i * 37) % 500},${'a city of a long name '.repeat(3)}${i % 300}`,
  );
  await writeFile(path.join(folder, 'data', 'sales.csv'), ['hour,amount,city', ...lines].join('\n'));
  await writeFile(
    path.join(folder, 'dashboards', 'sales.yaml'),
    `version: 1
title: Sales
model: sales
pages:
  - title: One
    tiles:
      hours: { kind: bar, x: { field: hour, bin: { step: 1 } }, y: { measure: rows } }
      amounts: { kind: heatmap, x: { field: amount, bin: { step: 10 } }, y: { field: hour, bin: { step: 20 } }, color: { measure: rows } }
      cities: { kind: bar, x: { measure: rows }, y: { field: city, limit: 60 } }
      list: { kind: table, columns: [hour, amount, city] }
`,
  );
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

test(`random requests never use more than the limit (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const { queries, streams } = running.server;
  const below = (count: number) => Math.floor(random() * count);
  let most = 0;
  for (let i = 0; i < 250; i++) {
    const from = below(400);
    const state: DashboardState = {
      page: 0,
      filters: { amount: { from, below: from + 1 + below(100) } },
      selections: random() < 0.5 ? {} : { hours: [{ hour: { from: below(100), below: 101 + below(500) } }] },
    };
    if (random() < 0.7)
      await collect(
        await running.client.queryTiles({ params: { id: 'sales' }, body: { state, scope: 'both' } }),
      );
    else if (random() < 0.5)
      await collect(
        await running.client.getBrushIndex({ params: { id: 'sales' }, body: { state, active: 'hours' } }),
      );
    else
      await running.client.getTileRows({
        params: { id: 'sales', tile: 'list' },
        body: { state, offset: below(500), limit: 1 + below(200) },
      });
    most = Math.max(most, queries.memory.bytes);
    expect(queries.memory.bytes, `request ${i}`).toBeLessThanOrEqual(limitBytes);
    expect(queries.cache.bytes + streams.bytes, `request ${i}`).toBeLessThanOrEqual(limitBytes);
  }
  // The limit was reached, so the test had enough requests.
  expect(most).toBeGreaterThan(0.7 * limitBytes);
}, 240_000);
