import {
  chartMessagesIn,
  colourScale,
  drawSpark,
  extentOf,
  fitText,
  inkOn,
  textWidth,
  type ChartTheme,
  type Mark,
} from '@belvedere/chart';
import { cellHighlight } from '@belvedere/query';
import { shownCell } from '../tables/cell-text.ts';
import type { ExportColumn, ExportTable, ExportValue } from '../tables/export-table.ts';
import type { PageTheme } from './page-theme.ts';

const lineHeight = 22;
/** Widths of a number's sparkline and bar. */
const sparklineWidth = 64;
const barWidth = 64;
/** Column widths are measured on this many rows. */
const measuredRows = 60;

type DrawnTable = Pick<ExportTable, 'columns' | 'rows' | 'totals' | 'blank' | 'sparklines' | 'bars'>;

/** The consecutive rows of a table that are drawn together. */
interface DrawnRows {
  readonly table: DrawnTable;
  /** Index of the first in the table. */
  readonly from: number;
  readonly rows: DrawnTable['rows'];
  /** Their cells as on the page. */
  readonly texts: readonly (readonly string[])[];
}

/** Returns how many rows fit below a table's header. */
export const rowsThatFit = (height: number) => Math.max(0, Math.floor((height - lineHeight) / lineHeight));

/** Keeps the totals of a table that is cut off, in place of its last visible row, as on the page. */
export function withTotalsInSight(table: ExportTable, fits: number): ExportTable {
  const last = table.rows.length - 1;
  if (fits < 2 || table.rows.length <= fits || table.totals?.size !== 1 || !table.totals.has(last))
    return table;
  return {
    ...table,
    rows: [...table.rows.slice(0, fits - 1), table.rows[last]!],
    totals: new Set([fits - 1]),
  };
}

/**
 * Draws a table's header and as many of its rows as fit, from a given row on. @returns the number of drawn
 * rows
 */
export function drawTable(
  table: DrawnTable,
  size: { readonly width: number; readonly height: number },
  { theme, locale }: PageTheme,
  from = 0,
): { readonly marks: Mark[]; readonly rows: number } {
  const rows = table.rows.slice(from, from + rowsThatFit(size.height));
  const drawn: DrawnRows = { table, from, rows, texts: rowTexts(table, rows, from, locale) };
  const { widths, hasGraphics, left } = columnWidths(drawn, size.width, locale);
  const marks: Mark[] = [];
  let x = 0;
  widths.forEach((width, i) => {
    marks.push(...drawColumn(drawn, i, { x, width, hasGraphics }, { theme, locale }));
    x += width;
  });
  if (left > 0)
    marks.push({
      kind: 'text',
      x: size.width - 7,
      y: 14,
      text: chartMessagesIn(locale).notes.moreColumns(left),
      fill: theme.text3,
      align: 'right',
      size: 11,
    });
  marks.push({
    kind: 'rects',
    xywh: Array.from({ length: rows.length + 1 }, (_, line) => [
      0,
      lineHeight * (line + 1) - 1,
      size.width,
      1,
    ]).flat(),
    fill: theme.grid,
  });
  return { marks, rows: rows.length };
}

function rowTexts(table: DrawnTable, rows: DrawnTable['rows'], from: number, locale: string): string[][] {
  const { total } = chartMessagesIn(locale);
  return rows.map((row, line) =>
    row.map((value, i) =>
      i === 0 && value === null && table.totals?.has(from + line)
        ? total
        : shownCell(value, table.columns[i]!, locale, table.blank),
    ),
  );
}

/** In this much room, a text that is cut still differs from others. */
const minTextWidth = 96;

/**
 * Distributes the width over the columns. If it is too small for everything, text and numbers take precedence
 * over sparklines and bars, then texts are cut; numbers and dates never are, and the columns that have no room
 * are left out.
 */
function columnWidths(
  { table, texts }: DrawnRows,
  available: number,
  locale: string,
): { readonly widths: readonly number[]; readonly hasGraphics: boolean; readonly left: number } {
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);
  const labels = table.columns.map(({ label }) => textWidth(label, 11) + 14);
  const words = labels.map((label, i) =>
    Math.min(220, Math.max(label, ...texts.slice(0, measuredRows).map(row => textWidth(row[i]!, 11) + 14))),
  );
  const graphics = table.columns.map(
    (_, i) => (table.sparklines?.has(i) ? sparklineWidth : 0) + (table.bars?.has(i) ? barWidth : 0),
  );
  const hasGraphics = sum(words) + sum(graphics) <= available;
  const wanted = words.map((width, i) => width + (hasGraphics ? graphics[i]! : 0));
  if (sum(wanted) <= available) {
    const scale = Math.min(1.6, available / sum(wanted));
    return { widths: wanted.map(width => width * scale), hasGraphics, left: 0 };
  }
  const minWidths = words.map((width, i) =>
    table.columns[i]!.type === 'text' ? Math.min(width, Math.max(labels[i]!, minTextWidth)) : width,
  );
  let kept = minWidths.length;
  const room = () =>
    kept === minWidths.length
      ? available
      : available - textWidth(chartMessagesIn(locale).notes.moreColumns(minWidths.length - kept), 11) - 14;
  while (kept > 1 && sum(minWidths.slice(0, kept)) > room()) kept--;
  const [smallest, whole] = [sum(minWidths.slice(0, kept)), sum(words.slice(0, kept))];
  // Texts share what room is left in proportion to what they would need.
  const share = whole > smallest ? Math.min(1, Math.max(0, room() - smallest) / (whole - smallest)) : 0;
  const widths = words.slice(0, kept).map((width, i) => minWidths[i]! + share * (width - minWidths[i]!));
  return {
    widths: kept === 1 ? [Math.max(24, Math.min(widths[0]!, room()))] : widths,
    hasGraphics,
    left: minWidths.length - kept,
  };
}

/** Draws one column: its label, the fills of its cells, their sparklines and bars, and their texts. */
function drawColumn(
  drawn: DrawnRows,
  index: number,
  { x, width, hasGraphics }: { readonly x: number; readonly width: number; readonly hasGraphics: boolean },
  look: Pick<PageTheme, 'theme' | 'locale'>,
): Mark[] {
  const { table, texts, from } = drawn;
  const { theme } = look;
  const column = table.columns[index]!;
  const isRight = column.type === 'number';
  const write = (text: string, y: number, fill: string, weight: number): Mark => ({
    kind: 'text',
    x: isRight ? x + width - 7 : x + 7,
    y,
    text: fitText(text, width - 10, 11),
    fill,
    align: isRight ? 'right' : 'left',
    size: 11,
    weight,
  });
  const fills = cellFills(drawn, index, look);
  const afterSparklines = x + 2 + (table.sparklines?.has(index) ? sparklineWidth : 0);
  return [
    write(column.label, 14, theme.text2, 600),
    ...fills.flatMap((fill, line): Mark[] =>
      fill
        ? [{ kind: 'rects', xywh: [x, lineHeight * (line + 1), width, lineHeight - 1], fill: fill.fill }]
        : [],
    ),
    ...(hasGraphics ? drawSparklines(drawn, index, x + 2, theme) : []),
    ...(hasGraphics && table.bars?.has(index) ? drawBars(drawn, index, afterSparklines, theme) : []),
    ...texts.map((row, line) =>
      write(
        row[index]!,
        lineHeight * (line + 1) + 14,
        fills[line]?.text ?? theme.text,
        table.totals?.has(from + line) ? 600 : 400,
      ),
    ),
  ];
}

interface CellFill {
  readonly fill: string;
  readonly text: string;
}

/** The colours of a column's cells, by its highlights and its shading; undefined for plain cells and totals. */
function cellFills(
  { table, rows, from }: DrawnRows,
  index: number,
  { theme, locale }: Pick<PageTheme, 'theme' | 'locale'>,
): readonly (CellFill | undefined)[] {
  const { label, heat, highlights }: ExportColumn = table.columns[index]!;
  const extent = () =>
    extentOf(
      table.rows.map((row, at) => {
        const value = row[index];
        return typeof value === 'number' && !table.totals?.has(at) ? value : Number.NaN;
      }),
    );
  const shades =
    heat && colourScale(heat.extent ?? extent(), { label, isAdditive: heat.isAdditive }, { theme, locale });
  return rows.map((row, line) => {
    if (table.totals?.has(from + line)) return undefined;
    const value = row[index]!;
    const highlight = cellHighlight(highlights, value);
    if (highlight) return theme.highlights[highlight];
    const fill = typeof value === 'number' ? shades?.colours[shades.bucketOf(value)] : undefined;
    return fill === undefined ? undefined : { fill, text: inkOn(fill) };
  });
}

function drawSparklines(
  { table, rows, from }: DrawnRows,
  index: number,
  x: number,
  theme: ChartTheme,
): Mark[] {
  const sparklines = table.sparklines?.get(index);
  return rows.flatMap((_, line): Mark[] => {
    const sparkline = sparklines?.[from + line];
    if (!sparkline) return [];
    const values = sparkline.map(value => value ?? Number.NaN);
    const size = { width: sparklineWidth - 4, height: lineHeight - 7 };
    return [
      { kind: 'group', x, y: lineHeight * (line + 1) + 3, marks: drawSpark(values, size, theme.accent) },
    ];
  });
}

/** Draws bars scaled to the largest magnitude of the drawn values. Totals have none. */
function drawBars({ table, rows, from }: DrawnRows, index: number, x: number, theme: ChartTheme): Mark[] {
  const values = rows.map((row, line): ExportValue => (table.totals?.has(from + line) ? null : row[index]!));
  const reach = Math.max(0, ...values.map(value => Math.abs(Number(value ?? 0))));
  if (!(reach > 0)) return [];
  const width = barWidth - 6;
  const present = values.flatMap((value, line) =>
    value === null ? [] : [{ share: Number(value) / reach, top: lineHeight * (line + 1) + 6 }],
  );
  const bars = (isDrawn: (share: number) => boolean) =>
    present
      .filter(({ share }) => isDrawn(share))
      .flatMap(({ share, top }) => [x, top, width * Math.abs(share), 9]);
  return [
    { kind: 'rects', xywh: present.flatMap(({ top }) => [x, top, width, 9]), fill: theme.grid },
    { kind: 'rects', xywh: bars(share => share >= 0), fill: theme.accent },
    { kind: 'rects', xywh: bars(share => share < 0), fill: theme.bad },
  ];
}
