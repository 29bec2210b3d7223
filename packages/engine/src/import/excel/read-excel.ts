import type { TableFile } from '@belvedere/document';
import {
  CFB,
  read,
  set_cptable,
  utils,
  type CellObject,
  type ParsingOptions,
  type WorkBook,
  type WorkSheet,
} from '@e965/xlsx';
import * as library from '@e965/xlsx';
import { constants } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { readRegularFile } from '../../regular-file.ts';
import { timeFormat, timeTexts, type TimeCell } from './excel-times.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import type { Locate } from '../columns/mostly-typed.ts';
import { ImportError } from '../report.ts';
import { countRepeatedCells, maxRepeatedCells } from './repeated-cells.ts';
import { headedTable, isFilled, type SheetRow } from './sheet-header.ts';
import { withoutReferences, withTextsEscapedTwice } from './xml-texts.ts';

/**
 * Node's inflate with the library's interface. The library's own never ends on some damaged streams, and
 * Node's `InflateRaw` no longer updates `bytesRead` where the library reads it.
 */
class InflateRaw {
  /** Counts the parts of the workbook that is read. */
  static produced: UnpackedBytes | undefined;
  bytesRead = 0;
  _processChunk(packed: Uint8Array): Uint8Array {
    // A part longer than the maximum string length could not be parsed.
    const options = { info: true, maxOutputLength: constants.MAX_STRING_LENGTH } as const;
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    InflateRaw.produced?.add(buffer.length);
    this.bytesRead = engine.bytesWritten;
    return buffer;
  }
}
/** The library exports this function without a type. */
const { parse_zip } = library as unknown as {
  parse_zip: (zip: Container, read: ParsingOptions) => WorkBook;
};
(CFB as { utils: { use_zlib(zlib: object): void } }).utils.use_zlib({ InflateRaw, deflateRawSync });

/** A sheet as a CSV file, with notes on how its table was found. */
export interface SheetFile {
  readonly sheet: string;
  readonly file: string;
  readonly notes: readonly string[];
  /** The row of the sheet that is written as a line of the CSV file. Both count from 1. */
  readonly sheetRow: (line: number) => number | undefined;
  /** The cell of the sheet, such as `B17`, for a line of the CSV file (from 1) and a column (from 0). */
  readonly cellAt: (line: number, column: number) => string | undefined;
}

/**
 * Writes each sheet of a workbook as a CSV file, with the stored values of formulas. Empty sheets are
 * omitted.
 * @throws ImportError if it is not a workbook, or contains more than `produced` allows
 */
export async function sheetsAsCsv(
  file: string,
  folder: string,
  produced: UnpackedBytes,
): Promise<SheetFile[]> {
  const workbook = await workbookOf(await readRegularFile(file), file, produced);
  const countsFrom1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const written: SheetFile[] = [];
  for (const [index, sheet] of workbook.SheetNames.entries()) {
    const content = workbook.Sheets[sheet] as (WorkSheet & { '!data'?: SheetRow[] }) | undefined;
    if (!content)
      throw new ImportError(file, undefined, `This workbook is damaged: its sheet “${sheet}” is missing.`);
    const { '!data': data, '!merges': merges = [] } = content;
    const { names, rows, rowIndices, columnIndices, notes } = headedTable(data ?? [], merges, cells => {
      if (!produced.hasRoomFor(cells)) throw produced.tooMany();
    });
    if (rows.length === 0 && names.length === 0) continue;
    const target = path.join(folder, `sheet-${index}.csv`);
    const out = createWriteStream(target);
    let nextLine = 1;
    const write = (cells: readonly string[]) => {
      const line = `${cells.join(',')}\n`;
      produced.add(line.length);
      out.write(line);
      const at = nextLine;
      nextLine += line.split('\n').length - 1;
      return at;
    };
    const timesOf = names.map((_, i) => timesInColumn(rows, i, countsFrom1904));
    write(names.map(quotedText));
    const rowOfLine = new Map<number, number>();
    for (const [i, row] of rows.entries()) {
      const line = write(names.map((_, column) => timesOf[column]!.get(row) ?? cellText(row[column])));
      rowOfLine.set(line, rowIndices[i]! + 1);
    }
    await new Promise<void>(resolve => out.end(resolve));
    const isHidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0;
    const title = `Sheet “${sheet}”${isHidden ? ', which is hidden in the workbook' : ''}.`;
    written.push({
      sheet,
      file: target,
      notes: [title, ...notes, ...errorNotes(rows)],
      sheetRow: line => rowOfLine.get(line),
      cellAt: (line, column) => {
        const [row, c] = [rowOfLine.get(line), columnIndices[column]];
        return row === undefined || c === undefined ? undefined : utils.encode_cell({ r: row - 1, c });
      },
    });
  }
  return written;
}

/** Locates rows by the sheet's cells instead of the lines of its CSV file. */
export function cellsIn(
  file: string,
  { sheet, cellAt }: Pick<SheetFile, 'sheet' | 'cellAt'>,
  locateLines: Locate,
): Locate {
  return async (rows, column) => {
    const lines = await locateLines(rows, column);
    return new Map(
      [...lines].map(([row, { line }]) => {
        const cell = line === undefined ? undefined : cellAt(line, column);
        return [row, { file, sheet, ...(cell !== undefined && { cell }) }];
      }),
    );
  };
}

/** The options for the CSV files of sheets, which are UTF-8 with commas whatever the options say. */
export function forSheets(options: TableFile | undefined): TableFile | undefined {
  if (!options) return undefined;
  const { encoding: _, delimiter: __, ...others } = options;
  return others;
}

async function workbookOf(bytes: Buffer, file: string, produced: UnpackedBytes): Promise<WorkBook> {
  const isCompound = bytes.subarray(0, 8).equals(compoundMark);
  // The library would also accept texts and web pages as sheets.
  if (!isCompound && !bytes.subarray(0, 4).equals(zipMark))
    throw new ImportError(file, undefined, `Could not read this workbook. ${otherwise(bytes)}`);
  // Older files use code pages.
  if (isCompound) set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  try {
    return isCompound ? read(bytes, options) : workbookInZip(bytes, file, produced);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    throw new ImportError(file, undefined, `Could not read this workbook. ${reasonOf(message, code)}`);
  }
}

const options: ParsingOptions = {
  dense: true,
  cellNF: true,
  cellDates: false,
  cellText: false,
  cellHTML: false,
  cellFormula: false,
};

/** @throws ImportError if it contains more than `produced` allows */
function workbookInZip(bytes: Buffer, file: string, produced: UnpackedBytes): WorkBook {
  InflateRaw.produced = produced;
  try {
    const container = CFB.read(bytes, { type: 'buffer' }) as Container;
    const parts = container.FullPaths.map((name, i) => ({ name, part: container.FileIndex[i]! }));
    if (parts.some(({ name }) => /\/Index(?:\/Document\.iwa|\.zip)$/i.test(name)))
      throw new ImportError(
        file,
        undefined,
        'This is a workbook of Numbers. Export it from there as Excel or CSV.',
      );
    for (const { name, part } of parts) {
      if (!part.content || !/\.xml$/i.test(name)) continue;
      part.content = withTextsEscapedTwice(withoutReferences(asBuffer(part.content)));
      if (/content\.xml$/i.test(name)) refuseRepeats(file, part.content);
    }
    return parse_zip(container, { ...options });
  } finally {
    InflateRaw.produced = undefined;
  }
}

/** The library's list of a ZIP file's entries, with their names in the same order. */
interface Container {
  readonly FullPaths: readonly string[];
  readonly FileIndex: readonly { content?: Uint8Array }[];
}

/** The same bytes, without a copy. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refuseRepeats(file: string, content: Uint8Array): void {
  if (countRepeatedCells(asBuffer(content).toString('utf8')) <= maxRepeatedCells) return;
  throw new ImportError(
    file,
    undefined,
    `This workbook has more than ${maxRepeatedCells.toLocaleString('en')} cells, the maximum for OpenDocument. ` +
      'Clear the values that are repeated to the end of the sheet, or save it as CSV.',
  );
}

const maxMebibytes = Math.round(constants.MAX_STRING_LENGTH / 2 ** 20);

function reasonOf(message: string, code: string | undefined): string {
  if (/password|encrypt/i.test(message)) return 'It is protected by a password. Save it without a password.';
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return `One of its sheets has more than ${maxMebibytes} MiB of text, the maximum. Divide it, or save it as CSV.`;
  return message;
}

const zipMark = Buffer.from('PK\u0003\u0004');
/** The signature of files before 2007, and of encrypted files. */
const compoundMark = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * Describes a file that has a workbook's extension but another format. Many programs export web pages and
 * texts with this extension.
 */
function otherwise(bytes: Buffer): string {
  const start = bytes.subarray(0, 200).toString('utf8').trimStart();
  if (start.startsWith('<'))
    return 'It is a web page or an XML file, not a workbook. Open it in a spreadsheet program and save it as .xlsx.';
  if (/^[\t\n\r\x20-\x7e]+$/.test(start))
    return 'It is a text file. If its values are separated by commas or tabs, rename it to end with .csv.';
  return 'It is neither a ZIP archive nor a file of Excel before 2007. Save it as .xlsx again.';
}

/** The texts of a column's dates and times, by row. */
function timesInColumn(
  rows: readonly SheetRow[],
  i: number,
  countsFrom1904: boolean,
): ReadonlyMap<SheetRow, string> {
  const found: { row: SheetRow; time: TimeCell }[] = [];
  for (const row of rows) {
    const cell = row[i];
    const format = cell?.t === 'n' && typeof cell.z === 'string' ? timeFormat(cell.z) : undefined;
    if (format) found.push({ row, time: { ...format, days: Number(cell!.v) } });
  }
  const texts = timeTexts(
    found.map(({ time }) => time),
    countsFrom1904,
  );
  return new Map(found.map(({ row }, n) => [row, texts[n]!]));
}

/** Error texts of formulas and broken references, by error code. */
const errors: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

function errorNotes(rows: readonly SheetRow[]): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const cell of row) {
      if (cell?.t !== 'e') continue;
      const name = errors[Number(cell.v)] ?? 'other errors';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  const list = [...counts].map(([name, count]) => `${name} ${count.toLocaleString('en')}`).join(', ');
  return [
    `${total.toLocaleString('en')} ${total === 1 ? 'cell has an error and is' : 'cells have errors and are'} imported as null: ${list}.`,
  ];
}

function cellText(cell: CellObject | null | undefined): string {
  if (!isFilled(cell) || cell.t === 'e') return '';
  return cell.t === 's' ? quotedText(withItsLineEnds(cell)) : String(cell.v);
}

function quotedText(text: string): string {
  return text === '' ? '' : `"${text.trim().replaceAll('"', '""')}"`;
}

/**
 * The library reads CR LF, which workbooks write as `_x000D_` and LF, as LF only. The cell's source contains
 * both.
 */
function withItsLineEnds({ v, r }: CellObject): string {
  const [text, source] = [String(v), String(r ?? '')];
  if (!/_x000D_|&#13;|&#x0*D;/i.test(source)) return text;
  const ends = source.match(/(?:_x000D_|&#13;|&#x0*D;)?(?:\r?\n|&#10;|&#x0*A;|_x000A_)/gi) ?? [];
  const lines = text.split('\n');
  if (ends.length !== lines.length - 1) return text;
  return lines
    .map(
      (line, i) =>
        line +
        (ends[i] === undefined
          ? ''
          : /^[_&]/.test(ends[i]) && !/^(&#10|&#x0*A|_x000A)/i.test(ends[i])
            ? '\r\n'
            : '\n'),
    )
    .join('');
}
