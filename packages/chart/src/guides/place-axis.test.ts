import type { Axis } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { positionOf } from '../scales/position.ts';
import { horizontalLabels } from './place-axis.ts';

const labels = (unit: 'minute' | 'hour' | 'day' | 'month' | 'quarter', from: string, count: number, width = 600) => {
  const axis: Axis = { kind: 'times', field: 'time', unit, from: Date.parse(`${from}Z`), count };
  // The space that `Intl` puts before AM is one that does not break.
  return horizontalLabels(positionOf(axis, 0, width), 'en', 11).map(({ label }) => label.replace(/\s/g, ' '));
};

describe('labels along a time', () => {
  test.each([
    ['hours of some days begin at midnight, and midnight is called by its day', labels('hour', '2015-05-17T10:00', 84), ['May 17, 12 PM', 'May 18', '12 PM', 'May 19', '12 PM', 'May 20', '12 PM']],
    ['the first hour says which day it is of', labels('hour', '2021-07-21T06:00', 5), ['Jul 21, 6 AM', '7 AM', '8 AM', '9 AM', '10 AM']],
    ['… and a minute, where there is room', labels('minute', '2021-07-21T06:07', 50), ['Jul 21, 6:15 AM', '6:30 AM', '6:45 AM']],
    ['… else the time alone', labels('hour', '2021-07-21T06:00', 9), ['6 AM', '7 AM', '8 AM', '9 AM', '10 AM', '11 AM', '12 PM', '1 PM', '2 PM']],
    ['a first month says its year', labels('month', '2023-11-01', 6), ['Nov 2023', 'Dec', '2024', 'Feb', 'Mar', 'Apr']],
    ['every second quarter is the first or the third', labels('quarter', '2020-04-01', 14), ['Jul 2020', '2021', 'Jul', '2022', 'Jul', '2023', 'Jul']],
  ])('%s', (_, said, expected) => expect(said).toEqual(expected));
});
