import type { Axis } from './axis.ts';
import type { CalendarUnit } from './calendar.ts';
import type { Filter } from './filter.ts';

/** A query in the model's own terms. Plain JSON, so it can be sent, cached and compared. */
export type Query = CellsQuery | GroupsQuery | RowsQuery | WatermarkQuery;

/**
 * Totals per group of axes with fixed slots. The result's columns: `group` (an integer, last axis fastest),
 * then `part0`, `part1` … as doubles, NaN for null.
 */
export interface CellsQuery {
  readonly kind: 'cells';
  readonly model: string;
  readonly axes: readonly Axis[];
  readonly measures: readonly string[];
  readonly where: Filter;
}

/** Measures grouped by the dimensions' own values: `flights` by `carrier` and month of `date`. */
export interface GroupsQuery {
  readonly kind: 'groups';
  readonly model: string;
  readonly dimensions: readonly Grouping[];
  readonly measures: readonly string[];
  /**
   * Return the measures' parts (`part0`, `part1` …, as in a cells query) instead of the measures. The caller
   * merges groups further.
   */
  readonly inParts?: boolean;
  /**
   * Dimensions whose smallest and largest value are returned beside the measures, as `min_NAME` and
   * `max_NAME`.
   */
  readonly extents?: readonly string[];
  readonly where: Filter;
  readonly order?: readonly Order[];
  readonly limit?: number;
  readonly offset?: number;
  /** Return the number of groups instead of the groups: one row, one column `groups`. */
  readonly isCounted?: boolean;
}

export interface Grouping {
  readonly field: string;
  readonly timeUnit?: CalendarUnit;
}

/** Single rows, sorted. The remaining columns break ties, so that pages never overlap. */
export interface RowsQuery {
  readonly kind: 'rows';
  readonly model: string;
  readonly dimensions: readonly string[];
  readonly where: Filter;
  readonly order?: readonly Order[];
  readonly limit: number;
  readonly offset?: number;
  /** Instants are times in UTC, instead of the plan's zone, whose clock shows an hour of autumn twice. */
  readonly isUtc?: boolean;
}

/** How recent a model's data is, by the model's own definition: one row, one column `watermark`. */
export interface WatermarkQuery {
  readonly kind: 'watermark';
  readonly model: string;
}

export interface Order {
  readonly by: string;
  readonly descending?: boolean;
}

/** Returns the same text for equal queries, regardless of the order of their keys. */
export function queryKeyOf(query: Query): string {
  return JSON.stringify(query, (_, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
