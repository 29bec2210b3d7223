import { positionsOf, slotsOf, timeUnitOf } from '@belvedere/query';
import type { ChartInput, ChartMeasure } from '../chart.ts';
import { formatNumber } from './format.ts';
import { positionName } from '../guides/place-axis.ts';
import { bandOf } from '../marks/gauge-bands.ts';
import { targetOf, targetText } from './target-text.ts';
import { chartMessagesIn } from './chart-messages.ts';

/**
 * Describes a chart in a sentence for screen readers: its total, maximum, minimum and trend.
 */
export function summarize(
  input: Pick<ChartInput, 'tile' | 'axes' | 'measures' | 'locale' | 'filtered' | 'base'>,
): string {
  const { axes, measures, locale, filtered, base } = input;
  const [measure] = measures as [ChartMeasure];
  const groups = axes.reduce((product, axis) => product * slotsOf(axis), 1);
  const values = (filtered ?? base).subarray(0, groups);
  const [first, second] = axes;
  const words = chartMessagesIn(locale).summary;
  const name = (position: number) => positionName(first!, position, locale);
  const shown = (value: number, of = measure) => formatNumber(value, of.format, locale, 'label', of.unit);
  if (!first)
    return [
      ...measures.map((one, i) => words.one(one.label, shown((filtered ?? base)[i * groups]!, one))),
      ...(input.tile.kind === 'gauge' ? gaugeSentences(input.tile, filtered ?? base, measure, locale) : []),
    ].join(' ');
  const perPosition = axes.slice(1).reduce((product, axis) => product * slotsOf(axis), 1);
  const totals = Array.from({ length: positionsOf(first) }, (_, position) =>
    aggregate(values, position, perPosition, measure.isAdditive),
  );
  const known = totals
    .map((value, position) => ({ value, position }))
    .filter(({ value }) => !Number.isNaN(value));
  if (known.length === 0) return words.nothing(measure.label);
  const largest = known.reduce((a, b) => (b.value > a.value ? b : a));
  const smallest = known.reduce((a, b) => (b.value < a.value ? b : a));
  const by = second ? words.series(positionsOf(second)) : '';
  const extremes = words.extremes(
    name(largest.position),
    shown(largest.value),
    name(smallest.position),
    shown(smallest.value),
  );
  const trend =
    first.kind === 'times' && known.length > 2
      ? words.trend(shown(known[0]!.value), shown(known.at(-1)!.value))
      : '';
  const what = first.kind === 'times' ? timeUnitOf(first.unit) : first.kind === 'bins' ? 'ranges' : 'values';
  const stop = locale.startsWith('zh') ? '' : '.';
  return `${words.count(measure.label, known.length, what)}${by}${stop}${extremes}${trend}${filtered ? words.filtered : ''}`;
}

/** Returns a position's sum over its series; for ratios the maximum, since they do not add up. */
function aggregate(values: Float64Array, position: number, perPosition: number, isAdditive: boolean): number {
  let result = Number.NaN;
  for (let i = position * perPosition; i < (position + 1) * perPosition; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    result = Number.isNaN(result) ? value : isAdditive ? result + value : Math.max(result, value);
  }
  return result;
}

/** Says whether a gauge's target is met, and in which of its bands the value lies. */
function gaugeSentences(
  tile: ChartInput['tile'] & { kind: 'gauge' },
  values: Float64Array,
  measure: ChartMeasure,
  locale: string,
): string[] {
  const { bands, summary } = chartMessagesIn(locale);
  const value = values[0]!;
  // A gauge takes more as better unless its measure says otherwise, as its drawing does.
  const target = targetText(
    value,
    targetOf(tile, values),
    { ...measure, better: measure.better ?? 'up' },
    locale,
  );
  const band = bands[bandOf(tile, value)?.look ?? 'accent'];
  return [
    ...(target ? [target.sentence + (locale.startsWith('zh') ? '。' : '.')] : []),
    ...(band ? [summary.one(bands.name, band)] : []),
  ];
}
