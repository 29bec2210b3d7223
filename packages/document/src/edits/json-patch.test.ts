import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { patchText, type PatchOperation } from './json-patch.ts';

type Operations = readonly PatchOperation[];
const reasonOf = (text: string, operations: Operations) => {
  try {
    patchText(text, operations);
  } catch (error) {
    return (error as Error).message;
  }
};

// The examples of RFC 6902, appendix A, but for those about JSON's syntax.
test.each<[string, unknown, Operations, unknown]>([
  ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
  [
    'A.2',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  [
    'A.5',
    { baz: 'qux', foo: 'b' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'b' },
  ],
  [
    'A.6',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  [
    'A.10',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  ['A.16', { foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
  ['a copy', { a: { b: [1] } }, [{ op: 'copy', from: '/a/b', path: '/c' }], { a: { b: [1] }, c: [1] }],
  ['a whole document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
  ['a key over another', { a: 1, b: 2, c: 3 }, [{ op: 'move', from: '/a', path: '/c' }], { b: 2, c: 1 }],
  [
    'keys in any order',
    { a: { x: 1, y: 2 } },
    [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
    { a: { x: 1, y: 2 } },
  ],
])('the example %s of RFC 6902', (_, before, operations, after) => {
  expect(parse(patchText(stringify(before), operations))).toEqual(after);
});

test.each<[string, unknown, Operations, string]>([
  ['A.9', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }], 'the value is another one'],
  ['A.12', { foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }], 'nothing at `/baz`'],
  ['A.15', { '~1': 10 }, [{ op: 'test', path: '/~01', value: '10' }], 'the value is another one'],
  ['a key of no map', { foo: 'bar' }, [{ op: 'add', path: '/foo/a', value: 1 }], '`/foo` has no keys'],
  ['beyond a list', { foo: [1] }, [{ op: 'add', path: '/foo/2', value: 1 }], '`/foo` has 1 items'],
  ['a wrong index', { foo: [1] }, [{ op: 'remove', path: '/foo/01' }], 'nothing at `/foo/01`'],
  ['an absent value', { foo: 1 }, [{ op: 'replace', path: '/a~1b', value: 1 }], 'nothing at `/a~1b`'],
  ['of an inherited name', { foo: 1 }, [{ op: 'remove', path: '/constructor' }], 'nothing at `/constructor`'],
  ['into itself', { a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/b' }], 'cannot move into itself'],
  ['of everything', { a: 1 }, [{ op: 'remove', path: '' }], 'cannot be removed'],
  ['to beyond its list', { a: [1, 2] }, [{ op: 'move', from: '/a/0', path: '/a/2' }], 'has 2 items'],
])('an operation that does not apply (%s) is named with the reason', (_, before, operations, reason) => {
  expect(reasonOf(stringify(before), operations)).toContain(reason);
});

test('the operation that does not apply is counted, and none of the others is made', () => {
  expect(
    reasonOf('a: 1\n', [
      { op: 'replace', path: '/a', value: 2 },
      { op: 'remove', path: '/b' },
    ]),
  ).toBe('Operation 2 (`remove /b`) does not apply: there is nothing at `/b`.');
});

test.each([
  ['beside themselves', () => ({ op: 'copy', from: '/pages', path: '/pages/-' }) as const],
  ['into themselves', () => ({ op: 'copy', from: '/pages', path: '/pages/0/x' }) as const],
  [
    'in turn',
    (i: number) => ({ op: 'copy', from: i === 0 ? '/pages' : `/a${i - 1}`, path: `/a${i}` }) as const,
  ],
])('copies of copies %s are refused before they fill memory', (_, operation) => {
  const text = `pages:\n  - title: ${'long '.repeat(1000)}\n`;
  const begun = performance.now();
  expect(() =>
    patchText(
      text,
      Array.from({ length: 100 }, (_, i) => operation(i)),
    ),
  ).toThrow('the patch copies more than a document may have.');
  expect(performance.now() - begun).toBeLessThan(2000);
});

test('a text that is not YAML is refused', () => {
  expect(() => patchText('a: [', [{ op: 'remove', path: '/a' }])).toThrow(TypeError);
});

describe('comments and order stay', () => {
  const text = `# Delays of flights
title: Delays
pages:
  - title: Overview
    tiles:
      # What everyone asks first
      on_time: { kind: kpi, value: { measure: on_time }, at: [0, 0, 6, 4] } # big
      delay: { kind: bar, x: { field: carrier }, at: [6, 0, 18, 8] }
`;
  test('when a tile changes, moves to another name, and another one is added', () => {
    expect(
      patchText(text, [
        { op: 'test', path: '/pages/0/tiles/delay/kind', value: 'bar' },
        { op: 'replace', path: '/pages/0/tiles/delay/kind', value: 'line' },
        { op: 'move', from: '/pages/0/tiles/on_time', path: '/pages/0/tiles/punctual' },
        { op: 'add', path: '/pages/0/tiles/note', value: { kind: 'text', at: [0, 8, 24, 2] } },
      ]),
    ).toBe(
      text
        .replace('kind: bar', 'kind: line')
        .replace('on_time: {', 'punctual: {')
        .concat('      note: { kind: text, at: [0, 8, 24, 2] }\n'),
    );
  });
});
