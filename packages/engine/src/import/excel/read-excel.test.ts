import { utils, write, type WorkSheet } from '@e965/xlsx';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { zipFile } from '../archives/zip-file.fixture.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { sheetsAsCsv } from './read-excel.ts';
import { ImportError } from '../report.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook with a sheet `s` of these rows, as XML. */
function workbookOfXml(rows: string, more = ''): Buffer {
  const relations = (type: string, target: string) =>
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    `<Relationship Id="r1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  const typed = (part: string, type: string) =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  return zipFile([
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        `${typed('/xl/workbook.xml', 'sheet.main')}${typed('/xl/worksheets/sheet1.xml', 'worksheet')}</Types>`,
    },
    { name: '_rels/.rels', content: relations('officeDocument', 'xl/workbook.xml') },
    { name: 'xl/_rels/workbook.xml.rels', content: relations('worksheet', 'worksheets/sheet1.xml') },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${main}"><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData>${more}</worksheet>`,
    },
  ]);
}

interface Sheet {
  readonly rows: readonly (readonly unknown[])[];
  readonly merges?: readonly string[];
  readonly isHidden?: boolean;
}

/** What becomes of a workbook's sheets: their lines, and what is said of them. */
async function read(
  sheets: Readonly<Record<string, Sheet>>,
): Promise<Record<string, { csv: string; notes: readonly string[] }>> {
  const book = utils.book_new();
  for (const [name, { rows, merges = [] }] of Object.entries(sheets)) {
    const sheet: WorkSheet = utils.aoa_to_sheet(rows.map(row => [...row]));
    sheet['!merges'] = merges.map(range => utils.decode_range(range));
    utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = { Sheets: Object.values(sheets).map(({ isHidden }) => ({ Hidden: isHidden ? 1 : 0 })) };
  return readBytes(write(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }) as Buffer);
}

async function readBytes(bytes: Buffer): Promise<Record<string, { csv: string; notes: readonly string[] }>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sheets-'));
  try {
    const file = path.join(folder, 'book.xlsx');
    await writeFile(file, bytes);
    const found = await sheetsAsCsv(file, folder, new UnpackedBytes({ files: [file], bytes: bytes.length }));
    return Object.fromEntries(
      await Promise.all(
        found.map(
          async ({ sheet, file: csv, notes }) =>
            [sheet, { csv: await readFile(csv, 'utf8'), notes }] as const,
        ),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a hidden sheet is imported and reported', async () => {
  const { a, b } = await read({ a: { rows: [['k'], ['x']] }, b: { rows: [['k'], ['y']], isHidden: true } });
  expect([a!.notes, b!.notes]).toEqual([['Sheet “a”.'], ['Sheet “b”, which is hidden in the workbook.']]);
});

test('line breaks within a cell are preserved', async () => {
  const { s } = await read({
    s: {
      rows: [
        ['k', 'v'],
        ['one\r\ntwo', 'one\ntwo'],
      ],
    },
  });
  expect(s!.csv).toBe('"k","v"\n"one\r\ntwo","one\ntwo"\n');
});

test.each([
  ['decimal, as openpyxl writes it', '&#128578;', '🙂'],
  ['hexadecimal', '&#x1F642;&#x00e9;', '🙂é'],
  ['of 16 bits', '&#26481;&#20140;&#233;', '東京é'],
  ['as a pair of halves', '&#xD83D;&#xDE42;', '🙂'],
  ['to a mark', '&#60;&#38;&#65;', '<&A'],
  ['that is written as text', '&amp;#128578;', '&#128578;'],
  ['with an escaped underscore', '_x005F_x0041_ &#xe9; &amp;amp;', '_x0041_ é &amp;'],
  ['beyond the last character', '&#9999999;x', '\u967fx'],
])('a reference to a character is read: %s', async (_, written, text) => {
  const sheet = (cells: string) =>
    workbookOfXml(`<row r="1"><c r="A1" t="inlineStr"><is><t>k</t></is></c></row><row r="2">${cells}</row>`);
  for (const cells of [
    `<c r="A2" t="inlineStr"><is><t>${written}</t></is></c>`,
    `<c r="A2" t="str"><f>B1</f><v>${written}</v></c>`,
  ])
    expect((await readBytes(sheet(cells)))['s']!.csv).toBe(`"k"\n"${text}"\n`);
});

test.each(['xlsx', 'xlsb', 'biff8', 'ods'] as const)(
  'texts that look escaped survive, written as %s with and without shared texts',
  async bookType => {
    const texts = ['AT&amp;T', '&#65;', '&lt;b>', 'a_x_b', '&amp;amp;'];
    for (const bookSST of [true, false]) {
      const book = utils.book_new(utils.aoa_to_sheet([['k'], ...texts.map(written => [written])]), 's');
      const { s } = await readBytes(write(book, { type: 'buffer', bookType, bookSST }) as Buffer);
      expect(s!.csv).toBe(`${['k', ...texts].map(written => `"${written}"`).join('\n')}\n`);
    }
  },
);

test('a bar code in a column of dates is imported as a number, and the others stay dates', async () => {
  const sheet = utils.aoa_to_sheet([['day'], [45_292], [4_006_381_333_931]]);
  for (const cell of [sheet['A2'], sheet['A3']]) cell.z = 'yyyy-mm-dd';
  const { Sheet1 } = await readBytes(
    write(utils.book_new(sheet), { type: 'buffer', bookType: 'xlsx' }) as Buffer,
  );
  expect(Sheet1!.csv).toBe('"day"\n2024-01-01\n4006381333931\n');
});

test('a title across all columns and other lines above the header are skipped, and reported', async () => {
  const rows = [['Sales'], [], ['k', 'v'], ['a', 1], [], ['b', 2]];
  const { s } = await read({ s: { rows, merges: ['A1:B1'] } });
  expect(s).toEqual({
    csv: '"k","v"\n"a",1\n"b",2\n',
    notes: ['Sheet “s”.', '1 row above the header is skipped: “Sales”.', '1 empty row is skipped.'],
  });
});

describe('remarks below a table', () => {
  const header = ['k', 'v', 'w'];
  const source = 'Source: city register';
  const long = 'Figures of the last quarter are preliminary';
  test.each<[string, unknown[][], string[] | undefined]>([
    ['in a column of numbers', [[1, 'a', 2], [2, 'b', 3], [source], [long]], [source, long]],
    ['in a column of numbers, short', [[1, 'a', 2], [2, 'b', 3], [], ['k=key']], ['k=key']],
    ['after an empty row', [['x', 'a', 2], ['y', 'b', 3], [], [source], ['© 2024']], [source, '© 2024']],
    ['after an empty row, long', [['x', 'a', 2], ['y', 'b', 3], [], [long]], [long]],
    ['as the last name of a list', [['x', 'a', 2], ['y', 'b', 3], ['z']], undefined],
    ['as a name after an empty row', [['x', 'a', 2], ['y', 'b', 3], [], ['Zoë']], undefined],
    [
      'with a value',
      [
        [1, 'a', 2],
        [2, 'b', 3],
        ['Total', null, 5],
      ],
      undefined,
    ],
    ['in another column', [['x', 'a', 2], ['y', 'b', 3], [], [null, long]], undefined],
    ['as the only row', [[source]], undefined],
  ])('%s', async (_, rows, skipped) => {
    const { s } = await read({ s: { rows: [header, ...rows] } });
    const note = s!.notes.find(text => text.includes('below the table'));
    const texts = skipped?.map(text => `“${text}”`).join(', ');
    const isOne = skipped?.length === 1;
    const rowsSkipped = `${skipped?.length} ${isOne ? 'row' : 'rows'} below the table ${isOne ? 'is' : 'are'} skipped`;
    expect(note).toBe(skipped && `${rowsSkipped}: ${texts}.`);
    const filled = rows.filter(row => row.length > 0).length - (skipped?.length ?? 0);
    expect(s!.csv.trimEnd().split('\n')).toHaveLength(1 + filled);
  });
});

test('a two-row header is combined if its upper cells span columns', async () => {
  const rows = [
    ['Shop', '2023', null, '2024', null],
    [null, 'in', 'out', 'in', 'out'],
    ['Oslo', 1, 2, 3, 4],
  ];
  const { s } = await read({ s: { rows, merges: ['A1:A2', 'B1:C1', 'D1:E1'] } });
  expect(s!.csv).toBe('"Shop","2023: in","2023: out","2024: in","2024: out"\n"Oslo",1,2,3,4\n');
  expect(s!.notes).toContain('The first 2 lines name the columns.');
});

test.each<[string, readonly (readonly unknown[])[]]>([
  ['a row of data with gaps above an empty row', [['k', 'v', 'w'], ['a', 1], [], ['b', 'c', 'd']]],
  [
    'two columns',
    [
      ['name', 'value'],
      ['as of', '2024'],
      ['x', 'y'],
    ],
  ],
])('a table with %s has its first row as header', async (_, rows) => {
  const { s } = await read({ s: { rows } });
  expect(s!.csv.split('\n')[0]).toBe(rows[0]!.map(name => `"${String(name)}"`).join(','));
});

test('a file that is not a ZIP archive is not a workbook, whatever else it could be', async () => {
  await expect(readBytes(Buffer.from('<table><tr><td>1</td></tr></table>'))).rejects.toThrow(
    'Could not read this workbook.',
  );
});

const cell = (repeated = '') =>
  `<table:table-cell office:value-type="float" office:value="1" ${repeated}><text:p>1</text:p></table:table-cell>`;
const row = (cells: string, repeated = '') => `<table:table-row ${repeated}>${cells}</table:table-row>`;
const many = 'table:number-columns-repeated="1000000000"';
const manyRows = 'table:number-rows-repeated="1000000000"';

function openDocument(rows: string): Buffer {
  return zipFile([
    { name: 'META-INF/manifest.xml', content: '<manifest:manifest></manifest:manifest>' },
    { name: 'styles.xml', content: '<office:document-styles></office:document-styles>' },
    {
      name: 'content.xml',
      content: `<office:document-content><table:table table:name="s">${rows}</table:table></office:document-content>`,
    },
  ]);
}

test.each([
  ['rows', row(cell(), manyRows)],
  ['cells', row(cell(many))],
  [
    'many rows of many cells',
    row(cell(many.replace('000000', '0')), manyRows.replace('000000', '0')).repeat(20),
  ],
  ['rows whose number has an exponent', row(cell(), 'table:number-rows-repeated="1e9"')],
  ['rows by an attribute within a text', row(cell(), `a/b=" table:number-rows-repeated='1000000000'"`)],
  ['cells with a text only', row(`<table:table-cell ${many}><text:p>x</text:p></table:table-cell>`)],
  ['cells in a comment within a tag', row(cell(`x="<!--" y="-->" ${many}`))],
])('a sheet that repeats %s a billion times is refused at once', async (_, rows) => {
  const begun = performance.now();
  await expect(readBytes(openDocument(rows))).rejects.toThrow(
    'This workbook has more than 10,000,000 cells, the maximum for OpenDocument.',
  );
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('empty rows and cells that are repeated to the end of a sheet are no cells', async () => {
  const empty = `<table:table-cell ${many}/>`;
  const { s } = await readBytes(
    openDocument(row(cell() + empty) + row(cell('x="2"')) + row(empty, manyRows)),
  );
  expect(s!.csv).toBe('"1"\n1\n');
});

test('a workbook whose sheet is longer than any text has the limit as its error', async () => {
  const mebibyte = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const sheet = { name: 'xl/worksheets/sheet1.xml', packed: Buffer.concat(Array(513).fill(mebibyte)) };
  await expect(readBytes(zipFile([sheet]))).rejects.toThrow(
    'Could not read this workbook. One of its sheets has more than 512 MiB of text, the maximum.',
  );
});

test('a workbook of Numbers says how to export it', async () => {
  await expect(readBytes(zipFile([{ name: 'Index/Document.iwa' }]))).rejects.toThrow('Export it from there');
});

describe.each(['xlsx', 'xlsm', 'xlsb', 'biff8', 'biff5', 'ods'] as const)(
  'a workbook written as %s',
  bookType => {
    test('contains the same sheets as .xlsx', async () => {
      const sheet = utils.aoa_to_sheet([
        ['name', 'day', 'at', 'took', 'ok', 'n'],
        ['Zoë, “x”', null, null, null, true, 1.5],
        ['Łódź', null, null, null, false, 0.1 + 0.2],
      ]);
      for (const row of [2, 3]) {
        Object.assign(sheet, {
          [`B${row}`]: { t: 'n', v: 45_289 + row, z: 'yyyy/mm/dd' },
          [`C${row}`]: { t: 'n', v: 45_292 + row / 24, z: 'yyyy/mm/dd hh:mm:ss' },
          [`D${row}`]: { t: 'n', v: 1 + row / 24, z: '[h]:mm:ss' },
        });
      }
      const book = {
        SheetNames: ['s', 'none', 't'],
        Sheets: { s: sheet, none: utils.aoa_to_sheet([]), t: utils.aoa_to_sheet([['k'], ['v']]) },
      };
      const found = await readBytes(write(book, { type: 'buffer', bookType, codepage: 1250 }) as Buffer);
      expect(Object.keys(found)).toEqual(['s', 't']);
      expect(found['s']!.csv.split('\n').map(line => line.replace(/^"[^"]*"/, ''))).toEqual([
        ',"day","at","took","ok","n"',
        ',2023-12-31,2024-01-01 02:00:00,26:00:00,true,1.5',
        ',2024-01-01,2024-01-01 03:00:00,27:00:00,false,0.30000000000000004',
        '',
      ]);
      if (bookType !== 'biff5') expect(found['s']!.csv).toContain('"Łódź"');
    });
  },
);

test.each([
  [
    '<html><table><tr><td>1</td></tr></table></html>',
    'It is a web page or an XML file, not a workbook. Open it in a spreadsheet program and save it as .xlsx.',
  ],
  [
    'a\tb\n1\t2\n',
    'It is a text file. If its values are separated by commas or tabs, rename it to end with .csv.',
  ],
  ['\u0000\u0001\u0002', 'is neither'],
])('%j is not a workbook, and its format is named', async (content, why) => {
  await expect(readBytes(Buffer.from(content))).rejects.toThrow(why);
});

test('a workbook with damaged parts is imported or refused, and never runs without end', async () => {
  const book = utils.book_new(
    utils.aoa_to_sheet([['k', 'v'], ...Array.from({ length: 20 }, (_, i) => [`r${i}`, i])]),
  );
  const whole = write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
  const outcomes = { read: 0, refused: 0 };
  for (let at = 40; at < whole.length; at += 17) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 0x55;
    await readBytes(damaged).then(
      () => outcomes.read++,
      (error: unknown) => {
        expect(error).toBeInstanceOf(ImportError);
        outcomes.refused++;
      },
    );
  }
  expect(outcomes.read).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(100);
});

describe('a workbook of a few kilobytes', () => {
  const workbook = (cells: readonly (readonly [row: number, place: string, value: number])[], more = '') =>
    workbookOfXml(
      cells
        .map(([row, place, value]) => `<row r="${row}"><c r="${place}${row}"><v>${value}</v></c></row>`)
        .join(''),
      more,
    );

  test('with cells in far rows and columns, and large merges, takes the time of its cells', async () => {
    const begun = performance.now();
    const far = workbook(
      [
        [1, 'A', 1],
        [2, 'ZZZZZ', 2],
        [999_999_999, 'A', 3],
      ],
      `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(200)}</mergeCells>`,
    );
    // The first row is a title, since a merge spans it.
    expect((await readBytes(far))['s']!.csv).toBe(',"2"\n3,\n');
    // Searched place by place, they took minutes.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('whose cells lie on a diagonal is refused before its table is made', async () => {
    const names = Array.from({ length: 16_384 }, (_, i) => utils.encode_col(i));
    const diagonal = workbook(names.flatMap((name, i) => [[i + 1, name, i] as const]));
    const file = path.join(os.tmpdir(), `belvedere-diagonal-${process.pid}.xlsx`);
    await writeFile(file, diagonal);
    const produced = new UnpackedBytes({ files: [file], bytes: diagonal.length, isUploaded: true });
    await expect(sheetsAsCsv(file, os.tmpdir(), produced)).rejects.toThrow(
      'the maximum for an uploaded file',
    );
    await rm(file);
  });
});
