import { text } from '../sql-text.ts';

export const alwaysNull = ['', '\\N'];
export const maxLineBytes = 16 * 2 ** 20;

/** The characters that delimit and quote a file's values. */
export interface CsvMarks {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  /** The prefix of comment lines; empty if the file has no comments. */
  readonly comment: string;
}

interface CsvLayout {
  readonly skip: number;
  readonly hasHeader: boolean;
  /** Column names with their SQL types, in file order. */
  readonly columns: readonly (readonly [string, string])[];
  readonly nulls: readonly string[];
}

/** Options of the engine's CSV reader that disable all its guesses. */
export function csvOptions(
  { delimiter, quote, escape, comment }: CsvMarks,
  { skip, hasHeader, columns, nulls }: CsvLayout,
): string[] {
  return [
    'auto_detect = false',
    `delim = ${text(delimiter)}`,
    `quote = ${text(quote)}`,
    `escape = ${text(escape)}`,
    ...(comment === '' ? [] : [`comment = ${text(comment)}`]),
    `skip = ${skip}`,
    `header = ${hasHeader}`,
    `columns = {${columns.map(([name, type]) => `${text(name)}: ${text(type)}`).join(', ')}}`,
    `nullstr = [${nulls.map(text).join(', ')}]`,
    'allow_quoted_nulls = false',
    'null_padding = true',
    'parallel = false',
    `max_line_size = ${maxLineBytes}`,
    'hive_partitioning = false',
  ];
}
