import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { XlsxFile } from './write-xlsx.ts';
import type { ExportColumn, ExportValue } from '../tables/export-table.ts';

async function written(
  columns: readonly ExportColumn[],
  pieces: readonly (readonly (readonly ExportValue[])[])[],
  totals?: ReadonlySet<number>,
) {
  const workbook = new XlsxFile('en-US');
  const made: Uint8Array[] = [];
  await workbook.begin({ id: 'one', title: 'One', columns }, pieces[0] ?? []);
  for (const [i, rows] of pieces.entries()) {
    workbook.add(rows, i === pieces.length - 1 ? totals : undefined);
    made.push(workbook.take());
  }
  await workbook.begin(
    { id: 'two', title: 'One', columns: [{ label: 'Share', type: 'number', format: 'percent' }] },
    [],
  );
  await workbook.end([
    ['Belvedere', 'One/two'],
    ['Filters', '–'],
  ]);
  const files = unzipSync(Buffer.concat([...made, workbook.take()]));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}
const cells = (xml: string) =>
  [
    ...xml.matchAll(
      /<c r="(\w+)"(?: s="(\d+)")?(?: t="(\w+)")?>(?:<v>(.*?)<\/v>|<is><t xml:space="preserve">(.*?)<\/t><\/is>)<\/c>/gs,
    ),
  ].map(([, position, , type, value, text]) => `${position} ${type ?? 'n'} ${value ?? text}`);

test('values keep their types; numbers beyond Excel’s precision are text, and nothing is a formula', async () => {
  const columns: ExportColumn[] = [
    { label: 'Name <&>', type: 'text' },
    { label: 'Number', type: 'number', format: 'integer' },
    { label: 'Day', type: 'date' },
    { label: 'Moment', type: 'time' },
    { label: 'Yes', type: 'boolean' },
  ];
  const files = await written(columns, [
    [['=1+1', 1.5, Date.UTC(2024, 1, 29), Date.UTC(2024, 0, 1, 18), true]],
    [
      [' <b>&amp; \0\u0007\ud800', '9007199254740993', Date.UTC(1850, 0, 1), Date.UTC(1900, 0, 1), false],
      ['x'.repeat(40_000), Number.NaN, null, null, null],
    ],
  ]);
  const found = cells(files['xl/worksheets/sheet2.xml']!);
  expect(found.slice(0, 15)).toEqual([
    'A1 inlineStr Name &lt;&amp;&gt;',
    'B1 inlineStr Number',
    'C1 inlineStr Day',
    'D1 inlineStr Moment',
    'E1 inlineStr Yes',
    'A2 inlineStr =1+1',
    'B2 n 1.5',
    'C2 n 45351',
    'D2 n 45292.75',
    'E2 inlineStr Yes',
    'A3 inlineStr  &lt;b&gt;&amp;amp; \ufffd',
    'B3 inlineStr 9007199254740993',
    'C3 inlineStr 1850-01-01',
    'D3 inlineStr 1900-01-01T00:00:00',
    'E3 inlineStr No',
  ]);
  expect(found[15]).toBe(`A4 inlineStr ${'x'.repeat(32_766)}…`);
  expect(found[16]).toBe('B4 inlineStr NaN');
  expect(found).toHaveLength(17);
});

test('sheets have unique names, totals are bold, and a table without rows has its columns', async () => {
  const files = await written(
    [
      { label: 'A', type: 'number', format: '.1f' },
      { label: 'B', type: 'text' },
    ],
    [
      [[1, 'x']],
      [
        [2, 'y'],
        [3, 'z'],
      ],
    ],
    new Set([1]),
  );
  expect(
    [...files['xl/workbook.xml']!.matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(match => match[1]),
  ).toEqual(['One two', 'One', 'One 2']);
  const style = (position: string) =>
    new RegExp(`<c r="${position}"(?: s="(\\d+)")?`).exec(files['xl/worksheets/sheet2.xml']!)![1];
  const bolds = [...files['xl/styles.xml']!.matchAll(/<cellXfs[\s\S]*$/g)][0]![0]
    .match(/<xf [^>]*>/g)!
    .map(xf => xf.includes('fontId="1"'));
  expect(['A1', 'A2', 'B3', 'A4', 'B4'].map(position => bolds[Number(style(position) ?? 0)])).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
  expect(style('A2')).not.toBe(style('B2'));
  expect(cells(files['xl/worksheets/sheet3.xml']!)).toEqual(['A1 inlineStr Share']);
  expect(files['xl/worksheets/sheet3.xml']).toMatch(/<\/row><\/sheetData><\/worksheet>$/);
});

test('cells are highlighted as on the page: by the first matching condition, as numbers, and never totals', async () => {
  const highlights = [
    { field: 'n', when: { from: 100 }, look: 'bad' },
    { field: 'n', when: { from: 10 }, look: 'warn' },
  ] as const;
  const files = await written(
    [
      { label: 'A', type: 'text' },
      { label: 'N', type: 'number', format: 'integer', highlights },
    ],
    [
      [
        ['x', 5],
        ['y', 10],
        ['z', 100],
      ],
      [['all', 115]],
    ],
    new Set([0]),
  );
  const styles = files['xl/styles.xml']!;
  const fills = styles.match(/<fill>.*?<\/fill>/g)!;
  const formats = /<cellXfs[\s\S]*$/.exec(styles)![0].match(/<xf [^>]*>/g)!;
  const look = (position: string) => {
    const xf =
      formats[
        Number(
          new RegExp(`<c r="${position}"(?: s="(\\d+)")?`).exec(files['xl/worksheets/sheet2.xml']!)![1] ?? 0,
        )
      ]!;
    return /[0-9A-F]{6}(?=")/.exec(fills[Number(/fillId="(\d+)"/.exec(xf)?.[1] ?? 0)]!)?.[0];
  };
  expect(['A3', 'B2', 'B3', 'B4', 'B5'].map(look)).toEqual([
    undefined,
    undefined,
    'FBF0DD',
    'FBE9E7',
    undefined,
  ]);
  expect(cells(files['xl/worksheets/sheet2.xml']!).slice(2)).toEqual([
    'A2 inlineStr x',
    'B2 n 5',
    'A3 inlineStr y',
    'B3 n 10',
    'A4 inlineStr z',
    'B4 n 100',
    'A5 inlineStr all',
    'B5 n 115',
  ]);
});

test.each([
  // The scale of a table's column is that of its rows, without totals and texts.
  ['a column', { isAdditive: false }, [5, 7.5, 10]],
  ['a measure that adds up', { isAdditive: true }, [0, 5, 10]],
  ['several columns of a pivot', { isAdditive: true, extent: [0, 40] as const }, [0, 20, 40]],
])('the shading of %s is a rule of the sheet', async (_, heat, stops) => {
  const files = await written(
    [
      { label: 'A', type: 'text' },
      {
        label: 'N',
        type: 'number',
        format: 'integer',
        heat,
        highlights: [{ field: 'n', when: { oneOf: [6] }, look: 'warn' }],
      },
    ],
    [
      [
        ['x', 5],
        ['y', null],
        ['w', 6],
        ['v', 7],
      ],
      [
        ['all', 115],
        ['z', 10],
      ],
    ],
    new Set([0]),
  );
  const sheet = files['xl/worksheets/sheet2.xml']!;
  // Neither missing values, nor highlighted cells, nor totals.
  const [rule, ...others] = sheet.match(/<conditionalFormatting.*?<\/conditionalFormatting>/gs)!;
  expect(others).toEqual([]);
  expect(rule).toContain('sqref="B2:B2 B5:B5 B7:B7"');
  expect([...rule!.matchAll(/val="([^"]+)"/g)].map(match => Number(match[1]))).toEqual(stops);
  expect(rule!.match(/<color rgb="FF[0-9A-F]{6}"\/>/g)).toHaveLength(3);
  expect(sheet).toMatch(/<\/sheetData><conditionalFormatting/);
});

test('moments show their zone’s time; those of the repeated hour are text with the offset', async () => {
  const columns: ExportColumn[] = [{ label: 'At', type: 'time', zone: 'Europe/Berlin' }];
  const times = ['2024-10-26T22:00:00Z', '2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z'];
  const files = await written(columns, [times.map(time => [Date.parse(time)])]);
  const sheet = Object.values(files).find(xml => xml.includes('+02:00'))!;
  expect(cells(sheet).slice(1)).toEqual([
    'A2 n 45592',
    'A3 inlineStr 2024-10-27T02:30:00+02:00',
    'A4 inlineStr 2024-10-27T02:30:00+01:00',
  ]);
});
