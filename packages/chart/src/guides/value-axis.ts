import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../format.ts';
import type { ChartInput } from '../chart.ts';

export interface ValueScale {
  readonly toPixel: (value: number) => number;
  readonly ticks: readonly { readonly pixel: number; readonly label: string; readonly value: number }[];
  readonly zero: number;
  /** Where the scale begins, when that is not zero: it must be said. */
  readonly startsAt?: string;
}

/** The scale of a measure: from zero unless `floats`, to a round number above the largest, with 3 to 5 lines. */
export function valueScale(low: number, high: number, from: number, to: number, input: Pick<ChartInput, 'measure' | 'locale'>, options: { floats?: boolean; ticks?: number } = {}): ValueScale {
  const isFlat = !(high > low);
  const bottom = options.floats && !isFlat ? low : Math.min(0, low);
  const top = options.floats && !isFlat ? high : Math.max(0, high);
  const wanted = options.ticks ?? Math.max(2, Math.min(5, Math.round(Math.abs(to - from) / 48)));
  const scale = scaleLinear([bottom, top > bottom ? top : bottom + 1], [from, to]).nice(wanted);
  const ticks = scale.ticks(wanted);
  const first = ticks.find(tick => tick >= scale.domain()[0]!);
  return { ...(scale.domain()[0]! > 0 && first !== undefined && { startsAt: axisLabel(first, ticks, input) }), toPixel: value => scale(value), zero: scale(Math.max(scale.domain()[0]!, Math.min(0, scale.domain()[1]!))), ticks: ticks.map(value => ({ value, pixel: scale(value), label: axisLabel(value, ticks, input) })) };
}

/** Ticks such as 22.5K keep the digit that tells them apart. */
function axisLabel(value: number, ticks: readonly number[], { measure, locale }: Pick<ChartInput, 'measure' | 'locale'>): string {
  const label = formatNumber(value, measure.format, locale, 'axis');
  const all = ticks.map(tick => formatNumber(tick, measure.format, locale, 'axis'));
  return new Set(all).size === all.length ? label : formatNumber(value, measure.format, locale, 'full');
}

/** The smallest and largest of the values that are numbers. */
export function extentOf(...lists: readonly (ArrayLike<number> | undefined)[]): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists) {
    for (let i = 0; i < (list?.length ?? 0); i++) {
      const value = list![i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 0];
}
