import { edgeOf, wholePositions, type Axis, type ComparedPeriod } from '@belvedere/query';
import { changeAsWritten, dateFormat, formatDay, formatNumber, formatPeriod, isPercent } from './format.ts';
import { chartMessagesIn } from './chart-messages.ts';

/** The part of a measure that its comparisons need. */
export interface ComparedMeasure {
  readonly format?: string | undefined;
  readonly unit?: string | undefined;
  readonly better?: 'up' | 'down' | undefined;
}

/** A figure's change against a comparison period, or why there is none. */
export type ComparisonText =
  | {
      readonly kind: 'change';
      /** `▲ 3.0%` */
      readonly change: string;
      /** Undefined if the measure has no better direction, or nothing changed. */
      readonly isGood: boolean | undefined;
      /** `vs Jan – Mar 2001` */
      readonly basis: string;
      /** The basis with all its years, for a tooltip: `Jan – Mar 2001`. */
      readonly period: string;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** Returns a unit if it is short enough to follow a large figure. Longer ones are in the tile's subtitle. */
export function shortUnit(unit: string | undefined): string | undefined {
  return unit && unit.length <= 4 ? unit : undefined;
}

/** Describes how a figure changed since a period. Shares change by percentage points. */
export function comparisonText(
  value: number,
  previous: number,
  { format, unit, better }: ComparedMeasure,
  period: ComparedPeriod,
  locale: string,
): ComparisonText {
  const words = chartMessagesIn(locale).comparison;
  if (Number.isNaN(previous)) return { kind: 'none', reason: words.nothingBefore };
  if (period.dataFrom !== undefined)
    return { kind: 'none', reason: words.noDataBefore(formatDay(period.dataFrom, locale)) };
  const isShare = isPercent(format);
  // A ratio to zero is undefined.
  if (previous === 0 && !isShare)
    return {
      kind: 'none',
      reason: words.zeroBefore(formatNumber(0, format, locale, 'label', shortUnit(unit))),
    };
  const change = changeAsWritten(isShare ? value - previous : (value - previous) / Math.abs(previous));
  // Percentages of what is near zero say nothing: from −3 to 90, or from 2 to 60.
  const isFarApart = !isShare && (Math.abs(change) >= manifold || value * previous < 0);
  const amount = isFarApart
    ? value * previous > 0
      ? `×${formatNumber(Math.round(value / previous), 'integer', locale, 'label')}`
      : formatNumber(Math.abs(value - previous), format, locale, 'label', shortUnit(unit))
    : Number.isFinite(change)
      ? formatNumber(
          Math.abs(change) * (isShare ? 100 : 1),
          isShare ? '.1f' : 'percent',
          locale,
          'label',
          isShare ? 'pt' : undefined,
        )
      : '–';
  const range = formatPeriod(period.from, period.below, locale);
  return {
    kind: 'change',
    change: `${change > 0 ? '▲' : change < 0 ? '▼' : '='} ${amount}`,
    isGood:
      better === undefined || !(change !== 0) || Number.isNaN(change)
        ? undefined
        : change > 0 === (better === 'up'),
    basis: `${words.with} ${range}`,
    period: range,
  };
}

/** From here on a change is shown as a multiple: `×12`, not 1,100 %. */
const manifold = 9;

/**
 * Describes how a figure of all time went last: the last whole period of its sparkline beside the one before,
 * since there is no period before all time. Undefined where there are no two to compare.
 */
export function latestChange(
  values: ArrayLike<number>,
  axis: Axis | undefined,
  measure: ComparedMeasure,
  locale: string,
): Extract<ComparisonText, { kind: 'change' }> | undefined {
  if (axis?.kind !== 'times') return undefined;
  const [from, below] = wholePositions(axis, axis.count);
  const [before, last] = [below - 2, below - 1];
  if (before < from || Number.isNaN(values[last]!)) return undefined;
  const [begin, middle, end] = [before, last, below].map(position => edgeOf(axis, position));
  const text = comparisonText(
    values[last]!,
    values[before]!,
    measure,
    { from: begin!, below: middle! },
    locale,
  );
  if (text.kind === 'none') return undefined;
  // Two dates with their years are longer than a figure's tile is wide.
  const isWithinYear = new Date(begin!).getUTCFullYear() === new Date(end! - 1).getUTCFullYear();
  const withinDay = nameWithinDay(begin!, end!, locale);
  if (withinDay) return { ...text, basis: `${withinDay(middle!)} ${withWord(locale)} ${withinDay(begin!)}` };
  const compared = (options?: { readonly withoutYear: boolean }) =>
    [
      formatPeriod(middle!, end!, locale, options),
      withWord(locale),
      formatPeriod(begin!, middle!, locale, options),
    ].join(' ');
  return { ...text, basis: compared({ withoutYear: isWithinYear }), period: compared() };
}

const withWord = (locale: string) => chartMessagesIn(locale).comparison.with;
const dayMs = 86_400_000;

/** Names hours and minutes of one day by their beginning, since all have its date: `12:03 AM`. */
function nameWithinDay(from: number, below: number, locale: string): ((ms: number) => string) | undefined {
  if (Math.floor(from / dayMs) !== Math.floor((below - 1) / dayMs)) return undefined;
  const format = dateFormat(locale, { hour: 'numeric', minute: '2-digit' });
  return ms => format.format(ms);
}
