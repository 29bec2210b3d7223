import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnWorker } from './spawn-worker.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-priorities-'));
  await writeFile(path.join(folder, 'idle.mjs'), 'setInterval(() => {}, 1000);');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// Higher numbers give way to lower ones. 19 is the lowest priority: beside busy programs, it is a standstill.
test('queries come before imports, imports before floods, and only floods have the lowest priority', () => {
  const script = pathToFileURL(path.join(folder, 'idle.mjs'));
  const above = os.getPriority();
  const priorities = (['query', 'import', 'flood'] as const).map(work => {
    const child = spawnWorker(script, 2 ** 30, {}, work);
    const priority = os.getPriority(child.pid!);
    child.kill('SIGKILL');
    return priority;
  });
  const [query, imports, flood] = priorities as [number, number, number];
  expect(query).toBeGreaterThan(above);
  expect(imports).toBeGreaterThan(query);
  expect(flood).toBeGreaterThan(imports);
  expect(imports).toBeLessThan(19);
});
