import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoted, rowsOf, text } from '../sql-text.ts';
import { convertNumbers } from './number-formats.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** What becomes of columns of texts: their values, type, format, and what is said of it. */
async function read(
  columns: Readonly<Record<string, readonly (string | null)[]>>,
  separator?: string,
  reading?: Parameters<typeof convertNumbers>[3],
) {
  const names = Object.keys(columns);
  const rows = Math.max(...Object.values(columns).map(values => values.length));
  const cell = (value: string | null | undefined) =>
    value === null || value === undefined ? 'null' : text(value);
  await connection.run(
    `create or replace table data (n integer, ${names.map(name => `${quoted(name)} varchar`).join(', ')})`,
  );
  await connection.run(
    `insert into data values ${Array.from({ length: rows }, (_, row) => `(${row}, ${names.map(name => cell(columns[name]![row])).join(', ')})`).join(', ')}`,
  );
  const found = await convertNumbers(connection, names, separator, reading);
  const types = new Map(
    (await rowsOf(connection, 'describe data')).map(([name, type]) => [String(name), String(type)]),
  );
  const values = await rowsOf(connection, `select ${names.map(quoted).join(', ')} from data order by n`);
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return {
    notes: found.notes,
    questions: found.questions,
    of: Object.fromEntries(
      names.map((name, i) => [
        name,
        {
          type: types.get(name),
          values: values.map(row => plain(row[i])),
          format: found.columns.find(one => one.name === name)?.format,
        },
      ]),
    ),
  };
}

describe('a column of texts becomes numbers', () => {
  test.each<[string, readonly (string | null)[], readonly (number | null)[], string?, string?]>([
    ['thousands apart', ['1,234', '950', '1,000,234'], [1234, 950, 1_000_234]],
    ['coordinates with signs and zeros', ['+09.25', '-011.50', '+102.00'], [9.25, -11.5, 102]],
    ['thousands apart, and decimals', ['1,234.50', '.5', '-3'], [1234.5, 0.5, -3]],
    [
      'hundreds apart above thousands, as in India',
      ['12,34,567', '1,00,000', '950'],
      [1_234_567, 100_000, 950],
    ],
    [
      'thousands separated by spaces, also non-breaking ones',
      ['1 234,5', '1\u00A0234\u202F567', '12'],
      [1234.5, 1_234_567, 12],
    ],
    [
      'thousands separated by apostrophes, as in Switzerland',
      ["CHF 1'234.50", 'CHF 12.00', 'CHF 1’000’000'],
      [1234.5, 12, 1_000_000],
      'currency:CHF',
    ],
    ['changes with their signs', ['+5.5', '-3', '+0.25'], [5.5, -3, 0.25]],
    ['infinities', ['Infinity', '-inf', '∞', '1'], [Infinity, -Infinity, Infinity, 1]],
    ['dollars', ['$1,234.50', '$-34', '-$4.00', '$.5'], [1234.5, -34, -4, 0.5], 'currency:USD'],
    ['euros, as in Germany', ['1.234,50 €', '−34,50 €', '4,00 €'], [1234.5, -34.5, 4], 'currency:EUR'],
    [
      'whole euros, whose point keeps thousands apart',
      ['1.234 €', '12.000 €'],
      [1234, 12_000],
      'currency:EUR',
    ],
    ['pounds, the first of them null', [null, '-', '£12', ''], [null, null, 12, null], 'currency:GBP'],
    ['a code behind', ['12.50 USD', '1,000.00 USD'], [12.5, 1000], 'currency:USD'],
    ['crowns, a currency of several countries', ['1 234 kr', '50 kr'], [1234, 50]],
    ['millions', ['$56.7M', '$537K', '$1.2B', '$3'], [56_700_000, 537_000, 1_200_000_000, 3], 'currency:USD'],
    ['Mexican pesos, not mistaken for millions', ['5 MXN', '1,200 MXN'], [5, 1200], 'currency:MXN'],
    ['percentages', ['12.5%', '0.1 %', '100%', '-7%'], [0.125, 0.001, 1, -0.07], 'percent'],
    ['percentages with several decimals', ['12.345%', '7%'], [0.12345, 0.07], '.3%'],
    ['percentages with commas', ['12,5 %', '7 %'], [0.125, 0.07], 'percent'],
    ['negatives in brackets', ['(1.50)', '2.50', '(1,000.00)'], [-1.5, 2.5, -1000]],
    ['negatives with a trailing sign', ['1,234.50-', '2.50'], [-1234.5, 2.5]],
    ['negative dollars, and an accounting zero', ['($1,200)', '$ -', '$5'], [-1200, 0, 5], 'currency:USD'],
    [
      'a comma before decimals, where commas separate values too',
      ['12,5', '1.234,75', '3'],
      [12.5, 1234.75, 3],
    ],
    [
      'a comma before decimals, where semicolons separate',
      ['1,234', '2,345'],
      [1.234, 2.345],
      undefined,
      ';',
    ],
  ])('%s', async (_, values, numbers, format, separator = ',') => {
    const {
      of: { column },
    } = await read({ column: values }, separator);
    expect(column).toEqual({
      type: expect.stringMatching(/^(BIGINT|DOUBLE)$/) as string,
      values: numbers,
      format,
    });
  });
});

test('whole numbers stay exact', async () => {
  await connection.run(
    `create or replace table data as select * from (values ('9,007,199,254,740,993'), ('1')) t(n)`,
  );
  await convertNumbers(connection, ['n'], ',');
  expect(await rowsOf(connection, 'select n from data')).toEqual([[9_007_199_254_740_993n], [1n]]);
});

describe('a column stays text', () => {
  test.each<[string, readonly string[], string?]>([
    ['of words among numbers', ['1,234', 'none']],
    ['of codes', ['0171', '1,234']],
    ['of codes with a sign', ['+0171', '1,234']],
    ['of two currencies', ['$5', '€5']],
    ['of dollars of two countries', ['CA$5', '$5']],
    ['of some percentages', ['5%', '7']],
    ['of telephone numbers', ['555 123 456', '555 987 654']],
    ['of telephone numbers, some without separators', ['555 123 456', '555987654']],
    ['of postal codes', ['110 001', '400 001']],
    ['of lists', ['101,102', '201,305']],
    ['of lists of small numbers', ['1,2,3', '4,5']],
    ['of several answers each', ['1,3', '2,12', '4']],
    ['of sizes', ['2M', '3K']],
    ['of flats', ['12B', '3B']],
    ['of notes in brackets', ['(1)', '(2)']],
    ['of plain numbers', ['5', '6.5']],
    ['of IP addresses', ['192.168.100.200', '10.0.0.1']],
    ['of dates', ['01.02.2024', '13.02.2024']],
    ['of times', ['12:30', '9:15']],
    ['of ranges', ['1-5', '6-10']],
    ['of nothing', ['-', 'NA']],
    ['of weights', ['12 kg', '5 kg']],
  ])('%s', async (_, values, separator = ',') => {
    expect((await read({ column: values }, separator)).of['column']).toEqual({
      type: 'VARCHAR',
      values,
      format: undefined,
    });
  });
});

test('an ambiguous comma is decided by other columns, and left open if none decides it', async () => {
  const amounts = ['1,234', '12,345', '950'];
  const values = async (
    others: Readonly<Record<string, readonly string[]>>,
    separator: string,
    reading?: { readonly decimal: ',' | '.' },
  ) => (await read({ amounts, ...others }, separator, reading)).of['amounts']!.values;
  expect(await values({}, ',')).toEqual([1234, 12_345, 950]);
  expect(await values({}, ';')).toEqual([1.234, 12.345, 950]);
  expect(await values({}, '\t')).toEqual(amounts);
  expect(await values({ price: ['12,50', '3'] }, '\t')).toEqual([1.234, 12.345, 950]);
  expect(await values({ price: ['$12.50', '$3'] }, '\t')).toEqual([1234, 12_345, 950]);
  expect(await values({ price: ['12,50', '3'] }, '\t', { decimal: '.' })).toEqual([1234, 12_345, 950]);
  expect(await read({ amounts: ['950', ...amounts] }, '\t')).toMatchObject({
    notes: [],
    questions: [{ kind: 'decimal mark', columns: ['amounts'], example: '1,234' }],
  });
});

test('an ambiguous format is left open until the user decides', async () => {
  const answers = ['1,3', '2,4', '5'];
  expect((await read({ answers }, ',')).notes).toEqual([
    'The comma in “answers” may be a list separator or a decimal comma, so it is imported as text. Set `decimal` to decide.',
  ]);
  expect((await read({ answers }, ',', { decimal: ',' })).of['answers']!.values).toEqual([1.3, 2.4, 5]);
  expect((await read({ answers: ['1,3', '2,4', '5,0'] }, ',')).of['answers']!.values).toEqual([1.3, 2.4, 5]);
});

test('a guessed format is reported', async () => {
  const { notes } = await read({ price: ['$5', '-'], share: ['5%', '7%'], many: ['1,000', '5'] }, ',');
  const { notes: others } = await read({ tax: ['5,5 kr', '7 kr'] }, ',');
  expect([...notes, ...others]).toEqual([
    '“price” is read as amounts of money (USD).',
    '“-” in “price” is imported as null.',
    '“share” is read as percentages.',
    '“many” is read as numbers.',
    'The comma in “tax” is read as a decimal comma.',
    '“tax” is read as amounts of money.',
  ]);
});

const seed = Number(process.env['BELVEDERE_SEED']);
test(`numbers written in a locale are parsed back (seed ${seed})`, async () => {
  let state = seed + 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const styles: readonly Intl.NumberFormatOptions[] = [
    {},
    { minimumFractionDigits: 2 },
    { style: 'percent', maximumFractionDigits: 2, minimumFractionDigits: 1 },
    { style: 'currency', currency: 'EUR' },
    { style: 'currency', currency: 'USD', currencySign: 'accounting' },
    { style: 'currency', currency: 'CHF', currencyDisplay: 'code' },
  ];
  for (const locale of ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'pl-PL', 'es-ES']) {
    for (const style of styles) {
      const written = new Intl.NumberFormat(locale, style);
      const isPercent = style.style === 'percent';
      const numbers = Array.from(
        { length: 12 },
        (_, i) => Math.round((random() - 0.3) * 10 ** (isPercent ? 1 : i % 8) * 1e4) / 1e4,
      ).map(number => (isPercent ? number : Math.round(number * 100) / 100));
      // Where the file is from, as these would be: a comma or semicolons between values.
      const separator = ['en-US', 'en-IN', 'de-CH'].includes(locale) ? ',' : ';';
      const values = numbers.map(number => written.format(number));
      const {
        of: { column },
      } = await read({ column: values }, separator);
      if (column!.type === 'VARCHAR' && values.every(value => /^-?\d+(\.\d+)?$/.test(value))) continue;
      expect(
        column!.values.map(value => Number(Number(value).toFixed(8))),
        `${locale} ${JSON.stringify(style)} ${values.join(' | ')}`,
      ).toEqual(numbers.map(number => (number === 0 ? 0 : number)));
    }
  }
});
