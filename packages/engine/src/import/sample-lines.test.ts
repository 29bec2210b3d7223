import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import { withSampledLines } from './sample-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sample-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The sample of a file with this text, of about `bytes`. */
async function sampled(text: string | Buffer, bytes: number, kind: DiscoveredTable['kind'] = 'csv') {
  const own = await mkdtemp(path.join(folder, 'file-'));
  const file = path.join(own, 'data.txt');
  await writeFile(file, text);
  const found = { name: 'data', kind, files: [file], isHive: false, bytes: text.length, fingerprint: 'a' };
  const { files } = await withSampledLines({ ...found, sampledBytes: bytes }, own);
  expect(files.map(one => path.basename(one))).toEqual(['data.txt']);
  return readFile(files[0]!, 'utf8');
}

const kib512 = 512 * 1024;
const numbers = Array.from({ length: 200_000 }, (_, i) => i);

test('a sample has the header, and whole lines from everywhere in the file', async () => {
  const lines = numbers.map(i => `${i},name ${i}`);
  const known = new Set(lines);
  const text = await sampled(`id,name\n${lines.join('\n')}\n`, kib512);
  const [header, ...rows] = text.trimEnd().split('\n');
  expect(header).toBe('id,name');
  expect(rows.filter(row => !known.has(row))).toEqual([]);
  const tenths = new Set(rows.map(row => Math.floor(Number(row.split(',')[0]) / 20_000)));
  expect(tenths.size).toBe(10);
  // The beginning has no more of the rows than other parts of the file.
  const ofFirst = rows.filter(row => Number(row.split(',')[0]) < 20_000).length;
  expect(ofFirst / rows.length).toBeLessThan(0.12);
  expect(text.length).toBeGreaterThan(0.9 * kib512);
  expect(text.length).toBeLessThan(kib512);
});

test('a value of several lines is never cut, wherever a piece begins and ends', async () => {
  const row = (i: number) => `${i},"He said ""no"",\nand left, ${'x'.repeat(i % 60)}\n${i}",end ${i}`;
  const rows = numbers.slice(0, 20_000).map(row);
  for (let bytes = 200_000; bytes < 260_000; bytes += 2400) {
    const text = await sampled(`id,text,last\n${rows.join('\n')}\n`, bytes);
    const ids = [...text.matchAll(/^(\d+),"/gm)].map(([, id]) => Number(id));
    expect(text).toBe(`id,text,last\n${ids.map(id => `${row(id)}\n`).join('')}`);
    expect(ids.length).toBeGreaterThan(1000);
  }
});

test('quotes within a text are no quotes around it', async () => {
  const lines = numbers.map(i => `${i};a screen of ${i % 40}" or more`);
  const known = new Set(lines);
  const text = await sampled(`id;size\n${lines.join('\n')}\n`, kib512);
  expect(text.split('\n').length).toBeGreaterThan(500);
  expect(
    text
      .trimEnd()
      .split('\n')
      .slice(1)
      .every(line => known.has(line)),
  ).toBe(true);
});

test('objects on lines are sampled, too', async () => {
  const lines = numbers.map(i => JSON.stringify({ id: i, text: `"${i}\n` }));
  const known = new Set(lines);
  const text = await sampled(`${lines.join('\n')}\n`, kib512, 'ndjson');
  expect(text.split('\n').length).toBeGreaterThan(500);
  expect(
    text
      .trimEnd()
      .split('\n')
      .every(line => known.has(line)),
  ).toBe(true);
});

test('a file smaller than its sample is read whole', async () => {
  const text = 'a,b\n1,2\n3,4\n';
  expect(await sampled(text, kib512)).toBe(text);
});

test.each<[what: string, content: Buffer]>([
  ['UTF-16', Buffer.from(`\ufeffid,name\n${numbers.join(',x\n')}`, 'utf16le')],
  ['lines longer than a piece', Buffer.from('x'.repeat(2_000_000))],
])('of %s there is no sample', async (_, content) => {
  await expect(sampled(content, kib512)).rejects.toThrow('No sample can be taken');
});
