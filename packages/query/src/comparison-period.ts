import type { Comparison } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { addUnits, parseCalendarTime, startOf, unitsBetween } from './calendar.ts';
import { allOf, anyOf, everything, type Filter } from './filter.ts';
import { comparisonRange, type Range } from './period.ts';

/**
 * The filter moved back in the model's time, or to another range of it; undefined where it leaves time open, or there is no time. What several
 * ranges leave together (the page's filter, and what is brushed within it) is one period, which all of them are moved back by.
 */
export function comparisonFilter(
  filter: Filter,
  model: Model,
  by: Comparison,
): { filter: Filter; range: Range } | undefined {
  if (model.time === undefined) return undefined;
  if (typeof by === 'object') {
    const range = { from: parseCalendarTime(by.from), below: parseCalendarTime(by.below) };
    return {
      filter: allOf([withoutRange(filter, model.time), { kind: 'range', field: model.time, ...range }]),
      range,
    };
  }
  const earlier = comparisonPeriod(periodOf(filter, model.time), by);
  if (!earlier) return undefined;
  return {
    filter: allOf([
      moved(filter, model.time, earlier.back),
      { kind: 'range', field: model.time, ...earlier.range },
    ]),
    range: earlier.range,
  };
}

/** The period before, and where a moment of `period` lies in it; undefined for a period that is open or empty. */
export function comparisonPeriod(
  period: Range,
  by: Exclude<Comparison, object>,
): { readonly range: Range; readonly back: (moment: number) => number } | undefined {
  if (!Number.isFinite(period.from) || !Number.isFinite(period.below) || period.from >= period.below)
    return undefined;
  const range = comparisonRange(period, by);
  return { range, back: back(period, range, by) };
}

/** From when to when a filter lets anything through; infinite where it does not say. */
export function periodOf(filter: Filter, field: string): Range {
  switch (filter.kind) {
    case 'range':
      return filter.field === field
        ? { from: filter.from ?? -Infinity, below: filter.below ?? Infinity }
        : always;
    case 'allOf':
      return filter.filters
        .map(inner => periodOf(inner, field))
        .reduce((a, b) => ({ from: Math.max(a.from, b.from), below: Math.min(a.below, b.below) }), always);
    case 'anyOf':
      return filter.filters
        .map(inner => periodOf(inner, field))
        .reduce((a, b) => ({ from: Math.min(a.from, b.from), below: Math.max(a.below, b.below) }), never);
    default:
      return always;
  }
}

const always: Range = { from: -Infinity, below: Infinity };
const never: Range = { from: Infinity, below: -Infinity };

/** Where a moment of the period lies in the earlier one: months begin where months do. */
function back(period: Range, earlier: Range, by: Exclude<Comparison, object>): (moment: number) => number {
  if (by === 'previous year') return moment => comparisonRange({ from: moment, below: moment }, by).from;
  const isMonth = (moment: number) => startOf('month', moment) === moment;
  const months = [period.from, period.below, earlier.from].every(isMonth)
    ? unitsBetween('month', earlier.from, period.from)
    : undefined;
  return moment =>
    months !== undefined && isMonth(moment)
      ? addUnits('month', moment, -months)
      : moment - (period.from - earlier.from);
}

function moved(filter: Filter, field: string, by: (moment: number) => number): Filter {
  if (filter.kind === 'allOf' || filter.kind === 'anyOf')
    return { ...filter, filters: filter.filters.map(inner => moved(inner, field, by)) };
  if (filter.kind !== 'range' || filter.field !== field) return filter;
  return {
    ...filter,
    ...(filter.from !== undefined && { from: by(filter.from) }),
    ...(filter.below !== undefined && { below: by(filter.below) }),
  };
}

/** The filter without what it says of how far a field's values go. */
export function withoutRange(filter: Filter, field: string): Filter {
  if (filter.kind === 'allOf') return allOf(filter.filters.map(inner => withoutRange(inner, field)));
  if (filter.kind === 'anyOf') return anyOf(filter.filters.map(inner => withoutRange(inner, field)));
  return filter.kind === 'range' && filter.field === field ? everything : filter;
}
