import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBelow } from '../../column-store/random-below.ts';
import { convertDurations, secondsWritten } from './durations.ts';
import { rowsOf, text } from '../sql-text.ts';

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

async function read(name: string, values: readonly (string | null)[]) {
  await connection.run(`create or replace table data (n integer, "${name}" varchar)`);
  await connection.run(
    `insert into data values ${values.map((value, i) => `(${i}, ${value === null ? 'null' : text(value)})`).join(', ')}`,
  );
  const { columns } = await convertDurations(connection, [name]);
  const rows = await rowsOf(connection, `select "${name}" from data order by n`);
  return {
    format: columns[0]?.format,
    values: rows.map(([value]) => (typeof value === 'bigint' ? Number(value) : value)),
  };
}

describe('a column of durations becomes seconds', () => {
  test.each<[string, string, readonly (string | null)[], readonly (number | null)[]]>([
    ['beyond a day', 'dur', ['01:30:00', '25:10:00', null], [5400, 90_600, null]],
    ['below a day, by its name', 'Duration', ['00:05:00', '1:00:30.5'], [300, 3630.5]],
    ['below zero', 'delay', ['-00:00:05', '01:00:00'], [-5, 3600]],
    ['with days', 'took', ['1 day 02:03:04', '0 days 00:00:01', '2 days, 1:00:00'], [93_784, 1, 176_400]],
    ['laps', 'lap', ['1:32.456', '0:59,1', 'NA'], [92.456, 59.1, null]],
    ['ISO 8601', 'v', ['PT1H30M', 'P1DT2S', 'P2W', 'PT0.5S'], [5400, 86_402, 1_209_600, 0.5]],
    ['words', 'v', ['1h 30m', '45 min', '2 hours, 5 minutes', '10s'], [5400, 2700, 7500, 10]],
    ['beyond whole numbers', 'v', ['10000000000000000000:00:00', '1:00:00'], [3.6e22, 3600]],
    ['one word, by its name', 'duration', ['90 min', '100 min'], [5400, 6000]],
  ])('%s', async (_, name, values, seconds) => {
    expect(await read(name, values)).toEqual({ format: 'duration', values: seconds });
  });

  test.each<[string, string, readonly string[]]>([
    ['times of day', 'departure', ['08:30:00', '23:59:59']],
    ['closing times', 'closes', ['24:00:00', '18:30:00']],
    ['codes among which one has no number', 'code', ['P1D', 'P', 'P2W']],
    ['hours or minutes', 'duration', ['1:30', '25:10']],
    ['metres or minutes', 'distance', ['5m', '10m']],
    ['mixed values', 'duration', ['90 min', '2 Seasons']],
    ['letters', 'code', ['P', 'PT']],
    ['words beside clock times', 'duration', ['01:30:00', '1h']],
  ])('but %s stay text', async (_, name, values) => {
    expect(await read(name, values)).toEqual({ format: undefined, values });
  });

  test('whatever is written comes back', async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const below = randomBelow(seed);
    const two = (value: number) => String(value).padStart(2, '0');
    const forms: readonly ((d: number, h: number, m: number, s: number) => string)[] = [
      (d, h, m, s) => `${d * 24 + h}:${two(m)}:${two(s)}`,
      (d, h, m, s) => `${d} days ${two(h)}:${two(m)}:${two(s)}`,
      (d, h, m, s) => `P${d}DT${h}H${m}M${s}S`,
      (d, h, m, s) => `${d}d ${h}h ${m}m ${s}s`,
      (d, h, m, s) => `${d} days, ${h} hours, ${m} minutes, ${s} seconds`,
    ];
    for (const [i, form] of forms.entries()) {
      const parts = Array.from(
        { length: 30 },
        () => [1 + below(90), below(24), below(60), below(60)] as const,
      );
      const written = parts.map(part => form(...part));
      const seconds = parts.map(([d, h, m, s]) => ((d * 24 + h) * 60 + m) * 60 + s);
      expect(await read('v', written), `seed ${seed}, form ${i}: ${written.join()}`).toEqual({
        format: 'duration',
        values: seconds,
      });
    }
  });
});

test.each([
  ['1:30', 5400],
  ['1:32.5', 92.5],
  ['PT2H', 7200],
  ['90', 90],
  ['soon', null],
])('the declared type duration reads %s as %s seconds', async (value, seconds) => {
  const [row] = await rowsOf(connection, `select ${secondsWritten(text(value))}`);
  expect(row![0]).toBe(seconds);
});
