import { contract } from '@belvedere/api';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-appended-'));
  await mkdir(path.join(folder, 'data'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

async function append(
  table: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await running.send(
    running.server.address + contract.appendRows.path.replace(':table', table),
    {
      method: 'POST',
      headers: { 'x-belvedere': '1', 'content-type': 'application/x-ndjson', ...headers },
      body,
    },
  );
  return { status: response.status, body: await response.json() };
}
const rowsOf = async (name: string) =>
  (await running.client.listTables({})).tables.find(table => table.name === name)?.rows;
const reading = (minute: number, value: number) =>
  `{"at":"2026-03-01T10:${String(minute).padStart(2, '0')}:00","sensor":"${'ab'[minute % 2]}","value":${value}}`;

test('appended rows are a table with an overview, which follows further rows', async () => {
  const first = Array.from({ length: 30 }, (_, i) => reading(i, i)).join('\n');
  expect(await append('readings', first)).toMatchObject({ status: 200, body: { added: 30 } });
  await expect.poll(() => rowsOf('readings')).toBe(30);
  const { client } = running;
  const params = { id: 'overview/readings' };
  await expect.poll(async () => (await client.getDashboard({ params, query: {} })).state).toBe('ready');
  const sum = async () => {
    const { rows } = await client.postQuery({
      params: { name: 'readings' },
      body: { dimensions: [], measures: ['rows', 'sum(value)'] },
    });
    return rows[0];
  };
  expect(await sum()).toEqual([30, 435]);
  for (let i = 30; i < 40; i++)
    expect(await append('readings', reading(i, i), { 'idempotency-key': `minute-${i}` })).toMatchObject({
      status: 200,
    });
  expect(await append('readings', reading(30, 30), { 'idempotency-key': 'minute-30' })).toMatchObject({
    body: { added: 1 },
  });
  await expect.poll(sum).toEqual([40, 780]);
  expect((await readFile(path.join(folder, 'data', 'readings.ndjson'), 'utf8')).split('\n')).toHaveLength(41);
});

test.each<
  [what: string, table: string, body: string, headers: Record<string, string>, status: number, says: string]
>([
  ['a wrong line', 'readings', '{"value":1}\n{', {}, 400, 'Line 2'],
  ['a table of a CSV file', 'small', '{"size":3}', {}, 400, 'read from `small.csv`'],
  ['a wrong name', 'Bad%20name', '{"size":3}', {}, 400, 'not a valid table name'],
  ['a wrong key', 'readings', '{"value":1}', { 'idempotency-key': 'x'.repeat(201) }, 400, 'Idempotency-Key'],
  ['JSON', 'readings', '{"value":1}', { 'content-type': 'application/json' }, 400, 'application/x-ndjson'],
  ['too many bytes', 'readings', `{"value":"${'x'.repeat(2 ** 20)}"}`, {}, 413, 'maximum is 1 MiB'],
])('%s is refused, and adds nothing', async (_, table, body, headers, status, says) => {
  const before = await readFile(path.join(folder, 'data', 'readings.ndjson'), 'utf8');
  const response = await append(table, body, headers);
  expect(response).toMatchObject({ status, body: { detail: expect.stringContaining(says) as string } });
  expect(await readFile(path.join(folder, 'data', 'readings.ndjson'), 'utf8')).toBe(before);
});
