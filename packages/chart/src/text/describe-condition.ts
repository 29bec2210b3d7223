import { addUnits, parseDuration, startOf, timeOfEdge, type Box, type FieldFilter } from '@belvedere/query';
import { chartMessagesIn } from './chart-messages.ts';
import { formatDay, formatPeriod, formatTime, formatValue } from './format.ts';

const dayMs = 86_400_000;

/**
 * Describes a condition on a field: `Jan – Mar 2001`, `15 to 60`, `ATL, ORD`.
 * @param format of the field's numbers
 */
export function describeCondition(condition: FieldFilter, locale: string, format?: string): string {
  const words = chartMessagesIn(locale).filter;
  if ('last' in condition) {
    const { count, unit, isComplete } = parseDuration(condition.last);
    return words.last(count, unit, isComplete);
  }
  if ('this' in condition) return words.this(condition.this);
  if ('contains' in condition) return `“${condition.contains}”`;
  if ('oneOf' in condition) return describeValues(condition.oneOf, locale, format);
  if ('noneOf' in condition) return words.not(describeValues(condition.noneOf, locale, format));
  const { from, below } = condition;
  if (from === undefined && below === undefined) return words.all;
  if (typeof from === 'string' || typeof below === 'string')
    return describeTimes(
      from === undefined ? undefined : timeOfEdge(from),
      below === undefined ? undefined : timeOfEdge(below),
      locale,
    );
  const formatEdge = (value: number) => formatValue(value, locale, format);
  if (from === undefined) return words.below(formatEdge(below!));
  if (below === undefined) return words.least(formatEdge(from));
  // A format that rounds both edges to the same text would read as an empty range.
  return formatEdge(from) === formatEdge(below)
    ? words.range(formatValue(from, locale), formatValue(below, locale))
    : words.range(formatEdge(from), formatEdge(below));
}

/** Describes selections on a tile. @param formatOf format of a field's numbers */
export function describeSelection(
  boxes: readonly Box[],
  locale: string,
  formatOf: (field: string) => string | undefined,
): string {
  return boxes
    .map(box =>
      Object.entries(box)
        .map(([field, condition]) => describeCondition(condition, locale, formatOf(field)))
        .join(' × '),
    )
    .join('; ');
}

/** Formats a wall-clock time: a day, or a moment if it is not midnight. */
export function describeMoment(ms: number, locale: string): string {
  return ms % dayMs === 0 ? formatDay(ms, locale) : formatTime(ms, 'minute', locale);
}

/** Describes a range of times; `end` is not part of it. */
export function describeTimes(start: number | undefined, end: number | undefined, locale: string): string {
  const words = chartMessagesIn(locale).filter;
  const show = (ms: number) => describeMoment(ms, locale);
  if (start === undefined) return words.below(show(end!));
  if (end === undefined) return words.least(show(start));
  const whole = (['year', 'quarter', 'month', 'day', 'hour'] as const).find(
    unit => startOf(unit, start) === start && addUnits(unit, start, 1) === end,
  );
  if (whole) return formatTime(start, whole, locale);
  return start % dayMs === 0 && end % dayMs === 0
    ? formatPeriod(start, end, locale)
    : `${show(start)} – ${show(end)}`;
}

function describeValues(
  values: readonly (string | number | boolean | null)[],
  locale: string,
  format: string | undefined,
): string {
  const shown = values
    .slice(0, 3)
    .map(value => formatValue(value, locale, format))
    .join(', ');
  return values.length > 3 ? `${shown} +${values.length - 3}` : shown;
}
