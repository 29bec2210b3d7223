import type { Comparison } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { addUnits, parseCalendarTime, startOf, unitsBetween } from './calendar.ts';
import { allOf, anyOf, everything, type Filter } from './filter.ts';
import type { ComparedPeriod } from './tiles/tile-note.ts';
import { comparisonRange, yearsBack, yearsEarlier, type Range } from './period.ts';

/**
 * Moves the filter back in the model's time, or to another range of it. Undefined when the filter leaves time
 * open or the model has no time. The intersection of several ranges (the page's filter and a brush in it) is
 * one period; all of them move back by it.
 * @param dataEnd end of the data, exclusive, as a wall-clock time: the rest of the period has no counterpart
 */
export function comparisonFilter(
  filter: Filter,
  model: Model,
  by: Comparison,
  dataEnd?: number,
): { filter: Filter; range: Range } | undefined {
  if (model.time === undefined) return undefined;
  if (typeof by === 'object') {
    const range = { from: parseCalendarTime(by.from), below: parseCalendarTime(by.below) };
    return {
      filter: allOf([withoutRange(filter, model.time), { kind: 'range', field: model.time, ...range }]),
      range,
    };
  }
  const earlier = comparisonPeriod(periodOf(filter, model.time), by, dataEnd);
  if (!earlier) return undefined;
  return {
    filter: allOf([
      moved(filter, model.time, earlier.back),
      { kind: 'range', field: model.time, ...earlier.range },
    ]),
    range: earlier.range,
  };
}

/** Periods with a smaller part after the data's end count as whole: a weekend, a holiday. */
const minMissing = 0.05;

/**
 * Returns the earlier period and a function that maps a moment of `period` into it; undefined for an open or
 * empty period. If the data ends within the period, the earlier one ends at the same point.
 */
export function comparisonPeriod(
  period: Range,
  by: Exclude<Comparison, object>,
  dataEnd = Number.POSITIVE_INFINITY,
): { readonly range: Range; readonly back: (moment: number) => number } | undefined {
  if (!Number.isFinite(period.from) || !Number.isFinite(period.below) || period.from >= period.below)
    return undefined;
  const range = comparisonRange(period, by);
  const move = back(period, range, by);
  const isCut = dataEnd > period.from && period.below - dataEnd > (period.below - period.from) * minMissing;
  const below = isCut ? Math.min(range.below, endIn(period, range, dataEnd) ?? move(dataEnd)) : range.below;
  return { range: { from: range.from, below }, back: move };
}

/** Of a comparison period, at most this share may lie before the data: the first days of a month. */
const maxMissingShare = 0.1;

/**
 * A comparison period, with the beginning of the data if too much of it lies before that. A change against such
 * a part of a period would be read as growth.
 *
 * @param dataStart the first day of the data, as a wall-clock time
 */
export function comparedPeriod({ from, below }: Range, dataStart: number | undefined): ComparedPeriod {
  const isCut =
    dataStart !== undefined && dataStart < below && dataStart - from > (below - from) * maxMissingShare;
  return { from, below, ...(isCut && { dataFrom: dataStart }) };
}

/** The same day of the month in an earlier period, if both are whole months. */
function endIn(period: Range, earlier: Range, end: number): number | undefined {
  const monthOf = (moment: number) => startOf('month', moment);
  if (![period.from, period.below, earlier.from].every(moment => monthOf(moment) === moment))
    return undefined;
  const month = addUnits('month', monthOf(end), -unitsBetween('month', earlier.from, period.from));
  return Math.min(month + (end - monthOf(end)), addUnits('month', month, 1));
}

/** The range of the field that a filter lets through; infinite on sides without a condition. */
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

/** Maps a moment of the period into the earlier period. Beginnings of months map to beginnings of months. */
function back(period: Range, earlier: Range, by: Exclude<Comparison, object>): (moment: number) => number {
  if (by === 'previous year') {
    const years = yearsBack(period);
    return moment => yearsEarlier(moment, years);
  }
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

/** Removes the filter's range conditions on a field. */
export function withoutRange(filter: Filter, field: string): Filter {
  if (filter.kind === 'allOf') return allOf(filter.filters.map(inner => withoutRange(inner, field)));
  if (filter.kind === 'anyOf') return anyOf(filter.filters.map(inner => withoutRange(inner, field)));
  return filter.kind === 'range' && filter.field === field ? everything : filter;
}
