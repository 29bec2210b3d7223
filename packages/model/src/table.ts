/**
 * What kind of value a column or expression gives.
 * `integer` and `decimal` are exact, `number` is a double. `time` is a wall-clock date and time without a zone; `instant` is a moment, shown in the dashboard's zone.
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

/** A table of a source, as the engine found it. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows?: number;
  /** Columns in which every row is known to have a value of its own; absent where nobody has counted. */
  readonly unique?: readonly string[];
}
export interface Column {
  readonly name: string;
  readonly type: DataType;
  /** How many different values it has, where somebody has counted. */
  readonly distinct?: number;
  /** How its engine compares its texts, where there is more than one way. */
  readonly collation?: string;
}

/** What a column holds, counted once when its table is read. Numbers and times (ms) as doubles; texts as they are. */
export interface ColumnProfile extends Column {
  readonly nulls: number;
  readonly empties: number;
  readonly distinct: number;
  readonly isDistinctExact: boolean;
  readonly min?: number | string;
  readonly max?: number | string;
  /** The 1st and 99th percentile of a number column: where an axis may begin and end without its outliers. */
  readonly low?: number;
  readonly high?: number;
  /** What shows its numbers as its file has them, where they are written with more than digits: `percent`, `currency:USD`. */
  readonly format?: string;
  readonly top: readonly { readonly value: string | null; readonly rows: number }[];
}

export interface TableProfile {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnProfile[];
}
