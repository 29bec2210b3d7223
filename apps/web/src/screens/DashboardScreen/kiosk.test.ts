import { expect, test } from 'vitest';
import { kioskSeconds, kioskRows } from './kiosk.ts';

test.each([
  [undefined, undefined],
  ['', 30],
  ['15', 15],
  ['1', 5],
  ['86400', 3600],
  ['soon', 30],
  ['true', 30],
])('kiosk=%s changes the page every %s s', (kiosk, seconds) => {
  expect(kioskSeconds(kiosk === undefined ? {} : { kiosk })).toBe(seconds);
});

test('rows share the screen’s height, but a figure keeps its minimum', () => {
  expect(
    kioskRows([
      { isFigure: true, at: [0, 0, 6, 3] },
      { isFigure: false, at: [6, 0, 18, 4] },
    ]),
  ).toBe('minmax(36px,1fr) minmax(36px,1fr) minmax(36px,1fr) minmax(8px,1fr)');
  expect(kioskRows([])).toBe('');
});
