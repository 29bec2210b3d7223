import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

test.each([
  '{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}',
  '{"a":"{\\"a\\":1}"}',
  `{"a":"${'[{'.repeat(1000)}"}`,
  `{"a":"\\"${'['.repeat(100)}"}`,
  '{"a":":","b":"x:\\"y\\":"}',
  '[]',
  '1',
  '" "',
  nested(32),
  '{"a\\\\":1,"a":2}',
  '{"é":1,"e":2}',
  ' {"a" : 1 , "b":null}\n',
])('%s is read as JSON is', text => expect(readJson(text)).toEqual(JSON.parse(text)));

test.each([
  ['{"a":1,"a":2}', 'Duplicate key `a`'],
  ['{"x":[{"a":1,"b":2,"a":2}]}', 'Duplicate key `a`'],
  ['{"a":1,"\\u0061":2}', 'Duplicate key `a`'],
  ['{"a":{"b":{}},"b":1,"a":[]}', 'Duplicate key `a`'],
  ['{"":1,"":2}', 'Duplicate key ``'],
  ['{"__proto__":{}}', '`__proto__` is not an allowed key'],
  ['{"\\u005f_proto__":{}}', '`__proto__` is not an allowed key'],
  ['{"a":{"constructor":1}}', '`constructor` is not an allowed key'],
  [nested(33), 'more than 32 levels'],
  ['['.repeat(500_000), 'more than 32 levels'],
  ['{', 'not valid JSON'],
  ['', 'not valid JSON'],
  ['{"a":1,}', 'not valid JSON'],
  ['"\\q"', 'not valid JSON'],
  ['{"a":1}}', 'not valid JSON'],
])('%s is refused', (text, message) => {
  expect(() => readJson(text)).toThrow(
    expect.objectContaining({ type: 'request-invalid', message: expect.stringContaining(message) }),
  );
});

test('a megabyte takes less than half a second of processor time', () => {
  const cpuMs = () => process.threadCpuUsage().user / 1000;
  const text = `{${Array.from({ length: 60_000 }, (_, i) => `"name${i}":"${i}"`).join(',')}}`;
  const began = cpuMs();
  readJson(text);
  readJson(`"${'\\"'.repeat(500_000)}"`);
  expect(cpuMs() - began).toBeLessThan(500);
});

test('a megabyte that begins strings and ends none is refused in linear time', () => {
  // Each quote could begin a string that goes on to the end: half a million of them take minutes.
  for (const piece of ['\\"', '"\\', '"', '{"', '\\'])
    expect(() => readJson(`{"a":"${piece.repeat(2 ** 20 / piece.length)}`)).toThrow();
});
