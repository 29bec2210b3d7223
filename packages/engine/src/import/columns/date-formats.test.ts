import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBelow } from '../../column-store/random-below.ts';
import { convertAsDeclared } from './declared-types.ts';
import { convertNumberedDates } from './numbered-dates.ts';
import { quoted, rowsOf, text } from '../sql-text.ts';
import { convertDates } from './date-formats.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function put(values: readonly (string | null)[], column: string, type = 'varchar'): Promise<void> {
  await connection.run(`create or replace table data (n integer, ${quoted(column)} ${type})`);
  await connection.run(
    `insert into data values ${values.map((value, i) => `(${i}, ${value === null ? 'null' : text(value)})`).join(', ')}`,
  );
}

/** The type and the values of a column, as the engine writes them; midnights without a time. */
async function kept(
  column: string,
): Promise<{ readonly type: string; readonly values: readonly (string | null)[] }> {
  const [[, type]] = (await rowsOf(connection, 'describe data')).slice(1) as [[string, string]];
  const values = await rowsOf(connection, `select ${quoted(column)}::varchar from data order by n`);
  return { type, values: values.map(([value]) => (value === null ? null : String(value))) };
}

async function read(
  values: readonly (string | null)[],
  reading: Parameters<typeof convertDates>[2] = {},
  column = 'placed',
) {
  await put(values, column);
  const { notes, question } = await convertDates(connection, [column], reading);
  return { ...(await kept(column)), notes, question };
}

describe('a column of texts becomes dates', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['day, month name in capitals, year', ['31-OCT-2023', '01-NOV-2023'], ['2023-10-31', '2023-11-01']],
    [
      'two-digit years after a month name',
      ['31-Dec-24', '01-Feb-70', '1-Mar-69'],
      ['2024-12-31', '1970-02-01', '2069-03-01'],
    ],
    ['without separators, as written by SAS', ['31OCT2023', '01NOV2023'], ['2023-10-31', '2023-11-01']],
    [
      'American',
      ['October 31, 2023', 'Nov. 1st, 2023', 'May 5 2023'],
      ['2023-10-31', '2023-11-01', '2023-05-05'],
    ],
    [
      'English with a weekday',
      ['Tuesday, 31st of October 2023', 'Wed 1 Nov 2023'],
      ['2023-10-31', '2023-11-01'],
    ],
    [
      'German',
      ['31. Oktober 2023', '1. März 2024', '2. Dez. 2024', '5. Jänner 2024'],
      ['2023-10-31', '2024-03-01', '2024-12-02', '2024-01-05'],
    ],
    [
      'French',
      ['1er août 2023', '31 déc. 2023', '3 février 2024'],
      ['2023-08-01', '2023-12-31', '2024-02-03'],
    ],
    [
      'Spanish',
      ['31 de octubre de 2023', '1 ene 2024', '2 de setiembre de 2024'],
      ['2023-10-31', '2024-01-01', '2024-09-02'],
    ],
    [
      'Portuguese',
      ['31 de março de 2023', '1/fev/2024', '2-out-24'],
      ['2023-03-31', '2024-02-01', '2024-10-02'],
    ],
    [
      'Italian',
      ['31 luglio 2023', '1 giu 2024', '2 gennaio 2024'],
      ['2023-07-31', '2024-06-01', '2024-01-02'],
    ],
    ['Dutch', ['31 maart 2023', '1 mrt 2024', '2 augustus 2024'], ['2023-03-31', '2024-03-01', '2024-08-02']],
    ['year before the month name', ['2023-Oct-31', '2024-Feb-1'], ['2023-10-31', '2024-02-01']],
    [
      'two-digit years, decided by a 13',
      ['04/07/20', '13/07/20', '28/02/21'],
      ['2020-07-04', '2020-07-13', '2021-02-28'],
    ],
    ['two-digit years, decided by a 31', ['04-07-20', '31-07-20'], ['2020-07-04', '2020-07-31']],
    ['two-digit years first, as no other order fits', ['20-07-04', '99-07-31'], ['2020-07-04', '1999-07-31']],
    ['month first, decided by a 31', ['1/2/2024', '12/31/2024'], ['2024-01-02', '2024-12-31']],
    ['equal in either order', ['1/1/2024', '2/2/2024'], ['2024-01-01', '2024-02-02']],
    ['blanks after points, as Czechs write', ['31. 10. 2023', '1. 2. 2024'], ['2023-10-31', '2024-02-01']],
    [
      'midnight alone, as spreadsheets export days',
      ['1/31/2024 0:00', '2/1/2024 0:00'],
      ['2024-01-31', '2024-02-01'],
    ],
    ['months', ['2024-01', '2024-12'], ['2024-01-01', '2024-12-01']],
    ['months after a slash', ['2024/01', '2024/12'], ['2024-01-01', '2024-12-01']],
    ['months before their years', ['01/2024', '12/2024'], ['2024-01-01', '2024-12-01']],
    ['months of spreadsheets', ['Jan-24', 'Dez-24'], ['2024-01-01', '2024-12-01']],
    ['months with short years', ["Jan '24", 'Dec ’23'], ['2024-01-01', '2023-12-01']],
    ['Chinese', ['2023年10月31日', '2023年1月5日'], ['2023-10-31', '2023-01-05']],
    ['Chinese months', ['2023年10月', '2023年1月'], ['2023-10-01', '2023-01-01']],
    ['months by name', ['Jan 2024', 'Dezember 2024'], ['2024-01-01', '2024-12-01']],
    ['quarters', ['2023Q1', '2023-Q4'], ['2023-01-01', '2023-10-01']],
    ['quarters, their number first', ['1Q23', '4Q2023'], ['2023-01-01', '2023-10-01']],
    ['quarters of two-digit years', ["Q1'23", 'Q4-23', 'T2 ’24'], ['2023-01-01', '2023-10-01', '2024-04-01']],
    ['quarters in French and Spanish', ['T1 2023', 'T4 2023'], ['2023-01-01', '2023-10-01']],
    ['fiscal years', ['FY2023', 'FY 2024', 'fy-2025'], ['2023-01-01', '2024-01-01', '2025-01-01']],
    ['fiscal years of two digits', ['FY23', "FY'24"], ['2023-01-01', '2024-01-01']],
    [
      'fiscal years by both years, called by the second',
      ['FY2023/24', 'FY2024-25', 'FY25/26', 'FY1968/69', 'FY1999/2000'],
      ['2024-01-01', '2025-01-01', '2026-01-01', '1969-01-01', '2000-01-01'],
    ],
    ['quarters, the year last', ['Q1 2023', 'Q3 2023'], ['2023-01-01', '2023-07-01']],
    ['ISO weeks', ['2023-W05', '2020-W53', '2024W01'], ['2023-01-30', '2020-12-28', '2024-01-01']],
    ['days of ISO weeks', ['2023-W05-2', '2020-W53-7'], ['2023-01-31', '2021-01-03']],
  ])('%s', async (_, values, days) => {
    expect(await read(values)).toMatchObject({ type: 'DATE', values: days, question: undefined });
  });
});

describe('a column of texts becomes dates and times', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'German, hours of one digit',
      ['31.10.2023 14:05', '01.11.2023 9:30'],
      ['2023-10-31 14:05:00', '2023-11-01 09:30:00'],
    ],
    [
      '12-hour clocks',
      ['10/31/2023 2:05 PM', '11/1/2023 9:30 AM'],
      ['2023-10-31 14:05:00', '2023-11-01 09:30:00'],
    ],
    [
      '12-hour clocks in other spellings',
      ['10/31/2023 2:05pm', '10/31/2023, 12:00:01 a.m.', '10/31/2023 12 p. m.', '10/31/2023 3PM'],
      ['2023-10-31 14:05:00', '2023-10-31 00:00:01', '2023-10-31 12:00:00', '2023-10-31 15:00:00'],
    ],
    [
      'two-digit years, month first',
      ['1/2/24 14:33', '12/22/24 9:05'],
      ['2024-01-02 14:33:00', '2024-12-22 09:05:00'],
    ],
    [
      'names and fractions',
      ['31-Oct-2023 14:05:09.25', 'Tue 1 Nov 2022 at 9:05'],
      ['2023-10-31 14:05:09.25', '2022-11-01 09:05:00'],
    ],
    [
      'German with “Uhr”',
      ['31. Oktober 2023, 14:05 Uhr', '1. Mai 2023 um 9.30 Uhr'],
      ['2023-10-31 14:05:00', '2023-05-01 09:30:00'],
    ],
    [
      'C’s own form',
      ['Tue Oct 31 14:05:09 2023', 'Wed Nov  1 09:05:09 2023'],
      ['2023-10-31 14:05:09', '2023-11-01 09:05:09'],
    ],
    [
      'some without a time',
      ['2024-01-31 10:00', '2024-02-01'],
      ['2024-01-31 10:00:00', '2024-02-01 00:00:00'],
    ],
  ])('%s', async (_, values, moments) => {
    expect(await read(values)).toMatchObject({ type: 'TIMESTAMP', values: moments, question: undefined });
  });
});

describe('a column of texts becomes instants', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['as web servers log', ['31/Oct/2023:14:05:00 +0100'], ['2023-10-31 13:05:00+00']],
    [
      'RFC 2822',
      ['Wed, 31 Jan 2024 10:00:00 GMT', 'Thu, 1 Feb 2024 10:00:00 -0530', '1 Feb 2024 10:00:00 EST'],
      ['2024-01-31 10:00:00+00', '2024-02-01 15:30:00+00', '2024-02-01 15:00:00+00'],
    ],
    [
      'ISO without seconds',
      ['2024-01-31T10:00Z', '2024-01-31T11:30+02:00'],
      ['2024-01-31 10:00:00+00', '2024-01-31 09:30:00+00'],
    ],
    [
      'a trailing UTC',
      ['2024-01-31 10:00 UTC', '2024-01-31 11:30 UTC'],
      ['2024-01-31 10:00:00+00', '2024-01-31 11:30:00+00'],
    ],
    [
      'as JavaScript prints them',
      ['Wed Jan 31 2024 10:00:00 GMT+0100 (Central European Standard Time)'],
      ['2024-01-31 09:00:00+00'],
    ],
    [
      'basic ISO',
      ['20240131T100000Z', '20240131T113000+0200'],
      ['2024-01-31 10:00:00+00', '2024-01-31 09:30:00+00'],
    ],
  ])('%s', async (_, values, moments) => {
    expect(await read(values)).toMatchObject({ type: 'TIMESTAMP WITH TIME ZONE', values: moments });
  });
});

describe('a column stays text', () => {
  test.each<[string, readonly string[], string?]>([
    ['of an impossible day', ['2024-02-28', '2024-02-30']],
    ['of words', ['may', 'June']],
    ['of an unknown month', ['31-Foo-2024', '1-Bar-2024']],
    ['of an unknown zone', ['2024-01-31 10:00 XYZ']],
    ['of times with and without a zone', ['2024-01-31 10:00Z', '2024-01-31 10:00']],
    ['of an hour past the twelfth of a 12-hour clock', ['10/31/2023 14:05 PM']],
    ['of versions', ['1.2.10', '1.13.10'], 'version'],
    ['of telephone numbers', ['555-12-3456', '555-98-7654']],
    ['of a week that its year lacks', ['2023-W53', '2023-W01']],
    ['of quarters of fiscal years, whose first day is unknown', ['FY2023 Q1', 'FY2024 Q2']],
    ['codes that begin like fiscal years', ['FY2023', 'FY204']],
    [
      'periods of fiscal years',
      Array.from({ length: 12 }, (_, i) => `FY2023-${String(i + 1).padStart(2, '0')}`),
    ],
    ['of nothing', ['NA', '-']],
    ['codes of a letter and three digits', ['T101', 'T215', 'T412']],
    ['codes of a letter and five digits', ['Q10023', 'Q41234']],
    ['codes with a letter between digits', ['1T01', '4T15']],
    ['codes of four digits, a letter and a digit', ['4512T1', '9001Q2']],
  ])('%s', async (_, values, column = 'placed') => {
    expect(await read(values, {}, column)).toMatchObject({
      type: 'VARCHAR',
      values,
      notes: [],
      question: undefined,
    });
  });

  test('if one of many values is not a date', async () => {
    const values = Array.from({ length: 12_000 }, (_, i) => (i === 11_500 ? 'soon' : '31-OCT-2023'));
    expect((await read(values)).type).toBe('VARCHAR');
  });
});

test('ambiguous days and months prompt the user, whatever the year is', async () => {
  for (const values of [
    ['01/02/2024', '03/04/2024'],
    ['01.02.24', '03.04.24'],
    ['1/2/24 14:33', '3/4/24 9:05'],
  ]) {
    const { type, question } = await read(values);
    expect([type, question]).toEqual([
      'VARCHAR',
      { kind: 'date order', columns: ['placed'], example: values[0] },
    ]);
  }
});

test('a chosen order reads two-digit years as years of this century', async () => {
  const values = ['01.02.24', '03.04.24'];
  expect((await read(values, { dates: 'day first' })).values).toEqual(['2024-02-01', '2024-04-03']);
  expect((await read(values, { dates: 'month first' })).values).toEqual(['2024-01-02', '2024-03-04']);
  expect((await read(values, { dates: 'year first' })).values).toEqual(['2001-02-24', '2003-04-24']);
});

test('texts for null become null, and are reported', async () => {
  const { values, notes } = await read(['31-Dec-24', 'NA', '', null]);
  expect(values).toEqual(['2024-12-31', null, null, null]);
  expect(notes).toEqual([
    '“placed” is read as dates, the day before the month’s name.',
    'Two-digit years in “placed” are read as 1970 to 2069.',
    '“NA” in “placed” is imported as null.',
  ]);
});

describe('a chosen type', () => {
  const decide = async (
    values: readonly string[],
    type: 'date' | 'time',
    reading: { readonly dates?: 'day first' } = {},
  ) => {
    await put(values, 'placed');
    const decided = await convertAsDeclared(connection, 'placed', type, { version: 1, ...reading });
    return { ...(await kept('placed')), ...decided };
  };
  test.each<[readonly string[], 'date' | 'time', readonly (string | null)[]]>([
    [['20231031', '20231101'], 'date', ['2023-10-31', '2023-11-01']],
    [
      ['1698710400', '1698710400000', '1698710400000000'],
      'time',
      ['2023-10-31 00:00:00', '2023-10-31 00:00:00', '2023-10-31 00:00:00'],
    ],
    [['2024-01-31T10:00Z'], 'time', ['2024-01-31 10:00:00+00']],
    [['2024-01-31T10:00Z'], 'date', ['2024-01-31']],
    [['31-Dec-24', 'soon'], 'date', ['2024-12-31', null]],
    [['Wed, 31 Jan 2024 23:00:00 -0500'], 'date', ['2024-01-31']],
    [['13/07/20', '04/07/20'], 'date', ['2020-07-13', '2020-07-04']],
  ])('reads %j as %s', async (values, type, expected) => {
    const { values: got, notes } = await decide(values, type);
    expect(got).toEqual(expected);
    expect(notes.length).toBe(expected.includes(null) ? 2 : 1);
  });

  test('does not empty a column of ambiguous days and months, but prompts the user', async () => {
    expect(await decide(['01/02/24', '03/04/24'], 'date')).toMatchObject({
      type: 'VARCHAR',
      question: { kind: 'date order', columns: ['placed'] },
    });
    expect((await decide(['01/02/24', '03/04/24'], 'date', { dates: 'day first' })).values).toEqual([
      '2024-02-01',
      '2024-04-03',
    ]);
  });
});

describe('whole numbers', () => {
  const readNumbers = async (column: string, values: readonly (string | null)[]) => {
    await put(values, column, 'bigint');
    const notes = await convertNumberedDates(connection, [column]);
    return { ...(await kept(column)), notes };
  };
  test.each<[string, readonly (string | null)[], string, readonly (string | null)[]]>([
    ['when', ['20231031', '20231101', null], 'DATE', ['2023-10-31', '2023-11-01', null]],
    [
      'key',
      ['20231031', '20231101', '20231102', '20231103', '20231104'],
      'DATE',
      ['2023-10-31', '2023-11-01', '2023-11-02', '2023-11-03', '2023-11-04'],
    ],
    [
      'created_at',
      ['1698710400', '1698796800'],
      'TIMESTAMP WITH TIME ZONE',
      ['2023-10-31 00:00:00+00', '2023-11-01 00:00:00+00'],
    ],
    ['eventAt', ['1698710400000'], 'TIMESTAMP WITH TIME ZONE', ['2023-10-31 00:00:00+00']],
    [
      'loaded_at',
      ['20231031140500', '20231101093000'],
      'TIMESTAMP',
      ['2023-10-31 14:05:00', '2023-11-01 09:30:00'],
    ],
    ['month', ['202310', '202401'], 'DATE', ['2023-10-01', '2024-01-01']],
    ['ts', ['1698710400000001'], 'TIMESTAMP WITH TIME ZONE', ['2023-10-31 00:00:00.000001+00']],
  ])('named %s are dates or instants: %j', async (column, values, type, expected) => {
    const { notes, ...rest } = await readNumbers(column, values);
    expect(rest).toEqual({ type, values: expected });
    expect(notes).toHaveLength(1);
  });
  test.each([
    ['id', ['20231031', '20231101']],
    ['id', ['202310', '202311']],
    ['month', ['202310', '202313']],
    ['created_at', ['20231031256000']],
    ['date', ['20231031', '20231131']],
    ['id', ['1698710400', '1698796800']],
    ['candidate', ['1698710400']],
    ['time', ['1698710400', '12']],
    ['time', ['4102444800']],
    ['order', Array.from({ length: 31 }, (_, i) => String(20_230_101 + i))],
  ])('named %s stay numbers: %j', async (column, values) => {
    expect(await readNumbers(column, values)).toEqual({ type: 'BIGINT', values, notes: [] });
  });
});

test('numbers with decimals are seconds since 1970 if the name says so', async () => {
  await put(['1698710400.25', '1698796800.5', null], 'timestamp', 'double');
  await convertNumberedDates(connection, ['timestamp']);
  expect(await kept('timestamp')).toEqual({
    type: 'TIMESTAMP WITH TIME ZONE',
    values: ['2023-10-31 00:00:00.25+00', '2023-11-01 00:00:00.5+00', null],
  });
});

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = Number(process.env['BELVEDERE_ROUNDS'] ?? 30);
test(`dates written in any of the formats are parsed back (seed ${seed})`, { timeout: 600_000 }, async () => {
  let state = seed + 1;
  const random = (below: number) =>
    Math.floor(((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647) * below);
  const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)]!;
  const two = (number: number) => String(number).padStart(2, '0');
  for (let round = 0; round < rounds; round++) {
    const locale = pick(['en', 'de', 'fr', 'es', 'pt', 'it', 'nl']);
    const hasShortYear = random(2) === 1;
    const isPadded = random(2) === 1;
    const length = pick(['short', 'long'] as const);
    const changed = pick([
      (word: string) => word,
      (word: string) => word.toUpperCase(),
      (word: string) => word.toLowerCase(),
    ]);
    const number = (value: number) => (isPadded ? two(value) : String(value));
    const yearOf = (day: Date) =>
      hasShortYear ? two(day.getUTCFullYear() % 100) : String(day.getUTCFullYear());
    const monthOf = (day: Date) =>
      changed(new Intl.DateTimeFormat(locale, { month: length, timeZone: 'UTC' }).format(day));
    const mark = pick(['-', '/', '.', ' ']);
    const [date, isByName] = pick<[(day: Date) => string, boolean]>([
      [day => [number(day.getUTCDate()), monthOf(day), yearOf(day)].join(mark), true],
      [day => `${monthOf(day)} ${number(day.getUTCDate())}, ${yearOf(day)}`, true],
      [day => [day.getUTCFullYear(), monthOf(day), number(day.getUTCDate())].join(mark), true],
      [
        day =>
          [number(day.getUTCDate()), number(day.getUTCMonth() + 1), yearOf(day)].join(
            mark === ' ' ? '.' : mark,
          ),
        false,
      ],
      [
        day =>
          [number(day.getUTCMonth() + 1), number(day.getUTCDate()), yearOf(day)].join(
            mark === ' ' ? '/' : mark,
          ),
        false,
      ],
      [
        day =>
          [day.getUTCFullYear(), number(day.getUTCMonth() + 1), number(day.getUTCDate())].join(
            mark === ' ' ? '-' : mark,
          ),
        false,
      ],
    ]);
    const [clock, isInstant] = pick<[(day: Date) => string, boolean]>([
      [() => '', false],
      [day => ` ${number(day.getUTCHours())}:${two(day.getUTCMinutes())}`, false],
      [
        day =>
          ` ${day.getUTCHours() % 12 || 12}:${two(day.getUTCMinutes())}${day.getUTCHours() < 12 ? ' AM' : ' PM'}`,
        false,
      ],
      [
        day =>
          ` ${day.getUTCHours() % 12 || 12}:${two(day.getUTCMinutes())}${day.getUTCHours() < 12 ? 'a.m.' : 'p.m.'}`,
        false,
      ],
      [day => ` ${two(day.getUTCHours())}:${two(day.getUTCMinutes())} UTC`, true],
      [day => ` ${two(day.getUTCHours())}:${two(day.getUTCMinutes())}:00+00:00`, true],
    ]);
    const hasClock = clock(new Date()) !== '';
    // The last days of months tell which part is the day.
    const days = [
      ...Array.from(
        { length: 20 },
        () => new Date(Date.UTC(1970 + random(100), random(12), 1 + random(28), random(24), random(60))),
      ),
      new Date(Date.UTC(1999, 0, 31, 13, 5)),
    ];
    const values = days.map(day => date(day) + clock(day));
    const expected = days.map(
      day =>
        day
          .toISOString()
          .replace('T', ' ')
          .slice(0, hasClock ? 19 : 10)
          .replace(/(?<=:\d\d):\d\d$/, ':00') + (isInstant ? '+00' : ''),
    );
    const { values: got, question } = await read(values);
    expect({ got, question }, `${locale} by name: ${isByName} ${values.slice(0, 3).join(' | ')}`).toEqual({
      got: expected,
      question: undefined,
    });
  }
});

test(`periods written in any of the formats are parsed back (seed ${seed})`, async () => {
  const below = randomBelow(seed);
  const short = (year: number) => String(year % 100).padStart(2, '0');
  const two = (value: number) => String(value).padStart(2, '0');
  const nameOf = (month: number, locale: string) =>
    new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, month));
  const forms: readonly (readonly [1 | 3 | 12, (year: number, month: number) => string])[] = [
    [1, (year, month) => `${year}-${two(month + 1)}`],
    [1, (year, month) => `${year}/${two(month + 1)}`],
    [1, (year, month) => `${two(month + 1)}/${year}`],
    [1, (year, month) => `${year}年${month + 1}月`],
    [1, (year, month) => `${nameOf(month, 'en')}-${short(year)}`],
    [1, (year, month) => `${nameOf(month, 'en')} '${short(year)}`],
    [1, (year, month) => `${nameOf(month, 'de')} ${year}`],
    [3, (year, month) => `${year}Q${month / 3 + 1}`],
    [3, (year, month) => `Q${month / 3 + 1} ${year}`],
    [3, (year, month) => `${month / 3 + 1}Q${short(year)}`],
    [3, (year, month) => `T${month / 3 + 1}-${year}`],
    [12, year => `FY${year}`],
    [12, year => `FY ${short(year)}`],
    [12, year => `FY${year - 1}/${short(year)}`],
  ];
  for (const [i, [months, form]] of forms.entries()) {
    const periods = Array.from(
      { length: 20 },
      () => [1970 + below(100), below(12 / months) * months] as const,
    );
    const values = periods.map(period => form(...period));
    expect(await read(values), `form ${i}: ${values.join(' | ')}`).toMatchObject({
      type: 'DATE',
      values: periods.map(([year, month]) => `${year}-${two(month + 1)}-01`),
    });
  }
});
