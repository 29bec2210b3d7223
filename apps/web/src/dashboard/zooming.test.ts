import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pinched, settledStretch, zoomedAround, type Stretch } from './zooming.ts';

const stretch = fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true })).map(([from, length]): Stretch => [from, from + length]);

describe('a stretch', () => {
  test('keeps what is under the pointer where it is, and comes back by the inverse', () => {
    fc.assert(fc.property(stretch, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.1, max: 10, noNaN: true }), ([from, below], share, factor) => {
      const fixed = from + (below - from) * share;
      const zoomed = zoomedAround([from, below], fixed, factor);
      expect((fixed - zoomed[0]) / (zoomed[1] - zoomed[0])).toBeCloseTo(share, 6);
      const back = zoomedAround(zoomed, fixed, 1 / factor);
      expect(Math.abs(back[0] - from) + Math.abs(back[1] - below)).toBeLessThan(1e-6 * (Math.abs(from) + below - from + 1));
    }));
  });

  test('lies under two fingers as they have drawn it', () => {
    expect(pinched([0, 100], [0.4, 0.6], [0.2, 0.8])[0]).toBeCloseTo(100 / 3, 9);
    expect(pinched([0, 100], [0.4, 0.6], [0.2, 0.8])[1]).toBeCloseTo(200 / 3, 9);
    // Both a tenth to the right: all of it moves.
    const moved = pinched([0, 100], [0.4, 0.6], [0.5, 0.7]);
    expect(moved.map(edge => Math.round(edge * 1e6) / 1e6)).toEqual([-10, 90]);
    expect(pinched([0, 100], [0.4, 0.6], [0.5, 0.5])).toEqual([0, 100]);
  });

  const day = 86_400_000;
  const [january, march] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 2, 1)];
  test.each<[string, Parameters<typeof settledStretch>, ReturnType<typeof settledStretch>]>([
    ['of days ends with days', [[january + 0.4 * day, january + 9.7 * day], 'day', [january, march]], { from: '2024-01-01', below: '2024-01-10' }],
    ['of times ends with minutes', [[january + 0.25 * day + 12_345, january + 0.5 * day + 12_345], 'minute', [january, march]], { from: '2024-01-01T06:00', below: '2024-01-01T12:00' }],
    ['of numbers ends with digits that are seen', [[0.123456, 7.654321], 'number', [0, 100]], { from: 0.123, below: 7.654 }],
    ['stays within the whole', [[january - 20 * day, january + 10 * day], 'day', [january, march]], { from: '2024-01-01', below: '2024-01-31' }],
    ['of all of it is none', [[january - day, march + day], 'day', [january, march]], undefined],
    ['is no shorter than two days', [[january + 3 * day, january + 3.1 * day], 'day', [january, march]], { from: '2024-01-03', below: '2024-01-05' }],
    ['goes beyond what is not known', [[january - 20 * day, march], 'day', undefined], { from: '2023-12-12', below: '2024-03-01' }],
  ])('%s', (_, given, expected) => {
    expect(settledStretch(...given)).toEqual(expected);
  });
});
