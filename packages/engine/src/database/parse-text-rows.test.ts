import type { DataType } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import { TextRows } from './parse-text-rows.ts';

const read = (
  type: DataType,
  text: string,
  as: 'values' | 'numbers' = 'values',
  zeroDate: 0 | null = null,
) => {
  const result = new TextRows([{ name: 'seen', type }], { as, maxRows: 10 }, zeroDate);
  result.add([text]);
  return result.result.columns[0]!.values[0];
};

describe('values from servers as text', () => {
  test.each<[DataType, string, unknown]>([
    ['instant', '2024-03-09 14:05:00+00', Date.UTC(2024, 2, 9, 14, 5)],
    ['time', '0044-03-15 00:00:00 BC', new Date(0).setUTCFullYear(-43, 2, 15)],
    ['date', 'infinity', null],
    ['time', '-infinity', null],
    ['date', '0000-00-00', null],
    ['date', '2024-00-00', null],
    ['date', '2024-02-00', null],
    ['number', 'NaN', 'NaN'],
    ['number', '-inf', '-Infinity'],
    ['number', '1e-3', 0.001],
    ['decimal', '12345678901234567890.50', '12345678901234567890.5'],
    ['decimal', '0.100', 0.1],
    ['decimal', '100', 100],
    ['decimal', '100.000', 100],
    ['decimal', '.50', 0.5],
    ['decimal', 'NaN', 'NaN'],
    ['integer', '1e20', 1e20],
    ['boolean', 'f', false],
    ['boolean', '\u0001', true],
  ])('%s %j is %j', (type, text, expected) => expect(read(type, text)).toBe(expected));

  test('are read in linear time, however long a number is', () => {
    const many = 1_000_000;
    // Each took minutes.
    expect(read('decimal', `0.${'0'.repeat(many)}1`)).toBe(0);
    expect(read('decimal', `1.${'0'.repeat(many)}`)).toBe(1);
    expect(() => read('decimal', `${'1'.repeat(many)}x`)).toThrow('a number');
  });

  test('include ClickHouse’s first day, which versions before 2020 write as zeros', () =>
    expect(read('date', '0000-00-00', 'values', 0)).toBe(0));

  test.each<[DataType, string, 'values' | 'numbers']>([
    ['instant', '2024-03-09 14:05:00+09', 'values'],
    ['instant', '09/03/2024 14:05:00 JST', 'values'],
    ['date', '2024-02-30', 'values'],
    ['date', '2024-13-01', 'values'],
    ['integer', '1,5', 'values'],
    ['decimal', '', 'values'],
    ['number', 'three', 'values'],
    ['boolean', 'maybe', 'values'],
    ['number', 'three', 'numbers'],
    ['integer', '', 'numbers'],
  ])('%s %j is an error with its column and value, for type %s', (type, text, as) => {
    expect(() => read(type, text, as)).toThrow(
      expect.objectContaining({
        code: 'query-failed',
        message: expect.stringMatching(new RegExp(`${text.replace(/[+]/g, '\\$&')}.*\`seen\``)),
      }),
    );
  });
});
