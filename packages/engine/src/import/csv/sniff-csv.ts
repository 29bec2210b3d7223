import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { namesYears } from './csv-header.ts';
import { maxLineBytes, type CsvMarks } from './csv-options.ts';
import { firstSentence } from './rejected-rows.ts';
import { ImportError } from '../report.ts';
import { fileText, rowsOf, text } from '../sql-text.ts';

/** Time and memory grow faster than the number of columns; 50,000 columns exhaust both. */
export const maxColumns = 20_000;

/** The format of a file, as detected by the engine. */
export interface Sniffed extends CsvMarks {
  readonly skip: number;
  readonly hasHeader: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly dateFormat: string | null;
  readonly timestampFormat: string | null;
}

interface SniffRequest {
  /** The lines above the header. */
  readonly skip: number;
  readonly nulls: readonly string[];
  /** The file as its user knows it, for errors. */
  readonly original: string;
  readonly reading?: Pick<TableFile, 'delimiter' | 'header'> | undefined;
  /** The delimiters and quotes, if detected before; detecting them takes most of the time. */
  readonly known?: Sniffed;
}

/** Detects the format of a delimited file, and the types of its columns from all values. */
export async function sniff(
  connection: DuckDBConnection,
  file: string,
  request: SniffRequest,
): Promise<Sniffed> {
  const { nulls, original, reading } = request;
  try {
    const query = `select "Delimiter", "Quote", "Escape", "SkipRows", "HasHeader", to_json("Columns"), "DateFormat", "TimestampFormat", "Comment"
      from sniff_csv(${fileText(file)}, sample_size = -1, max_line_size = ${maxLineBytes}, nullstr = [${nulls.map(text).join(', ')}], ignore_errors = true, null_padding = true${givenOptions(
        request,
      )
        .map(option => `, ${option}`)
        .join('')})`;
    const [row] = await rowsOf(connection, query);
    const [delimiter, quote, escape, skip, hasHeader, columns, dateFormat, timestampFormat, comment] = row!;
    if (
      hasHeader === false &&
      reading?.header === undefined &&
      (await namesYears(file, { skip: Number(skip), delimiter: String(delimiter), quote: plainMark(quote) }))
    )
      return await sniff(connection, file, { ...request, reading: { ...reading, header: true } });
    return {
      delimiter: String(delimiter),
      quote: plainMark(quote),
      escape: plainMark(escape),
      comment: plainMark(comment),
      skip: Number(skip),
      // The sniffer cannot detect a header if every column is text. Then `.dat` files count as having none,
      // other files as having one.
      hasHeader:
        reading?.header ?? (hasHeader === true && !(original.endsWith('.dat') && isAllText(String(columns)))),
      columns: namedColumns(
        JSON.parse(String(columns)) as Sniffed['columns'],
        reading?.header === undefined && original.endsWith('.dat') && isAllText(String(columns)),
      ),
      dateFormat: dateFormat === null ? null : String(dateFormat),
      timestampFormat: timestampFormat === null ? null : String(timestampFormat),
    };
  } catch (error) {
    throw new ImportError(
      original,
      lineIn((error as Error).message),
      `Could not read this file as delimited text. ${firstSentence((error as Error).message)}`,
    );
  }
}

function givenOptions({ skip, reading, known }: SniffRequest): string[] {
  const marks = known
    ? [
        `delim = ${text(known.delimiter)}`,
        `quote = ${text(known.quote)}`,
        `escape = ${text(known.escape)}`,
        ...(known.comment === '' ? [] : [`comment = ${text(known.comment)}`]),
      ]
    : reading?.delimiter
      ? [`delim = ${text(reading.delimiter)}`]
      : [];
  return [
    ...(skip > 0 ? [`skip = ${skip}`] : []),
    ...marks,
    ...(reading?.header === undefined ? [] : [`header = ${reading.header}`]),
  ];
}

/** @throws ImportError for more columns than can be imported, named by their file as its user knows it */
export function refuseTooManyColumns(count: number, original: string, delimiter: string): void {
  if (count > maxColumns)
    throw new ImportError(
      original,
      undefined,
      `With “${delimiter}” as the delimiter this file has ${count} columns; the maximum is ${maxColumns}. Set another delimiter in the import options, or check for unbalanced quotes.`,
    );
}

/** The sniffer prints “no quote” as `(empty)` or a NUL. */
function plainMark(mark: unknown): string {
  const character = String(mark ?? '');
  return character === '\0' || character === '(empty)' ? '' : character;
}

function lineIn(message: string): number | undefined {
  const match = /\bline:? (\d+)/i.exec(message);
  return match ? Number(match[1]) : undefined;
}

function isAllText(columns: string): boolean {
  return (JSON.parse(columns) as Sniffed['columns']).every(column => column.type === 'VARCHAR');
}

function namedColumns(columns: Sniffed['columns'], isNumbered: boolean): Sniffed['columns'] {
  return isNumbered ? columns.map(({ type }, i) => ({ name: `column${i}`, type })) : columns;
}
