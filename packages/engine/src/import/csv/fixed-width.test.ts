import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withColumnsByPosition } from './fixed-width.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-fixed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The lines of the copy, or undefined. */
async function read(text: string, skip = 0): Promise<string[] | undefined> {
  const file = path.join(folder, 'some.txt');
  await writeFile(file, text);
  const produced = new UnpackedBytes({ files: [file], bytes: text.length });
  const found = await withColumnsByPosition(file, skip, folder, produced);
  return found && (await readFile(found.file, 'utf8')).split('\n').slice(0, -1);
}

describe('a text of columns of fixed width', () => {
  test('as the list of weather stations: blanks within names, empty cells, numbers in neighbouring columns', async () => {
    const stations = [
      'ACW00011604  17.1167  -61.7833   10.1    ST JOHNS COOLIDGE FLD                       ',
      'ACW00011647  17.1333  -61.7833   19.2    ST JOHNS                                    ',
      'AE000041196  25.3330   55.5170   34.0    SHARJAH INTER. AIRP            GSN     41196',
      'AEM00041194  25.2550   55.3640   10.4    DUBAI INTL                             41194',
      'AEM00041218  24.2620   55.6090  264.9    AL AIN INTL                            41218',
      'AF000040930  35.3170   69.0170 3366.0    NORTH-SALANG                   GSN     40930',
    ];
    const rows = await read(`${stations.join('\n')}\n`);
    expect(rows?.[0]).toBe('ACW00011604,17.1167,-61.7833,10.1,ST JOHNS COOLIDGE FLD,,');
    expect(rows?.[5]).toBe('AF000040930,35.3170,69.0170,3366.0,NORTH-SALANG,GSN,40930');
  });

  test('with a header, a rule below it, commas and quotes in values, and lines above', async () => {
    const table = [
      'Stock, all of it',
      'Name              Qty    Price  Day',
      '----------------  ---  -------  ----------',
      'Apples             12     1.50  2024-01-02',
      'Red "Nashi" pears   3    12.00  2024-01-03',
      'Figs, dried       120     0.99  2024-01-04',
      '',
      'Plums               7     2.00  2024-01-05',
      'Kiwis              11     2.50',
    ];
    expect(await read(table.join('\n'), 1)).toEqual([
      'Stock, all of it',
      'Name,Qty,Price,Day',
      '',
      'Apples,12,1.50,2024-01-02',
      '"Red ""Nashi"" pears",3,12.00,2024-01-03',
      '"Figs, dried",120,0.99,2024-01-04',
      '',
      'Plums,7,2.00,2024-01-05',
      'Kiwis,11,2.50,',
    ]);
  });

  test('whose names do not stand above their columns', async () => {
    const rows = Array.from({ length: 6 }, (_, i) => `${i}  ${i * 11}`.padEnd(8) + `ab${i}`);
    expect((await read(['identity  amount  code', ...rows].join('\n')))?.slice(0, 2)).toEqual([
      'identity,amount,code',
      '0,0,ab0',
    ]);
  });

  const body = (line: (i: number) => string) => Array.from({ length: 8 }, (_, i) => line(i)).join('\n');
  test.each<[string, string]>([
    ['commas', body(i => `${i},  a${i},  ${i}`)],
    ['tabs', body(i => `${i}\ta  \t${i}`)],
    ['numbers of accounts in one column', body(i => `DE89 3704 0044 0532 0130 0${i}`)],
    ['sentences', body(i => `${'It was the best of times, '.slice(i)}it was the worst of times.`)],
    ['words only', body(i => `red   blue   w${i}`)],
    ['few lines', 'a   1   2\nb   3   4\n'],
    [
      'commas, blanks after them and in one line more commas',
      `${body(i => `a${i},   Li, ${i}`)}\nb,    Li, J, 9`,
    ],
    ['a line that is much longer', `a${' '.repeat(200_000)}1\n${'a\n'.repeat(25_000)}`],
    ['a long line almost of dashes', `${body(i => `a${i}   1${i}   2${i}`)}\n${'-'.repeat(4_000_000)}x`],
    ['a later line that differs', `${body(i => `a${i}   1${i}   2${i}`)}\n${'x'.repeat(12)}\n`],
  ])('is not found in a file with %s', async (_, text) => {
    expect(await read(text)).toBeUndefined();
  });

  test('comes back as written, for random tables', async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    console.info(`fixed widths: seed ${seed}`);
    let state = seed;
    const below = (count: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return Math.floor((state / 2 ** 31) * count);
    };
    const words = ['Ulm', 'New York', 'São Paulo', 'a', 'O’Hara', ''];
    for (let round = 0; round < 100; round++) {
      const isNumber = [true, ...Array.from({ length: 2 + below(5) }, () => below(2) === 0)];
      const rows = Array.from({ length: 40 }, () =>
        isNumber.map(is => (is ? String(below(20_000) - 5000) : words[below(words.length)]!)),
      );
      const widths = isNumber.map((is, i) => Math.max(...rows.map(row => row[i]!.length), is ? 3 : 9));
      const lines = rows.map(row =>
        row.map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '),
      );
      expect(await read(lines.join('\n'))).toEqual(rows.map(row => row.join(',')));
    }
  });
});
