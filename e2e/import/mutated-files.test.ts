import { createClient, type Client } from '@belvedere/api';
import { DuckDBInstance } from '@duckdb/node-api';
import { zipSync, type Zippable } from 'fflate';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startCli } from '../browser.ts';
import { duckDbBlockBytes, withRightChecksums } from './duckdb-checksums.ts';
import { hostileArchives } from './hostile-archives.ts';
import { randomFrom } from '../random/random-from.ts';

/**
 * Files that try to read a secret outside their folder, intact and damaged at random: the secret appears
 * nowhere, and the server keeps running.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const files = Number(process.env['BELVEDERE_MUTATIONS'] ?? 130);
const canary = 'CANARY-2846-SECRET';
const kinds = ['duckdb', 'sqlite', 'parquet', 'xlsx', 'zip', 'tgz'] as const;
type Kind = (typeof kinds)[number];
/** Two archives to twelve others: each archive holds some of them again. */
const order: readonly Kind[] = [...Array.from({ length: 3 }, () => kinds.slice(0, 4)).flat(), 'zip', 'tgz'];

test(`none of ${files} hostile files reveals data outside its folder`, { timeout: 60 * 60_000 }, async () => {
  console.log(`mutated files seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  const outside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-outside-'));
  const folder = path.join(outside, 'workspace');
  for (const name of ['data', 'models', 'seeds']) await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(outside, 'secret.csv'), `word\n${canary}\n`);
  // The files name the secret by a link: a message that quotes a file's own text is no leak, one with the
  // real path is.
  const links = await mkdtemp(path.join(os.tmpdir(), 'belvedere-links-'));
  await symlink(outside, path.join(links, 'folder'));
  const secret = path.join(links, 'folder', 'secret.csv');
  const whole = {
    duckdb: await duckDbFiles(path.join(folder, 'seeds'), secret),
    sqlite: await sqliteFiles(path.join(folder, 'seeds'), secret),
    parquet: await parquetFiles(path.join(folder, 'seeds'), secret),
    xlsx: workbooks(secret),
  };
  const inside = Object.entries(whole).map(([kind, [, one]]) => [`inside.${kind}`, one!] as const);
  const originals: Record<Kind, readonly Buffer[]> = {
    ...whole,
    ...hostileArchives(secret, Object.fromEntries(inside)),
  };
  const random = randomFrom(seed);
  const made = Object.fromEntries(kinds.map(kind => [kind, 0])) as Record<Kind, number>;
  for (let i = 0; i < files; i++) {
    const kind = order[i % order.length]!;
    const all = originals[kind];
    const round = made[kind]++;
    // Each original comes once as it is.
    const bytes = round < all.length ? all[round]! : mutated(all, kind, random);
    await writeFile(path.join(folder, 'data', `file${i}x.${kind}`), bytes);
  }

  const cli = await startCli([folder]);
  const client = await signIn(cli.url);
  const unread = async () =>
    (await client.listTables({})).tables.filter(({ state }) => state === 'waiting' || state === 'reading');
  await expect.poll(unread, { timeout: 50 * 60_000, interval: 1000 }).toEqual([]);
  const { tables, skippedFiles } = await client.listTables({});
  const ready = tables.filter(({ state }) => state === 'ready').map(({ name }) => name);
  const said = [JSON.stringify({ tables, skippedFiles })];
  for (const table of ready) said.push(JSON.stringify(await client.getTable({ params: { table } })));
  for (const table of ready.slice(0, 40)) {
    const rows = client.getTableRows({ params: { table }, query: { limit: 50 } });
    said.push(JSON.stringify(await rows.catch((problem: Error) => problem.message)));
  }
  said.push(...(await rowsOfAll(path.join(folder, '.belvedere', 'tables'))));
  expect(said.filter(text => text.includes(canary))).toEqual([]);
  // Some of them are valid. For each of the others the error says what is wrong, without a path of the
  // machine.
  for (const kind of kinds)
    expect(tables.some(({ state, files: of }) => state === 'ready' && of![0]!.endsWith(kind))).toBe(true);
  expect(new Set(tables.filter(({ state }) => state !== 'ready').map(({ state }) => state))).toEqual(
    new Set(['rejected']),
  );
  expect(tables.filter(({ problem }) => problem?.message.includes(outside) ?? false)).toEqual([]);
  expect(cli.process.exitCode).toBeNull();
  expect(await cli.stop()).toBe(0);
  expect(cli.output()).not.toContain(canary);
  expect(
    (await readdir(path.join(folder, '.belvedere', 'tables'))).filter(name => name.startsWith('work-')),
  ).toEqual([]);
  await rm(outside, { recursive: true, force: true });
  await rm(links, { recursive: true, force: true });
});

/** As a browser does it, let in by the printed address. */
async function signIn(url: string): Promise<Client> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  const headersOf = (init: RequestInit | undefined) => ({
    ...(init?.headers as Record<string, string>),
    cookie,
  });
  return createClient(new URL(url).origin, (input, init) =>
    fetch(input, { ...init, headers: headersOf(init) }),
  );
}

/** Every value of every imported table, in each response of the server. */
async function rowsOfAll(folder: string): Promise<string[]> {
  const texts: string[] = [];
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const name of (await readdir(folder)).filter(candidate => candidate.endsWith('.duckdb'))) {
    await connection.run(`attach '${path.join(folder, name)}' as it (read_only)`);
    texts.push(
      JSON.stringify(
        (await connection.runAndReadAll('select to_json(data)::varchar from it.data')).getRows(),
      ),
    );
    await connection.run('detach it');
    texts.push(await readFile(path.join(folder, `${name}.json`), 'utf8'));
  }
  return texts;
}

async function duckDbFiles(folder: string, secret: string): Promise<Buffer[]> {
  const plain = 'create table words as select i as id, $$w$$ || i as word from range(50) t(i)';
  const scripts = [
    [plain, `create view stolen as select * from read_csv('${secret}')`],
    [
      plain,
      `create view words_too as from read_text('${secret}')`,
      `create view listed as select * from glob('${path.dirname(secret)}/*')`,
    ],
    [
      plain,
      `create macro word() as table from read_text('${secret}')`,
      `create macro id(x) as (select max(word) from read_csv('${secret}'))`,
    ],
    [plain, `create view "data" as from '${secret}'`],
    [
      'create sequence s',
      "create table words (id int default nextval('s'), spill text generated always as (concat(id, current_setting('temp_directory'))))",
      'insert into words (id) values (1), (2)',
    ],
    [
      `create type mood as enum ('fine', '${secret}')`,
      'create table words (id int, mood mood, nested struct(a int[], b map(text, int)))',
      "insert into words values (1, 'fine', null)",
    ],
    [
      'create schema "main.data"',
      'create table "main.data"."a""b" as select 1 as "select", 2 as "x;drop table data"',
      'create index i on "main.data"."a""b" ("select")',
    ],
  ];
  const made: Buffer[] = [];
  for (const [i, script] of scripts.entries()) {
    const file = path.join(folder, `${i}.duckdb`);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`attach '${file}' as made (block_size ${duckDbBlockBytes})`);
    await connection.run('use made');
    for (const statement of script) await connection.run(statement);
    await connection.run('use memory; detach made');
    connection.closeSync();
    made.push(await readFile(file));
  }
  // Otherwise the engine would reject damage at its first look at a file.
  for (const bytes of made) expect(withRightChecksums(bytes).equals(bytes)).toBe(true);
  return made;
}

async function sqliteFiles(folder: string, secret: string): Promise<Buffer[]> {
  const plain =
    "create table words (id integer primary key, word text); insert into words values (1, 'a'), (2, 'b')";
  const scripts = [
    plain,
    `${plain}; create view endless as with recursive n (i) as (select 1 union all select i + 1 from n) select i from n`,
    `${plain}; create view stolen as select * from words;
     create trigger t instead of insert on stolen begin select load_extension('${secret}'); end`,
    `${plain}; create virtual table f using fts5 (word); insert into f values ('a'); create virtual table r using rtree (id, low, high)`,
    `create table words (id, word as (hex(zeroblob(100000000))), check (length(word) > 1));
     insert into words (id) values (1); create index i on words (upper(id))`,
  ];
  const schemas = [
    `create view words as select readfile('${secret}')`,
    `create virtual table words using csv(filename='${secret}')`,
    `create table words (id, word as (load_extension('${secret}')))`,
    'create table words as select 1',
  ];
  const made: Buffer[] = [];
  for (const [i, script] of [...scripts, ...schemas].entries()) {
    const file = path.join(folder, `${i}.sqlite`);
    const database = new DatabaseSync(file);
    database.enableDefensive(false);
    if (i < scripts.length) database.exec(script);
    else {
      database.exec(`${plain}; pragma writable_schema = on`);
      database.prepare("update sqlite_schema set sql = ? where name = 'words'").run(script);
    }
    database.close();
    made.push(await readFile(file));
  }
  return made;
}

async function parquetFiles(folder: string, secret: string): Promise<Buffer[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const selects = [
    "select i as id, 'w' || i % 5 as word from range(200) t(i)",
    `select '${secret}' as "${secret}"`,
    "select [i] as list, {'a': {'b': i}} as nested, map {'k': i} as pairs, i::decimal(18, 3) as d, now() as t from range(50) t(i)",
  ];
  const packings = ['uncompressed', 'snappy', 'zstd', 'gzip'];
  const made: Buffer[] = [];
  for (const [i, { select, packing }] of selects
    .flatMap(select => packings.map(packing => ({ select, packing })))
    .entries()) {
    const file = path.join(folder, `${i}.parquet`);
    const options = `format parquet, compression ${packing}, kv_metadata {path: '${secret}'}`;
    await connection.run(`copy (${select}) to '${file}' (${options})`);
    made.push(await readFile(file));
  }
  return made;
}

function workbooks(secret: string): Buffer[] {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = 'http://schemas.openxmlformats.org/package/2006';
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const workbook = (cell: string, before = '', more = ''): Zippable =>
    Object.fromEntries(
      Object.entries({
        '[Content_Types].xml': `<Types xmlns="${parts}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
        'xl/workbook.xml':
          `${before}<workbook xmlns="${main}" xmlns:r="${office}">` +
          `<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>${more}</workbook>`,
        'xl/_rels/workbook.xml.rels':
          `<Relationships xmlns="${parts}/relationships">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}` +
          `${relation('rId2', 'externalLink', `file://${secret}`)}</Relationships>`,
        'xl/worksheets/sheet1.xml':
          `${before}<worksheet xmlns="${main}"><sheetData><row r="1">${text('A1', 'word')}${text('B1', 'n')}</row>` +
          `<row r="2">${cell}<c r="B2"><v>1</v></c></row></sheetData></worksheet>`,
      }).map(([name, xml]) => [name, Buffer.from(xml)]),
    );
  const entity = `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${secret}">]>`;
  const formula = `<c r="A2"><f>'file://${secret}'#$S.A1</f><v>3</v></c>`;
  const references = '<externalReferences><externalReference r:id="rId2"/></externalReferences>';
  const all = [
    workbook(text('A2', 'a')),
    workbook(text('A2', '&e;'), entity),
    workbook(formula, '', references),
  ];
  // Unpacked, damage gets past the unpacking.
  return all.flatMap(files => ([0, 6] as const).map(level => Buffer.from(zipSync(files, { level }))));
}

/** One of the files with some of its bytes changed, cut off, doubled, or taken from another. */
function mutated(all: readonly Buffer[], kind: Kind, random: () => number): Buffer {
  const below = (count: number) => Math.floor(random() * count);
  const bytes = Buffer.from(all[below(all.length)]!);
  const other = all[below(all.length)]!;
  const [at, length] = [below(bytes.length), 1 + below(400)];
  const changes: (() => Buffer)[] = [
    () => flipped(bytes, 1 + below(4)),
    () => flipped(bytes, 1 + below(200)),
    () => bytes.subarray(0, at),
    () => {
      const run = Buffer.alloc(Math.min(length, bytes.length - at), below(256));
      return Buffer.concat([bytes.subarray(0, at), run, bytes.subarray(at + length)]);
    },
    () =>
      Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(Math.max(0, at - length), at),
        bytes.subarray(at),
      ]),
    () => Buffer.concat([bytes.subarray(0, at), other.subarray(at)]),
    () => withTexts(bytes),
  ];
  const changed = changes[below(changes.length)]!();
  return kind === 'duckdb' && random() < 0.8 ? withRightChecksums(changed) : changed;

  function flipped(target: Buffer, times: number): Buffer {
    for (let i = 0; i < times; i++) target[below(target.length)]! ^= 1 << below(8);
    return target;
  }

  /** Names of equal length, one for another: a harmless call may become a dangerous one. */
  function withTexts(target: Buffer): Buffer {
    const pairs = [
      ['read_csv', 'read_txt'],
      ['read_text', 'read_blob'],
      ['range', 'query'],
      ['words', 'stole'],
      ['word', 'glob'],
      ['create view', 'create "ew"'],
      ['table', 'index'],
      ['inlineStr', 'sharedStr'],
    ];
    const [from, to] = pairs[below(pairs.length)]!;
    return Buffer.from(target.toString('latin1').replaceAll(from!, to!), 'latin1');
  }
}
