import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { generatedTitle, withFollowingTitle } from './generated-title.ts';

const titled = (title: string, measure: string) =>
  ({ kind: 'bar', title, x: { measure }, y: { field: 'product' } }) as const satisfies Tile;
const titleOf = (tile: Tile) => {
  if (tile.kind !== 'bar' || !('measure' in tile.x)) throw new Error('only bars');
  return `${tile.x.measure} by product`;
};

test('a title that only repeats the fields of a tile follows them', () => {
  expect(
    withFollowingTitle(titled('rows by product', 'rows'), titled('rows by product', 'revenue'), titleOf),
  ).toEqual({ kind: 'bar', x: { measure: 'revenue' }, y: { field: 'product' } });
});

test('a title that a user wrote stays', () => {
  const after = titled('What sells', 'revenue');
  expect(withFollowingTitle(titled('What sells', 'rows'), after, titleOf)).toBe(after);
});

test('a title stays if none follows from the tile', () => {
  const text: Tile = { kind: 'text', title: 'Notes', text: 'One' };
  expect(withFollowingTitle(text, text, titleOf)).toBe(text);
});

test('a tile has a generated title beside its own, unless none follows from it', () => {
  expect(generatedTitle(titled('What sells', 'revenue'), titleOf)).toBe('revenue by product');
  expect(generatedTitle({ kind: 'text', text: 'One' }, titleOf)).toBe('');
});
