import type { Axis } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { positionScale } from '../scales/position.ts';
import { textWidth } from '../text/text-width.ts';
import { namesBelow } from './names-below.ts';
import { namesBeside } from './names-beside.ts';
import { horizontalLabels } from './place-axis.ts';

const categories = (values: readonly string[]): Axis & { kind: 'categories' } => ({
  kind: 'categories',
  field: 'name',
  values,
  other: false,
});
const degrees = ['bachelor’s degree', 'some college credit, no degree', 'Ph.D.'];
const jobs = ['start your own business', 'work for a multinational corporation', 'freelance'];

describe('names below a plot', () => {
  const below = (values: readonly string[], room: number, height: number) =>
    namesBelow(categories(values), room, height, 'en', 11, {});
  const drawn = (values: readonly string[], room: number, height: number) =>
    horizontalLabels(
      positionScale(categories(values), 0, room * values.length),
      'en',
      11,
      {},
      below(values, room, height).lines,
    ).map(({ label, below: more = [] }) => [label, ...more]);

  test('are wrapped where they are whole in up to three lines', () => {
    expect(drawn(degrees, 76, 220)).toEqual([
      ['bachelor’s', 'degree'],
      ['some college', 'credit, no', 'degree'],
      ['Ph.D.'],
    ]);
    expect(drawn(['Meat/Poultry', 'Grains/Cereals'], 60, 220)).toEqual([
      ['Meat/', 'Poultry'],
      ['Grains/', 'Cereals'],
    ]);
  });

  test('are slanted where places are narrow and a wrapped name would be cut', () => {
    expect(below(jobs, 50, 220)).toMatchObject({ lines: 1 });
    expect(below(jobs, 50, 220).slanted).toBeGreaterThan(0);
    const limited = namesBelow(categories(jobs), 50, 220, 'en', 11, {}, { deepest: 45 });
    expect(limited.slanted).toBe(45 + 11);
  });

  test('are wrapped before they are cut where places are wide', () => {
    expect(drawn(['Geschwindigkeitsbegrenzung auf Autobahnen'], 90, 220)).toEqual([
      ['Geschwindigk…', 'auf Autobahnen'],
    ]);
  });

  test('take one line of a low chart, and of numbers', () => {
    expect(below(degrees, 80, 110).lines).toBe(1);
    const numbers = { ...categories([]), values: [1_000_000, 2_000_000] };
    expect(namesBelow(numbers, 20, 220, 'en', 11, {}).lines).toBe(1);
  });
});

describe('names beside rows', () => {
  const drawn = (rowHeight: number) =>
    namesBeside(jobs, 130, rowHeight, 12)
      .marks(1, 130, 50, '#000')
      .map(mark => (mark.kind === 'text' ? [mark.text, mark.y] : []));

  test('are wrapped around the middle of rows that are high enough', () => {
    expect(drawn(20)).toEqual([['work for a multinati…', 54]]);
    expect(drawn(30)).toEqual([
      ['work for a', 47.5],
      ['multinational corpor…', 60.5],
    ]);
    expect(drawn(44)).toEqual([
      ['work for a', 41],
      ['multinational', 54],
      ['corporation', 67],
    ]);
  });

  test('show their ends where they would be cut to the same', () => {
    const makers = ['MCDONNELL DOUGLAS', 'MCDONNELL DOUGLAS AIRCRAFT CO', 'MCDONNELL DOUGLAS CORPORATION'];
    const lines = makers.map((_, i) =>
      namesBeside(makers, 110, 14, 12)
        .marks(i, 110, 50, '#000')
        .map(mark => (mark.kind === 'text' ? mark.text : '')),
    );
    expect(lines).toEqual([['MCDONN…UGLAS'], ['MCDONN…FT CO'], ['MCDONN…ATION']]);
  });

  test('have room for their longest line as browsers draw it, within the width they may take', () => {
    // Chromium draws the name of 103.8 pixels 106 wide, since it rounds the width of each letter.
    const name = 'Margaret Peacock';
    expect(textWidth(name, 12)).toBeLessThan(104);
    expect(namesBeside([name], 130, 20, 12).width).toBeGreaterThanOrEqual(106);
    expect(namesBeside(jobs, 130, 20, 12).width).toBeLessThanOrEqual(130);
  });
});
