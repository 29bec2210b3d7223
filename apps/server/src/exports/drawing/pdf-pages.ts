import { maxExportRows, type ExportRows } from '@belvedere/api';
import { paintGroup, type Mark } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { tilesOnPage, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { pagesOf } from '../dashboard-pages.ts';
import type { ExportTable } from '../tables/export-table.ts';
import { paginate, type PlacedTile } from './paginate.ts';
import { exportTable } from '../tables/tile-table.ts';
import { drawFrame } from './draw-frame.ts';
import { drawTable } from './draw-table.ts';
import { drawHeading, type PageHeading } from './page-heading.ts';
import { layOut, pageMargin, pageWidth } from './page-layout.ts';
import type { PageTheme } from './page-theme.ts';

/** A4 landscape, in points. */
const paper = { width: 841.89, height: 595.28 };
const width = pageWidth + 2 * pageMargin;
const height = (width * paper.height) / paper.width;

export interface PdfRequest {
  /** A single tile, instead of the dashboard's pages. */
  readonly tile?: string;
  /** Indexes of the dashboard's pages. Defaults to all. */
  readonly pages?: readonly number[];
  /** `all`: tables that do not fit into their tiles continue on pages of their own. */
  readonly rows: ExportRows;
}

/** Draws the pages of a PDF: tiles as laid out, in bands that fill their pages, none of them split. */
export async function pdfPages(
  context: DashboardContext,
  request: PdfRequest,
  look: PageTheme,
): Promise<{ svg: string; width: number; height: number }[]> {
  const sheets: Mark[][] = [];
  for (const page of request.tile === undefined ? pagesOf(context, request.pages) : [context])
    sheets.push(...(await drawSheets(page, request, look)));
  return sheets.map((marks, i) => {
    const foot: Mark = {
      kind: 'text',
      x: width - pageMargin,
      y: height - 10,
      text: `${i + 1} / ${sheets.length}`,
      fill: look.theme.text3,
      align: 'right',
      size: 10,
    };
    return {
      svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Inter">${paintGroup([...marks, foot])}</svg>`,
      ...paper,
    };
  });
}

/** Draws one page of the dashboard on as many sheets of paper as needed, then its long tables. */
async function drawSheets(
  context: DashboardContext,
  request: PdfRequest,
  look: PageTheme,
): Promise<Mark[][]> {
  const head = await drawHeading(context, look);
  const room = height - 2 * pageMargin - head.height - 16;
  const sheets: Mark[][] = [];
  const longTables: ExportTable[] = [];
  for (const placed of placeTiles(context, request.tile, room)) {
    const marks: Mark[] = [];
    for (const { id, tile, box } of placed) {
      const { mark, rest } = await drawFrame(context, id, tile, box, look);
      marks.push(mark);
      if (rest && request.rows === 'all')
        longTables.push(await withAllRows(context, id, tile, rest, look.locale));
    }
    sheets.push(sheetOf(head, marks));
  }
  for (const table of longTables) sheets.push(...tableSheets(table, head, room, look));
  return sheets;
}

function sheetOf(head: PageHeading, marks: readonly Mark[]): Mark[] {
  return [
    { kind: 'group', x: pageMargin, y: pageMargin, marks: head.marks },
    { kind: 'group', x: pageMargin, y: pageMargin + head.height, marks },
  ];
}

/** Distributes a page's tiles over sheets of paper. A single tile fills its sheet. */
function placeTiles(context: DashboardContext, only: string | undefined, room: number): PlacedTile[][] {
  const tiles = tilesOnPage(context);
  if (only === undefined) return paginate(tiles, layOut(tiles).boxes, room);
  return [
    tiles
      .filter(([id]) => id === only)
      .map(([id, tile]) => ({
        id,
        tile,
        box: { x: 0, y: 0, width: pageWidth, height: tile.kind === 'kpi' ? 120 : room },
      })),
  ];
}

/** Returns a drawn table with as many rows as a PDF may have. */
async function withAllRows(
  context: DashboardContext,
  id: string,
  tile: Tile,
  drawn: ExportTable,
  locale: string,
): Promise<ExportTable> {
  if (tile.kind !== 'table') return drawn;
  const limit = Math.min(maxExportRows.pdf, context.queryContext.exportRows ?? Infinity);
  return (await exportTable(context, id, tile, locale, { limit, isDrawn: true })) ?? drawn;
}

/** Draws all rows of a table on sheets of their own. */
function tableSheets(table: ExportTable, head: PageHeading, room: number, look: PageTheme): Mark[][] {
  const sheets: Mark[][] = [];
  const all = table.cut?.of ?? table.rows.length;
  const title: Mark = {
    kind: 'text',
    x: 0,
    y: 14,
    text: `${table.title}${all > table.rows.length ? ` (${table.rows.length} / ${all})` : ''}`,
    fill: look.theme.text,
    align: 'left',
    size: 13,
    weight: 600,
  };
  for (let from = 0; from < table.rows.length;) {
    const { marks, rows } = drawTable(table, { width: pageWidth, height: room - 28 }, look, from);
    if (rows === 0) break;
    sheets.push(sheetOf(head, [title, { kind: 'group', x: 0, y: 24, marks }]));
    from += rows;
  }
  return sheets;
}
