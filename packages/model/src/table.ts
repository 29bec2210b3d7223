/**
 * The type of a column's or expression's values. `integer` and `decimal` are exact, `number` is a double.
 * `time` is a wall-clock date and time without a zone; `instant` is a moment, shown in the dashboard's zone.
 */
export type DataType =
  | 'integer'
  | 'decimal'
  | 'number'
  | 'text'
  | 'boolean'
  | 'date'
  | 'time'
  | 'instant'
  | 'other';

export const isNumeric = (type: DataType) => type === 'integer' || type === 'decimal' || type === 'number';
export const isTemporal = (type: DataType) => type === 'date' || type === 'time' || type === 'instant';

/** A table of a source, as the engine describes it. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows?: number;
  /** Columns whose values are known to be unique; absent if they were not counted. */
  readonly unique?: readonly string[];
  /** Several columns that are unique together. */
  readonly uniqueTogether?: readonly (readonly string[])[];
}
export interface Column {
  readonly name: string;
  readonly type: DataType;
  /** The number of distinct values, if counted. */
  readonly distinct?: number;
  /** The engine's collation of texts, if it has more than one. */
  readonly collation?: string;
}

/**
 * Statistics of a column, computed once when its table is imported. Numbers and times (ms) as doubles; texts
 * unchanged.
 */
export interface ColumnProfile extends Column {
  readonly nulls: number;
  readonly empties: number;
  readonly distinct: number;
  readonly isDistinctExact: boolean;
  readonly min?: number | string;
  readonly max?: number | string;
  /** The 1st and 99th percentile of a number column: the range of an axis without outliers. */
  readonly low?: number;
  readonly high?: number;
  /** The 25th and 75th percentile of a number column: half of its values lie between them. */
  readonly lowerQuartile?: number;
  readonly upperQuartile?: number;
  /**
   * The number format detected in the file, if the numbers have more than digits: `percent`, `currency:USD`.
   */
  readonly format?: string;
  readonly top: readonly { readonly value: string | null; readonly rows: number }[];
}

export interface TableProfile {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnProfile[];
}
