import { freeName, type DimensionFile } from '@belvedere/document';
import { isClockTime, isTimeOfDay } from './infer-meaning.ts';
import { wordsOf } from './column-vocabulary.ts';
import { quotedColumn } from './quoted-column.ts';
import { timeParts } from './infer-time-parts.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

/**
 * Dimensions for the hours of columns with times of day, such as `14:30:05` or 1430, by which rows are grouped.
 * Beside a date, or without a time, the first one is the hour of the day.
 * @param dimensions those of the table, the first of them of its columns in their order
 * @param taken names of dimensions; those of the hours are added
 */
export function inferHours(
  { columns }: TableProfile,
  dimensions: Readonly<Record<string, DimensionFile>>,
  taken: Set<string>,
): Record<string, DimensionFile> {
  const labels = Object.values(dimensions).map(({ label }) => label);
  const hours: Record<string, DimensionFile> = {};
  for (const [i, column] of columns.entries()) {
    const expr = hourIn(column);
    if (expr === undefined) continue;
    const isOfDay = [dimensions, hours].every(known => !Object.hasOwn(known, timeParts.hour));
    const name = freeName(isOfDay ? timeParts.hour : `${column.name}_hour`, taken);
    hours[name] = {
      label: isOfDay ? 'Hour of day' : `${labels[i] ?? column.name} (hour)`,
      expr,
      format: 'hour',
    };
  }
  return hours;
}

/** The expression of a column's hour, 0 to 23; undefined if it has no times of day. */
function hourIn(column: ColumnProfile): string | undefined {
  const source = quotedColumn(column.name);
  if (column.type === 'text') {
    if (!isTimeOfDay(column)) return undefined;
    const hour = `cast(split_part(${source}, ':', 1) as integer)`;
    const isHalfDay = column.top.some(({ value }) => /[ap]\.?m/i.test(value ?? ''));
    return isHalfDay
      ? `mod(${hour}, 12) + case when contains(lower(${source}), 'p') then 12 else 0 end`
      : `mod(${hour}, 24)`;
  }
  return column.type === 'integer' && isClockTime(column, wordsOf(column.name))
    ? `mod(cast(floor(${source} / 100) as integer), 24)`
    : undefined;
}
