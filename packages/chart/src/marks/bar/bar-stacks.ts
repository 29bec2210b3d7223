import { groupsOf, slotsOf } from '@belvedere/query';
import type { ChannelAxis } from '../../chart.ts';
import type { ValueScale } from '../../guides/value-axis.ts';

/** How the bars of one position relate: one, on each other, as shares of their total, or beside each other. */
export type BarMode = 'single' | 'stacked' | 'normalized' | 'grouped';

/** The last bar of a position: its lane, and where it ends. */
export interface LastBar {
  readonly lane: number;
  readonly to: number;
}

/**
 * Turns values into the amounts from which and to which bars reach. A lane is a shown series; values are
 * row-major, positions × series.
 */
export class BarStacks {
  readonly mode: BarMode;
  readonly axis: ChannelAxis | undefined;
  /** The shown series, in order. */
  readonly lanes: readonly number[];
  /** The number of values along the axis, and of series at each. */
  readonly slots: number;
  readonly perPosition: number;
  /** `from, to` of each lane of the position read last. Reused, so that no object is made for each bar. */
  readonly amounts: Float64Array;

  /** @throws RangeError for more axes than a position and a colour */
  constructor(
    mode: BarMode,
    axes: readonly ChannelAxis[],
    axis: ChannelAxis | undefined,
    colour: ChannelAxis | undefined,
    hidden: ReadonlySet<number> | undefined,
  ) {
    this.mode = mode;
    this.axis = axis;
    this.slots = axis ? slotsOf(axis) : 1;
    this.perPosition = colour ? slotsOf(colour) : 1;
    if (groupsOf(axes) !== this.slots * this.perPosition)
      throw new RangeError('a bar chart has one axis and at most one colour');
    this.lanes = Array.from({ length: this.perPosition }, (_, s) => s).filter(s => !hidden?.has(s));
    this.amounts = new Float64Array(2 * this.lanes.length);
  }

  /** The number of positions with bars: times and bins draw nothing outside their range. */
  get positionCount(): number {
    return this.axis ? (this.axis.kind === 'categories' ? this.slots : this.axis.count) : 1;
  }

  /** The ends of each position's bars below and above zero: two values each. */
  ends(values: Float64Array): Float64Array {
    const found = new Float64Array(this.slots * 2);
    for (let position = 0; position < this.slots; position++) {
      let [under, above] = [Number.NaN, Number.NaN];
      const whole = this.#wholeOf(values, position);
      for (const s of this.lanes) {
        const value = values[position * this.perPosition + s]! / whole;
        if (Number.isNaN(value)) continue;
        const adds = this.mode === 'stacked' || this.mode === 'normalized';
        if (value < 0) under = Number.isNaN(under) ? value : adds ? under + value : Math.min(under, value);
        else above = Number.isNaN(above) ? value : adds ? above + value : Math.max(above, value);
      }
      found[position * 2] = under;
      found[position * 2 + 1] = above;
    }
    return found;
  }

  /**
   * Writes `from, to` of each lane of a position to `amounts`; NaN without a bar.
   */
  readAmounts(values: Float64Array, position: number, scale: ValueScale): void {
    const whole = this.#wholeOf(values, position);
    const isStacked = this.mode === 'stacked' || this.mode === 'normalized';
    // Negative values stack downwards, or they would overlap the positive ones.
    let above = 0;
    let under = 0;
    for (let lane = 0; lane < this.lanes.length; lane++) {
      const raw = values[position * this.perPosition + this.lanes[lane]!]!;
      const value = raw / whole;
      const from = !isStacked ? 0 : value < 0 ? under : above;
      const isThere = raw !== 0 && scale.shows(raw);
      this.amounts[2 * lane] = from;
      this.amounts[2 * lane + 1] = isThere ? from + value : Number.NaN;
      if (!isThere) continue;
      if (value < 0) under = from + value;
      else above = from + value;
    }
  }

  /** The last bar of a stack, or that of one series; of grouped bars the longest. */
  lastBar(
    values: Float64Array,
    position: number,
    only: number | undefined,
    scale: ValueScale,
  ): LastBar | undefined {
    this.readAmounts(values, position, scale);
    let found: LastBar | undefined;
    for (const [lane, s] of this.lanes.entries()) {
      const to = this.amounts[2 * lane + 1]!;
      if (Number.isNaN(to)) continue;
      if (
        only !== undefined
          ? s === only
          : !found || (this.mode === 'grouped' ? Math.abs(to) > Math.abs(found.to) : to > 0)
      )
        found = { to, lane };
    }
    return found;
  }

  /**
   * The total for shares of a position: with negative values the absolute sum, so that shares stay within
   * −100…100 %.
   */
  #wholeOf(values: Float64Array, position: number): number {
    if (this.mode !== 'normalized') return 1;
    let whole = 0;
    for (const s of this.lanes) whole += Math.abs(values[position * this.perPosition + s]!) || 0;
    return whole || 1;
  }
}

/** The labelled end of a position's bars: the upper one if there is one. */
export function tipOf(ends: Float64Array, position: number): number {
  return Number.isNaN(ends[position * 2 + 1]!) ? ends[position * 2]! : ends[position * 2 + 1]!;
}
