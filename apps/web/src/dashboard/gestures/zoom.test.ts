import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendarOf } from '@belvedere/document';
import { niceStep } from '@belvedere/model';
import { positionLimits } from '@belvedere/query';
import { pinched, settledStretch, zoomedAround, type Stretch } from './zoom.ts';

const calendar = calendarOf({});
const stretch = fc
  .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true }))
  .map(([from, length]): Stretch => [from, from + length]);

describe('a zoomed range', () => {
  test('keeps the position under the pointer, and returns by the inverse zoom', () => {
    fc.assert(
      fc.property(
        stretch,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        ([from, below], share, factor) => {
          const fixed = from + (below - from) * share;
          const zoomed = zoomedAround([from, below], fixed, factor);
          expect((fixed - zoomed[0]) / (zoomed[1] - zoomed[0])).toBeCloseTo(share, 6);
          const back = zoomedAround(zoomed, fixed, 1 / factor);
          expect(Math.abs(back[0] - from) + Math.abs(back[1] - below)).toBeLessThan(
            1e-6 * (Math.abs(from) + below - from + 1),
          );
        },
      ),
    );
  });

  test('follows two fingers', () => {
    expect(pinched([0, 100], [0.4, 0.6], [0.2, 0.8])[0]).toBeCloseTo(100 / 3, 9);
    expect(pinched([0, 100], [0.4, 0.6], [0.2, 0.8])[1]).toBeCloseTo(200 / 3, 9);
    // Both a tenth to the right: all of it moves.
    const moved = pinched([0, 100], [0.4, 0.6], [0.5, 0.7]);
    expect(moved.map(edge => Math.round(edge * 1e6) / 1e6)).toEqual([-10, 90]);
    expect(pinched([0, 100], [0.4, 0.6], [0.5, 0.5])).toEqual([0, 100]);
  });

  const day = 86_400_000;
  const [january, march] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 2, 1)];
  const days = { type: 'date', whole: [january, march], calendar } as const;
  const years: Stretch = [Date.UTC(1990, 0, 1), Date.UTC(2010, 0, 1)];
  test.each<[string, Parameters<typeof settledStretch>, ReturnType<typeof settledStretch>]>([
    [
      'of days snaps to whole days',
      [[january + 0.4 * day, january + 9.7 * day], days],
      { from: '2024-01-01', below: '2024-01-10' },
    ],
    [
      'of hours snaps to whole hours',
      [
        [january + 0.25 * day + 12_345, january + 0.75 * day + 12_345],
        { type: 'instant', whole: [january, march], calendar },
      ],
      { from: '2024-01-01T06:00', below: '2024-01-01T18:00' },
    ],
    [
      'of minutes snaps to whole minutes',
      [[january + 61_000, january + 660_500], { type: 'instant', calendar }],
      { from: '2024-01-01T00:01', below: '2024-01-01T00:11' },
    ],
    [
      'of years snaps to whole months, the grain it is drawn with',
      [[Date.UTC(1994, 3, 12), Date.UTC(1999, 10, 20)], { type: 'date', whole: years, calendar }],
      { from: '1994-04-01', below: '1999-11-01' },
    ],
    [
      'snaps to the grain the user has chosen',
      [[january + 3 * day, march - 2 * day], { ...days, unit: 'month' }],
      { from: '2024-01-01', below: '2024-03-01' },
    ],
    [
      'of weeks begins on the calendar’s first day of the week',
      [
        [Date.UTC(1998, 0, 1), Date.UTC(1999, 6, 1)],
        { type: 'date', calendar: calendarOf({ weekStart: 'sunday' }) },
      ],
      { from: '1998-01-04', below: '1999-07-04' },
    ],
    [
      'of numbers snaps to the bins it is drawn with',
      [[0.123456, 7.654321], { type: 'number', whole: [0, 100], calendar }],
      { from: 0.2, below: 7.8 },
    ],
    ['of whole numbers has no halves', [[3.4, 9.2], { type: 'integer', calendar }], { from: 3, below: 9 }],
    [
      'stays within the whole',
      [[january - 20 * day, january + 10 * day], days],
      { from: '2024-01-01', below: '2024-01-31' },
    ],
    ['of the whole axis is no zoom', [[january - day, march + day], days], undefined],
    [
      'of days has at least two',
      [[january + 3 * day, january + 3.1 * day], days],
      { from: '2024-01-04', below: '2024-01-06' },
    ],
    [
      'is unlimited at an unknown end',
      [[january - 20 * day, march], { type: 'date', calendar }],
      { from: '2023-12-12', below: '2024-03-01' },
    ],
  ])('%s', (_, given, expected) => {
    expect(settledStretch(...given)).toEqual(expected);
  });

  test('begins and ends at bin edges, and keeps its length when it is panned', () => {
    fc.assert(
      fc.property(
        stretch,
        fc.constantFrom('number' as const, 'integer' as const),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (wanted, type, shares) => {
          const zoom = settledStretch(wanted, { type, calendar }) as { from: number; below: number };
          const step = niceStep(zoom.below - zoom.from, positionLimits.bins, type === 'integer');
          for (const edge of [zoom.from, zoom.below])
            expect(Math.abs(edge / step - Math.round(edge / step))).toBeLessThan(1e-6);
          const shift = (zoom.below - zoom.from) * shares;
          const moved = settledStretch([zoom.from + shift, zoom.below + shift], { type, calendar }) as {
            from: number;
            below: number;
          };
          expect(moved.below - moved.from).toBeCloseTo(zoom.below - zoom.from, 6);
        },
      ),
    );
  });
});
