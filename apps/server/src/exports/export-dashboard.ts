import {
  maxExportRows,
  type CountedTable,
  type ExportFormat,
  type ExportRows,
  type OpenDashboard,
} from '@belvedere/api';
import { darkTheme, lightTheme, withLook } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { hasNoQuery } from '@belvedere/query';
import { titleOf } from '../presenters/tile-title.ts';
import { asForbiddenError } from '../access/row-policies.ts';
import { problemFrom, ProblemError } from '../http/problems.ts';
import { tileModel, tilesOnPage, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { aboutLines } from './about-lines.ts';
import { pagesOf } from './dashboard-pages.ts';
import { pageSvg } from './drawing/page-svg.ts';
import type { PageTheme } from './drawing/page-theme.ts';
import { pdfPages } from './drawing/pdf-pages.ts';
import { tileSvg } from './drawing/tile-svg.ts';
import type { ExportTableHeader, ExportTableRows } from './tables/export-table.ts';
import type { ExportWriter } from './formats/export-writer.ts';
import { workspaceFonts } from './fonts/fonts.ts';
import { refuseInterrupted } from './interrupted-query.ts';
import { begun } from './formats/row-chunks.ts';
import { streamParquet } from './formats/stream-parquet.ts';
import { streamXlsx } from './formats/stream-xlsx.ts';
import { countTableRows } from './tables/table-tile-rows.ts';
import { exportTableRows } from './tables/tile-table.ts';
import { writeCsv } from './formats/write-csv.ts';
import { writeOfflinePage } from './formats/write-html.ts';
import type { AboutLines } from './formats/write-xlsx.ts';

export interface ExportRequest {
  readonly format: ExportFormat;
  /** A single tile. Defaults to the current page, and to all pages for PDF and workbook exports. */
  readonly tile?: string;
  /** Indexes of the pages of a PDF or a workbook. Defaults to all. */
  readonly pages?: readonly number[];
  readonly width?: number;
  /** Pixels of a PNG per pixel of the page; 2 by default. */
  readonly scale?: number;
  /**
   * `limited`: a document has the rows that fit into its tiles, a workbook at most 10,000 rows of each
   * table.
   */
  readonly rows: ExportRows;
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  readonly root: string;
  /** The folder of the application's built pages. */
  readonly pagesFolder: string;
  /** As visible to its viewers. */
  readonly opened: OpenDashboard;
  /** For pictures and documents: an interrupted query is drawn as its tile's error, instead of failing the export. */
  readonly drawsInterruptions?: boolean;
}

export interface Exported {
  readonly name: string;
  readonly type: string;
  /** Chunks for files that may be long; queries run as the chunks are read. */
  readonly body: Uint8Array | string | AsyncIterable<string | Uint8Array>;
}

type NamedTile = readonly [id: string, tile: Tile];

const types: Readonly<Record<ExportFormat, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  html: 'text/html; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Exports a dashboard or one of its tiles as a file: the page in this state, drawn and written without a
 * browser.
 */
export async function exportDashboard(
  context: DashboardContext,
  request: ExportRequest,
  writer: ExportWriter,
): Promise<Exported> {
  const signal = context.queryContext.signal ?? new AbortController().signal;
  const tile =
    request.tile === undefined ? undefined : tilesOnPage(context).find(([id]) => id === request.tile);
  if (request.tile !== undefined && !tile)
    throw new ProblemError('not-found', `Tile \`${request.tile}\` not found on this page.`);
  const model = tile && !hasNoQuery(tile[1]) ? tileModel(context, tile[1]) : undefined;
  const title = tile ? titleOf(tile[1], model, request.locale) || tile[0] : context.dashboard.title;
  const done = (body: Exported['body'], tables: readonly ExportTableHeader[] = []): Exported => ({
    name: `${fileName(title)}${cutIn(tables)}.${request.format}`,
    type: types[request.format],
    body,
  });
  const fonts = workspaceFonts(request.root);
  switch (request.format) {
    case 'svg':
      return done(await drawSvg(context, tile, request));
    case 'png': {
      const svg = await drawSvg(context, tile, request);
      return done(await writer.write({ kind: 'png', svg, scale: request.scale ?? 2, fonts }, signal));
    }
    case 'pdf': {
      // Paper is white, whatever the screen's theme.
      const look = { ...pageThemeOf(context, { ...request, theme: 'light' }), canvas: '#FFFFFF' };
      const pages = await pdfPages(context, request, look);
      return done(await writer.write({ kind: 'pdf', title, pages, fonts, locale: request.locale }, signal));
    }
    case 'html': {
      // The offline page shows its selection, which can be cleared, beside these lines.
      const unselected = { ...context, state: { ...context.state, selections: {} } };
      const about = (await aboutLines(unselected, title, request.locale)).slice(2);
      return done(
        await writeOfflinePage(context, {
          dashboard: request.opened,
          about,
          root: request.root,
          locale: request.locale,
          theme: request.theme,
          pagesFolder: request.pagesFolder,
        }),
      );
    }
    case 'csv': {
      const table = await oneTable(context, tile, request.locale);
      return done(writeCsv({ ...table, pieces: await begun(table.pieces) }), [table]);
    }
    case 'parquet': {
      const table = await oneTable(context, tile, request.locale);
      return done(await streamParquet(table, signal), [table]);
    }
    case 'xlsx': {
      const tables = await allTables(context, tile, request);
      const about = [
        ...(await aboutLines(context, title, request.locale)),
        ...tables.flatMap(({ title: name, cut }): AboutLines =>
          cut ? [[name, `${cut.rows} / ${cut.of}`]] : [],
        ),
      ];
      return done(await begun(streamXlsx(about, tables, request.locale, signal)), tables);
    }
  }
}

/** A file that does not contain all rows states in its name how many of how many it has. */
function cutIn(tables: readonly ExportTableHeader[]): string {
  const cut = tables.find(table => table.cut)?.cut;
  return cut ? ` (${cut.rows} of ${cut.of} rows)` : '';
}

/** Draws one tile or the current page. An SVG file may be opened by programs without the page's fonts. */
function drawSvg(
  context: DashboardContext,
  tile: NamedTile | undefined,
  request: ExportRequest,
): Promise<string> {
  const look = pageThemeOf(context, request);
  const isForElsewhere = request.format === 'svg';
  return tile
    ? tileSvg(context, tile, look, { width: request.width, isForElsewhere })
    : pageSvg(context, look, { isForElsewhere });
}

/** Draws a tile as a PNG on a light ground, for a message. */
export async function tileImage(
  context: DashboardContext,
  tile: NamedTile,
  { width, locale, root }: { readonly width: number; readonly locale: string; readonly root: string },
  writer: ExportWriter,
): Promise<Uint8Array> {
  const look = { theme: withLook(lightTheme, context.look), canvas: '#FFFFFF', locale, root, notes: [] };
  const svg = await tileSvg(context, tile, look, { width, isForElsewhere: false });
  const signal = context.queryContext.signal ?? new AbortController().signal;
  return writer.write({ kind: 'png', svg, scale: 2, fonts: workspaceFonts(root) }, signal);
}

/** The table of one tile, or of the page's first tile that has one. */
async function oneTable(
  context: DashboardContext,
  tile: NamedTile | undefined,
  locale: string,
): Promise<ExportTableRows> {
  for (const [id, one] of tile ? [tile] : tilesOnPage(context)) {
    if (!tile && one.kind === 'kpi') continue;
    const table = await tableOf(context, id, () => exportTableRows(context, id, one, locale));
    if (table) return table;
  }
  throw new ProblemError('not-found', 'There is no data to export here.');
}

/** The tables of one tile, or of the dashboard's requested pages. */
async function allTables(
  context: DashboardContext,
  tile: NamedTile | undefined,
  { locale, rows, pages: wanted }: Pick<ExportRequest, 'locale' | 'rows' | 'pages'>,
): Promise<ExportTableRows[]> {
  const pages = tile ? [context] : pagesOf(context, wanted);
  const tables: ExportTableRows[] = [];
  for (const page of pages)
    for (const [id, one] of tile ? [tile] : tilesOnPage(page)) {
      const limit = Math.min(
        rows === 'all' ? maxExportRows.xlsx : maxExportRows.limitedXlsx,
        page.queryContext.workspace.limits.exportRows,
      );
      const table = await tableOf(page, id, () =>
        exportTableRows(page, id, one, locale, { limit, isCut: rows === 'limited' }),
      );
      if (table && table.columns.length > 0) tables.push(table);
    }
  return tables;
}

/** A tile's table, whose error names the tile if its query was interrupted, now or while its rows are read. */
async function tableOf(
  { queryContext }: DashboardContext,
  id: string,
  find: () => Promise<ExportTableRows | undefined>,
): Promise<ExportTableRows | undefined> {
  const named = (error: unknown): never => {
    if (!queryContext.signal?.aborted)
      refuseInterrupted(id, problemFrom(asForbiddenError(error, queryContext.caller)));
    throw error;
  };
  const table = await find().catch(named);
  if (!table) return undefined;
  async function* pieces() {
    try {
      yield* table!.pieces;
    } catch (error) {
      named(error);
    }
  }
  return { ...table, pieces: pieces() };
}

/** Counts the rows of the dashboard's table tiles, or of one, as an export would have them. */
export async function countExportRows(
  context: DashboardContext,
  tile: string | undefined,
  locale: string,
): Promise<CountedTable[]> {
  const counted: CountedTable[] = [];
  for (const page of tile === undefined ? pagesOf(context) : [context])
    for (const [id, one] of tilesOnPage(page)) {
      if (one.kind !== 'table' || (tile !== undefined && tile !== id)) continue;
      const title = titleOf(one, tileModel(page, one), locale) || id;
      counted.push({ tile: id, title, rows: await countTableRows(page, id, one) });
    }
  return counted;
}

function pageThemeOf({ look }: DashboardContext, request: ExportRequest): PageTheme {
  return {
    theme: withLook(request.theme === 'dark' ? darkTheme : lightTheme, look),
    canvas: request.theme === 'dark' ? '#0E1116' : '#F5F6F8',
    locale: request.locale,
    root: request.root,
    notes: request.opened.notes,
    ...(request.drawsInterruptions && { drawsInterruptions: true }),
  };
}

function fileName(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80) || 'belvedere'
  );
}
