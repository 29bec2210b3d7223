import { describe, expect, test } from 'vitest';
import { readWords } from './parse-query-args.ts';

const plain = { measures: [], by: [], where: [], order: [], limit: 10, offset: 0 };

describe('conditions as text', () => {
  test.each([
    ['origin=ATL', { origin: { oneOf: ['ATL'] } }],
    ['origin = New York ', { origin: { oneOf: ['New York'] } }],
    ['origin=', { origin: { oneOf: [''] } }],
    ['note=a=b', { note: { oneOf: ['a=b'] } }],
    ['origin=[null,"ATL"]', { origin: { oneOf: [null, 'ATL'] } }],
    ['origin!=ATL', { origin: { noneOf: ['ATL'] } }],
    ['origin!=["ATL","DEN"]', { origin: { noneOf: ['ATL', 'DEN'] } }],
    ['city~San', { city: { contains: 'San' } }],
    ['delay>=15', { delay: { from: 15 } }],
    ['delay<-1.5', { delay: { below: -1.5 } }],
    ['date>=2001-02', { date: { from: '2001-02' } }],
    ['delay=10..20', { delay: { from: 10, below: 20 } }],
    ['date=2001-02..2001-03', { date: { from: '2001-02', below: '2001-03' } }],
    ['date=last 90 days', { date: { last: '90 days' } }],
    ['date=this month', { date: { this: 'month' } }],
  ])('%s', (text, where) => {
    expect(readWords({ ...plain, where: [text] }).where).toEqual(where);
  });

  test('both ends of a range become one condition', () => {
    expect(readWords({ ...plain, where: ['delay>=15', 'origin=ATL', 'delay<60'] }).where).toEqual({
      delay: { from: 15, below: 60 },
      origin: { oneOf: ['ATL'] },
    });
  });

  test.each([
    [['origin'], 'Invalid condition `origin`'],
    [['=ATL'], 'Invalid condition `=ATL`'],
    [['delay>15'], 'use `>=` for the start of a range and `<` for its end'],
    [['delay<=15'], 'use `>=` for the start of a range and `<` for its end'],
    [['origin=ATL', 'origin=DEN'], 'Two conditions on `origin`'],
    [['delay>=1', 'delay>=2'], 'Two conditions on `delay`'],
  ])('%j is an error with a reason', (where, said) => {
    expect(() => readWords({ ...plain, where })).toThrow(said);
  });
});

test('dimensions take a time grain, and columns a descending order', () => {
  expect(
    readWords({ ...plain, by: ['origin', 'date:fiscalQuarter'], order: ['-flights', 'origin'] }),
  ).toMatchObject({
    dimensions: ['origin', { field: 'date', timeUnit: 'fiscalQuarter' }],
    order: [{ by: 'flights', descending: true }, { by: 'origin' }],
  });
  expect(() => readWords({ ...plain, by: ['date:mont'] })).toThrow(
    'unknown time unit `mont`; did you mean `month`?',
  );
  expect(() => readWords({ ...plain, by: ['date:x'] })).toThrow('Available: ');
});
