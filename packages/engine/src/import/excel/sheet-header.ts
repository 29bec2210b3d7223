import type { CellObject, Range } from '@e965/xlsx';

/** A row's cells from the first column on; cells that were never filled are missing. */
export type SheetRow = readonly (CellObject | null | undefined)[];

/** The table of a sheet: column names, the rows below, and notes on what was omitted. */
export interface SheetTable {
  readonly names: readonly string[];
  readonly rows: readonly SheetRow[];
  /** Where the rows and columns are in the sheet, from 0. */
  readonly rowIndices: readonly number[];
  readonly columnIndices: readonly number[];
  readonly notes: readonly string[];
}

/** The header is searched in this many rows. */
const maxTitleRows = 30;

/**
 * Finds the table in a sheet, without empty rows and columns and without lines above its header. A title is
 * the only cell of its row or spans all columns. Other lines above (`as of`, a date) are shorter than the
 * header and usually separated by an empty row. Two header rows are combined if cells of the upper row span
 * columns.
 * @param data the sheet's rows from its first on; empty ones are missing or empty
 * @param requireRoom throws if the table has too many cells
 */
export function headedTable(
  data: readonly (SheetRow | null | undefined)[],
  merges: readonly Range[],
  requireRoom: (cells: number) => void = () => {},
): SheetTable {
  const found = new Set<number>();
  const filled = placesIn(data).flatMap(at => {
    const row = data[at]!;
    const places = placesIn(row).filter(i => isFilled(row[i]));
    for (const i of places) found.add(i);
    return places.length > 0 ? [{ row, at }] : [];
  });
  const columns = [...found].toSorted((one, other) => one - other);
  requireRoom(filled.length * columns.length);
  const dense = filled.map(({ row, at }) => ({ at, cells: columns.map(i => row[i]) }));
  const start = headerAt(dense, columns.length, merges);
  const notes: string[] = [];
  if (start > 0) {
    notes.push(
      `${counted(start, 'row')} above the header ${start === 1 ? 'is' : 'are'} skipped: ${quotedTexts(dense.slice(0, start))}.`,
    );
  }
  const [header, ...rest] = dense.slice(start);
  if (!header) return { names: [], rows: [], rowIndices: [], columnIndices: columns, notes };
  const blank = rest.reduce((sum, { at }, i) => sum + at - (i === 0 ? header.at : rest[i - 1]!.at) - 1, 0);
  if (blank > 0) notes.push(`${counted(blank, 'empty row')} ${blank === 1 ? 'is' : 'are'} skipped.`);
  const joined = namesOfTwoRows(
    header.cells,
    rest[0]?.cells,
    columns,
    merges.filter(({ s, e }) => s.r === header.at && e.r === header.at && e.c > s.c),
  );
  if (joined) notes.push('The first 2 lines name the columns.');
  const rowsBelow = rest.slice(joined ? 1 : 0);
  const end = footnotesAt(rowsBelow, columns.length);
  const below = rowsBelow.slice(0, end);
  const footnotes = rowsBelow.slice(end);
  if (footnotes.length > 0)
    notes.push(
      `${counted(footnotes.length, 'row')} below the table ${footnotes.length === 1 ? 'is' : 'are'} skipped: ${quotedTexts(footnotes)}.`,
    );
  return {
    names: joined ?? header.cells.map(textOf),
    rows: below.map(({ cells }) => cells),
    rowIndices: below.map(({ at }) => at),
    columnIndices: columns,
    notes,
  };
}

/** The places that hold something. A file of a few bytes can name the cell of any row and column. */
function placesIn(list: readonly unknown[]): number[] {
  return Object.keys(list)
    .map(Number)
    .filter(at => list[at] !== undefined && list[at] !== null);
}

interface DenseRow {
  /** The row's index in the sheet, from 0. */
  readonly at: number;
  readonly cells: SheetRow;
}

function quotedTexts(rows: readonly DenseRow[]): string {
  const texts = rows
    .slice(0, 5)
    .map(({ cells }) => `“${cells.filter(isFilled).map(textOf).join(' ').slice(0, 80)}”`);
  return texts.join(', ') + (rows.length > 5 ? ' …' : '');
}

/** Longer remarks are sentences rather than values. */
const minSentence = 30;
const maxFootnotes = 20;
const startOfRemark = /^(?:sources?|notes?|quellen?|hinweis|anmerkung|fuente|nota|remarque)\b|^[*†‡©]/iu;

/**
 * The index of the first of the remarks that end a sheet, such as *Source: …*: rows whose only cell is a text.
 * Its column has no other text, or an empty row is above the remarks and one of them, in the first column, reads like a remark.
 */
function footnotesAt(rows: readonly DenseRow[], width: number): number {
  if (width < 3) return rows.length;
  let first = rows.length;
  while (first > 1 && rows.length - first < maxFootnotes && onlyText(rows[first - 1]!) !== undefined) first--;
  for (let start = first; start < rows.length; start++) {
    const below = rows.slice(start);
    const isSetOff = rows[start]!.at - rows[start - 1]!.at > 1;
    if (
      below.every(row => isInColumnWithoutText(row, rows.slice(0, start))) ||
      (isSetOff && below.some(row => isFilled(row.cells[0]) && isRemark(onlyText(row)!)))
    )
      return start;
  }
  return rows.length;
}

/** The text of a row's only cell; undefined for other rows. */
function onlyText({ cells }: DenseRow): string | undefined {
  const [cell, ...others] = cells.filter(isFilled);
  return cell?.t === 's' && others.length === 0 ? textOf(cell) : undefined;
}

function isInColumnWithoutText({ cells }: DenseRow, above: readonly DenseRow[]): boolean {
  const column = cells.findIndex(isFilled);
  const filled = above.map(row => row.cells[column]).filter(isFilled);
  return filled.length > 1 && filled.every(({ t }) => t !== 's');
}

function isRemark(text: string): boolean {
  return text.length >= minSentence || startOfRemark.test(text);
}

/** The number of rows above the header. */
function headerAt(rows: readonly DenseRow[], width: number, merges: readonly Range[]): number {
  const size = rows.slice(0, maxTitleRows + 2).map(({ cells }) => cells.filter(isFilled).length);
  const isTitle = (i: number) =>
    size[i] === 1 && (width > 2 || merges.some(({ s, e }) => s.r === rows[i]!.at && e.c - s.c + 1 >= width));
  let start = 0;
  const last = Math.min(rows.length - 2, maxTitleRows);
  while (start < last && (isTitle(start) || isKeyAndValue(start))) start++;
  // A separate block above, each of whose rows is shorter than the header below, whose cells are all texts.
  for (let below = start + 1; below <= last; below++) {
    const isSetOff = rows[below]!.at - rows[below - 1]!.at > 1;
    const isHeader = rows[below]!.cells.filter(isFilled).every(({ t }) => t === 's');
    if (isSetOff && isHeader && size.slice(start, below).every(length => length < size[below]!))
      start = below;
  }
  return start;

  /** A label and a value, such as `As of` and a date: two cells at the left of a table with many columns. */
  function isKeyAndValue(i: number): boolean {
    const { cells } = rows[i]!;
    return (
      width > 3 &&
      size[i]! === 2 &&
      isFilled(cells[0]) &&
      isFilled(cells[1]) &&
      size
        .slice(i + 1)
        .some((length, n) => length === width && rows[i + 1 + n]!.cells.every(cell => cell?.t === 's'))
    );
  }
}

/**
 * Column names from two header rows, if cells of the upper row span several columns and the lower row has a
 * text below each.
 */
function namesOfTwoRows(
  upper: SheetRow,
  lower: SheetRow | undefined,
  columns: readonly number[],
  spans: readonly Range[],
): string[] | undefined {
  const spanOf = columns.map(column => spans.find(({ s, e }) => s.c <= column && column <= e.c));
  if (!lower || !spanOf.some(Boolean)) return undefined;
  if (
    !lower.every((cell, i) =>
      isFilled(cell) ? cell.t === 's' : spanOf[i] === undefined && isFilled(upper[i]),
    )
  )
    return undefined;
  return columns.map((_, i) => {
    const span = spanOf[i];
    const above = textOf(span ? upper[columns.indexOf(span.s.c)] : upper[i]);
    const below = textOf(lower[i]);
    return [above, below].filter(name => name !== '').join(': ');
  });
}

export function isFilled(cell: CellObject | null | undefined): cell is CellObject {
  return (
    cell !== null &&
    cell !== undefined &&
    cell.t !== 'z' &&
    (cell.t === 'e' || (cell.v !== undefined && cell.v !== ''))
  );
}

function textOf(cell: CellObject | null | undefined): string {
  return isFilled(cell) && cell.t !== 'e' ? String(cell.v).trim() : '';
}

function counted(many: number, what: string): string {
  return `${many.toLocaleString('en')} ${what}${many === 1 ? '' : 's'}`;
}
