import { DuckDBInstance } from '@duckdb/node-api';
import { zipSync, type Zippable } from 'fflate';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { duckDbBlockBytes, withRightChecksums } from './duckdb-checksums.ts';
import { hostileArchives } from './hostile-archives.ts';

export const hostileKinds = ['duckdb', 'sqlite', 'parquet', 'xlsx', 'zip', 'tgz'] as const;
export type HostileKind = (typeof hostileKinds)[number];

/** Two archives to twelve others: each archive holds some of them again. */
const order: readonly HostileKind[] = [
  ...Array.from({ length: 3 }, () => hostileKinds.slice(0, 4)).flat(),
  'zip',
  'tgz',
];

/** Endless hostile files: each original once as it is, then damaged ones. */
export function* hostileFiles(
  originals: Readonly<Record<HostileKind, readonly Buffer[]>>,
  random: () => number,
): Generator<{ readonly kind: HostileKind; readonly bytes: Buffer }, never> {
  const made = Object.fromEntries(hostileKinds.map(kind => [kind, 0])) as Record<HostileKind, number>;
  for (let i = 0; ; i++) {
    const kind = order[i % order.length]!;
    const all = originals[kind];
    const round = made[kind]++;
    yield { kind, bytes: round < all.length ? all[round]! : mutated(all, kind, random) };
  }
}

/**
 * Files that are out to read a secret, by their kinds.
 * @param folder an empty one to make them in
 */
export async function originalFiles(
  folder: string,
  secret: string,
): Promise<Readonly<Record<HostileKind, readonly Buffer[]>>> {
  await mkdir(folder, { recursive: true });
  const whole = {
    duckdb: await duckDbFiles(folder, secret),
    sqlite: await sqliteFiles(folder, secret),
    parquet: await parquetFiles(folder, secret),
    xlsx: workbooks(secret),
  };
  const inside = Object.entries(whole).map(([kind, [, one]]) => [`inside.${kind}`, one!] as const);
  return { ...whole, ...hostileArchives(secret, Object.fromEntries(inside)) };
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
  // Else damage would never get past the engine's first look at a file.
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
function mutated(all: readonly Buffer[], kind: HostileKind, random: () => number): Buffer {
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

  /** Names of one length, one for another: what was a harmless call may be another. */
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
