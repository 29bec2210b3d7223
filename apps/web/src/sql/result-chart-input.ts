import { formatDay, formatMoment, type ChartInput } from '@belvedere/chart';
import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import { startOf, timeUnits, unitsBetween, type CalendarUnit, type Value } from '@belvedere/query';
import type { SqlResult } from './ResultTable.tsx';

/** Pixels for a single bar and its label. */
const barHeight = 22;
/** Pixels for each bar of a group. */
const laneHeight = 9;
const maxTimes = 1000;
const maxSlices = 12;
const maxColumns = 60;
/** More colours are hard to distinguish. */
const maxColours = 8;

/** The chart kinds that can have one mark for each row. `column` is a vertical bar. */
export const resultChartKinds = ['bar', 'column', 'line', 'area', 'donut', 'pie', 'scatter'] as const;
export type ResultChartKind = (typeof resultChartKinds)[number];

/** Whether a kind can have a series for each value of a column. */
export const hasSeries = (kind: ResultChartKind) =>
  kind === 'bar' || kind === 'column' || kind === 'line' || kind === 'area';

type Columns = Pick<SqlResult, 'columns' | 'rows'>;

/** The columns of a result that a chart shows, by index. */
export interface ResultEncoding {
  readonly kind: ResultChartKind;
  readonly label: number;
  readonly amount: number;
  /** The y column of a scatter chart. */
  readonly other: number | undefined;
  readonly colour: number | undefined;
}

export interface ResultChartInput {
  readonly input: ChartInput;
  /** How many rows are drawn. */
  readonly drawn: number;
}

/** Returns the numeric columns, by index. */
export function amountColumns({ columns }: Columns): readonly number[] {
  return columns.map((_, i) => i).filter(i => isNumeric(columns[i]!.type as DataType));
}

/**
 * Returns the columns that can be the colour: with few values that, together with `label`, are unique, since a
 * mark shows one row.
 */
export function colourColumns({ columns, rows }: Columns, label: number, amount: number): readonly number[] {
  return columns
    .map((_, i) => i)
    .filter(i => {
      if (i === label || i === amount) return false;
      const values = new Set<Value>();
      const marks = new Set<string>();
      for (const row of rows) {
        values.add(row[i] ?? null);
        if (values.size > maxColours) return false;
        marks.add(JSON.stringify([row[label] ?? null, row[i] ?? null]));
      }
      return values.size > 1 && marks.size === rows.length;
    });
}

/** Whether rows share a value of a column. */
export function isRepeated({ rows }: Columns, column: number): boolean {
  return new Set(rows.map(row => row[column] ?? null)).size < rows.length;
}

/** Whether the rows can be placed on a time axis. */
export function isAlongTime(result: Columns, label: number, colour: number | undefined): boolean {
  return timesOf(result, label, colour !== undefined) !== undefined;
}

interface Times {
  readonly unit: CalendarUnit;
  readonly from: number;
  readonly count: number;
  /** The position of each row on the axis. */
  readonly positions: readonly number[];
}

/**
 * Returns a time axis in the coarsest unit that separates all timestamps; undefined if two rows would share a
 * position.
 * @param canShare rows with the same timestamp have different colours
 */
function timesOf({ columns, rows }: Columns, label: number, canShare: boolean): Times | undefined {
  if (!isTemporal(columns[label]?.type as DataType)) return undefined;
  const moments = rows.map(row => row[label]).filter(value => typeof value === 'number');
  const distinct = new Set(moments);
  if (distinct.size < 2 || moments.length < rows.length || distinct.size > maxTimes) return undefined;
  if (!canShare && distinct.size < moments.length) return undefined;
  const [first, last] = [Math.min(...distinct), Math.max(...distinct)];
  for (const unit of timeUnits.toReversed()) {
    const from = startOf(unit, first);
    const positions = moments.map(moment => unitsBetween(unit, from, moment));
    if (new Set(positions).size === distinct.size)
      return unitsBetween(unit, from, last) < maxTimes
        ? { unit, from, count: unitsBetween(unit, from, last) + 1, positions }
        : undefined;
  }
  return undefined;
}

/** Kinds that may have a time axis. */
const isAlong = (kind: ResultChartKind) => kind === 'line' || kind === 'area' || kind === 'column';

/** The largest number of categories of a chart. */
function maxCategories(kind: ResultChartKind, height: number, lanes: number): number {
  if (kind === 'scatter') return maxTimes;
  if (kind === 'bar') return Math.max(1, Math.floor(height / Math.max(barHeight, lanes * laneHeight)));
  return kind === 'pie' || kind === 'donut' ? maxSlices : maxColumns;
}

/** Builds a chart with one mark for each row, in the rows' order and without aggregation. */
export function resultChartInput(
  result: Columns,
  { kind, label, amount, other, colour: wanted }: ResultEncoding,
  { size, theme, locale }: Pick<ChartInput, 'size' | 'theme' | 'locale'>,
): ResultChartInput {
  const { columns, rows } = result;
  const field = columns[label]!.name;
  const named = (column: number) => ({ measure: columns[column]!.name });
  const measure = named(amount);
  const measured = kind === 'scatter' ? [amount, other!] : [amount];
  const common = {
    measures: measured.map(column => ({ label: columns[column]!.name, isAdditive: false })),
    size,
    theme,
    locale,
  };
  const numberIn = (row: SqlResult['rows'][number], column: number) =>
    row[column] === null ? Number.NaN : Number(row[column]);
  const textIn = (row: SqlResult['rows'][number], column: number): Value => {
    const value = row[column] ?? null;
    const { type } = columns[column]!;
    if (typeof value !== 'number' || !isTemporal(type as DataType)) return value;
    return type === 'date' ? formatDay(value, locale) : formatMoment(value, locale);
  };
  const colour = hasSeries(kind) ? wanted : undefined;
  const colours = colour === undefined ? [] : [...new Set(rows.map(row => textIn(row, colour)))];
  const lanes = Math.max(1, colours.length);
  const laneOf = (row: SqlResult['rows'][number]) =>
    colour === undefined ? 0 : colours.indexOf(textIn(row, colour));
  const series =
    colour === undefined
      ? []
      : ([
          {
            channel: 'color',
            kind: 'categories',
            field: columns[colour]!.name,
            values: colours,
            other: false,
          },
        ] as const);
  const coloured = colour === undefined ? {} : { color: { field: columns[colour]!.name } };
  const times = isAlong(kind) ? timesOf(result, label, colour !== undefined) : undefined;
  if (times) {
    const { unit, from, count, positions } = times;
    const base = new Float64Array((count + 2) * lanes).fill(Number.NaN);
    rows.forEach((row, i) => {
      base[positions[i]! * lanes + laneOf(row)] = numberIn(row, amount);
    });
    return {
      input: {
        tile: {
          kind: kind === 'column' ? 'bar' : (kind as 'line' | 'area'),
          x: { field },
          y: measure,
          ...coloured,
        },
        axes: [{ channel: 'x', kind: 'times', field, unit, from, count }, ...series],
        base,
        ...common,
      },
      drawn: rows.length,
    };
  }
  const maxShown = maxCategories(kind, size.height, lanes);
  // Without colours each row is a category, even if its label repeats.
  const placeOf = new Map<Value, number>();
  const places = rows.map((row, i) => {
    if (colour === undefined) return i;
    const name = textIn(row, label);
    if (!placeOf.has(name)) placeOf.set(name, placeOf.size);
    return placeOf.get(name)!;
  });
  const values: Value[] = [];
  rows.forEach((row, i) => {
    if (places[i]! < maxShown) values[places[i]!] = textIn(row, label);
  });
  const base = new Float64Array(values.length * lanes * measured.length).fill(Number.NaN);
  rows.forEach((row, i) => {
    if (places[i]! >= maxShown) return;
    measured.forEach((column, m) => {
      base[m * values.length * lanes + places[i]! * lanes + laneOf(row)] = numberIn(row, column);
    });
  });
  const along = <Channel extends 'x' | 'y' | 'color' | 'detail'>(channel: Channel) =>
    [{ channel, kind: 'categories', field, values, other: false } as const, ...series] as const;
  const drawn = places.filter(place => place < maxShown).length;
  switch (kind) {
    case 'bar':
      return {
        input: { tile: { kind, x: measure, y: { field }, ...coloured }, axes: along('y'), base, ...common },
        drawn,
      };
    case 'pie':
    case 'donut':
      return {
        input: { tile: { kind, color: { field }, theta: measure }, axes: along('color'), base, ...common },
        drawn,
      };
    case 'scatter':
      return {
        input: {
          tile: { kind, x: measure, y: named(other!), detail: { field } },
          axes: along('detail'),
          base,
          ...common,
        },
        drawn,
      };
    default:
      return {
        input: {
          tile: { kind: kind === 'column' ? 'bar' : kind, x: { field }, y: measure, ...coloured },
          axes: along('x'),
          base,
          ...common,
        },
        drawn,
      };
  }
}
