import { expect, test } from 'vitest';
import { drawSpark, selectedSeries } from './spark.ts';

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

test.each([
  ['counts of a range of months', [0, 0, 4, 0, 6, 0], [9, 9, 9, 9, 9, 9], [4, 0, 6]],
  ['sums of a range of months', [none, 4, 6, none], [9, 9, 9, 9], [4, 6]],
  ['all of it', [4, 5, 6], [9, 9, 9], [4, 5, 6]],
  ['months that have none without a selection, too', [0, 4, 6], [0, 9, 9], [0, 4, 6]],
  ['nothing', [0, 0, 0], [9, 9, 9], [0, 0, 0]],
])('a selection of a series leaves %s', (_, values, base, left) => {
  expect([...selectedSeries(Float64Array.from(values), base)]).toEqual(left);
});
