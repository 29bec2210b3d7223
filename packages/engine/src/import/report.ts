import type { DataType, TableProfile } from '@belvedere/model';
import type { ForeignKey } from '../database/connection.ts';

/** A file that is not imported as a table, and why. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/** How a table was imported: it accounts for every row and reports every inference. */
export interface ImportReport {
  /** Records in the files: `rowsRead = rowsKept + rowsRejected`. */
  readonly rowsRead: number;
  readonly rowsKept: number;
  readonly rowsRejected: number;
  /** The first rejected rows. */
  readonly rejected: readonly RejectedRow[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly hasHeader?: boolean;
  readonly skippedLines?: number;
  /** Notes on what was inferred. */
  readonly notes: readonly string[];
  /** Questions that the data leaves open. The columns stay text until a user decides. */
  readonly questions?: readonly ImportQuestion[];
  /** Values that a chosen import option turned into nulls. */
  readonly nulled?: readonly NulledValues[];
  /** Columns that are text because of a few values. */
  readonly nearly?: readonly MostlyTyped[];
}

/** The number of a column's values that do not fit its chosen type or order of day and month. */
export interface NulledValues {
  readonly column: string;
  readonly values: number;
}

/** A column that would have a type except for a few values, and the effect of declaring that type. */
export interface MostlyTyped {
  readonly column: string;
  readonly type: 'integer' | 'number' | 'date' | 'time';
  /** The number of values that fit the type and that do not. */
  readonly fits: number;
  readonly misfits: number;
  /** The first different values that do not fit. */
  readonly first: readonly Misfit[];
}

/** A value that does not fit the type of its column's other values, with the location of its first cell if known. */
export interface Misfit extends Partial<ValueLocation> {
  readonly value: string;
  /** How many cells have it; omitted for one. */
  readonly count?: number;
}

/** Where a value is in its file: the line of a text file, or the cell of a workbook. */
export interface ValueLocation {
  readonly file: string;
  readonly line?: number;
  readonly sheet?: string;
  /** Such as `B17`. */
  readonly cell?: string;
}

/** An imported table before its text columns are refined. */
export interface TableRead extends ImportReport {
  /** Key columns that relate tables. They are not converted. */
  readonly keys?: readonly string[];
}

/** Whether 01/02 is 1 February or 2 January, or whether 1,234 is 1234 or 1.234. */
export interface ImportQuestion {
  readonly kind: 'date order' | 'decimal mark';
  readonly columns: readonly string[];
  readonly example: string;
}

/** Combines the questions of several files or steps: one of each kind, for all columns. */
export function together(questions: readonly ImportQuestion[]): Pick<ImportReport, 'questions'> {
  if (questions.length === 0) return {};
  return {
    questions: [...Map.groupBy(questions, ({ kind }) => kind)].map(([kind, alike]) => ({
      kind,
      columns: [...new Set(alike.flatMap(question => question.columns))],
      example: alike[0]!.example,
    })),
  };
}

export interface RejectedRow {
  readonly file: string;
  readonly line: number;
  readonly column?: string;
  readonly reason: string;
  readonly text?: string;
}

/** The parent of a table whose rows are elements of lists in the parent's rows. */
export interface ParentTable {
  readonly table: string;
  /** The parent's key column… */
  readonly column: string;
  /** …and the column of this table that refers to it. */
  readonly equals: string;
}

/** Keys that a database file declares of a table. */
export interface ImportedKeys {
  readonly uniqueTogether: readonly (readonly string[])[];
  /** By the names of the imported tables. */
  readonly foreignKeys: readonly Omit<ForeignKey, 'schema'>[];
}

/** A table that has been imported into a database file of its own. */
export interface ImportedTable {
  readonly name: string;
  readonly fingerprint: string;
  /** Its source files, relative to the data folder. */
  readonly files: readonly string[];
  readonly database: string;
  readonly columns: readonly { readonly name: string; readonly type: DataType }[];
  readonly profile: TableProfile;
  readonly report: ImportReport;
  readonly parent?: ParentTable;
  /** Declared by the database file that it comes from. */
  readonly declaredKeys?: ImportedKeys;
  /**
   * Entries of its archive that are not tables, with reasons. Reported only for the first table of an
   * archive. Files are named by the archive and the entry.
   */
  readonly skippedFiles?: readonly SkippedFile[];
  /** The number of rows in `sample`; absent for small tables, which have none. */
  readonly sampleRows?: number;
  readonly readAt: string;
}

/** Thrown for a file that could not be imported. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code = 'file-unreadable';
  readonly file: string;
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, message: string) {
    super(message);
    this.file = file;
    this.line = line;
  }
}
