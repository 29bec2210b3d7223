import type { DimensionFile } from '@belvedere/document';
import { quotedColumn } from './quoted-column.ts';
import type { DataType } from '../table.ts';

/** The parts of a time that rows are grouped by in any year: `weekday`, `month_of_year`, `hour_of_day`. */
export const timeParts = { weekday: 'weekday', month: 'month_of_year', hour: 'hour_of_day' } as const;
export type TimePart = keyof typeof timeParts;

const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/**
 * Dimensions for the parts of a model's time, hidden: lists would be longer for every time, and phrases such
 * as `revenue by weekday` find them. A name that the model already has is left out.
 */
export function inferTimeParts(
  time: DimensionFile,
  type: DataType,
  joins: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): Record<string, DimensionFile> {
  const source = sourceOf(time, joins);
  const parts: Record<string, DimensionFile> = {
    [timeParts.weekday]: { label: 'Weekday', expr: `weekday_name(${source})`, sort: weekdays },
    [timeParts.month]: { label: 'Month of year', expr: `month_name(${source})`, sort: months },
    ...(type !== 'date' && {
      [timeParts.hour]: { label: 'Hour of day', expr: `hour(${source})`, format: 'hour' },
    }),
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) =>
      taken.has(name) ? [] : [[name, { ...part, hidden: true }]],
    ),
  );
}

function sourceOf({ expr, column = '' }: DimensionFile, joins: ReadonlySet<string>): string {
  if (expr !== undefined) return expr;
  const [join, ...rest] = column.split('.');
  return rest.length > 0 && joins.has(join!)
    ? `${quotedColumn(join!)}.${quotedColumn(rest.join('.'))}`
    : quotedColumn(column);
}
