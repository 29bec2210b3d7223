import type { Comparison } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { allOf, anyOf, earlierRange, everything, parseCalendarTime, type Filter } from '@belvedere/query';

/** The filter with its range on the model's time moved back, or another in its place; undefined where there is none to move, or no time. */
export function earlierFilter(filter: Filter, model: Model, by: Comparison): { filter: Filter; range: { from: number; below: number } } | undefined {
  if (typeof by === 'object') {
    if (model.time === undefined) return undefined;
    const range = { from: parseCalendarTime(by.from), below: parseCalendarTime(by.below) };
    return { filter: allOf([withoutRange(filter, model.time), { kind: 'range', field: model.time, ...range }]), range };
  }
  let found: { from: number; below: number } | undefined;
  const moved = (inner: Filter): Filter => {
    if (inner.kind === 'allOf' || inner.kind === 'anyOf') return { ...inner, filters: inner.filters.map(moved) };
    if (inner.kind !== 'range' || inner.field !== model.time || inner.from === undefined || inner.below === undefined) return inner;
    const range = earlierRange({ from: inner.from, below: inner.below }, by);
    found = range;
    return { ...inner, ...range };
  };
  const result = moved(filter);
  return found && { filter: result, range: found };
}

/** The filter without what it says of how far a field's values go. */
function withoutRange(filter: Filter, field: string): Filter {
  if (filter.kind === 'allOf') return allOf(filter.filters.map(inner => withoutRange(inner, field)));
  if (filter.kind === 'anyOf') return anyOf(filter.filters.map(inner => withoutRange(inner, field)));
  return filter.kind === 'range' && filter.field === field ? everything : filter;
}
