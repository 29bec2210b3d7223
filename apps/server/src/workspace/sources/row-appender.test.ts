import type { DiscoveredTable } from '@belvedere/engine';
import { link, mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TableState } from '../workspace.ts';
import { RowAppender } from './row-appender.ts';

let root: string;
let tables: Map<string, TableState>;
let arrived = 0;
const maxBytes = 4000;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'belvedere-rows-'));
  await mkdir(path.join(root, '.belvedere'));
  tables = new Map();
  arrived = 0;
});
afterEach(() => rm(root, { recursive: true, force: true }));

const data = (name: string) => path.join(root, 'data', name);
/** As after a restart. */
const appender = () =>
  new RowAppender(
    { root, data: path.join(root, 'data'), tables: root, state: path.join(root, '.belvedere') },
    () => tables,
    () => maxBytes,
    () => arrived++,
  );
const rows = (...numbers: number[]) => Buffer.from(numbers.map(n => `{"n":${n}}\n`).join(''));
const content = (name = 'events.ndjson') => readFile(data(name), 'utf8');
async function tableOf(name: string, file: string, text: string, kind = 'ndjson'): Promise<void> {
  await mkdir(path.dirname(data(file)), { recursive: true });
  await writeFile(data(file), text);
  const found = { name, kind, files: [data(file)] } as unknown as DiscoveredTable;
  tables.set(name, { name, found, state: 'ready' });
}

test('creates a table, and appends to it', async () => {
  expect(await appender().append('events', rows(1, 2))).toEqual({ added: 2, bytes: 16 });
  const next = appender();
  expect(await next.append('events', rows(3))).toEqual({ added: 1, bytes: 24 });
  expect(await content()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  expect(arrived).toBe(2);
});

test('appends after a last line without a line end', async () => {
  await tableOf('log', 'my Log.jsonl', '{"n":0}');
  await appender().append('log', rows(1));
  expect(await content('my Log.jsonl')).toBe('{"n":0}\n{"n":1}\n');
});

test('adds all rows of a request or none', async () => {
  await appender().append('events', rows(1));
  await expect(appender().append('events', Buffer.from('{"n":2}\noops\n'))).rejects.toThrow('Line 2');
  expect(await content()).toBe('{"n":1}\n');
});

test('adds rows with a used key only once, after a restart too', async () => {
  const first = appender();
  await first.append('events', rows(1, 2), 'k1');
  expect(await first.append('events', rows(1, 2), 'k1')).toEqual({ added: 2, bytes: 16 });
  await first.append('events', rows(3), 'k2');
  for (const key of ['k1', 'k2']) await appender().append('events', rows(9), key);
  expect(await content()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
});

test('keys are forgotten with the rows of a file that was deleted, emptied or replaced by a shorter one', async () => {
  for (const begin of [
    () => rm(data('events.ndjson')),
    () => truncate(data('events.ndjson')),
    () => writeFile(data('events.ndjson'), '{}\n'),
  ]) {
    for (const [key, number] of [
      ['k1', 1],
      ['k2', 2],
      ['k3', 3],
    ] as const)
      await appender().append('events', rows(number), key);
    await begin();
    await appender().append('events', rows(1), 'k1');
    expect(await content()).toContain('{"n":1}\n');
    await rm(data('events.ndjson'));
    await rm(path.join(root, '.belvedere', 'appends'), { recursive: true });
  }
});

test('a journal from elsewhere never changes a file outside the data folder', async () => {
  await mkdir(path.join(root, 'elsewhere'));
  await mkdir(path.join(root, 'data'));
  await symlink(path.join(root, 'elsewhere'), data('folder'));
  const outside = path.join(root, 'elsewhere', 'notes.txt');
  await writeFile(outside, 'known text');
  await mkdir(path.join(root, '.belvedere', 'appends'));
  for (const file of ['../elsewhere/notes.txt', 'folder/notes.txt', '../../gone/notes.txt'])
    for (const offset of [0, -5, 1.5])
      await writeFile(
        path.join(root, '.belvedere', 'appends', `${offset}${path.basename(path.dirname(file))}.json`),
        JSON.stringify({ file, last: { offset, text: 'known text, and more', rows: 1 }, keys: [] }),
      );
  await appender().recover();
  expect(await readFile(outside, 'utf8')).toBe('known text');
});

test('refuses a table whose folder has gone', async () => {
  await tableOf('far', 'far/far.ndjson', '');
  await rm(data('far'), { recursive: true });
  await expect(appender().append('far', rows(1))).rejects.toMatchObject({ type: 'request-invalid' });
});

test('an append torn at any byte is undone, and repeated in full', async () => {
  const text = '{"n":1}\n{"n":2}\n{"n":3}\n';
  for (let size = 8; size < text.length; size++) {
    await rm(data('events.ndjson'), { force: true });
    await appender().append('events', rows(1), `k1 ${size}`);
    await appender().append('events', rows(2, 3), `k2 ${size}`);
    await truncate(data('events.ndjson'), size);
    const restarted = appender();
    await restarted.recover();
    expect(await content()).toBe('{"n":1}\n');
    expect(await restarted.append('events', rows(2, 3), `k2 ${size}`)).toEqual({ added: 2, bytes: 24 });
    expect(await content()).toBe(text);
  }
});

test('lines written by hand after an append stay', async () => {
  await appender().append('events', rows(1, 2));
  await writeFile(data('events.ndjson'), '{"n":7}');
  const restarted = appender();
  await restarted.recover();
  await restarted.append('events', rows(8));
  expect(await content()).toBe('{"n":7}\n{"n":8}\n');
});

test('concurrent requests are written one after another', async () => {
  const one = appender();
  await Promise.all(Array.from({ length: 40 }, (_, i) => one.append('events', rows(i, i))));
  const lines = (await content()).trimEnd().split('\n');
  expect(lines).toHaveLength(80);
  for (let i = 0; i < 80; i += 2) expect(lines[i]).toBe(lines[i + 1]);
});

test.each(['Events', '1st', '../out', 'a/b', 'a.b', ''])('refuses %j as a name', async name => {
  await expect(appender().append(name, rows(1))).rejects.toMatchObject({ type: 'request-invalid' });
});

test('refuses tables of other files, and files of a table that is not known yet', async () => {
  await tableOf('trips', 'trips.csv', 'n\n1\n', 'csv');
  await expect(appender().append('trips', rows(1))).rejects.toThrow('read from `trips.csv`');
  await tableOf('packed', 'packed.ndjson.gz', '');
  await expect(appender().append('packed', rows(1))).rejects.toThrow('packed.ndjson.gz');
  await writeFile(data('new.ndjson'), '{"n":1}\n');
  await expect(appender().append('new', rows(1))).rejects.toMatchObject({ type: 'still-reading' });
});

test('never writes through links, or to a file of several names', async () => {
  await mkdir(path.join(root, 'data'));
  const outside = path.join(root, 'outside.ndjson');
  await writeFile(outside, '{"n":0}\n');
  await symlink(outside, data('soft.ndjson'));
  await link(outside, data('hard.ndjson'));
  await mkdir(path.join(root, 'elsewhere'));
  await writeFile(path.join(root, 'elsewhere', 'far.ndjson'), '');
  await symlink(path.join(root, 'elsewhere'), data('folder'));
  for (const [name, file] of [
    ['soft', 'soft.ndjson'],
    ['hard', 'hard.ndjson'],
    ['far', 'folder/far.ndjson'],
  ] as const) {
    const found = { name, kind: 'ndjson', files: [data(file)] } as unknown as DiscoveredTable;
    tables.set(name, { name, found, state: 'ready' });
    await expect(appender().append(name, rows(1))).rejects.toThrow();
  }
  expect(await readFile(outside, 'utf8')).toBe('{"n":0}\n');
  expect(await readFile(path.join(root, 'elsewhere', 'far.ndjson'), 'utf8')).toBe('');
});

test('a table that cannot be begun leaves no file behind', async () => {
  await rm(path.join(root, '.belvedere'), { recursive: true });
  await expect(appender().append('events', rows(1))).rejects.toMatchObject({ type: 'state-unavailable' });
  await expect(content()).rejects.toThrow('ENOENT');
});

test('a file stays below the limit for uploads', async () => {
  const one = appender();
  const many = rows(...Array.from({ length: 400 }, () => 1));
  await one.append('events', many);
  await expect(one.append('events', many)).rejects.toMatchObject({ type: 'upload-refused' });
  expect(await content()).toBe(String(many));
});
