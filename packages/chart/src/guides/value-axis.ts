import type { ScaleType } from '@belvedere/document';
import { scaleLinear, scaleLog, scaleSqrt, scaleSymlog, type ScaleContinuousNumeric } from 'd3-scale';
import { durationUnit, formatAxis, formatNumber } from '../text/format.ts';
import type { ChartMeasure } from '../chart-measure.ts';

export interface ValueScale {
  readonly toPixel: (value: number) => number;
  readonly ticks: readonly { readonly pixel: number; readonly label: string; readonly value: number }[];
  /** The pixel of zero, or of the nearest end of the scale. */
  readonly zero: number;
  /** The start of a scale that does not begin at zero, which the chart reports. */
  readonly startsAt?: string;
  readonly isLog: boolean;
  /** Whether the scale can show a value: a logarithmic one shows only positive values. */
  readonly shows: (value: number) => boolean;
}

export interface ValueScaleOptions {
  /** The scale need not include zero. */
  readonly floats?: boolean;
  readonly ticks?: number;
  readonly type?: ScaleType;
  /** Replaces the extent of the values. */
  readonly domain?: readonly [number, number];
  /** Number format, instead of the measure's. */
  readonly format?: string;
}

/**
 * Returns the scale of a measure: from zero unless it `floats`, to a round number above the maximum, with 3
 * to 5 ticks.
 */
export function valueScale(
  low: number,
  high: number,
  from: number,
  to: number,
  measure: Pick<ChartMeasure, 'format'>,
  locale: string,
  options: ValueScaleOptions = {},
): ValueScale {
  const { type = 'linear', domain } = options;
  const isLog = type === 'log' && (domain ? domain[0] > 0 : high > 0);
  const labels = (values: readonly number[]) =>
    labelsOf(values, options.format, measure.format, locale, isLog || type === 'symlog');
  const wanted = options.ticks ?? Math.max(2, Math.min(5, Math.round(Math.abs(to - from) / 48)));
  const isFlat = !(high > low);
  const floats = options.floats && !isFlat;
  // A logarithmic scale begins below the minimum, so that the shortest bar is visible.
  const bottom = domain
    ? domain[0]
    : isLog
      ? logFloor(low, high, options.floats)
      : floats
        ? low
        : Math.min(0, low);
  const top = domain ? domain[1] : isLog ? high : floats ? high : Math.max(0, high);
  const bounds: [number, number] = [bottom, top > bottom ? top : isLog ? bottom * 10 : bottom + 1];
  const scale = isLog
    ? scaleLog(bounds, [from, to])
    : type === 'sqrt'
      ? scaleSqrt(bounds, [from, to])
      : type === 'symlog'
        ? scaleSymlog(bounds, [from, to])
        : scaleLinear(bounds, [from, to]);
  // Durations are round in minutes or hours, other numbers in tens.
  const unit = durationUnit(options.format ?? measure.format, Math.max(-bounds[0], bounds[1])) ?? 1;
  if (!domain) {
    if (isLog && options.floats) scale.domain([roundBelow(bounds[0]), roundAbove(bounds[1])]);
    else if (type === 'symlog' && Math.max(-bounds[0], bounds[1]) > 1)
      scale.domain([roundSymmetrically(bounds[0], -1), roundSymmetrically(bounds[1], 1)]);
    else niceIn(unit, scale, wanted);
  }
  if (domain) scale.clamp(true);
  const values = isLog
    ? logTicks(scale.ticks(wanted), wanted)
    : type === 'symlog'
      ? symlogTicks(scale, labels)
      : ticksWithDistinctLabels(count => ticksIn(unit, scale, count), wanted, labels);
  const [start, end] = scale.domain() as [number, number];
  const texts = labels(values);
  const first = values.indexOf(start);
  return {
    ...(!isLog && start > 0 && { startsAt: first >= 0 ? texts[first]! : labels([start])[0]! }),
    toPixel:
      type === 'linear'
        ? linear([start, end], [from, to], domain !== undefined)
        : value => (isLog ? scale(Math.max(value, start)) : scale(value)),
    zero: isLog ? from : scale(Math.max(start, Math.min(0, end))),
    ticks: values.map((value, i) => ({ value, pixel: scale(value), label: texts[i]! })),
    isLog,
    shows: isLog ? value => value > 0 : value => !Number.isNaN(value),
  };
}

/** Extends a scale to round multiples of a unit. */
function niceIn(unit: number, scale: ScaleContinuousNumeric<number, number>, count: number): void {
  if (unit === 1) scale.nice(count);
  else
    scale.domain(
      scaleLinear(
        scale.domain().map(bound => bound / unit),
        [0, 1],
      )
        .nice(count)
        .domain()
        .map(bound => bound * unit),
    );
}

/** Ticks at round multiples of a unit. */
function ticksIn(
  unit: number,
  scale: ScaleContinuousNumeric<number, number>,
  count: number,
): readonly number[] {
  if (unit === 1) return scale.ticks(count);
  return scaleLinear(
    scale.domain().map(bound => bound / unit),
    [0, 1],
  )
    .ticks(count)
    .map(tick => tick * unit);
}

/** @param low the least positive value; undefined if there is none, as for bounds of a reference line */
function logFloor(low: number, high: number, floats: boolean | undefined): number {
  if (low <= 0) return high / 1000;
  return floats ? low : low * (1 - 1e-9);
}

/**
 * Like `scaleLinear`, with identical results, but in one call: a frame of a brush has thousands of points.
 */
function linear(
  [start, end]: readonly [number, number],
  [from, to]: readonly [number, number],
  clamps: boolean,
): (value: number) => number {
  return value => {
    const share = ((clamps ? Math.max(start, Math.min(end, value)) : value) - start) / (end - start);
    return from * (1 - share) + to * share;
  };
}

/**
 * The next 1, 2 or 5 of a power of ten: whole powers would leave half of a logarithmic plot empty above a
 * line from 700 to 3,000.
 */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((([5, 2, 1].find(step => step * power <= value * (1 + 1e-9)) ?? 1) * power).toPrecision(12));
}

function roundAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(
    (([1, 2, 5, 10].find(step => step * power >= value * (1 - 1e-9)) ?? 10) * power).toPrecision(12),
  );
}

/**
 * The next 1, 2 or 5 of a power of ten in a direction: round numbers of a linear scale would leave half of a
 * symmetric logarithmic plot empty below -5, if the other end is 1,000.
 */
function roundSymmetrically(value: number, direction: 1 | -1): number {
  if (value === 0) return 0;
  return Math.sign(value) * (value > 0 === direction > 0 ? roundAbove : roundBelow)(Math.abs(value));
}

/**
 * Returns the requested number of ticks, or fewer if their labels would repeat, for example with counts.
 */
function ticksWithDistinctLabels(
  ticks: (count: number) => readonly number[],
  wanted: number,
  labels: (values: readonly number[]) => readonly string[],
): readonly number[] {
  for (let count = wanted; count > 0; count--) {
    const values = ticks(count);
    if (new Set(labels(values)).size === values.length) return values;
  }
  return ticks(wanted);
}

/** Returns powers of ten if there are enough, else also multiples. */
function logTicks(ticks: readonly number[], wanted: number): readonly number[] {
  const powers = ticks.filter(tick => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  if (powers.length >= 3)
    return powers.filter((_, i) => i % Math.ceil(powers.length / Math.max(3, wanted)) === 0);
  return ticks.filter(tick => /^[125]/.test(tick.toExponential()));
}

/** Minimum distance of ticks, px: labels need a line's height on a vertical axis, their width on a horizontal one. */
const tickGaps = { vertical: 18, horizontal: 44 };

/**
 * Zero and powers of ten on both sides, as far as they have room: a symmetric logarithmic scale is denser
 * towards large values. If all values are small, the scale and its ticks are almost linear.
 */
function symlogTicks(
  scale: ScaleContinuousNumeric<number, number>,
  labels: (values: readonly number[]) => readonly string[],
): readonly number[] {
  const [low, high] = scale.domain() as [number, number];
  const [from, to] = scale.range() as [number, number];
  const gap = from > to ? tickGaps.vertical : tickGaps.horizontal;
  const reach = Math.max(-low, high);
  const powers = Array.from(
    { length: Math.max(0, Math.floor(Math.log10(reach)) + 1) },
    (_, power) => 10 ** power,
  );
  const magnitudes = powers.length >= 2 ? powers : scale.ticks(5).filter(tick => tick > 0);
  const side = (sign: 1 | -1) => {
    const kept: number[] = [];
    let last = scale(0);
    for (const value of magnitudes
      .map(magnitude => sign * magnitude)
      .filter(value => value >= low && value <= high)) {
      if (Math.abs(scale(value) - last) < gap) continue;
      kept.push(value);
      last = scale(value);
    }
    return kept;
  };
  const ticks = [...side(-1).toReversed(), ...(low <= 0 && high >= 0 ? [0] : []), ...side(1)];
  const texts = labels(ticks);
  return ticks.filter((_, i) => texts.indexOf(texts[i]!) === i);
}

/** Ticks such as 22.5K keep the digit that distinguishes them. */
function labelsOf(
  ticks: readonly number[],
  own: string | undefined,
  format: string | undefined,
  locale: string,
  isLog: boolean,
): readonly string[] {
  const all = formatAxis(ticks, own ?? format, locale, { isLog, isOwn: own !== undefined });
  return new Set(all).size === all.length
    ? all
    : ticks.map(value => formatNumber(value, own ?? format, locale, 'full'));
}

/**
 * Returns the extent of a scale of this type. A logarithmic one covers positive values only; without any, the
 * scale is a plain one of all values.
 */
export function scaledExtentOf(
  type: ScaleType | undefined,
  ...lists: readonly Float64Array[]
): readonly [number, number] {
  const positive = type === 'log' ? lists.map(list => list.filter(value => value > 0)) : [];
  return extentOf(...(positive.some(list => list.length > 0) ? positive : lists));
}

/** Returns minimum and maximum, ignoring NaN. */
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
