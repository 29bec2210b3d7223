import { placesOf, slotsOf } from '@belvedere/query';
import type { ChartInput } from './chart.ts';
import { formatNumber } from './format.ts';
import { placeName } from './guides/place-axis.ts';

/** One sentence that says what the picture shows, for those who do not see it: how much there is, the largest, the smallest, the course. */
export function summarize(input: ChartInput): string {
  const { axes, measure, locale, filtered, base } = input;
  const values = filtered ?? base;
  const [first, second] = axes;
  const name = (place: number) => placeName(first!, place, locale);
  const shown = (value: number) => formatNumber(value, measure.format, locale, 'label', measure.unit);
  if (!first) return `${measure.label}: ${shown(values[0]!)}.`;
  const perPlace = axes.slice(1).reduce((product, axis) => product * slotsOf(axis), 1);
  const totals = Array.from({ length: placesOf(first) }, (_, place) => aggregate(values, place, perPlace, measure.isAdditive));
  const known = totals.map((value, place) => ({ value, place })).filter(({ value }) => !Number.isNaN(value));
  if (known.length === 0) return `${measure.label}: nothing to show.`;
  const largest = known.reduce((a, b) => (b.value > a.value ? b : a));
  const smallest = known.reduce((a, b) => (b.value < a.value ? b : a));
  const by = second ? `, by ${placesOf(second)} ${second.channel === 'color' ? 'series' : 'rows'}` : '';
  const extremes = `Largest: ${name(largest.place)}, ${shown(largest.value)}. Smallest: ${name(smallest.place)}, ${shown(smallest.value)}.`;
  const course = first.kind === 'times' && known.length > 2 ? ` From ${shown(known[0]!.value)} at the beginning to ${shown(known.at(-1)!.value)} at the end.` : '';
  return `${measure.label} for ${known.length} ${first.kind === 'times' ? `${first.unit}s` : first.kind === 'bins' ? 'ranges' : 'values'}${by}. ${extremes}${course}${filtered ? ' Filtered by a selection.' : ''}`;
}

/** A place's amount over its series; for ratios the largest, since they do not add up. */
function aggregate(values: Float64Array, place: number, perPlace: number, isAdditive: boolean): number {
  let result = Number.NaN;
  for (let i = place * perPlace; i < (place + 1) * perPlace; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    result = Number.isNaN(result) ? value : isAdditive ? result + value : Math.max(result, value);
  }
  return result;
}
