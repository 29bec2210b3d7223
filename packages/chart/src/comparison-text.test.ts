import { expect, test } from 'vitest';
import { comparisonText } from './comparison-text.ts';

const spring = { from: Date.UTC(1996, 3, 1), below: Date.UTC(1996, 10, 1) };

test('a figure is not compared with a period that the data covers only in part', () => {
  const said = (dataFrom?: number) =>
    comparisonText(300, 100, {}, { ...spring, ...(dataFrom !== undefined && { dataFrom }) }, 'en-US');
  expect(said()).toMatchObject({ kind: 'change', change: '▲ 200.0%' });
  expect(said(Date.UTC(1996, 6, 4))).toEqual({
    kind: 'none',
    reason: 'No data before Jul 4, 1996',
  });
});
