import { ApiError, uploadFile } from '@belvedere/api';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from './running-belvedere.ts';

let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-uploads-'));
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

const text = `city,people\n${Array.from({ length: 5000 }, (_, i) => `City ${i},${i}`).join('\n')}\n`;
const bytes = Buffer.from(text);
const put = async (name: string, size: number, offset: number, piece: Buffer, more = '') => {
  const response = await running.send(`${running.server.address}/api/uploads/${encodeURIComponent(name)}?size=${size}&offset=${offset}${more}`, { method: 'PUT', headers: { 'x-belvedere': '1', 'content-type': 'application/octet-stream' }, body: new Uint8Array(piece) });
  return { status: response.status, body: (await response.json()) as { received?: number; isWhole?: boolean; type?: string } };
};

test('a file comes in pieces, goes on where it was broken off, and is a table when it is whole', async () => {
  expect((await put('cities.csv', bytes.length, 0, bytes.subarray(0, 20_000))).body).toEqual({ received: 20_000, isWhole: false });
  expect(await readdir(path.join(folder, 'data'))).toEqual(['small.csv']);
  // From elsewhere than where it ended: nothing is written.
  expect((await put('cities.csv', bytes.length, 10_000, bytes.subarray(10_000))).body.type).toBe('revision-conflict');
  expect(await running.client.getUpload({ params: { name: 'cities.csv' }, query: { size: bytes.length } })).toEqual({ received: 20_000, isWhole: false });
  expect((await put('cities.csv', bytes.length, 20_000, bytes.subarray(20_000))).body).toEqual({ received: bytes.length, isWhole: true });
  expect(await readFile(path.join(folder, 'data', 'cities.csv'), 'utf8')).toBe(text);
  await expect.poll(async () => (await running.client.listTables({})).tables.find(table => table.name === 'cities')?.rows).toBe(5000);
  expect((await running.client.getDashboard({ params: { id: 'overview/cities' }, query: {} })).state).toBe('ready');
});

test('never over another, unless that is what was asked', async () => {
  const other = Buffer.from('colour,size\ngreen,9\n');
  expect((await put('small.csv', other.length, 0, other)).body.type).toBe('revision-conflict');
  expect(await readFile(path.join(folder, 'data', 'small.csv'), 'utf8')).toContain('red,1');
  expect((await put('small.csv', other.length, 0, other, '&replaces=true')).body.isWhole).toBe(true);
  await expect.poll(async () => (await running.client.listTables({})).tables.find(table => table.name === 'small')?.rows).toBe(1);
});

test.each([['../out.csv', 'request-invalid'], ['.hidden.csv', 'request-invalid'], ['a/b.csv', 'request-invalid'], ['a\\b.csv', 'request-invalid'], ['run.exe', 'file-unreadable'], ['page.html', 'file-unreadable']])('`%s` is refused', async (name, type) => {
  expect((await put(name, 3, 0, Buffer.from('a\n1'))).body.type).toBe(type);
});

test('what is larger than it said is refused', async () => {
  expect((await put('more.csv', 3, 0, Buffer.from('a\n1\n2'))).body.type).toBe('request-invalid');
  expect(await put('huge.csv', 10 ** 12, 0, Buffer.from('a\n1\n2'))).toMatchObject({ status: 413, body: { type: 'upload-refused' } });
  expect(await put('pieces.csv', 2 ** 24, 0, Buffer.alloc(2 ** 23 + 1))).toMatchObject({ status: 413, body: { type: 'upload-refused' } });
});

test('as the browser does it: with a connection that breaks, and refusals as they are', async () => {
  const shares: number[] = [];
  let sent = 0;
  const broken: typeof fetch = (input, init) => (init?.method === 'PUT' && sent++ === 1 ? Promise.reject(new TypeError('gone')) : running.send(input, init));
  const large = Buffer.from(`number\n${Array.from({ length: 1_200_000 }, (_, i) => 1_000_000 + i).join('\n')}\n`);
  await uploadFile(running.server.address, 'large.csv', new Blob([large]), { onProgress: share => shares.push(share) }, broken);
  expect((await readFile(path.join(folder, 'data', 'large.csv'))).equals(large)).toBe(true);
  expect([shares[0], shares.at(-1), sent]).toEqual([0, 1, 4]);
  await expect(uploadFile(running.server.address, 'large.csv', new Blob([large]), {}, running.send)).rejects.toThrow(ApiError);
});

test('other sites cannot put anything here', async () => {
  const response = await running.send(`${running.server.address}/api/uploads/x.csv?size=3&offset=0`, { method: 'PUT', headers: { 'content-type': 'application/octet-stream', origin: 'https://evil.example' }, body: 'a\n1' });
  expect(response.status).toBe(403);
});
