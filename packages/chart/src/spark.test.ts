import { expect, test } from 'vitest';
import { drawSpark } from './spark.ts';

const size = { width: 44, height: 14 };
const none = Number.NaN;

test('a sparkline runs from the minimum at the bottom to the maximum at the top, with gaps', () => {
  expect(drawSpark([0, 5, 10, none], size, 'blue')).toEqual([
    { kind: 'line', xy: [7, 12, 17, 7, 27, 2, 37, none], stroke: 'blue', width: 1.5 },
  ]);
});

test('a single value between gaps is a dot', () => {
  expect(drawSpark([none, 3, none, none], size, 'blue')).toEqual([
    expect.objectContaining({ kind: 'line' }),
    { kind: 'circles', xy: [17, 12], radius: 1.75, fill: 'blue' },
  ]);
  expect(drawSpark([1, 2, none, 3], size, 'blue')[1]).toEqual({
    kind: 'circles',
    xy: [37, 2],
    radius: 1.75,
    fill: 'blue',
  });
});
