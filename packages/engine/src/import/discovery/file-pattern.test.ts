import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matcherOf } from './file-pattern.ts';

/** The plain way, which takes exponential time. */
function plainly(pattern: string): RegExp {
  const parts: Readonly<Record<string, string>> = {
    '**/': '(?:.*/)?',
    '**': '.*',
    '*': '[^/]*',
    '?': '[^/]',
  };
  const escaped = /\*\*\/|\*\*|[*?]|[\\^$.+()[\]{}|]/g;
  return new RegExp(`^${pattern.replace(escaped, part => parts[part] ?? `\\${part}`)}$`, 'su');
}

test.each([
  [
    'matches_*.csv',
    ['matches_2024.csv', 'matches_.csv'],
    ['sub/matches_1.csv', 'matches_1.csv.gz', 'Matches_1.csv'],
  ],
  ['**/orders.csv', ['orders.csv', 'a/orders.csv', 'a/b/orders.csv'], ['xorders.csv', 'a/xorders.csv']],
  ['a/**', ['a/b.csv', 'a/b/c.csv', 'a/'], ['a', 'b/c.csv']],
  [
    'sales-?.csv',
    ['sales-1.csv', 'sales-ü.csv', 'sales-😀.csv'],
    ['sales-.csv', 'sales-12.csv', 'sales-/.csv'],
  ],
  ['a+(b)[c].csv', ['a+(b)[c].csv'], ['aab[c].csv']],
])('%s', (pattern, matching, others) => {
  const matches = matcherOf(pattern);
  expect(matching.filter(path => !matches(path))).toEqual([]);
  expect(others.filter(path => matches(path))).toEqual([]);
});

test('random patterns match as regular expressions do', () => {
  const of = (pieces: readonly string[], maxLength: number) =>
    fc.array(fc.constantFrom(...pieces), { maxLength }).map(parts => parts.join(''));
  fc.assert(
    fc.property(
      of(['a', 'b', '/', '*', '**', '**/', '?', '.'], 8),
      of(['a', 'b', '/', '.', 'é'], 8),
      (pattern, path) => {
        expect(matcherOf(pattern)(path)).toBe(plainly(pattern).test(path));
      },
    ),
    { numRuns: 5000, seed: Number(process.env['BELVEDERE_SEED']) },
  );
});

test('a pattern of many stars, on a name that nearly matches, ends', () => {
  const name = `${'a'.repeat(240)}.csv`;
  for (const stars of ['*a', '**a', '**/a', '?*'])
    expect(matcherOf(`${stars.repeat(70)}*b`)(name)).toBe(false);
});
