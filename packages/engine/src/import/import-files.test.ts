import type { TableFile } from '@belvedere/document';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import { importCsv } from './csv/import-csv.ts';
import { importCsvFiles } from './import-files.ts';
import { UnpackedBytes } from './archives/unpacked-bytes.ts';
import type { ImportReport } from './report.ts';
import { rowsOf } from './sql-text.ts';

let folder: string;
let connection: DuckDBConnection;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-files-'));
  await mkdir(path.join(folder, 'work'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
afterEach(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

interface Read {
  readonly columns: string[];
  readonly rows: (string | null)[][];
  readonly report: ImportReport;
}

async function tableOf(report: ImportReport): Promise<Read> {
  const columns = (await rowsOf(connection, 'describe data')).map(
    ([name, type]) => `${String(name)} ${String(type)}`,
  );
  const rows = (await rowsOf(connection, 'select columns(*)::varchar from data')) as (string | null)[][];
  return { columns, rows, report };
}

async function read(
  files: Readonly<Record<string, string | Buffer>>,
  { reading, isHive = false }: { reading?: TableFile; isHive?: boolean } = {},
): Promise<Read> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  const names = Object.keys(files).map(name => path.join(folder, name));
  const found: DiscoveredTable = {
    name: 't',
    kind: 'csv',
    files: names,
    isHive,
    bytes: 1000,
    fingerprint: '',
    ...(reading && { reading }),
  };
  return tableOf(
    (await importCsvFiles(connection, found, path.join(folder, 'work'), new UnpackedBytes(found))).report,
  );
}

describe('several files of fixed width', () => {
  const stations = (ids: string, names: readonly string[]) =>
    names
      .map(
        (name, i) =>
          `${ids}${1000 + i}  ${(17.1 + i).toFixed(4).padStart(8)}  ${name.padEnd(16)}${i % 2 ? 'GSN' : '   '}`,
      )
      .join('\n');

  test('share the places of their columns, though each has others that are blank', async () => {
    const { columns, rows, report } = await read({
      'stations_1.txt': stations('AC', ['ST JOHNS', 'COOLIDGE', 'NOON']),
      'stations_2.txt': stations('AE', ['SHARJAH INTER', 'DUBAI', 'AL AIN INTL']),
      'stations_3.txt': stations('AF', ['A']),
    });
    expect(columns.map(column => column.split(' ')[1])).toEqual([
      'VARCHAR',
      'DOUBLE',
      'VARCHAR',
      'VARCHAR',
      'BIGINT',
    ]);
    expect(rows).toHaveLength(7);
    expect(rows[3]).toEqual(['AE1000', '17.1', 'SHARJAH INTER', null, '2']);
    expect(report.notes.join()).toContain('columns begin at the same place in each line');
    expect([report.rowsRead, report.rowsKept]).toEqual([7, 7]);
  });

  test('have one header each', async () => {
    const table = (rows: readonly (readonly [string, number, number])[]) =>
      [
        'Name          Qty   Price',
        '------------  ---  ------',
        ...rows.map(
          ([name, qty, price]) =>
            `${name.padEnd(12)}  ${String(qty).padStart(3)}  ${price.toFixed(2).padStart(6)}`,
        ),
      ].join('\n');
    const { columns, rows } = await read({
      'stock_2023.txt': table([
        ['Apples', 12, 1.5],
        ['Red pears', 3, 12],
        ['Figs, dried', 120, 0.99],
      ]),
      'stock_2024.txt': table([['Plums', 7, 2]]),
    });
    expect(columns).toEqual(['Name VARCHAR', 'Qty BIGINT', 'Price DOUBLE', 'file_year BIGINT']);
    expect(rows).toEqual([
      ['Apples', '12', '1.5', '2023'],
      ['Red pears', '3', '12.0', '2023'],
      ['Figs, dried', '120', '0.99', '2023'],
      ['Plums', '7', '2.0', '2024'],
    ]);
  });

  test('are lines of text if one of them has text between the columns', async () => {
    const { columns } = await read({
      'a_1.txt': stations('AC', ['ST JOHNS', 'COOLIDGE', 'NOON']),
      'a_2.txt': `${stations('AC', ['ST JOHNS'])}\nNo more stations in this year\n`,
    });
    expect(columns).toHaveLength(2);
  });
});

describe('types over several files', () => {
  test('an empty column does not affect the type, and a repeated header is not a row', async () => {
    const { columns, rows, report } = await read({
      'matches_2001.csv': 'season,player,aces\n2001,Ann,\n2001,Ben,\n',
      'matches_2002.csv': 'season,player,aces\n2002,Ann,7\n',
      'matches_2003.csv': 'season,player,aces\nseason,player,aces\n2003,Ann,2\n',
    });
    expect(columns).toEqual(['season BIGINT', 'player VARCHAR', 'aces BIGINT', 'file_year BIGINT']);
    expect(rows).toEqual([
      ['2001', 'Ann', null, '2001'],
      ['2001', 'Ben', null, '2001'],
      ['2002', 'Ann', '7', '2002'],
      ['2003', 'Ann', '2', '2003'],
    ]);
    expect(report).toMatchObject({ rowsRead: 4, rowsKept: 4, rowsRejected: 0, hasHeader: true });
    expect(report.notes).toEqual([
      '3 files, one table. To import them separately, write `files: separate` into `tables/t.yaml`.',
      '“file_year” is the part of the file names that differs.',
      'matches_2003.csv: Line 2 repeats the header and is skipped.',
    ]);
  });

  test('columns that some files lack are null there; names may differ in case and punctuation', async () => {
    const { columns, rows, report } = await read({
      '01-22-2020.csv': 'Country/Region,n\nOslo,1\n',
      '03-02-2020.csv': 'id,Country_Region,n,m\n7,Bonn,2,0.5\n',
      '03-03-2020.csv': 'id,Country_Region,n,m\n8,Bonn,3,1\n',
    });
    expect(columns).toEqual([
      'id BIGINT',
      'Country_Region VARCHAR',
      'n BIGINT',
      'm DOUBLE',
      'file_date DATE',
    ]);
    expect(rows.toSorted((one, other) => Number(one[2]) - Number(other[2]))).toEqual([
      [null, 'Oslo', '1', null, '2020-01-22'],
      ['7', 'Bonn', '2', '0.5', '2020-03-02'],
      ['8', 'Bonn', '3', '1.0', '2020-03-03'],
    ]);
    expect(report.notes).toEqual([
      '3 files, one table. To import them separately, write `files: separate` into `tables/t.yaml`.',
      '“file_date” is the part of the file names that differs.',
      '“id” is missing in 1 of 3 files (01-22-2020.csv), so it is null there.',
      '“m” is missing in 1 of 3 files (01-22-2020.csv), so it is null there.',
      '“Country_Region” is also spelled “Country/Region”; treated as one column.',
    ]);
  });

  test('files may differ in separator, encoding, line ends and lines above the header', async () => {
    const { columns, rows } = await read({
      'a1.csv': 'k,v,w\r\nZoë,1,x\r\n',
      'a2.csv': Buffer.from('k;v;w\nM\xfcller;2;y\n', 'latin1'),
      'a3.csv': '\ufeffk,v,w\n"q ""z""",3,z',
      'a4.csv': 'My report\nas of today\nk\tv\tw\nu\t4\tv\n',
    });
    expect(columns).toEqual(['k VARCHAR', 'v BIGINT', 'w VARCHAR', 'file_number BIGINT']);
    expect(rows.map(row => row.join()).toSorted()).toEqual([
      'Müller,2,y,2',
      'Zoë,1,x,1',
      'q "z",3,z,3',
      'u,4,v,4',
    ]);
  });

  test('null markers are detected across all files, and stay text where they are quoted', async () => {
    const { columns, rows } = await read({
      'a1.csv': 'k,v\nx,1\n"NA",2\n',
      'a2.csv': 'k,v\nNA,NA\ny,""\n',
      'a3.csv': 'k,v\nz,3\n',
    });
    expect(columns).toEqual(['k VARCHAR', 'v BIGINT', 'file_number BIGINT']);
    expect(rows).toEqual([
      ['x', '1', '1'],
      ['NA', '2', '1'],
      [null, null, '2'],
      ['y', null, '2'],
      ['z', '3', '3'],
    ]);
  });

  test('files without a header have numbered columns', async () => {
    const { columns, rows } = await read({
      'yob1880.txt': 'Mary,F,7065\nAnna,F,2604\n',
      'yob1881.txt': 'Anna,F,2698\n',
      'yob1882.txt': 'John,M,9\n',
    });
    expect(columns).toEqual(['column0 VARCHAR', 'column1 VARCHAR', 'column2 BIGINT', 'file_year BIGINT']);
    expect(rows.map(row => row.join())).toEqual([
      'Mary,F,7065,1880',
      'Anna,F,2604,1880',
      'Anna,F,2698,1881',
      'John,M,9,1882',
    ]);
  });

  test('rejected rows name their file and line', async () => {
    const { rows, report } = await read({
      'a1.csv': 'k,v\nx,1\n',
      'a2.csv': 'k,v\ny,2\n"z"q,3,4\nu,5\n',
      'a3.csv': 'k,v\nw,6\n',
    });
    expect(rows).toHaveLength(4);
    expect(report).toMatchObject({ rowsRead: 5, rowsKept: 4, rowsRejected: 1 });
    expect(report.rejected.map(({ file, line }) => [path.basename(file), line])).toEqual([['a2.csv', 3]]);
  });

  test('files of several folders keep codes, long digits, chosen types and folder keys', async () => {
    const files = {
      'year=2001/x.csv': 'zip,uid,d,n\n0171,11679230632388718523,01.02.2024,1\n',
      'year=2002/x.csv': 'zip,uid,d,n\n9171,11679230632388718524,13.02.2024,2\n',
    };
    const { columns, rows } = await read(files, {
      isHive: true,
      reading: { version: 1, columns: { n: 'text' } },
    });
    expect(columns).toEqual(['zip VARCHAR', 'uid UBIGINT', 'd DATE', 'n VARCHAR', 'year VARCHAR']);
    expect(rows).toEqual([
      ['0171', '11679230632388718523', '2024-02-01', '1', '2001'],
      ['9171', '11679230632388718524', '2024-02-13', '2', '2002'],
    ]);
  });

  test('files whose headers have years are one table with these columns', async () => {
    const { columns, rows } = await read({
      'pop_1.csv': 'country,2001,2002\nX,1,2\nY,3,4\n',
      'pop_2.csv': 'country,2001,2002\nZ,5,6\n',
      'pop_3.csv': 'country,2002,2003\nV,7,8\n',
    });
    expect(columns.slice(0, 4)).toEqual(['country VARCHAR', '2001 BIGINT', '2002 BIGINT', '2003 BIGINT']);
    expect(rows.map(row => row.slice(0, 4))).toEqual([
      ['X', '1', '2', null],
      ['Y', '3', '4', null],
      ['Z', '5', '6', null],
      ['V', null, '7', '8'],
    ]);
  });

  test('a folder key that is not a URL’s escape stays as written', async () => {
    const files = { 'rate=5%/x.csv': 'n\n1\n', 'rate=10%25/x.csv': 'n\n2\n' };
    const { rows } = await read(files, { isHive: true });
    expect(rows).toEqual([
      ['1', '5%'],
      ['2', '10%'],
    ]);
  });

  test('compressed files with different date orders form one table', async () => {
    const { columns, rows, report } = await read({
      'part-1.csv': 'day,n\n01/31/2024,1\n02/01/2024,2\n',
      'part-2.csv': 'n,day\n3,15/02/2024\n',
      'part-3.csv': 'day,n\n,\n2024-03-01,4\n',
    });
    expect(columns).toEqual(['day DATE', 'n BIGINT']);
    expect(rows.map(row => row.join()).toSorted()).toEqual([
      ',',
      '2024-01-31,1',
      '2024-02-01,2',
      '2024-02-15,3',
      '2024-03-01,4',
    ]);
    expect(report.notes).toContain(
      '“day” is read as dates, in each file in its own order of day, month and year.',
    );
  });
});

test('several files are imported like one file with all their rows', async () => {
  const seed = Number(process.env['BELVEDERE_SEED']);
  console.warn(`seed ${seed}`);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const cells = [
    () => String(random(1000)),
    () => (random(100) / 8).toString(),
    () => `2024-0${1 + random(9)}-1${random(9)}`,
    () => `"a ""${random(9)}"",\nb"`,
    () => ['yes', 'no'][random(2)]!,
    () => ['NA', '5', '6'][random(3)]!,
    () => '',
    () => `${10 + random(20)}/0${1 + random(9)}/2024`,
    () => `2024-01-0${1 + random(9)} 0${random(9)}:30:00`,
    () => `€${random(9)}.50`,
    () => ['x', ''][random(2)]!,
  ];
  for (let round = 0; round < 12; round++) {
    await connection.run('drop table if exists data');
    const kinds = Array.from({ length: 2 + random(4) }, () => cells[random(cells.length)]!);
    const header = kinds.map((_, i) => `col ${'abcdef'[i]}`).join(',');
    const bodies = Array.from({ length: 2 + random(5) }, () =>
      Array.from({ length: random(6) }, () => `k,${kinds.map(kind => kind()).join(',')}\n`).join(''),
    );
    const one = path.join(folder, `all-${round}.csv`);
    await writeFile(one, `key,${header}\n${bodies.join('')}`);
    const single =
      bodies.join('') === ''
        ? undefined
        : await tableOf(
            (
              await importCsv(
                connection,
                one,
                path.join(folder, 'work'),
                new UnpackedBytes({ files: [one], bytes: 1000 }),
              )
            ).report,
          );
    await connection.run('drop table if exists data');
    const many = await read(
      Object.fromEntries(bodies.map((body, i) => [`r${round}/part-${i}.csv`, `key,${header}\n${body}`])),
    );
    if (single)
      expect([round, many.columns, many.rows, many.report.rowsRead]).toEqual([
        round,
        single.columns,
        single.rows,
        single.report.rowsRead,
      ]);
  }
});
