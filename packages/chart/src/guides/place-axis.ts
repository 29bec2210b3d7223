import type { TimeUnit } from '@belvedere/document';
import {
  addUnits,
  edgeOf,
  fiscalPositionIn,
  startOf,
  timeUnitOf,
  unitsBetween,
  type Axis,
  type CalendarUnit,
} from '@belvedere/query';
import {
  dateFormat,
  formatAxisValue,
  durationUnit,
  formatAxis,
  formatDay,
  formatTime,
  formatValue,
  numberFormat,
} from '../text/format.ts';
import type { PositionScale } from '../scales/position.ts';
import type { AxisOptions } from './axis-options.ts';
import { linesOf, textWidth, wrapText } from '../text/text-width.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';

export interface PositionLabel {
  readonly pixel: number;
  readonly label: string;
  /** The lines of a wrapped name after its first. */
  readonly below?: readonly string[];
  readonly align: 'left' | 'center' | 'right';
}

/** The full name of a position on an axis. */
export function positionName(axis: Axis, position: number, locale: string): string {
  const words = chartMessagesIn(locale);
  if (axis.kind === 'categories')
    return position < axis.values.length
      ? formatValue(axis.values[position]!, locale, axis.format)
      : words.other;
  if (position === axis.count) return words.noValue;
  if (position > axis.count) return words.outside;
  if (axis.kind === 'times') return formatTime(edgeOf(axis, position), axis.unit, locale);
  const [from, below] = [edgeOf(axis, position), edgeOf(axis, position + 1)];
  const ends = [edgeOf(axis, 0), edgeOf(axis, axis.count)];
  const [first, last] = [
    edgeName(from, ends, locale, axis.format),
    edgeName(below, ends, locale, axis.format),
  ];
  return first === last
    ? words.range(edgeName(from, ends, locale), edgeName(below, ends, locale))
    : words.range(first, last);
}

/** The approximate number of labels and their format, from the encoding's axis options. */
export type LabelsWanted = Pick<AxisOptions, 'tickCount' | 'format'>;

/**
 * Labels along an x axis, far enough apart to be read, or as many as are wanted.
 * @param lines how many of them there is room for
 */
export function horizontalLabels(
  axisScale: PositionScale,
  locale: string,
  size: number,
  wanted: LabelsWanted = {},
  lines = 1,
): PositionLabel[] {
  const { axis } = axisScale;
  if (axis.kind === 'times') return timeLabels(axisScale, axis, locale, wanted);
  if (axis.kind === 'bins') return numberLabels(axisScale, axis, locale, size, wanted);
  const [left, right] = axisScale.span(0);
  const width = right - left;
  const names = Array.from({ length: axisScale.positions }, (_, position) =>
    categoryLabel(axis, position, locale, wanted),
  );
  const isNumeric = axis.values.every(value => typeof value === 'number');
  // Numbers may be thinned out, since the viewer can count on; names are cut instead, unless nothing would be
  // left of them.
  const widest = Math.max(...names.map(name => textWidth(name, size)));
  // Three letters tell months and weekdays apart better than an ellipsis does.
  const short = names.map(name => [...name].slice(0, 3).join(''));
  const isShort =
    widest > width - 4 && isCalendarCycle(names, locale) && new Set(short).size === names.length;
  const every = isNumeric
    ? Math.max(
        1,
        Math.ceil((widest + 10) / width),
        wanted.tickCount ? Math.round(names.length / wanted.tickCount) : 1,
      )
    : names.every(name => linesOf(name, width - 4, size) <= lines)
      ? 1
      : Math.max(1, Math.ceil((isShort ? 24 : Math.min(widest + 4, legible)) / width));
  return names.flatMap((name, position) => {
    if (position % every !== 0) return [];
    const [label = '', ...below] = isNumeric
      ? [name]
      : isShort
        ? [short[position]!]
        : wrapText(name, width * every - 4, size, lines);
    return [
      { pixel: axisScale.middle(position), label, ...(below.length > 0 && { below }), align: 'center' },
    ];
  });
}

/** A name is not cut to less than this; some are left out instead. */
export const legible = 44;

/** Whether these are months or days of the week: three letters of those are understood. */
export function isCalendarCycle(names: readonly string[], locale: string): boolean {
  if (names.length < 2 || names.length > 12) return false;
  return [locale, 'en'].some(language => {
    const cycles = [
      Array.from({ length: 12 }, (_, i) => dateFormat(language, { month: 'long' }).format(Date.UTC(2001, i))),
      Array.from({ length: 7 }, (_, i) =>
        dateFormat(language, { weekday: 'long' }).format(Date.UTC(2001, 0, 1 + i)),
      ),
    ];
    return cycles.some(cycle => {
      const known = new Set(cycle.map(name => name.toLowerCase()));
      return names.every(name => known.has(name.toLowerCase()));
    });
  });
}

/** However many labels are wanted, they do not run into one another. */
const minWidth = 48;

/** The label of a category on an axis. */
export function categoryLabel(
  axis: Axis & { kind: 'categories' },
  position: number,
  locale: string,
  { format = axis.format }: LabelsWanted,
): string {
  const value = axis.values[position];
  return format && typeof value === 'number'
    ? formatAxisValue(value, format, locale)
    : positionName(axis, position, locale);
}

/** Which bins' edges are named: so many bins apart that edges are round numbers, or parts of an hour. */
function everyBin(axis: Axis & { kind: 'bins' }, target: number, format: string | undefined): number {
  const largest = Math.max(Math.abs(edgeOf(axis, 0)), Math.abs(edgeOf(axis, axis.count)));
  const unit = durationUnit(format, largest);
  const isRound = (bins: number) =>
    unit === undefined
      ? /^(?:1|2|2\.5|5)e/.test(Number((bins * axis.step).toPrecision(6)).toExponential())
      : partsOfTime.some(part => Math.abs((bins * axis.step) / unit - part) < 1e-6);
  const fitting = (unit === undefined ? binsApart : wholeNumbers(axis.count)).filter(
    bins => axis.count / bins <= target,
  );
  // Fewer than three would hardly tell a scale.
  return fitting.find(bins => isRound(bins) && axis.count / bins >= 2) ?? fitting[0] ?? axis.count;
}

const binsApart = [1, 2, 4, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000];
const partsOfTime = [0.5, 1, 2, 5, 10, 15, 20, 30, 60];
const wholeNumbers = (below: number) => Array.from({ length: below }, (_, i) => i + 1);

function numberLabels(
  axisScale: PositionScale,
  axis: Axis & { kind: 'bins' },
  locale: string,
  size: number,
  { tickCount, format: own }: LabelsWanted,
): PositionLabel[] {
  const total = axisScale.span(axis.count - 1)[1] - axisScale.span(0)[0];
  const every = everyBin(
    axis,
    tickCount
      ? Math.min(tickCount, Math.max(2, Math.floor(total / minWidth)))
      : Math.max(2, Math.floor(total / 72)),
    own ?? axis.format,
  );
  const first = ((-Math.round(axis.origin / axis.step) % every) + every) % every;
  const positions = Array.from(
    { length: Math.floor((axis.count - first) / every) + 1 },
    (_, i) => first + i * every,
  );
  const edges = positions.map(position => edgeOf(axis, position));
  const names = edgeNames(edges, locale, formatOfEdges(axis, edges, own));
  // In full they may be longer than the room between them.
  const apart = Math.max(
    1,
    Math.ceil((Math.max(...names.map(name => textWidth(name, size))) + 4) / ((total * every) / axis.count)),
  );
  // The last label is left of its line if it would exceed the edge.
  return positions.flatMap((position, i) =>
    i % apart === 0
      ? [
          {
            pixel: axisScale.toPixel(edges[i]!) + (position === axis.count ? 4 : 0),
            label: names[i]!,
            align: position === axis.count ? ('right' as const) : ('center' as const),
          },
        ]
      : [],
  );
}

/** The axis' own format, else that of its field: prices have cents, but whole numbers along their axis do not. */
function formatOfEdges(
  axis: Axis & { kind: 'bins' },
  edges: readonly number[],
  own: string | undefined,
): string | undefined {
  const hasDecimals = /^,?\.\df?$/.test(axis.format ?? '');
  return own ?? (hasDecimals && edges.every(Number.isInteger) ? 'integer' : axis.format);
}

/** Formats edges: in short, or with the digits that distinguish them. */
function edgeNames(edges: readonly number[], locale: string, format: string | undefined): readonly string[] {
  const short =
    format === undefined && areYears(edges)
      ? edges.map(edge => formatValue(edge, locale))
      : formatAxis(edges, format, locale, { isOwn: true });
  const names = [
    short,
    edges.map(edge => edgeName(edge, edges, locale, format)),
    edges.map(edge => edgeName(edge, edges, locale)),
  ];
  return names.find(all => new Set(all).size === all.length) ?? short;
}

/** Four-digit whole numbers from a thousand may be years, so they have no separator. */
function areYears(edges: readonly number[]): boolean {
  return edges.every(edge => Number.isInteger(edge) && edge >= 1000 && edge < 3000);
}

/** An edge in full. @param among the edges that it is named beside */
function edgeName(edge: number, among: readonly number[], locale: string, format?: string): string {
  return format !== undefined || areYears(among)
    ? formatValue(edge, locale, format)
    : numberFormat(locale, { maximumFractionDigits: decimalsOf(among) })
        .format(edge)
        .replace(/^-/, '−');
}

/** Six, or as many as tell places of an axis apart that spans little. */
function decimalsOf(edges: readonly number[]): number {
  const span = Math.max(...edges) - Math.min(...edges);
  return Math.max(6, Math.min(20, Math.ceil(4 - Math.log10(span || 1))));
}

const rungs: readonly (readonly [TimeUnit, number])[] = [
  ['minute', 1],
  ['minute', 5],
  ['minute', 15],
  ['minute', 30],
  ['hour', 1],
  ['hour', 3],
  ['hour', 6],
  ['hour', 12],
  ['day', 1],
  ['day', 2],
  ['week', 1],
  ['week', 2],
  ['month', 1],
  ['month', 2],
  ['quarter', 1],
  ['quarter', 2],
  ['year', 1],
  ['year', 2],
  ['year', 5],
  ['year', 10],
  ['year', 25],
  ['year', 50],
  ['year', 100],
];
const fiscalRungs: typeof rungs = [
  ['fiscalQuarter', 1],
  ['fiscalQuarter', 2],
  ['fiscalYear', 1],
  ['fiscalYear', 2],
  ['fiscalYear', 5],
  ['fiscalYear', 10],
  ['fiscalYear', 25],
  ['fiscalYear', 50],
  ['fiscalYear', 100],
];
const lengths: Readonly<Record<TimeUnit, number>> = {
  minute: 6e4,
  hour: 36e5,
  day: 864e5,
  week: 6048e5,
  month: 2.63e9,
  quarter: 7.9e9,
  fiscalQuarter: 7.9e9,
  year: 3.156e10,
  fiscalYear: 3.156e10,
};

/**
 * Round times with readable distances: months as “Jul”, the year only where it begins, by fiscal years if
 * there are any.
 */
function timeLabels(
  axisScale: PositionScale,
  axis: Axis & { kind: 'times' },
  locale: string,
  { tickCount }: LabelsWanted,
): PositionLabel[] {
  const [start, end] = [edgeOf(axis, 0), edgeOf(axis, axis.count)];
  const width = Math.abs(axisScale.toPixel(end) - axisScale.toPixel(start));
  const own = timeUnitOf(axis.unit);
  const isFiscal = own === 'fiscalQuarter' || own === 'fiscalYear';
  const [named, step] = (isFiscal ? fiscalRungs : rungs).find(
    ([rung, count]) =>
      lengths[rung] * count >= lengths[own] &&
      ((lengths[rung] * count) / (end - start)) * width >=
        (tickCount ? Math.max(minWidth, (width / tickCount) * 0.75) : 64),
  ) ?? [isFiscal ? 'fiscalYear' : 'year', 500];
  const unit = sameStart(named, axis.unit);
  const [left, right] = axisScale.span(0);
  // The label of a wide mark is at its middle, others are where their time begins.
  const isBelow = unit === axis.unit && Math.abs(right - left) >= 24;
  const labels: PositionLabel[] = [];
  const stop = Math.max(start, end);
  for (let time = firstLabel(unit, step, start); time < stop; time = addUnits(unit, time, step)) {
    if (time < start) continue;
    const apart = Math.abs(axisScale.toPixel(addUnits(unit, time, step)) - axisScale.toPixel(time));
    const label =
      labels.length === 0 ? firstTimeLabel(time, unit, locale, apart) : timeLabel(time, unit, false, locale);
    const pixel = isBelow ? axisScale.middle(unitsBetween(unit, start, time)) : axisScale.toPixel(time);
    // Labels that would exceed the edge are left out.
    if (Math.abs(axisScale.toPixel(end) - pixel) >= textWidth(label, 11) / (isBelow ? 2 : 1))
      labels.push({
        pixel,
        label,
        align: isBelow ? 'center' : axisScale.toPixel(end) < pixel ? 'right' : 'left',
      });
  }
  return labels;
}

/** A unit that begins as an axis' own does. */
function sameStart(named: TimeUnit, unit: CalendarUnit): CalendarUnit {
  const isAkin = named === timeUnitOf(unit) || (named.startsWith('fiscal') && unit.startsWith('fiscal'));
  return (isAkin ? unit.replace(timeUnitOf(unit), named) : named) as CalendarUnit;
}

/**
 * Every second month begins with January, every sixth hour with midnight, and every fifth year is divisible
 * by five.
 */
function firstLabel(unit: CalendarUnit, step: number, start: number): number {
  const years = fiscalPositionIn(unit, start)?.year ?? new Date(start).getUTCFullYear();
  if (timeUnitOf(unit) === 'year' || timeUnitOf(unit) === 'fiscalYear')
    return addUnits(unit, startOf(unit, start), Math.floor(years / step) * step - years);
  if ((unit === 'hour' || unit === 'minute') && step > 1)
    return startOf(unit === 'hour' ? 'day' : 'hour', start);
  return startOf(
    (unit === 'month' || unit === 'quarter') && step > 1
      ? 'year'
      : sameStart(unit.startsWith('fiscalQuarter') && step > 1 ? 'fiscalYear' : timeUnitOf(unit), unit),
    start,
  );
}

/**
 * The first label has the context of the others: the year of a month and, if there is room before the next,
 * the day of an hour.
 */
function firstTimeLabel(ms: number, unit: CalendarUnit, locale: string, room: number): string {
  if ((unit === 'hour' || unit === 'minute') && ms % lengths.day !== 0) {
    const withDay = formatTime(ms, unit, locale);
    if (textWidth(withDay, 11) + 8 <= room) return withDay;
  }
  return timeLabel(ms, unit, true, locale);
}

function timeLabel(ms: number, unit: CalendarUnit, isFirst: boolean, locale: string): string {
  const date = new Date(ms);
  const fiscal = fiscalPositionIn(unit, ms);
  if (fiscal)
    return timeUnitOf(unit) === 'fiscalQuarter' && fiscal.quarter > 1 && !isFirst
      ? chartMessagesIn(locale).quarterAlone(fiscal.quarter)
      : formatTime(ms, unit, locale);
  const isNewYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1;
  if (unit === 'year' || (isNewYear && ms % 864e5 === 0 && !isFirst))
    return dateFormat(locale, { year: 'numeric' }).format(ms);
  if (unit === 'month' || unit === 'quarter')
    return dateFormat(locale, isFirst ? { month: 'short', year: 'numeric' } : { month: 'short' }).format(ms);
  if (unit === 'day' || timeUnitOf(unit) === 'week')
    return dateFormat(locale, { month: 'short', day: 'numeric' }).format(ms);
  return ms % 864e5 === 0
    ? dateFormat(locale, { month: 'short', day: 'numeric' }).format(ms)
    : dateFormat(locale, { hour: 'numeric', minute: unit === 'minute' ? '2-digit' : undefined }).format(ms);
}

/** Labels along a numeric or time y axis, as along x, some 40 pixels apart, or as many as are wanted. */
export function verticalLabels(
  axisScale: PositionScale,
  locale: string,
  { tickCount, format }: LabelsWanted = {},
) {
  const { axis } = axisScale;
  if (axis.kind === 'bins') {
    const height = Math.abs(
      axisScale.toPixel(axis.origin + axis.step * axis.count) - axisScale.toPixel(axis.origin),
    );
    const every = everyBin(
      axis,
      tickCount
        ? Math.min(tickCount, Math.max(2, Math.floor(height / 16)))
        : Math.max(2, Math.floor(height / 40)),
      format ?? axis.format,
    );
    const first = ((-Math.round(axis.origin / axis.step) % every) + every) % every;
    const edges = Array.from(
      { length: Math.floor((axis.count - first) / every) + 1 },
      (_, i) => axis.origin + axis.step * (first + i * every),
    );
    const names = edgeNames(
      edges.map(edge => Number(edge.toPrecision(12))),
      locale,
      formatOfEdges(axis, edges, format),
    );
    return edges.map((edge, i) => ({ pixel: axisScale.toPixel(edge), label: names[i]! }));
  }
  const every = Math.max(
    1,
    tickCount ? Math.round(axisScale.positions / tickCount) : Math.ceil(axisScale.positions / 8),
  );
  return Array.from({ length: Math.ceil(axisScale.positions / every) }, (_, i) => ({
    pixel: axisScale.middle(i * every),
    label:
      axis.kind === 'times' && axis.unit === 'day'
        ? formatDay(edgeOf(axis, i * every), locale)
        : positionName(axis, i * every, locale),
  }));
}
