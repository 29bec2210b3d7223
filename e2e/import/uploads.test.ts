import { ApiError, uploadFile } from '@belvedere/api';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../random/random-from.ts';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

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
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const text = `city,people\n${Array.from({ length: 5000 }, (_, i) => `City ${i},${i}`).join('\n')}\n`;
const bytes = Buffer.from(text);
const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const put = async (
  name: string,
  size: number,
  offset: number,
  piece: Buffer,
  more = '',
  sha256 = hashOf(size === bytes.length ? bytes : piece),
) => {
  const response = await running.send(
    `${running.server.address}/api/v1/uploads/${encodeURIComponent(name)}?size=${size}&sha256=${sha256}&offset=${offset}${more}`,
    {
      method: 'PUT',
      headers: { 'x-belvedere': '1', 'content-type': 'application/octet-stream' },
      body: new Uint8Array(piece),
    },
  );
  return {
    status: response.status,
    body: (await response.json()) as { received?: number; isWhole?: boolean; type?: string },
  };
};

test('a file is uploaded in chunks, resumes after an interruption, and is a table once it is complete', async () => {
  expect((await put('cities.csv', bytes.length, 0, bytes.subarray(0, 20_000))).body).toEqual({
    received: 20_000,
    isWhole: false,
  });
  expect(await readdir(path.join(folder, 'data'))).toEqual(['small.csv']);
  // A part at another offset than the end of the previous part is not written.
  expect((await put('cities.csv', bytes.length, 10_000, bytes.subarray(10_000))).body.type).toBe(
    'revision-conflict',
  );
  expect(
    await running.client.getUpload({
      params: { name: 'cities.csv' },
      query: { size: bytes.length, sha256: hashOf(bytes) },
    }),
  ).toEqual({ received: 20_000, isWhole: false });
  expect((await put('cities.csv', bytes.length, 20_000, bytes.subarray(20_000))).body).toEqual({
    received: bytes.length,
    isWhole: true,
  });
  expect(await readFile(path.join(folder, 'data', 'cities.csv'), 'utf8')).toBe(text);
  await expect
    .poll(
      async () => (await running.client.listTables({})).tables.find(table => table.name === 'cities')?.rows,
      { timeout: 60_000 },
    )
    .toBe(5000);
  expect((await running.client.getDashboard({ params: { id: 'overview/cities' }, query: {} })).state).toBe(
    'ready',
  );
});

test('a file never replaces another, unless the request says so', async () => {
  const other = Buffer.from('colour,size\ngreen,9\n');
  expect((await put('small.csv', other.length, 0, other)).body.type).toBe('revision-conflict');
  expect(await readFile(path.join(folder, 'data', 'small.csv'), 'utf8')).toContain('red,1');
  expect((await put('small.csv', other.length, 0, other, '&replaces=true')).body.isWhole).toBe(true);
  await expect
    .poll(
      async () => (await running.client.listTables({})).tables.find(table => table.name === 'small')?.rows,
      { timeout: 60_000 },
    )
    .toBe(1);
});

test.each([
  ['../out.csv', 'request-invalid'],
  ['.hidden.csv', 'request-invalid'],
  ['a/b.csv', 'request-invalid'],
  ['a\\b.csv', 'request-invalid'],
  ['run.exe', 'file-unreadable'],
  ['page.html', 'file-unreadable'],
])('the name `%s` is refused', async (name, type) => {
  expect((await put(name, 3, 0, Buffer.from('a\n1'))).body.type).toBe(type);
});

test('a file larger than announced is refused', async () => {
  expect((await put('more.csv', 3, 0, Buffer.from('a\n1\n2'))).body.type).toBe('request-invalid');
  expect(await put('huge.csv', 10 ** 12, 0, Buffer.from('a\n1\n2'))).toMatchObject({
    status: 413,
    body: { type: 'upload-refused' },
  });
  expect(await put('pieces.csv', 2 ** 24, 0, Buffer.alloc(2 ** 23 + 1))).toMatchObject({
    status: 413,
    body: { type: 'upload-refused' },
  });
});

test('the browser’s client resumes after a lost connection, and reports refusals', async () => {
  const shares: number[] = [];
  let sent = 0;
  const broken: typeof fetch = (input, init) =>
    init?.method === 'PUT' && sent++ === 1
      ? Promise.reject(new TypeError('gone'))
      : running.send(input, init);
  const large = Buffer.from(
    `number\n${Array.from({ length: 1_200_000 }, (_, i) => 1_000_000 + i).join('\n')}\n`,
  );
  await uploadFile(
    running.server.address,
    'large.csv',
    new Blob([large]),
    { onProgress: share => shares.push(share) },
    broken,
  );
  expect((await readFile(path.join(folder, 'data', 'large.csv'))).equals(large)).toBe(true);
  expect([shares[0], shares.at(-1), sent]).toEqual([0, 1, 4]);
  await expect(
    uploadFile(running.server.address, 'large.csv', new Blob([large]), {}, running.send),
  ).rejects.toThrow(ApiError);
});

test('other sites cannot upload anything', async () => {
  const response = await running.send(`${running.server.address}/api/v1/uploads/x.csv?size=3&offset=0`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', origin: 'https://evil.example' },
    body: 'a\n1',
  });
  expect(response.status).toBe(403);
});

describe('concurrent uploads', () => {
  const parts = () => readdir(path.join(folder, '.belvedere', 'uploads'));

  test('two writers of one chunk: one is accepted, the other receives the position to resume from', async () => {
    const size = bytes.length;
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => put('crossed.csv', size, 0, bytes.subarray(0, 20_000))),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ]);
    const last = await Promise.all(
      Array.from({ length: 8 }, () => put('crossed.csv', size, 20_000, bytes.subarray(20_000))),
    );
    expect(last.filter(({ body }) => body.isWhole)).toHaveLength(1);
    expect(await readFile(path.join(folder, 'data', 'crossed.csv'), 'utf8')).toBe(text);
  });

  test('two pages that upload the same file both finish', async () => {
    const large = Buffer.from(
      `number\n${Array.from({ length: 1_500_000 }, (_, i) => 2_000_000 + i).join('\n')}\n`,
    );
    const send = () =>
      uploadFile(running.server.address, 'together.csv', new Blob([large]), {}, running.send).then(
        () => 'sent',
        (error: ApiError) => error.problem.type,
      );
    const outcomes = await Promise.all([send(), send(), send()]);
    // Later requests are told that the upload is complete.
    expect(outcomes).toContain('sent');
    expect(outcomes.filter(outcome => outcome !== 'sent' && outcome !== 'revision-conflict')).toEqual([]);
    expect((await readFile(path.join(folder, 'data', 'together.csv'))).equals(large)).toBe(true);
    expect(await parts()).toEqual([]);
  });

  test('two files of one name and size do not mix: one is complete, the other is reported as existing', async () => {
    const [ones, twos] = ['1', '2'].map(digit => Buffer.from(`n\n${`${digit}\n`.repeat(3_000_000)}`)) as [
      Buffer,
      Buffer,
    ];
    const send = (content: Buffer) =>
      uploadFile(
        running.server.address,
        'mixed.csv',
        new Blob([new Uint8Array(content)]),
        {},
        running.send,
      ).then(
        () => 'sent',
        (error: ApiError) => error.problem.type,
      );
    expect((await Promise.all([send(ones), send(twos)])).toSorted()).toEqual(['revision-conflict', 'sent']);
    const arrived = await readFile(path.join(folder, 'data', 'mixed.csv'));
    expect(arrived.equals(ones) || arrived.equals(twos)).toBe(true);
    await Promise.all((await parts()).map(part => rm(path.join(folder, '.belvedere', 'uploads', part))));
  });

  test('random chunks from many writers result in the file or a refusal, never in another file', async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const random = randomFrom(seed);
    for (let round = 0; round < 12; round++) {
      const content = Buffer.from(
        `n\n${Array.from({ length: 2000 }, () => Math.floor(random() * 1e6)).join('\n')}\n`,
      );
      const name = `random-${round}.csv`;
      const writer = async () => {
        for (let offset = 0; offset < content.length;) {
          const length = 1 + Math.floor(random() * 4000);
          const { status, body } = await put(
            name,
            content.length,
            offset,
            content.subarray(offset, offset + length),
            '',
            hashOf(content),
          );
          if (body.isWhole) return 'whole';
          if (status === 200) offset = body.received!;
          else {
            const { received } = await running.client.getUpload({
              params: { name },
              query: { size: content.length, sha256: hashOf(content) },
            });
            if (received === offset || received === 0) return 'there';
            offset = received;
          }
        }
        return 'there';
      };
      const outcomes = await Promise.all(Array.from({ length: 4 }, writer));
      expect(
        outcomes.filter(outcome => outcome === 'whole'),
        `seed ${seed}`,
      ).toHaveLength(1);
      expect((await readFile(path.join(folder, 'data', name))).equals(content), `seed ${seed}`).toBe(true);
    }
  });
});

test('a file that does not match its hash is refused and removed', async () => {
  const { status, body } = await put('wrong.csv', 4, 0, Buffer.from('a\n1\n'), '', hashOf('a\n2\n'));
  expect([status, body.type]).toEqual([422, 'upload-damaged']);
  expect(await readdir(path.join(folder, 'data'))).not.toContain('wrong.csv');
  expect(await readdir(path.join(folder, '.belvedere', 'uploads'))).toEqual([]);
});

test('a partial upload that was damaged in the meantime is sent again from the beginning', async () => {
  const large = Buffer.from(`n\n${'7\n'.repeat(4_000_000)}`);
  await put('resumed.csv', large.length, 0, large.subarray(0, 1_000_000), '', hashOf(large));
  const [part] = await readdir(path.join(folder, '.belvedere', 'uploads'));
  await writeFile(path.join(folder, '.belvedere', 'uploads', part!), Buffer.alloc(1_000_000));
  await uploadFile(running.server.address, 'resumed.csv', new Blob([large]), {}, running.send);
  expect((await readFile(path.join(folder, 'data', 'resumed.csv'))).equals(large)).toBe(true);
});

test('a partial upload idle for a day is removed at the next start, and a newer one can resume', async () => {
  for (const name of ['given-up.csv', 'going-on.csv'])
    await put(name, bytes.length, 0, bytes.subarray(0, 1000));
  const uploads = path.join(folder, '.belvedere', 'uploads');
  const before = await readdir(uploads);
  expect(before).toHaveLength(2);
  const dayAgo = new Date(Date.now() - 25 * 3600_000);
  await utimes(path.join(uploads, before[0]!), dayAgo, dayAgo);
  await running.close();
  running = await runBelvedere(folder);
  await expect.poll(() => readdir(uploads)).toEqual([before[1]]);
  await Promise.all(
    ['given-up.csv', 'going-on.csv'].map(name => put(name, bytes.length, 1000, bytes.subarray(1000))),
  );
  const arrived = (await readdir(path.join(folder, 'data'))).filter(name =>
    ['given-up.csv', 'going-on.csv'].includes(name),
  );
  expect(arrived).toHaveLength(1);
  expect(await readFile(path.join(folder, 'data', arrived[0]!), 'utf8')).toBe(text);
});
