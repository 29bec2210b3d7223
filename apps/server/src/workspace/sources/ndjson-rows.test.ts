import { expect, test } from 'vitest';
import { ndjsonRows } from './ndjson-rows.ts';

const read = (text: string) => ndjsonRows(Buffer.from(text));

test('each line is a row, as it was written; empty lines are left out', () => {
  expect(read('{"id": 9007199254740993 }\r\n\n  {"id":1.50,"at":{"x":[1]}}')).toEqual([
    '{"id": 9007199254740993 }',
    '{"id":1.50,"at":{"x":[1]}}',
  ]);
});

test.each([
  ['', 'There are no rows'],
  ['\n \n', 'There are no rows'],
  ['{"a":1}\n[1]', 'Line 2: A row must be a JSON object'],
  ['{"a":1}\n\n"text"', 'Line 3: A row must be a JSON object'],
  ['null', 'Line 1: A row must be a JSON object'],
  ['{}', 'Line 1: The row has no values'],
  ['{"a":1', 'Line 1: The request is not valid JSON'],
  ['{"a":1}{"a":2}', 'Line 1: The request is not valid JSON'],
  ['{"a":1,"a":2}', 'Line 1: Duplicate key `a`'],
  ['{"__proto__":1}', 'Line 1: `__proto__` is not an allowed key'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'Line 1: The request nests values'],
  [`{"a":{"${'k'.repeat(301)}":1}}`, 'Line 1: A name is longer than 300 characters'],
  [
    JSON.stringify(Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`k${i}`, i]))),
    'Line 1: The row has more than 2,000 values',
  ],
])('%j is refused: %s', (text, message) => expect(() => read(text)).toThrow(message));

test('at most 10,000 rows are accepted, and only UTF-8', () => {
  expect(read('{"a":1}\n'.repeat(10_000))).toHaveLength(10_000);
  expect(() => read('{"a":1}\n'.repeat(10_001))).toThrow('limited to 10,000 rows');
  expect(() => ndjsonRows(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow('not valid UTF-8');
});
