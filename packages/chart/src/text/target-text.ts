import type { Tile } from '@belvedere/document';
import { chartMessagesIn } from './chart-messages.ts';
import { shortUnit, type ComparedMeasure } from './comparison-text.ts';
import { formatNumber, isPercent } from './format.ts';

/** How far a figure is from its target. */
export interface TargetText {
  /** `82% of 1.5M`; `Target 10%` where a share of the target means nothing. */
  readonly text: string;
  /** The part of the target that is reached, from 0 to 1: the length of a bar. */
  readonly share: number;
  /** Undefined if the measure has no better direction. */
  readonly isGood: boolean | undefined;
  /** The text, and whether the target is met, for screen readers. */
  readonly sentence: string;
}

/** The target of a figure or a gauge: its number, or the second of the values that its query returned. */
export function targetOf(
  tile: Tile & { kind: 'kpi' | 'gauge' },
  values: ArrayLike<number>,
): number | undefined {
  return typeof tile.target === 'object' ? values[1] : tile.target;
}

/**
 * Describes a figure beside its target. Percentages, and numbers that are not above zero, have no share of it:
 * “120% of 10%” is not read as 12%.
 * @returns undefined without a target, or with one that has no value
 */
export function targetText(
  value: number,
  target: number | undefined,
  { format, unit, better }: ComparedMeasure,
  locale: string,
): TargetText | undefined {
  if (target === undefined || !Number.isFinite(target)) return undefined;
  const words = chartMessagesIn(locale).target;
  const amount = formatNumber(target, format, locale, 'label', shortUnit(unit));
  const ratio = target > 0 && value >= 0 ? value / target : Number.NaN;
  const text =
    Number.isNaN(ratio) || isPercent(format)
      ? words.alone(amount)
      : // Rounded up, 99.6% would look as if the target were met.
        words.reached(formatNumber(Math.floor(ratio * 100 + 1e-6) / 100, '.0%', locale, 'label'), amount);
  const isGood =
    better === undefined || Number.isNaN(value)
      ? undefined
      : better === 'up'
        ? value >= target
        : value <= target;
  return {
    text: isGood === undefined ? text : `${isGood ? '✓' : '✗'} ${text}`,
    share: Number.isNaN(ratio) ? 0 : Math.min(1, ratio),
    isGood,
    sentence: isGood === undefined ? text : words.judged(text, isGood),
  };
}
