import { utils, write, type BookType, type CellObject, type Range, type WorkSheet } from '@e965/xlsx';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { randomBelow } from '../../column-store/random-below.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { sheetsAsCsv } from './read-excel.ts';

/*
 * Sheets that are laid out at random as people lay them out: titles, merged cells, headers of two rows, empty rows,
 * remarks, hidden sheets, and dates since 1900 or 1904. What was written comes back.
 */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-random-sheets-'));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

type Below = (count: number) => number;

/** A cell, and the text of it in the CSV file. */
interface Written {
  readonly cell: CellObject;
  readonly text: string;
}

const quoted = (value: string) => `"${value.trim().replaceAll('"', '""')}"`;
const word = (v: string): Written => ({ cell: { t: 's', v }, text: quoted(v) });
const number = (v: number, z?: string): Written => ({
  cell: { t: 'n', v, ...(z && { z }) },
  text: String(v),
});
const pick = <T>(below: Below, choices: readonly T[]): T => choices[below(choices.length)]!;
const two = (value: number) => String(value).padStart(2, '0');
const clock = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');

const words = [
  'Oslo',
  'Zoë Müller',
  '東京',
  'say "no"',
  'a, b; c',
  '“so” 🙂',
  '=1+1',
  'two\nlines',
  'TRUE',
  '00123',
  'AT&amp;T &#65;',
];
const secondsPerDay = 86_400;
/** Serial numbers of days from March 1900 on, since 1900 and since 1904. */
const firstDay = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

type Epoch = keyof typeof firstDay;

/** A day from 1905 to 2104 with a time, and its number in a workbook. */
function moment(below: Below, epoch: Epoch, seconds: number): { serial: number; iso: string } {
  const day = Date.UTC(1905 + below(200), below(12), 1 + below(28));
  const serial = (day - firstDay[epoch]) / 86_400_000 + seconds / secondsPerDay;
  return { serial, iso: new Date(day + seconds * 1000).toISOString() };
}

const columns: readonly ((below: Below, epoch: Epoch) => () => Written)[] = [
  below => () => word(pick(below, words)),
  below => {
    const format = pick(below, [undefined, '0', '#,##0']);
    return () => number(below(2_000_000) - 1_000_000, format);
  },
  below => {
    const format = pick(below, ['0.00', '#,##0.00 "€"', '[$$-409]#,##0.00', '0.0%', '0.0E+00', '[Red]-0.00']);
    return () => number((below(2_000_000) - 1_000_000) / 1000 + 0.0005, format);
  },
  (below, epoch) => {
    const format = pick(below, ['yyyy\\-mm\\-dd', 'd.m.yyyy', 'mmm d, yyyy', 'm/d/yy', 'dddd, d mmmm yyyy']);
    return () => {
      const { serial, iso } = moment(below, epoch, 0);
      return { cell: { t: 'n', v: serial, z: format }, text: iso.slice(0, 10) };
    };
  },
  (below, epoch) => {
    const format = pick(below, ['yyyy\\-mm\\-dd hh:mm:ss', 'm/d/yy h:mm AM/PM', 'd.m.yyyy hh:mm']);
    return () => {
      const { serial, iso } = moment(below, epoch, 1 + below(secondsPerDay - 1));
      return { cell: { t: 'n', v: serial, z: format }, text: iso.slice(0, 19).replace('T', ' ') };
    };
  },
  below => () => {
    const seconds = below(300 * 3600);
    return { cell: { t: 'n', v: seconds / secondsPerDay, z: '[h]:mm:ss' }, text: clock(seconds) };
  },
  below => () => {
    const seconds = below(secondsPerDay);
    return { cell: { t: 'n', v: seconds / secondsPerDay, z: 'h:mm' }, text: clock(seconds) };
  },
  below => () => {
    const isSo = below(2) === 0;
    return { cell: { t: 'b', v: isSo }, text: String(isSo) };
  },
];
const errors: readonly Written[] = [7, 15, 42].map(v => ({ cell: { t: 'e', v }, text: '' }));

interface Sheet {
  readonly content: WorkSheet;
  readonly isHidden: boolean;
  readonly csv: string;
  /** The address of the first value. */
  readonly first: string;
}

function randomSheet(below: Below, epoch: Epoch, hasErrors: boolean): Sheet {
  const content: WorkSheet = {};
  const merges: Range[] = [];
  const width = 3 + below(5);
  const left = below(3);
  let row = below(3);
  const put = (column: number, cell: CellObject) => {
    content[utils.encode_cell({ r: row, c: left + column })] = cell;
  };
  const merge = (from: number, to: number, rows = 1) =>
    merges.push({ s: { r: row, c: left + from }, e: { r: row + rows - 1, c: left + to } });

  const titles = below(3);
  for (let i = 0; i < titles; i++, row++) {
    put(0, word(`Report ${i}`).cell);
    if (below(2) === 0) merge(0, width - 1);
  }
  if (titles > 0 && below(3) > 0) row++;

  let names = Array.from(
    { length: width },
    (_, i) => `${pick(below, ['Größe', 'Betrag in €', 'the value'])} ${i}`,
  );
  if (width > 3 && below(4) === 0) {
    put(0, word(names[0]!).cell);
    merge(0, 0, 2);
    put(1, word('Group').cell);
    merge(1, width - 1);
    row++;
    for (const [i, name] of names.entries()) if (i > 0) put(i, word(name).cell);
    names = names.map((name, i) => (i === 0 ? name : `Group: ${name}`));
  } else {
    for (const [i, name] of names.entries()) put(i, word(name).cell);
  }
  row++;

  const kinds = Array.from({ length: width }, (_, i) =>
    pick(below, i === 0 ? columns.slice(0, 2) : columns)(below, epoch),
  );
  const first = utils.encode_cell({ r: row, c: left });
  const count = 2 + below(20);
  const lines: string[] = [];
  for (let i = 0; i < count; i++, row++) {
    if (i > 0 && below(12) === 0) row++;
    const written = kinds.map((kind, column) => {
      const value = kind();
      // Every column has a value, and so has the first cell of every row.
      if (column === 0 || i === 0 || below(6) > 0) return value;
      return hasErrors && below(3) === 0 ? pick(below, errors) : undefined;
    });
    for (const [column, value] of written.entries()) if (value) put(column, value.cell);
    lines.push(written.map(value => value?.text ?? '').join(','));
  }
  if (below(4) === 0) {
    row++;
    put(0, word('Source: office of statistics, provisional figures').cell);
  }
  content['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: row, c: left + width - 1 } });
  content['!merges'] = merges;
  return {
    content,
    isHidden: below(4) === 0,
    csv: `${[names.map(quoted).join(','), ...lines].join('\n')}\n`,
    first,
  };
}

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = Number(process.env['BELVEDERE_ROUNDS'] ?? 30);

test.each<BookType>(['xlsx', 'xlsb', 'biff8', 'ods'])(
  `sheets laid out at random and written as %s come back (seed ${seed})`,
  { timeout: 600_000 },
  async bookType => {
    // The writer reports the blanks and commas of formats that it omits in OpenDocument.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const below = randomBelow(seed);
    for (let round = 0; round < rounds; round++) {
      // OpenDocument writes days by their names. The library writes no errors to it.
      const isOpenDocument = bookType === 'ods';
      const epoch = !isOpenDocument && below(3) === 0 ? 1904 : 1900;
      const sheets = Array.from({ length: 1 + below(3) }, () => randomSheet(below, epoch, !isOpenDocument));
      const book = utils.book_new();
      for (const [i, { content }] of sheets.entries()) utils.book_append_sheet(book, content, `Sheet ${i}`);
      book.Workbook = {
        WBProps: { date1904: epoch === 1904 },
        Sheets: sheets.map(({ isHidden }, i) => ({ name: `Sheet ${i}`, Hidden: isHidden ? 1 : 0 })),
      };
      const bytes = write(book, { type: 'buffer', bookType, bookSST: below(2) === 0 }) as Buffer;
      const file = path.join(folder, 'book');
      await writeFile(file, bytes);
      const found = await sheetsAsCsv(
        file,
        folder,
        new UnpackedBytes({ files: [file], bytes: bytes.length }),
      );
      const about = `round ${round}, days since ${epoch}`;
      const read = await Promise.all(
        found.map(async ({ file: csv, notes, cellAt }) => ({
          csv: await readFile(csv, 'utf8'),
          isHidden: notes[0]!.includes('hidden'),
          first: cellAt(2, 0),
        })),
      );
      expect(read, about).toEqual(
        sheets.map(({ csv, isHidden, first }) => ({ csv, isHidden: !isOpenDocument && isHidden, first })),
      );
    }
  },
);
