import type { Axis } from './axis.ts';
import type { CalendarUnit } from './calendar.ts';
import type { Filter } from './filter.ts';

/** Something to ask of a model, in the model's own words. Plain JSON, so that it can be sent, cached and compared. */
export type Query = CellsQuery | GroupsQuery | RowsQuery | WatermarkQuery;

/** Totals per group of settled axes. The answer's columns: `group` (whole number, the last axis fastest), then `part0`, `part1` …, doubles, NaN for nothing. */
export interface CellsQuery {
  readonly kind: 'cells';
  readonly model: string;
  readonly axes: readonly Axis[];
  readonly measures: readonly string[];
  readonly where: Filter;
}

/** Measures by the dimensions' own values, as a person would ask: `date` by month, `carrier`, `flights`. */
export interface GroupsQuery {
  readonly kind: 'groups';
  readonly model: string;
  readonly dimensions: readonly Grouping[];
  readonly measures: readonly string[];
  /** The measures' parts, as cells have them, in place of the measures: `part0`, `part1` …, for groups that are yet to be put together. */
  readonly inParts?: boolean;
  /** Smallest and largest of these dimensions, beside the measures: `min_NAME` and `max_NAME`. */
  readonly extents?: readonly string[];
  readonly where: Filter;
  readonly order?: readonly Order[];
  readonly limit?: number;
  readonly offset?: number;
  /** How many groups there are, in place of them: one row, one column `groups`. */
  readonly isCounted?: boolean;
}

export interface Grouping {
  readonly field: string;
  readonly timeUnit?: CalendarUnit;
}

/** Single rows, sorted; ties are broken by the remaining columns so that pages never overlap. */
export interface RowsQuery {
  readonly kind: 'rows';
  readonly model: string;
  readonly dimensions: readonly string[];
  readonly where: Filter;
  readonly order?: readonly Order[];
  readonly limit: number;
  readonly offset?: number;
}

/** How new a model's data is, as the model itself says: one row, one column `watermark`. */
export interface WatermarkQuery {
  readonly kind: 'watermark';
  readonly model: string;
}

export interface Order {
  readonly by: string;
  readonly descending?: boolean;
}

/** The same text for the same question, whatever the order of its keys. */
export function queryKeyOf(query: Query): string {
  return JSON.stringify(query, (_, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
