import { chartMessagesIn, colourScale, inkOn, isPercent, lightTheme } from '@belvedere/chart';
import { cellHighlight, isRepeatedTime, offsetAt, type Highlight } from '@belvedere/query';
import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import writeXlsxFile from 'write-excel-file/node';
import { timeInFile } from '../tables/cell-text.ts';
import type { ExportColumn, ExportTableHeader, ExportValue } from '../tables/export-table.ts';

/** Rows of the first sheet: names and values. */
export type AboutLines = readonly (readonly [string, string])[];

type Cell = Readonly<Record<string, unknown>>;
type Row = readonly ExportValue[];

/** Styles of one column's cells, as style indexes in the workbook; empty for the default. */
interface ColumnStyles {
  readonly name: string;
  readonly value: string;
  readonly text: string;
  readonly totalValue: string;
  readonly totalText: string;
  /** Of highlighted cells. */
  readonly looks: Readonly<Record<Look, { readonly value: string; readonly text: string }>>;
}

type Look = Highlight['look'];
const looks = ['good', 'warn', 'bad', 'accent'] as const satisfies readonly Look[];

interface Sheet {
  readonly head: Pick<ExportTableHeader, 'id' | 'title' | 'columns'>;
  readonly widths: readonly { readonly width: number }[];
  readonly styles: readonly ColumnStyles[];
}

/** A sheet that is being written. */
interface OpenSheet {
  readonly file: ZipDeflate;
  readonly end: string;
  bytes: number;
  row: number;
  /** By column index: the shading of columns that have one. */
  readonly shadings: Map<number, Shading>;
}

/** A shaded column so far. Totals do not count for it. */
interface Shading {
  low: number;
  high: number;
  /** First and last rows of stretches of shaded cells: those without a highlight. */
  readonly stretches: [number, number][];
}

/** Further cells of a column stay plain: the list of its stretches would become as long as the sheet. */
const mostStretches = 5000;

const maxBytes = 4 * 2 ** 30 - 2 ** 26;
/** Maximum length of a cell's text. With a longer one, Excel has to repair the workbook. */
const longestText = 32_767;

/**
 * Writes a workbook as its rows arrive: a sheet for each table, with formatted numbers, and a first sheet
 * about the export.
 * The library writes everything except the rows, since it would keep all of them in memory. Sample rows,
 * which are then removed, determine the styles of their cells. (Office Open XML, ECMA-376 part 1, chapter
 * 18.)
 */
export class XlsxFile {
  readonly #locale: string;
  readonly #sheets: Sheet[] = [];
  readonly #chunks: Uint8Array[] = [];
  readonly #zip: Zip;
  #open: OpenSheet | undefined;

  constructor(locale: string) {
    this.#locale = locale;
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error;
      this.#chunks.push(bytes);
    });
  }

  /** Returns the bytes written since the last call. */
  take(): Uint8Array {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks.length = 0;
    return bytes;
  }

  /** Begins a table's sheet. @param first its first rows, which determine the column widths */
  async begin(head: Sheet['head'], first: readonly Row[]): Promise<void> {
    this.#close();
    const widths = head.columns.map((column, i) => ({
      width: Math.max(
        10,
        Math.min(48, column.label.length + 4),
        ...first.slice(0, 50).map(row => Math.min(48, String(row[i] ?? '').length + 2)),
      ),
    }));
    const sheet = { head, widths, styles: [] };
    const xml = sheetXml(await this.#template([], [...this.#sheets, sheet]), this.#sheets.length);
    this.#sheets.push({ ...sheet, styles: stylesIn(xml, head.columns.length) });
    const file = new ZipDeflate(sheetFile(this.#sheets.length - 1), { level: 6 });
    this.#zip.add(file);
    this.#open = {
      file,
      end: xml.slice(xml.indexOf('</sheetData>')),
      bytes: 0,
      row: 2,
      shadings: new Map(),
    };
    const names = head.columns.map(({ label }, i) =>
      textCell(`${columnName(i)}1`, this.#sheets.at(-1)!.styles[i]!.name, label),
    );
    this.#push(`${xml.slice(0, xml.indexOf('<row r="1">'))}<row r="1">${names.join('')}</row>`);
  }

  /** @param totals indexes of the total rows */
  add(rows: readonly Row[], totals?: ReadonlySet<number>): void {
    const { styles, head } = this.#sheets.at(-1)!;
    const names = head.columns.map((_, i) => columnName(i));
    const { yes, no } = chartMessagesIn(this.#locale);
    let text = '';
    for (const [at, row] of rows.entries()) {
      const line = this.#open!.row++;
      const isTotal = totals?.has(at) === true;
      text += `<row r="${line}">`;
      for (let i = 0; i < names.length; i++) {
        const value = row[i] ?? null;
        if (value === null) continue;
        const column = head.columns[i]!;
        const number = typeof value === 'number' ? numberIn(value, column) : undefined;
        const look = isTotal ? undefined : cellHighlight(column.highlights, value);
        if (column.heat && !isTotal && Number.isFinite(number))
          this.#shade(i, line, number!, look !== undefined);
        const style = look
          ? styles[i]!.looks[look]
          : isTotal
            ? { value: styles[i]!.totalValue, text: styles[i]!.totalText }
            : styles[i]!;
        if (number !== undefined) text += `<c r="${names[i]}${line}"${style.value}><v>${number}</v></c>`;
        else
          text += textCell(
            `${names[i]}${line}`,
            style.text,
            textIn(value, column, value === true ? yes : no),
          );
      }
      text += '</row>';
    }
    this.#push(text);
  }

  async end(about: AboutLines): Promise<void> {
    this.#close();
    const files = await this.#template(about, this.#sheets);
    for (const [i, { styles, head }] of this.#sheets.entries()) {
      if (JSON.stringify(stylesIn(sheetXml(files, i), head.columns.length)) !== JSON.stringify(styles))
        throw new Error('The styles of a workbook were counted otherwise at its end.');
    }
    for (const [name, bytes] of Object.entries(files)) {
      if (this.#sheets.some((_, i) => sheetFile(i) === name)) continue;
      const file = new ZipPassThrough(name);
      this.#zip.add(file);
      file.push(bytes, true);
    }
    this.#zip.end();
  }

  #push(text: string): void {
    const bytes = strToU8(text);
    this.#open!.bytes += bytes.length;
    if (this.#open!.bytes > maxBytes)
      throw new RangeError('A workbook sheet is limited to 4 GB. Export fewer rows or columns, or use CSV.');
    this.#open!.file.push(bytes);
  }

  /** Adds a cell to the shading of its column. */
  #shade(column: number, line: number, value: number, isHighlighted: boolean): void {
    const { shadings } = this.#open!;
    const shading = shadings.get(column) ?? { low: value, high: value, stretches: [] };
    shadings.set(column, shading);
    shading.low = Math.min(shading.low, value);
    shading.high = Math.max(shading.high, value);
    if (isHighlighted) return;
    const last = shading.stretches.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else if (shading.stretches.length < mostStretches) shading.stretches.push([line, line]);
  }

  #close(): void {
    if (!this.#open) return;
    const { file, end, shadings } = this.#open;
    const { columns } = this.#sheets.at(-1)!.head;
    const rules = [...shadings].flatMap(([i, { low, high, stretches }], at) => {
      const extent = columns[i]!.heat?.extent ?? ([low, high] as const);
      if (stretches.length === 0 || extent[0] === extent[1]) return [];
      const name = columnName(i);
      const range = stretches.map(([from, to]) => `${name}${from}:${name}${to}`).join(' ');
      return colourScaleXml(range, at + 1, extent, columns[i]!);
    });
    file.push(strToU8(end.replace('</sheetData>', `</sheetData>${rules.join('')}`)), true);
    this.#open = undefined;
  }

  /** Returns the workbook's files, with sample rows in its sheets. */
  async #template(about: AboutLines, sheets: readonly Sheet[]): Promise<Record<string, Uint8Array>> {
    const usedNames = new Set<string>();
    const bold = { fontWeight: 'bold', type: String };
    const first = about.length > 0 ? about : ([['', '']] as const);
    const buffer = await (
      writeXlsxFile as unknown as (sheets: unknown) => { toBuffer: () => Promise<Buffer> }
    )([
      {
        sheet: sheetName(about[0]?.[1] ?? 'Belvedere', usedNames),
        data: first.map(([name, value]): Cell[] => [
          { value: name || ' ', ...bold },
          { value: value || ' ', type: String },
        ]),
        columns: [{ width: 24 }, { width: 80 }],
      },
      ...sheets.map(({ head, widths }) => ({
        sheet: sheetName(head.title || head.id, usedNames),
        stickyRowsCount: 1,
        columns: widths,
        data: [
          head.columns.map((column): Cell => ({
            value: column.label,
            ...bold,
            ...(column.type === 'number' && { align: 'right' }),
          })),
          ...examples(head.columns),
        ],
      })),
    ]).toBuffer();
    return unzipSync(buffer);
  }
}

/**
 * Returns the rule that shades a range as `colourScale` does. Excel writes all of its cells in black, so the
 * shades on which black has too little contrast are left out: the others are spread over the whole scale.
 */
function colourScaleXml(
  range: string,
  priority: number,
  extent: readonly [number, number],
  { label, heat }: ExportColumn,
): string {
  const measure = { label, isAdditive: heat!.isAdditive };
  const { colours, domain } = colourScale(extent, measure, { theme: lightTheme, locale: 'en' });
  const [low, high] = domain;
  const readable = colours.filter(colour => inkOn(colour) === '#000000');
  const stops = [
    [low, readable[0]!],
    [(low + high) / 2, readable[Math.floor(readable.length / 2)]!],
    [high, readable.at(-1)!],
  ] as const;
  return (
    `<conditionalFormatting sqref="${range}"><cfRule type="colorScale" priority="${priority}"><colorScale>` +
    stops.map(([value]) => `<cfvo type="num" val="${value}"/>`).join('') +
    stops.map(([, colour]) => `<color rgb="FF${colour.slice(1).toUpperCase()}"/>`).join('') +
    '</colorScale></cfRule></conditionalFormatting>'
  );
}

/**
 * Returns sample rows with every cell style: values, texts in columns of other types, the same in total rows,
 * and the same for each highlight.
 */
function examples(columns: readonly ExportColumn[]): Cell[][] {
  const value = (column: ExportColumn): Cell =>
    column.type === 'number'
      ? { value: 1, type: Number, format: excelFormat(column) }
      : column.type === 'date' || column.type === 'time'
        ? {
            value: new Date(0),
            type: Date,
            format: column.type === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm',
          }
        : { value: 'x', type: String };
  const text = (column: ExportColumn): Cell => ({
    value: 'x',
    type: String,
    ...(column.type === 'number' && { align: 'right' }),
  });
  const plain = [columns.map(value), columns.map(text)];
  const highlightFormats = looks.flatMap(look =>
    plain.map(row =>
      row.map((cell, i): Cell =>
        columns[i]!.highlights
          ? {
              ...cell,
              backgroundColor: lightTheme.highlights[look].fill,
              color: lightTheme.highlights[look].text,
            }
          : cell,
      ),
    ),
  );
  return [
    ...plain,
    ...plain.map(row => row.map(cell => ({ ...cell, fontWeight: 'bold' }))),
    ...highlightFormats,
  ];
}

function stylesIn(xml: string, columns: number): ColumnStyles[] {
  const cells = [...xml.matchAll(/<c r="[A-Z]+\d+"( s="\d+")?/g)].map(match => match[1] ?? '');
  const at = (row: number, column: number) => cells[row * columns + column]!;
  return Array.from({ length: columns }, (_, i) => ({
    name: at(0, i),
    value: at(1, i),
    text: at(2, i),
    totalValue: at(3, i),
    totalText: at(4, i),
    looks: Object.fromEntries(
      looks.map((look, l) => [look, { value: at(5 + 2 * l, i), text: at(6 + 2 * l, i) }]),
    ) as ColumnStyles['looks'],
  }));
}

/**
 * A text cell with an inline string. The workbook's shared strings would only be known after the last row.
 */
function textCell(position: string, style: string, text: string): string {
  return `<c r="${position}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** The first sheet describes the workbook. */
function sheetFile(table: number): string {
  return `xl/worksheets/sheet${table + 2}.xml`;
}

function sheetXml(files: Readonly<Record<string, Uint8Array>>, table: number): string {
  return strFromU8(files[sheetFile(table)]!);
}

function columnName(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : columnName(Math.floor(at / 26) - 1) + columnName(at % 26);
}

const dayMs = 86_400_000;
const firstDay = Date.UTC(1900, 2, 1);
const lastDay = Date.UTC(10_000, 0, 1);

/**
 * Returns a number, or a time in Excel's days since 1899. Undefined for times before March 1900, which Excel
 * counts wrong, and for moments whose time their zone's clock shows twice: Excel has no offsets.
 */
function numberIn(value: number, { type, zone }: ExportColumn): number | undefined {
  if (type !== 'date' && type !== 'time') return Number.isFinite(value) ? value : undefined;
  if (zone !== undefined && isRepeatedTime(zone, value)) return undefined;
  const time = zone === undefined ? value : value + offsetAt(zone, value);
  return time >= firstDay && time < lastDay ? (time - Date.UTC(1899, 11, 30)) / dayMs : undefined;
}

function textIn(value: Exclude<ExportValue, null>, column: ExportColumn, truth: string): string {
  const { type } = column;
  if (typeof value === 'number')
    return type === 'date' || type === 'time' ? timeInFile(value, column) : String(value);
  return typeof value === 'boolean' ? truth : value;
}

// oxlint-disable-next-line no-control-regex -- XML 1.0 may not hold them, however they are written
const unsafeInXml = /[&<>\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML 1.0 and removes characters that it cannot contain, even escaped. */
function escaped(text: string): string {
  const whole = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  return whole.toWellFormed().replace(unsafeInXml, character => entities[character] ?? '');
}

const decimalsOf = (digits: string) => (digits === '0' ? '' : `.${'0'.repeat(Number(digits))}`);

/** Returns a measure's format as an Excel number format. */
function excelFormat({ format, unit }: Pick<ExportColumn, 'format' | 'unit'>): string {
  const after = unit && !format?.startsWith('currency') ? ` "${unit.replaceAll('"', '')}"` : '';
  if (isPercent(format)) return `0${decimalsOf(/\d/.exec(format!)?.[0] ?? '1')}%`;
  if (format === 'integer') return `#,##0${after}`;
  if (format?.startsWith('currency')) return `[$${format.split(':')[1] ?? 'USD'}] #,##0.00`;
  const digits = /^,?\.(\d)/.exec(format ?? '')?.[1];
  if (digits !== undefined) return `#,##0${decimalsOf(digits)}${after}`;
  return format === 'plain' ? 'General' : `#,##0.####${after}`;
}

/** Returns a unique sheet name of at most 31 characters, without those that Excel forbids. */
function sheetName(title: string, usedNames: Set<string>): string {
  const plain =
    title
      .replace(/[[\]:*?/\\]/g, ' ')
      .replace(/^'|'$/g, '')
      .trim()
      .slice(0, 31) || 'Sheet';
  let name = plain;
  for (let n = 2; usedNames.has(name.toLowerCase()); n++) name = `${plain.slice(0, 28)} ${n}`;
  usedNames.add(name.toLowerCase());
  return name;
}
