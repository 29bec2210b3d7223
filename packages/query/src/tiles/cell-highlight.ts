import type { Tile } from '@belvedere/document';
import { parseCalendarTime } from '../calendar.ts';
import type { FieldFilter, Value } from '../filter.ts';

export type Highlight = NonNullable<(Tile & { kind: 'table' })['highlights']>[number];

/**
 * The look of a table cell on pages, on paper and in workbooks: that of the column's first highlight whose
 * condition the value meets.
 */
export function cellHighlight(
  highlights: readonly Highlight[] | undefined,
  value: Value,
): Highlight['look'] | undefined {
  return highlights?.find(({ when }) => isMet(when, value))?.look;
}

/** Whether a value meets a condition, with a filter's semantics. Relative times never match. */
function isMet(condition: FieldFilter, value: Value): boolean {
  if ('oneOf' in condition) return condition.oneOf.includes(value);
  if ('noneOf' in condition) return !condition.noneOf.includes(value);
  if ('contains' in condition)
    return String(value ?? '')
      .toLowerCase()
      .includes(condition.contains.toLowerCase());
  if ('last' in condition || 'this' in condition || value === null) return false;
  const edge = (bound: string | number) => (typeof bound === 'number' ? bound : parseCalendarTime(bound));
  const number = Number(value);
  return (
    (condition.from === undefined || number >= edge(condition.from)) &&
    (condition.below === undefined || number < edge(condition.below))
  );
}
