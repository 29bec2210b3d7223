/**
 * Row-major, positions × series: the range of each series, in the measure's unit or as shares, and the two
 * ends of each position.
 */
export interface LineStack {
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  /** Below and above, two for each place. */
  readonly ends: Float64Array;
}

interface LineStacking {
  readonly positions: number;
  /** The number of series. */
  readonly perPosition: number;
  /** The series that are shown. */
  readonly lanes: readonly number[];
  /** Whether values are shares. */
  readonly isNormalized: boolean;
  /** Whether stacks are around zero. */
  readonly isCentred: boolean;
}

/**
 * The stack of each series. Negative values are stacked downwards, or they would overlap; shares are of the
 * absolute sum, so that none exceeds ±100 %.
 */
export function stackLines(
  values: Float64Array,
  { positions, perPosition, lanes, isNormalized, isCentred }: LineStacking,
): LineStack {
  const lows = new Float64Array(positions * perPosition);
  const highs = new Float64Array(positions * perPosition);
  const ends = new Float64Array(positions * 2);
  for (let position = 0; position < positions; position++) {
    let sum = 0;
    let absolute = 0;
    for (const s of lanes) {
      const value = values[position * perPosition + s]! || 0;
      sum += value;
      absolute += Math.abs(value);
    }
    const whole = isNormalized ? absolute || 1 : 1;
    let above = isCentred ? -sum / 2 : 0;
    let under = above;
    for (const s of lanes) {
      const at = position * perPosition + s;
      const value = (values[at]! || 0) / whole;
      const from = value < 0 ? under : above;
      if (value < 0) under += value;
      else above += value;
      lows[at] = from;
      highs[at] = from + value;
    }
    ends[position * 2] = under;
    ends[position * 2 + 1] = above;
  }
  return { lows, highs, ends };
}
