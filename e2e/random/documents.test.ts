import { jsonSchemaOf, readDocument } from '@belvedere/document';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';
import { randomDocument, type JsonSchema } from './random-document.ts';
import { randomFrom } from './random-from.ts';

/* Random dashboards: whatever the list says of one, opening and querying it agree. */

const count = Number(process.env['BELVEDERE_RANDOM'] ?? 50);
const words =
  'day city amount flag rows total constructor __proto__ toString absent s t p day.month 2024-01-01 {p} 1d'
    .split(' ')
    .concat('3 months');

let folder: string;
let running: Running;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-random-documents-'));
  for (const name of ['data', 'models', 'dashboards']) await mkdir(path.join(folder, name));
  const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
  await write('belvedere.yaml', 'version: 1\nlimits: { readsPerMinute: 1000000 }\n');
  await write('data/s.csv', 'day,city,amount,flag\n2024-01-01,A,1,true\n2024-02-01,B,2,false\n');
  await write(
    'models/s.yaml',
    'version: 1\ntable: s\ndimensions: { day: {}, city: {}, flag: {}, amount: {} }\n' +
      'measures: { rows: { expr: count(*) }, total: { expr: sum(amount) } }\n',
  );
  const random = randomFrom(Number(process.env['BELVEDERE_SEED'] ?? 40));
  const schema = jsonSchemaOf('dashboard') as JsonSchema;
  let made = 0;
  for (let tries = 0; made < count && tries < count * 200; tries++) {
    const document = randomDocument(schema, { random, words }) as Record<string, unknown>;
    const text = JSON.stringify({ ...document, title: `D${made}`, model: 's' });
    // Most must be valid, or nothing is queried.
    if (!readDocument('dashboard', text, 'd.yaml').ok && random() < 0.995) continue;
    await write(`dashboards/d${made++}.yaml`, text);
  }
  running = await runBelvedere(folder);
  await allRead(running);
}, 120_000);
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

test('the list, the page and the query of a random dashboard agree', { timeout: 120_000 }, async () => {
  const { client, send, server } = running;
  const { dashboards } = await client.listDashboards({});
  const wrong: string[] = [];
  let ready = 0;
  for (const { id, state } of dashboards) {
    const opened = await client.getDashboard({ params: { id } });
    const response = await send(`${server.address}/api/v1/dashboards/${id}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-belvedere': '1', origin: server.address },
      body: JSON.stringify({ state: { page: 0, filters: {}, selections: {} } }),
    });
    const text = await response.text();
    ready += Number(state === 'ready');
    const expected = state === 'broken' ? 422 : 200;
    if (opened.state !== state || response.status !== expected)
      wrong.push(`${id} ${opened.state} ${state} ${response.status} ${text.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
  expect(ready).toBeGreaterThan(count / 2);
});
