import type { ImportReport } from '@belvedere/engine';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TableState } from '../workspace/workspace.ts';
import { importWarnings } from './import-warnings.ts';

const clean: ImportReport = { rowsRead: 9, rowsKept: 9, rowsRejected: 0, rejected: [], notes: ['UTF-8'] };

const relative = (file: string) => path.relative('/w', file);

function warnings(report: Partial<ImportReport>, file = 'data/orders.csv', name = 'orders') {
  const found = { name: 'orders', files: [`/w/${file}`] };
  const table = { found, imported: { name, report: { ...clean, ...report } } } as unknown as TableState;
  return importWarnings({ tables: new Map([[name, table]]) }, relative);
}

test('a table without questions has no warning, nor has one that is not imported', () => {
  expect(warnings({})).toEqual([]);
  const waiting = { found: { name: 'a', files: ['/w/a.csv'] }, state: 'waiting' } as unknown as TableState;
  expect(importWarnings({ tables: new Map([['a', waiting]]) }, relative)).toEqual([]);
});

test('open questions name file, columns, example and the options that decide', () => {
  expect(
    warnings({
      questions: [
        { kind: 'date order', columns: ['placed', 'sent'], example: '01/02/2024' },
        { kind: 'decimal mark', columns: ['amount'], example: '1,234' },
      ],
    }),
  ).toEqual([
    {
      file: 'data/orders.csv',
      message:
        '“placed”, “sent” are imported as text, because the dates are ambiguous (for example 01/02/2024). ' +
        'Set `dates: day first` or `dates: month first` in `tables/orders.yaml`, or in the import options.',
    },
    {
      file: 'data/orders.csv',
      message:
        '“amount” is imported as text, because the numbers are ambiguous (for example 1,234). ' +
        'Set `decimal: "."` for 1,234.5 or `decimal: ","` for 1.234,5 in `tables/orders.yaml`, or in the import options.',
    },
  ]);
});

test('a value that keeps a column text is named with its line, or with its cell', () => {
  const nearly = { column: 'Unit price', type: 'number', fits: 1500, misfits: 3 } as const;
  const first = [{ file: '/w/data/orders.csv', line: 17, value: 'free' }];
  expect(warnings({ nearly: [{ ...nearly, first }] })).toEqual([
    {
      file: 'data/orders.csv',
      line: 17,
      message:
        '“Unit price” is imported as text because of “free” and 2 other values; 1,500 of 1,503 values have the type `number`. ' +
        'To make the others null, set `columns: { "Unit price": number }` in `tables/orders.yaml`, or in the import options.',
    },
  ]);
  // One value may be in many cells.
  const many = [{ ...first[0]!, count: 3 }];
  expect(warnings({ nearly: [{ ...nearly, first: many }] })[0]!.message).toContain(
    'because of “free” (3 times); 1,500 of',
  );
  const cell = [{ file: '/w/data/orders.xlsx', sheet: 'May', cell: 'B17', value: 'free' }];
  const report = { nearly: [{ ...nearly, column: 'price', misfits: 1, first: cell }] };
  expect(warnings(report, 'data/orders.xlsx', 'orders_may')).toEqual([
    {
      file: 'data/orders.xlsx',
      message:
        '“price” (table `orders_may`) is imported as text because of “free” (sheet “May”, cell B17); ' +
        '1,500 of 1,501 values ' +
        'have the type `number`. ' +
        'To make the others null, set `columns: { price: number }` in `tables/orders.yaml`, or in the import options.',
    },
  ]);
});

test('rejected rows are counted, with line and reason of the first', () => {
  const rejected = [{ file: '/w/data/orders.csv', line: 14, reason: 'It has 9 values.' }];
  expect(warnings({ rowsRejected: 2, rejected })).toEqual([
    { file: 'data/orders.csv', line: 14, message: '2 rows were rejected. The first: It has 9 values.' },
  ]);
  expect(warnings({ rowsRejected: 1 })).toEqual([
    { file: 'data/orders.csv', message: '1 row was rejected.' },
  ]);
});
