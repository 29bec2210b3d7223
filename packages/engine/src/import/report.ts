import type { DataType, TableProfile } from '@belvedere/model';

/** A file that is no table, and why. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/** How a table was read: every row accounted for, every guess named. */
export interface ImportReport {
  /** Records in the files: `rowsRead = rowsKept + rowsRejected`. */
  readonly rowsRead: number;
  readonly rowsKept: number;
  readonly rowsRejected: number;
  /** The first of them. */
  readonly rejected: readonly RejectedRow[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly hasHeader?: boolean;
  readonly skippedLines?: number;
  /** What was guessed, in words. */
  readonly notes: readonly string[];
  /** What could not be told from the data and must not be guessed: such columns stay text until somebody says. */
  readonly questions?: readonly ImportQuery[];
  /** Columns that are text because of a few values. */
  readonly nearly?: readonly MostlyTyped[];
}

/** A column that would be of a type but for some values: what becomes of them when it is decided to be so. */
export interface MostlyTyped {
  readonly column: string;
  readonly type: 'integer' | 'number' | 'date' | 'time';
  /** Values that are of the type, and values that are not. */
  readonly fits: number;
  readonly misfits: number;
  /** The first that are not, with where they stand, if that is known. */
  readonly first: readonly { readonly file?: string; readonly line?: number; readonly value: string }[];
}

/** A table as it was read, before its texts are looked at. */
export interface TableRead extends ImportReport {
  /** Columns by which tables refer to each other: they are left as they are. */
  readonly keys?: readonly string[];
}

/** Whether 01/02 is the first of February or the second of January. */
export interface ImportQuery {
  readonly kind: 'date order';
  readonly columns: readonly string[];
  readonly example: string;
}

/** Of several files or steps: one question for all their columns. */
export function together(questions: readonly ImportQuery[]): Pick<ImportReport, 'questions'> {
  if (questions.length === 0) return {};
  return {
    questions: [
      {
        kind: 'date order',
        columns: [...new Set(questions.flatMap(question => question.columns))],
        example: questions[0]!.example,
      },
    ],
  };
}

export interface RejectedRow {
  readonly file: string;
  readonly line: number;
  readonly column?: string;
  readonly reason: string;
  readonly text?: string;
}

/** The table whose lists another table's rows are the elements of. */
export interface ParentTable {
  readonly table: string;
  /** The column that names a row there… */
  readonly column: string;
  /** …by this column of it. */
  readonly equals: string;
}

/** A table that has been read into a database file of its own. */
export interface ImportedTable {
  readonly name: string;
  readonly fingerprint: string;
  /** The files it came from, relative to the data folder. */
  readonly files: readonly string[];
  readonly database: string;
  readonly columns: readonly { readonly name: string; readonly type: DataType }[];
  readonly profile: TableProfile;
  readonly report: ImportReport;
  readonly parent?: ParentTable;
  /** What else its archive has that is no table, and why: said once, of the first table of the archive. Files are named by the archive and what it calls them. */
  readonly skippedFiles?: readonly SkippedFile[];
  /** How many rows its `sample` has; absent where the table is small enough to need none. */
  readonly sampleRows?: number;
  readonly readAt: string;
}

/** Why a file could not be read. */
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
