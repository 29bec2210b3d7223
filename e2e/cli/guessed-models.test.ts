import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project } from '../browser.ts';
import { allRead, runBelvedere } from '../running-belvedere.ts';

/** Commands on a folder without models use the same relationships between tables as a running server. */

let folder: string;
/** Dimensions of the model of orders that come from another table. */
let joined: string[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-guessed-'));
  const write = (file: string, lines: readonly string[]) =>
    writeFile(path.join(folder, file), `${lines.join('\n')}\n`);
  await write('customers.csv', [
    'customer_id,company_name,country',
    ...Array.from({ length: 40 }, (_, i) => `C${i},Company ${i},${['Chile', 'Peru', 'Cuba'][i % 3]}`),
  ]);
  await write('orders.csv', [
    'order_id,customer_id,freight',
    ...Array.from({ length: 400 }, (_, i) => `${i},C${(i * 7) % 40},${i % 90}.5`),
  ]);
  const running = await runBelvedere(folder);
  await allRead(running);
  await running.server.store.relationships.settled();
  const { dimensions } = running.server.store.current.models.get('orders')!.model;
  joined = Object.keys(dimensions).filter(name => !['order_id', 'customer_id', 'freight'].includes(name));
  await running.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a query names a field of a table that was found to belong to the model', async () => {
  expect(joined.length).toBeGreaterThan(0);
  const words = ['ask', 'orders', folder, '-m', 'rows', '-b', joined[0]!, '--csv', '-q'];
  const { out, err } = await new Promise<{ out: string; err: string }>(resolve => {
    execFile(
      process.execPath,
      [path.join(project, 'apps/cli/src/main.ts'), ...words],
      // No state of the server is there to be read.
      { env: { ...process.env, XDG_STATE_HOME: path.join(folder, 'state') } },
      (_, stdout, stderr) => resolve({ out: stdout, err: stderr }),
    );
  });
  expect(err).toBe('');
  expect(out.split(/\r?\n/)[0]).toBe(`${joined[0]},rows`);
});
