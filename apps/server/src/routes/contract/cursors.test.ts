import { expect, test } from 'vitest';
import { largestInteger, readPage } from './cursors.ts';

/** A list of pairs, in descending order, with equal first parts. */
const pairs = Array.from({ length: 23 }, (_, i): [number, string] => [
  Math.floor(i / 4),
  `id ${i % 4}`,
]).toReversed();
const isAfter = ([number, id]: readonly [number, string], after: readonly [number, string] | undefined) =>
  !after || number < after[0] || (number === after[0] && id < after[1]);
const read = (page: { readonly cursor?: string | undefined; readonly limit: number }, name = 'pairs') =>
  readPage(
    name,
    page,
    [largestInteger, ''],
    async (after, count) => pairs.filter(pair => isAfter(pair, after)).slice(0, count),
    pair => pair,
  );

test.each([1, 2, 5, 22, 23, 24, 100])(
  'pages of %i entries are the whole list, each entry once',
  async limit => {
    const found: (readonly [number, string])[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await read({ cursor, limit });
      expect(page.entries.length).toBeLessThanOrEqual(limit);
      found.push(...page.entries);
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect(found).toEqual(pairs);
    expect(pages).toBe(Math.ceil(pairs.length / limit));
  },
);

const encoded = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

test.each([
  ['of another list', encoded(['others', 1, 'id 1'])],
  ['with a part missing', encoded(['pairs', 1])],
  ['with a part too many', encoded(['pairs', 1, 'id 1', 2])],
  ['with a text for a number', encoded(['pairs', '1', 'id 1'])],
  ['with a number that databases cannot compare', encoded(['pairs', 2 ** 31, 'id 1'])],
  ['with a fraction', encoded(['pairs', 0.5, 'id 1'])],
  ['with a control character', encoded(['pairs', 1, 'id\u0000'])],
  ['with an object', encoded(['pairs', 1, { id: 1 }])],
  ['that is no list', encoded({ pairs: 1 })],
  ['that is not encoded', 'not a cursor'],
  ['that is empty', ''],
])('a cursor %s is refused', async (_, cursor) => {
  await expect(read({ cursor, limit: 5 })).rejects.toMatchObject({ type: 'request-invalid' });
});
