import { discover, Importer } from '@belvedere/engine';
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { randomFrom } from '../random/random-from.ts';

/*
 * Workbooks that another library writes at random: every cell of them comes back.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const formats = ['yyyy-mm-dd hh:mm:ss', 'dd/mm/yyyy hh:mm', 'm/d/yy h:mm AM/PM'] as const;
const words = ['Oslo', 'Zoë', 'say "no"', 'a, b; c', 'two\nlines', '5" pipe', '＃', "it's"];

test('a random workbook is imported cell by cell', async () => {
  console.log(`written workbooks seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  const random = randomFrom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-workbooks-'));
  const written = Array.from({ length: 6 }, (_, i) => {
    const format = formats[below(formats.length)]!;
    const rows = Array.from({ length: 40 }, (__, row) => ({
      id: row + 1,
      amount: below(1e6) / 100 + 0.001,
      word: words[below(words.length)]!,
      isPaid: random() < 0.5,
      day: new Date(Date.UTC(1980 + below(60), below(12), 1 + below(28))),
      at: new Date(Date.UTC(2024, below(12), 1 + below(28), below(24), below(60), below(60))),
    }));
    return { sheet: `Sheet${i}`, format, rows };
  });
  const names = ['id', 'amount', 'word', 'isPaid', 'day', 'at'].map(value => ({ value }));
  const cells = ({ format, rows }: (typeof written)[number]) => [
    names,
    ...rows.map(row => [
      { value: row.id },
      { value: row.amount },
      { value: row.word },
      { value: row.isPaid },
      { value: row.day, format: 'yyyy-mm-dd' },
      { value: row.at, format },
    ]),
  ];
  await writeWorkbook(written.map(one => ({ data: cells(one), sheet: one.sheet }))).toFile(
    path.join(folder, 'book.xlsx'),
  );
  const importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: folder,
    memoryBytes: 2 ** 30,
    threads: 1,
  });
  const {
    tables: [found],
  } = await discover(path.join(folder, 'book.xlsx'));
  const tables = await importer.import(found!, () => {});
  await importer.close();
  for (const { sheet, rows } of written) {
    const instance = await DuckDBInstance.create(
      tables.find(({ name }) => name.endsWith(sheet.toLowerCase()) || name.endsWith(sheet))!.database,
      { access_mode: 'READ_ONLY' },
    );
    const connection = await instance.connect();
    const read = await connection.runAndReadAll(
      'select id::int, amount, word, "isPaid", epoch_ms("day"::timestamp)::double, epoch_ms("at")::double from data order by id',
    );
    expect(read.getRows()).toEqual(
      rows.map(row => [row.id, row.amount, row.word, row.isPaid, row.day.getTime(), row.at.getTime()]),
    );
    connection.closeSync();
    instance.closeSync();
  }
  await rm(folder, { recursive: true, force: true });
});
