import { scaleLinear } from 'd3-scale';
import { expect, test } from 'vitest';
import { scaledExtentOf, valueScale } from './value-axis.ts';

test.each([[undefined], [[-20, 130]]] as const)(
  'a linear scale equals the library’s, to the bit; of the domain %j',
  domain => {
    for (let i = 0; i < 50; i++) {
      const [low, high] = [-(i % 7) * 13.7, 3 + i * i * 1.9];
      const scale = valueScale(low, high, 210.5 + i, 17, {}, 'en', domain ? { domain } : {});
      const ticks = scale.ticks.length;
      const plain = domain
        ? scaleLinear(domain, [210.5 + i, 17]).clamp(true)
        : scaleLinear([Math.min(0, low), high], [210.5 + i, 17]).nice(
            Math.max(2, Math.min(5, Math.round((193.5 + i) / 48))),
          );
      expect(ticks).toBeGreaterThan(1);
      for (let k = 0; k < 40; k++) {
        const value = low * 2 + ((high - low) * k * 3) / 39;
        expect([i, value, scale.toPixel(value)]).toEqual([i, value, plain(value)]);
      }
      expect(scale.toPixel(Number.NaN)).toBeNaN();
    }
  },
);

test('a scale of durations has round minutes or hours', () => {
  const labelsTo = (high: number, format: string) =>
    valueScale(0, high, 200, 0, { format }, 'en').ticks.map(({ label }) => label);
  expect(labelsTo(1_100_000, 'duration:ms')).toEqual(['0 min', '5 min', '10 min', '15 min', '20 min']);
  expect(labelsTo(20_000, 'duration')).toEqual(['0 hr', '2 hr', '4 hr', '6 hr']);
});

test('the extent of a logarithmic scale has positive values, or all if none is positive', () => {
  expect(scaledExtentOf('log', Float64Array.of(-5, 0, 2), Float64Array.of(90))).toEqual([2, 90]);
  expect(scaledExtentOf('log', Float64Array.of(-5, 0, Number.NaN))).toEqual([-5, 0]);
  expect(scaledExtentOf('linear', Float64Array.of(-5, 0, 2))).toEqual([-5, 2]);
});
