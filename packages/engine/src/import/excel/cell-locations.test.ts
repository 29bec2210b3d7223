import { utils, write, type BookType } from '@e965/xlsx';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { Importer } from '../importer.ts';

let folder: string;
let importer: Importer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-cells-'));
  await mkdir(path.join(folder, 'tables'));
  const tablesFolder = path.join(folder, 'tables');
  importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
});
afterAll(async () => {
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

// Rows and columns of the sheet and of the imported table differ: the first column, the title, an empty row,
// a text of two lines and a repeated header are between them.
const header = [null, 'place', 'count', 'day'];
const rows = [
  [null, 'Visitors of the year'],
  [],
  header,
  [null, 'Aachen\nMitte', 1, '2024-01-05'],
  [null, 'Bonn', 2, '2024-01-06'],
  [],
  header,
  [null, 'Köln', 'closed', '2024-01-07'],
  ...Array.from({ length: 12 }, (_, i) => [null, `p${i}`, i, `2024-02-${String(i + 10)}`]),
  [null, 'Trier', 5, '2024-02-30'],
];

test.each<[string, BookType]>([
  ['xlsx', 'xlsx'],
  ['xlsm', 'xlsm'],
  ['ods', 'ods'],
  ['xls', 'biff8'],
])(
  'values that keep a column of an .%s file text are reported with sheet and cell',
  async (ending, bookType) => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['k'], ['x']]), 'Notes');
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Visits 2024');
    const file = path.join(folder, `book.${ending}`);
    await writeFile(file, write(book, { type: 'buffer', bookType }) as Buffer);
    const { tables } = await discover(file);
    const imported = await importer.import(tables[0]!, () => {});
    const { report } = imported.find(({ name }) => /visits/i.test(name))!;
    const at = { file, sheet: 'Visits 2024' };
    expect(report.nearly).toEqual([
      {
        column: 'count',
        type: 'integer',
        fits: 15,
        misfits: 1,
        first: [{ ...at, cell: 'C8', value: 'closed' }],
      },
      {
        column: 'day',
        type: 'date',
        fits: 15,
        misfits: 1,
        first: [{ ...at, cell: 'D21', value: '2024-02-30' }],
      },
    ]);
    expect(report.notes).toContain('Row 7 repeats the header and is skipped.');
  },
);
