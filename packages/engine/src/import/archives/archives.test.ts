import { DuckDBInstance } from '@duckdb/node-api';
import { packTar, type TarEntry } from 'modern-tar';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import type { DiscoveredTable } from '../discovery/discovered-table.ts';
import { Importer } from '../importer.ts';
import { UnpackedBytes } from './unpacked-bytes.ts';
import type { ImportedTable } from '../report.ts';
import { rowsOf } from '../sql-text.ts';
import { unpackInto } from './unpack-archive.ts';
import { zipFile, type ZipEntry } from './zip-file.fixture.ts';

const canary = 'CANARY-5502-SECRET';
let folder: string;
let data: string;
let importer: Importer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-archives-'));
  data = path.join(folder, 'workspace', 'data');
  await mkdir(data, { recursive: true });
  await mkdir(path.join(folder, 'tables'));
  await writeFile(path.join(folder, 'secret.csv'), `word\n${canary}\n`);
  importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: path.join(folder, 'workspace'),
    memoryBytes: 2 ** 30,
    threads: 1,
  });
});
afterAll(async () => {
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

async function importFile(
  name: string,
  content: Uint8Array,
  change: Partial<DiscoveredTable> = {},
): Promise<readonly ImportedTable[]> {
  await writeFile(path.join(data, name), content);
  const {
    tables: [found],
  } = await discover(path.join(data, name));
  return importer.import({ ...found!, ...change }, () => {});
}
const tar = async (entries: readonly ZipEntry[], more: readonly TarEntry[] = []) =>
  Buffer.from(
    await packTar([
      ...entries.map(({ name, content = '' }): TarEntry => ({
        header: { name, size: Buffer.byteLength(content), type: 'file' },
        body: content as string,
      })),
      ...more,
    ]),
  );
const rowsAndNames = (tables: readonly ImportedTable[]) =>
  tables.map(({ name, profile, columns }) => [name, profile.rows, columns.map(column => column.name).join()]);
const leftOutOf = ([first]: readonly ImportedTable[]) =>
  new Map((first!.skippedFiles ?? []).map(({ file, reason }) => [path.relative(data, file), reason]));

const feed: readonly ZipEntry[] = [
  { name: 'stops.txt', content: 'stop_id,stop_lat,stop_lon\nA,48.1,11.5\nB,48.2,11.6\n' },
  { name: 'routes.txt', content: 'route_id,route_short_name\nR1,1\n' },
  { name: 'calendar.txt', content: 'service_id,start_date\nwd,20240101\n' },
];

describe('an archive', () => {
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['feed.zip', () => zipFile(feed)],
    ['feed.tar', () => tar(feed)],
    ['feed.tar.gz', async () => gzipSync(await tar(feed))],
    ['feed.tgz', async () => gzipSync(await tar(feed))],
    ['feed.tar.zst', async () => zstdCompressSync(await tar(feed))],
    ['feed.ZIP', () => zipFile(feed.map(entry => ({ ...entry, name: `gtfs-2024/./data/${entry.name}` })))],
  ])(
    '%s is a folder of tables: GTFS text files are CSV, a folder around them is ignored',
    async (name, content) => {
      const imported = await importFile(name, await content());
      expect(rowsAndNames(imported)).toEqual([
        ['feed_calendar', 1, 'service_id,start_date'],
        ['feed_routes', 1, 'route_id,route_short_name'],
        ['feed_stops', 2, 'stop_id,stop_lat,stop_lon'],
      ]);
      const inside = name === 'feed.ZIP' ? 'gtfs-2024/data/' : '';
      expect(imported[0]!.report.notes[0]).toBe(`“${inside}calendar.txt” of the archive.`);
      expect(imported.map(one => one.files.map(file => path.basename(file)))).toEqual([
        [name],
        [name],
        [name],
      ]);
      expect(imported[0]!.skippedFiles).toBeUndefined();
      expect(JSON.stringify(imported.map(({ report }) => report))).not.toContain(folder);
    },
  );

  test('with one file is one table of its name, and so are files that form one table', async () => {
    expect(
      rowsAndNames(await importFile('sales.zip', zipFile([{ name: 'export 7.csv', content: 'a,b\n1,2\n' }]))),
    ).toEqual([['sales', 1, 'a,b']]);
    const months = ['2024-01', '2024-02'].map(month => ({
      name: `months/${month}.csv`,
      content: `day,n\n${month}-01,1\n`,
    }));
    expect(rowsAndNames(await importFile('months.zip', zipFile(months)))).toEqual([
      ['months', 2, 'day,n,file_month'],
    ]);
  });

  test('may hold lists in JSON: every table has a name of its own', async () => {
    const order = '{"id":1,"items":[{"sku":"a"}]}\n{"id":2,"items":[]}\n';
    const imported = await importFile(
      'mixed.zip',
      zipFile([
        { name: 'orders.ndjson', content: order },
        { name: 'orders_items.csv', content: 'x\n1\n' },
      ]),
    );
    expect(rowsAndNames(imported).map(([name, rows]) => [name, rows])).toEqual([
      ['mixed_orders', 2],
      ['mixed_orders_items_2', 1],
      ['mixed_orders_items', 1],
    ]);
  });

  test('names its files in rejected rows and in errors; the others are imported', async () => {
    const bad = `id,amount\n${Array.from({ length: 200 }, (_, i) => `${i},${i}`).join('\n')}\n5,6,7,8\n`;
    const imported = await importFile(
      'partly.zip',
      zipFile([
        { name: 'a/torn.csv', content: bad },
        { name: 'b/none.parquet', content: 'PAR1 no more PAR1' },
        { name: 'b/empty.csv' },
      ]),
    );
    expect(imported.map(({ name }) => name)).toEqual(['partly_a_torn']);
    for (const { file } of imported[0]!.report.rejected)
      expect(path.relative(data, file)).toBe('partly.zip/a/torn.csv');
    const skippedFiles = leftOutOf(imported);
    expect([...skippedFiles.keys()].toSorted()).toEqual([
      'partly.zip/b/empty.csv',
      'partly.zip/b/none.parquet',
    ]);
    expect(skippedFiles.get('partly.zip/b/empty.csv')).toBe('This file is empty.');
    expect([...skippedFiles.values()].join()).not.toMatch(/belvedere-archives|table-\d|found\//);
  });

  test('that is damaged, empty or of another format is reported with advice', async () => {
    await expect(importFile('none.zip', Buffer.from('PK no archive'))).rejects.toThrow(
      /^This ZIP archive is damaged or incomplete: .*unpack it and put the files here\.$/,
    );
    await expect(importFile('none.tar', Buffer.alloc(2000, 65))).rejects.toThrow(
      /^This tar archive is damaged or incomplete: /,
    );
    await expect(importFile('half.tar.gz', gzipSync(await tar(feed)).subarray(0, 90))).rejects.toThrow(
      /^This tar archive is damaged or incomplete: /,
    );
    const elsewhere = importFile(
      'elsewhere.zip',
      zipFile([
        { name: '/srv/private/a.csv', content: 'a\n1\n' },
        { name: '../private/b.csv', content: 'a\n1\n' },
      ]),
    );
    await expect(elsewhere).rejects.toThrow(
      /“a\.csv”: Its name is an absolute or network path.* “b\.csv”: Its path points outside/,
    );
    await expect(elsewhere).rejects.not.toThrow('private');
    await expect(importFile('pictures.zip', zipFile([{ name: 'a.png' }, { name: 'b.exe' }]))).rejects.toThrow(
      'No table could be imported from this archive. “b.exe”: “.exe” is not a supported file type.',
    );
  });
});

describe('entries of an archive', () => {
  test('with paths outside, links, devices, archives and encrypted files are listed and left out', async () => {
    const secret = path.join(folder, 'secret.csv');
    const entries: ZipEntry[] = [
      { name: 'good.csv', content: 'a\n1\n' },
      { name: '../up.csv', content: 'a\n2\n' },
      { name: 'x/../../../up.csv', content: 'a\n2\n' },
      { name: '/tmp/absolute.csv', content: 'a\n2\n' },
      { name: 'C:/windows.csv', content: 'a\n2\n' },
      { name: '..\\back.csv', content: 'a\n2\n' },
      { name: 'link.csv', content: secret, mode: 0o120_777 },
      { name: 'device.csv', mode: 0o020_666 },
      { name: 'locked.csv', content: 'a\n2\n', isEncrypted: true },
      { name: 'packed.csv', content: 'a\n2\n', method: 14 },
      { name: 'inner.zip', content: zipFile(feed) },
      { name: 'inner.tar.gz', content: 'x' },
      { name: 'program.exe', content: 'x' },
      { name: 'README.md', content: 'x' },
      { name: '__MACOSX/._good.csv', content: 'x' },
      { name: 'good.csv/below.csv', content: 'a\n2\n' },
      { name: 'good.csv', content: 'a\n2\n' },
      { name: `${'d/'.repeat(30)}deep.csv`, content: 'a\n2\n' },
      { name: `${'l'.repeat(300)}.csv`, content: 'a\n2\n' },
    ];
    const imported = await importFile('hostile.zip', zipFile(entries));
    expect(rowsAndNames(imported)).toEqual([['hostile', 1, 'a']]);
    const reasons = (imported[0]!.skippedFiles ?? []).map(({ file, reason }) => [
      path.basename(file).slice(0, 20),
      file.endsWith('.zip') && reason.startsWith('“') ? reason : reason.split('.')[0],
    ]);
    expect(reasons).toEqual([
      ['hostile.zip', '“../up.csv”: Its path points outside the archive.'],
      ['hostile.zip', '“x/../../../up.csv”: Its path points outside the archive.'],
      ['hostile.zip', '“/tmp/absolute.csv”: Its name is an absolute or network path.'],
      ['windows.csv', 'Its name is an absolute or network path'],
      ['hostile.zip', '“../back.csv”: Its path points outside the archive.'],
      ['link.csv', 'It is a symbolic link, and links are not followed'],
      ['device.csv', 'It is not a regular file'],
      ['locked.csv', 'It is encrypted'],
      ['packed.csv', 'Its compression method (LZMA) is not supported'],
      ['inner.zip', 'Archives inside archives are not supported'],
      ['inner.tar.gz', 'Archives inside archives are not supported'],
      ['program.exe', '“'],
      ['below.csv', 'Another entry of the archive has the same name'],
      ['good.csv', 'Another entry of the archive has the same name'],
      ['deep.csv', 'Its name is too long, or has characters that are not allowed in file names'],
      ['l'.repeat(20), 'Its name is too long, or has characters that are not allowed in file names'],
    ]);
    expect((await readdir(folder)).toSorted()).toEqual(['secret.csv', 'tables', 'workspace']);
  });

  test('of tar are treated alike, with its hard links, pipes and devices', async () => {
    const odd = (name: string, type: NonNullable<TarEntry['header']['type']>, linkname = ''): TarEntry => ({
      header: { name, size: 0, type, linkname },
    });
    const secret = path.join(folder, 'secret.csv');
    const content = await tar(
      [
        { name: 'good.csv', content: 'a\n1\n' },
        { name: '../up.csv', content: 'a\n2\n' },
      ],
      [
        odd('link.csv', 'symlink', secret),
        odd('hard.csv', 'link', secret),
        odd('pipe.csv', 'fifo'),
        odd('zero.csv', 'character-device'),
        odd('disk.csv', 'block-device'),
        odd('folder', 'directory'),
        { header: { name: 'link.csv/below.csv', size: 4, type: 'file' }, body: 'a\n3\n' },
      ],
    );
    const imported = await importFile('hostile.tar', content);
    expect(rowsAndNames(imported).map(([name]) => name)).toEqual(['hostile_good', 'hostile_link_csv_below']);
    expect(
      (imported[0]!.skippedFiles ?? []).map(({ file, reason }) => [
        path.basename(file),
        reason.split(',')[0],
      ]),
    ).toEqual([
      ['hostile.tar', '“../up.csv”: Its path points outside the archive.'],
      ['link.csv', 'It is a symbolic link'],
      ['hard.csv', 'It is a hard link to another entry'],
      ['pipe.csv', 'It is a pipe'],
      ['zero.csv', 'It is a device'],
      ['disk.csv', 'It is a device'],
    ]);
    expect(JSON.stringify(imported)).not.toContain(canary);
  });

  test('whose names are patterns are read as themselves', async () => {
    const word = (value: string) => `word\n${value}\n`;
    const names = ['*.csv', '?.csv', '[a].csv', 'a.csv', 'b*/c.csv'];
    const imported = await importFile(
      'patterns.zip',
      zipFile(names.map(name => ({ name, content: word(name) }))),
      { reading: { version: 1, files: 'separate' } },
    );
    const rows = await Promise.all(
      imported.map(async ({ database, report }) => {
        const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
        const connection = await instance.connect();
        const found = await rowsOf(connection, 'select word from data order by 1');
        connection.closeSync();
        instance.closeSync();
        return [report.notes[0], found.flat()];
      }),
    );
    // Alike files without a table of their own settings are one table.
    expect(rows.flatMap(([, words]) => words).toSorted()).toEqual(names.toSorted());
    expect(imported[0]!.skippedFiles).toBeUndefined();
    expect(JSON.stringify(rows)).not.toMatch(/[＊？［]/);
  });

  test('of tar have long names by POSIX and by GNU, and attributes of any number are read at once', async () => {
    const attributes = (type: 'pax-header' | 'gnu-long-name', body: string): TarEntry => ({
      header: { name: 'attributes', size: Buffer.byteLength(body), type },
      body,
    });
    const csv: TarEntry = { header: { name: 'short.csv', size: 4, type: 'file' }, body: 'a\n1\n' };
    const png: TarEntry = { header: { name: 'short.xyz', size: 0, type: 'file' } };
    const record = (key: string, value: string) => {
      const bytes = Buffer.byteLength(` ${key}=${value}\n`);
      return `${bytes + String(bytes + 3).length} ${key}=${value}\n`;
    };
    const begun = performance.now();
    const content = await tar(
      [],
      [
        attributes(
          'pax-header',
          record('comment', 'ä='.repeat(60)) + record('path', `posix${'x'.repeat(110)}.csv`),
        ),
        csv,
        attributes('gnu-long-name', `gnu${'y'.repeat(110)}.csv\0`),
        csv,
        attributes('pax-header', record('path', 'z'.repeat(900_000))),
        png,
      ],
    );
    const imported = await importFile('attributes.tar', content);
    expect(imported.map(({ name }) => name.slice(0, 19))).toEqual([
      'attributes_gnuyyyyy',
      'attributes_posixxxx',
    ]);
    expect(imported[0]!.skippedFiles).toHaveLength(1);
    expect(JSON.stringify(imported[0]!.skippedFiles).length).toBeLessThan(2000);
    // A record of two bytes for each two: found by searching for the end of each, they took minutes.
    for (const [size, reason] of [
      [2 ** 20, 'attributes of an entry are damaged'],
      [2 ** 21, 'attributes of an entry are too large'],
    ] as const)
      await expect(
        importFile(
          'slow.tgz',
          gzipSync(await tar([], [attributes('pax-header', '2x'.repeat(size / 2)), csv])),
        ),
      ).rejects.toThrow(reason);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });
});

describe('a decompression bomb', () => {
  const unpack = async (name: string, content: Uint8Array, room: number) => {
    const work = await mkdtemp(path.join(folder, 'work-'));
    const file = path.join(data, name);
    await writeFile(file, content);
    const produced = new UnpackedBytes({ files: [file], bytes: content.length, isUploaded: true });
    produced.add(produced.maxBytes - room);
    return unpackInto(file, work, 'bomb', produced).finally(() => rm(work, { recursive: true }));
  };
  const zeros = Buffer.alloc(5 * 2 ** 20);
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['of one entry', () => zipFile([{ name: 'a.csv', content: zeros }])],
    [
      'of many entries',
      () =>
        zipFile(
          Array.from({ length: 50 }, (_, i) => ({ name: `${i}.csv`, content: zeros.subarray(0, 2 ** 17) })),
        ),
    ],
    [
      'of an entry that is not imported',
      async () => gzipSync(await tar([{ name: 'a.png', content: String(zeros) }])),
    ],
    [
      'of one entry of a tar file',
      async () => gzipSync(await tar([{ name: 'a.csv', content: String(zeros) }])),
    ],
  ])('%s is stopped with a message above its limit, and never below', async (title, content) => {
    const name = title.includes('tar') || title.includes('not imported') ? 'bomb.tgz' : 'bomb.zip';
    await expect(unpack(name, await content(), 4 * 2 ** 20)).rejects.toThrow(
      'the maximum for an uploaded file of its size',
    );
    await expect(unpack(name, await content(), 12 * 2 ** 20)).resolves.toMatchObject({ skippedFiles: [] });
  });

  test('with an understated size has that entry left out', async () => {
    const { skippedFiles } = await unpack(
      'lies.zip',
      zipFile([{ name: 'a.csv', content: zeros, size: 10 }]),
      2 ** 29,
    );
    expect(skippedFiles).toEqual([
      { file: 'a.csv', reason: expect.stringContaining('Could not unpack it.') as string },
    ]);
  });

  test('of too many entries is stopped', async () => {
    await expect(
      unpack(
        'many.zip',
        zipFile(Array.from({ length: 20_001 }, (_, i) => ({ name: `${i}.png`, method: 0 }))),
        2 ** 29,
      ),
    ).rejects.toThrow('This archive has more than 20,000 entries');
  });
});

test(
  'mutated archives end with a message or fewer tables: nothing is written outside, no path appears in a message',
  { timeout: 120_000 },
  async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    console.info(`mutated archives: seed ${seed}`);
    let state = seed;
    const below = (count: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return Math.floor((state / 2 ** 31) * count);
    };
    const entries = [
      ...feed,
      { name: `${'../'.repeat(8)}secret.csv`, content: 'word\nno\n' },
      { name: 'link.csv', content: path.join(folder, 'secret.csv'), mode: 0o120_777 },
    ];
    const link: TarEntry = {
      header: { name: 'link.csv', size: 0, type: 'symlink', linkname: path.join(folder, 'secret.csv') },
    };
    const whole = [
      zipFile(entries),
      zipFile(entries.map(entry => ({ ...entry, method: 0 }))),
      await tar(entries, [link]),
      gzipSync(await tar(entries, [link])),
    ];
    const before = await readdir(folder);
    for (let round = 0; round < 400; round++) {
      const bytes = Buffer.from(whole[round % whole.length]!);
      for (let i = 0; i <= below(6); i++) {
        const at = below(bytes.length);
        if (below(3) === 0) bytes.copy(bytes, at, below(bytes.length), below(bytes.length));
        else bytes[at] = below(2) ? bytes[at]! ^ (1 << below(8)) : below(256);
      }
      const torn = below(8) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes;
      const file = path.join(data, ['m.zip', 'm.zip', 'm.tar', 'm.tgz'][round % 4]!);
      await writeFile(file, torn);
      const work = path.join(folder, 'work');
      await mkdir(work);
      const said = await unpackInto(
        file,
        work,
        'm',
        new UnpackedBytes({ files: [file], bytes: torn.length }),
      ).then(
        ({ skippedFiles }) => JSON.stringify(skippedFiles),
        (error: Error) => error.message,
      );
      // Names inside an archive may be anything; what is said about them is ours.
      expect(said.replaceAll(path.join(folder, 'secret.csv'), '')).not.toContain(folder);
      expect(said).not.toContain(canary);
      const kinds = await readdir(work, { recursive: true, withFileTypes: true });
      expect(kinds.filter(one => !one.isFile() && !one.isDirectory())).toEqual([]);
      await rm(work, { recursive: true });
      expect(await readdir(folder)).toEqual(before);
    }
  },
);
