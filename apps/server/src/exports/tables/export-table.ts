import type { EmptyReason } from '@belvedere/api';
import type { Highlight } from '@belvedere/query';

export type ExportValue = string | number | boolean | null;

/**
 * A column of an exported table. `format` and `unit` are the measure's; dates and times are wall-clock
 * milliseconds. In a column with a zone, times are moments: milliseconds since 1970 in UTC.
 */
export interface ExportColumn {
  readonly label: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'time';
  readonly format?: string;
  readonly unit?: string;
  readonly zone?: string;
  /** Rules that highlight its cells. */
  readonly highlights?: readonly Highlight[];
  /** Shades its cells by value, over the extent of its measure's values, or of the column's own. */
  readonly heat?: { readonly extent?: readonly [number, number]; readonly isAdditive: boolean };
}

export interface ExportTableHeader {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  /** The text for nulls; defaults to an en dash. */
  readonly blank?: string;
  /** Indexes of total rows. */
  readonly totals?: ReadonlySet<number>;
  /** The number of included rows and of all rows, if they differ. */
  readonly cut?: { readonly rows: number; readonly of: number };
}

type Rows = readonly (readonly ExportValue[])[];

/** A tile's contents as a table, with the same rows and numbers. */
export interface ExportTable extends ExportTableHeader {
  readonly rows: Rows;
  /** By column index: the sparkline of each row, for columns that have one. */
  readonly sparklines?: ReadonlyMap<number, readonly (readonly (number | null)[])[]>;
  /** Indexes of columns whose numbers are also drawn as bars. */
  readonly bars?: ReadonlySet<number>;
  /** Why a pivot table is empty. */
  readonly emptyReason?: EmptyReason;
}

/** A table of any length. Each chunk of rows is queried once the previous one has been written. */
export interface ExportTableRows extends ExportTableHeader {
  /** Whether its last row is a total. */
  readonly endsInTotal?: boolean;
  readonly pieces: AsyncIterable<Rows>;
}
