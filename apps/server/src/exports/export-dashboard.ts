import { titleOf } from '../presenters/tile-title.ts';
import {
  maxExportRows,
  type CountedTable,
  type DashboardState,
  type ExportFormat,
  type ExportRows,
  type OpenDashboard,
} from '@belvedere/api';
import {
  darkTheme,
  describeCondition,
  describeSelection,
  describeTimes,
  formatDay,
  lightTheme,
  paintGroup,
  paintSvg,
  withLook,
  chartMessagesIn,
  type Mark,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { hasNoQuery, resolvePeriod, type FieldFilter, type Period } from '@belvedere/query';
import type { Model } from '@belvedere/model';
import {
  clockOf,
  dataTime,
  shownConditions,
  tileModel,
  tilesOnPage,
  type DashboardContext,
} from '../queries/dashboard-query-context.ts';
import { modelOf } from '../queries/query-service.ts';
import { ProblemError } from '../problems.ts';
import { paginate } from './paginate.ts';
import { drawFrame } from './drawing/draw-frame.ts';
import { drawTable } from './drawing/draw-table.ts';
import { layOut, pageWidth } from './drawing/page-layout.ts';
import type { PageTheme } from './drawing/page-theme.ts';
import type { ExportWriter } from './export-writer.ts';
import { workspaceFonts } from './fonts.ts';
import type { ExportTable, ExportTableHeader, ExportTableRows } from './export-table.ts';
import { begun } from './row-chunks.ts';
import { streamParquet } from './stream-parquet.ts';
import { streamXlsx } from './stream-xlsx.ts';
import { countTableRows } from './table-tile-rows.ts';
import { exportTable, exportTableRows } from './tile-table.ts';
import { writeCsv } from './write-csv.ts';
import { writeOfflinePage } from './write-html.ts';
import type { AboutLines } from './write-xlsx.ts';

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
}

export interface Exported {
  readonly name: string;
  readonly type: string;
  /** Chunks for files that may be long; queries run as the chunks are read. */
  readonly body: Uint8Array | string | AsyncIterable<string | Uint8Array>;
}

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
      return done(tile ? await tileSvg(context, tile, request) : (await pageSvg(context, request)).svg);
    case 'png':
      return done(
        await writer.write(
          {
            kind: 'png',
            svg: tile ? await tileSvg(context, tile, request) : (await pageSvg(context, request)).svg,
            scale: request.scale ?? 2,
            fonts,
          },
          signal,
        ),
      );
    case 'pdf':
      return done(
        await writer.write(
          { kind: 'pdf', title, pages: await pdfPages(context, request), fonts, locale: request.locale },
          signal,
        ),
      );
    case 'html': {
      // The offline page starts without selections, and its header agrees.
      const unselected = { ...context, state: { ...context.state, selections: {} } };
      const about = (await aboutLines(unselected, title, request.locale)).slice(2);
      return done(
        await writeOfflinePage(unselected, {
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
      const table = await oneTable(context, tile, (id, one) =>
        exportTableRows(context, id, one, request.locale),
      );
      return done(writeCsv({ ...table, pieces: await begun(table.pieces) }), [table]);
    }
    case 'parquet': {
      const table = await oneTable(context, tile, (id, one) =>
        exportTableRows(context, id, one, request.locale),
      );
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

/** The table of one tile, or of the page's first tile that has one. */
async function oneTable<T>(
  context: DashboardContext,
  tile: readonly [string, Tile] | undefined,
  exportOne: (id: string, tile: Tile) => Promise<T | undefined>,
): Promise<T> {
  for (const [id, one] of tile ? [tile] : tilesOnPage(context)) {
    if (!tile && one.kind === 'kpi') continue;
    const table = await exportOne(id, one);
    if (table) return table;
  }
  throw new ProblemError('not-found', 'There is no data to export here.');
}

async function allTables(
  context: DashboardContext,
  tile: readonly [string, Tile] | undefined,
  { locale, rows, pages: wanted }: Pick<ExportRequest, 'locale' | 'rows' | 'pages'>,
): Promise<ExportTableRows[]> {
  const pages = tile ? [context] : pagesOf(context, wanted);
  const tables: ExportTableRows[] = [];
  for (const page of pages)
    for (const [id, one] of tile ? [tile] : tilesOnPage(page)) {
      const table = await exportTableRows(page, id, one, locale, {
        most: Math.min(
          rows === 'all' ? maxExportRows.xlsx : maxExportRows.limitedXlsx,
          page.queryContext.workspace.limits.exportRows,
        ),
        isCut: rows === 'limited',
      });
      if (table && table.columns.length > 0) tables.push(table);
    }
  return tables;
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

/** Returns the dashboard's state as seen from each of its pages, or from those with these indexes. */
function pagesOf(context: DashboardContext, wanted?: readonly number[]): DashboardContext[] {
  const pages = [...context.dashboard.pages.keys()].filter(page => wanted?.includes(page) ?? true);
  return pages.map(page => ({
    ...context,
    state: { ...context.state, page } satisfies DashboardState,
  }));
}

/** Describes an exported file: its origin, its filters, and how new its data is. */
export async function aboutLines(
  context: DashboardContext,
  title: string,
  locale: string,
): Promise<AboutLines> {
  const { dashboard, queryContext } = context;
  const model =
    dashboard.model && queryContext.workspace.models.has(dashboard.model)
      ? modelOf(queryContext.workspace, dashboard.model)
      : undefined;
  const newest = model && (await dataTime(context, model).catch(() => undefined));
  const words = chartMessagesIn(locale).about;
  const filters = model ? await filterTexts(context, model, locale) : [];
  const selected = selectionTexts(context, locale);
  return [
    ['Belvedere', title],
    [words.dashboard, dashboard.title],
    [words.filters, filters.length > 0 ? filters.join(' · ') : '–'],
    ...(selected.length > 0 ? [[words.selected, selected.join(' · ')] as const] : []),
    [words.zone, queryContext.zone],
    ...(newest === undefined ? [] : [[words.dataTime, formatDay(newest, locale)] as const]),
    [words.made, `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ];
}

const isPeriod = (condition: FieldFilter): condition is Period => 'last' in condition || 'this' in condition;

/** Describes each condition as the page's filter bar does, relative ranges with their dates. */
async function filterTexts(context: DashboardContext, model: Model, locale: string): Promise<string[]> {
  const conditions = shownConditions(context, model);
  const clock = conditions.some(({ condition }) => isPeriod(condition))
    ? await clockOf(context, model)
    : undefined;
  return conditions.map(({ field, label, condition }) => {
    const text = describeCondition(condition, locale, model.dimensions[field]?.format);
    if (!clock || !isPeriod(condition)) return `${label}: ${text}`;
    const { from, below } = resolvePeriod(condition, clock);
    return `${label}: ${text} (${describeTimes(from, below, locale)})`;
  });
}

/** Describes each tile's selection as the page's filter bar does. */
function selectionTexts(context: DashboardContext, locale: string): string[] {
  const tiles = new Map(context.dashboard.pages.flatMap(page => Object.entries(page.tiles)));
  return Object.entries(context.state.selections).flatMap(([id, boxes]) => {
    const tile = tiles.get(id);
    if (!tile || boxes.length === 0 || hasNoQuery(tile)) return [];
    const model = tileModel(context, tile);
    const text = describeSelection(boxes, locale, field => model.dimensions[field]?.format);
    return [`${titleOf(tile, model, locale) || id}: ${text}`];
  });
}

function pageThemeOf({ look }: DashboardContext, request: ExportRequest): PageTheme {
  return {
    theme: withLook(request.theme === 'dark' ? darkTheme : lightTheme, look),
    canvas: request.theme === 'dark' ? '#0E1116' : '#F5F6F8',
    locale: request.locale,
    root: request.root,
    notes: request.opened.notes,
  };
}

const tileHeights: Readonly<Record<string, number>> = {
  kpi: 120,
  table: 640,
  pivot: 640,
  map: 480,
  calendar: 320,
  treemap: 480,
  sunburst: 520,
  sankey: 520,
};

/** A tile as an image on a light ground, for a message. */
export async function tileImage(
  context: DashboardContext,
  tile: readonly [string, Tile],
  { width, locale, root }: { readonly width: number; readonly locale: string; readonly root: string },
  writer: ExportWriter,
): Promise<Uint8Array> {
  const look = { theme: withLook(lightTheme, context.look), canvas: '#FFFFFF', locale, root, notes: [] };
  const svg = await drawnTile(context, tile, look, { width, isForElsewhere: false });
  const signal = context.queryContext.signal ?? new AbortController().signal;
  return writer.write({ kind: 'png', svg, scale: 2, fonts: workspaceFonts(root) }, signal);
}

function tileSvg(
  context: DashboardContext,
  tile: readonly [string, Tile],
  request: ExportRequest,
): Promise<string> {
  const isForElsewhere = request.format === 'svg';
  return drawnTile(context, tile, pageThemeOf(context, request), { width: request.width, isForElsewhere });
}

async function drawnTile(
  context: DashboardContext,
  [id, tile]: readonly [string, Tile],
  look: PageTheme,
  request: { readonly width: number | undefined; readonly isForElsewhere: boolean },
): Promise<string> {
  const [, , columns = 12, rows = 10] = tile.at ?? [];
  // As wide as on the page, but at least 640 pixels.
  const width = request.width ?? Math.max(640, (columns / 24) * pageWidth);
  // On a narrow image, all kinds are as high as on a phone.
  const size = {
    width,
    height:
      tile.kind === 'kpi' ? 120 : width < 480 ? 320 : Math.max(tileHeights[tile.kind] ?? 360, rows * 40),
  };
  const { mark } = await drawFrame(context, id, tile, { x: 0, y: 0, ...size }, look);
  return paintSvg(
    [{ kind: 'rects', xywh: [0, 0, size.width, size.height], fill: look.theme.surface }, mark],
    size,
    titleOf(tile, hasNoQuery(tile) ? undefined : tileModel(context, tile), look.locale),
    { isForElsewhere: request.isForElsewhere },
  );
}

const margin = 24;

/** Draws the title, filters, time zone and data time above the tiles. */
async function heading(
  context: DashboardContext,
  pageTitle: string | undefined,
  look: PageTheme,
): Promise<{ marks: Mark[]; height: number }> {
  const about = await aboutLines(context, context.dashboard.title, look.locale);
  // The title is drawn separately, and a page needs no creation time.
  const aboutText = about
    .slice(2, -1)
    .map(([name, value]) => `${name}: ${value}`)
    .join('   ·   ');
  return {
    marks: [
      {
        kind: 'text',
        x: 0,
        y: 20,
        text: context.dashboard.title + (pageTitle ? ` › ${pageTitle}` : ''),
        fill: look.theme.text,
        align: 'left',
        size: 20,
        weight: 600,
      },
      {
        kind: 'text',
        x: 0,
        y: 40,
        text: aboutText.length > 180 ? `${aboutText.slice(0, 179)}…` : aboutText,
        fill: look.theme.text2,
        align: 'left',
        size: 12,
      },
    ],
    height: 56,
  };
}

async function pageSvg(context: DashboardContext, request: ExportRequest): Promise<{ svg: string }> {
  const look = pageThemeOf(context, request);
  const tiles = tilesOnPage(context);
  const { boxes, height } = layOut(tiles);
  const page = context.dashboard.pages[Math.min(context.state.page, context.dashboard.pages.length - 1)]!;
  const head = await heading(context, context.dashboard.pages.length > 1 ? page.title : undefined, look);
  const frames = await Promise.all(
    tiles.map(([id, tile]) => drawFrame(context, id, tile, boxes.get(id)!, look)),
  );
  const size = { width: pageWidth + 2 * margin, height: height + head.height + 2 * margin };
  const marks: Mark[] = [
    { kind: 'rects', xywh: [0, 0, size.width, size.height], fill: look.canvas },
    { kind: 'group', x: margin, y: margin, marks: head.marks },
    { kind: 'group', x: margin, y: margin + head.height, marks: frames.map(frame => frame.mark) },
  ];
  return {
    svg: paintSvg(marks, size, context.dashboard.title, { isForElsewhere: request.format === 'svg' }),
  };
}

/** A4 landscape, in points. */
const paper = { width: 841.89, height: 595.28 };

/**
 * Draws the pages of a PDF: tiles as laid out, in bands that fill their pages, none of them split. If all
 * rows
 * are requested, tables that do not fit continue on pages of their own.
 */
async function pdfPages(
  context: DashboardContext,
  request: ExportRequest,
): Promise<{ svg: string; width: number; height: number }[]> {
  // Paper is white, whatever the screen's theme.
  const look = { ...pageThemeOf(context, { ...request, theme: 'light' }), canvas: '#FFFFFF' };
  const width = pageWidth + 2 * margin;
  const height = (width * paper.height) / paper.width;
  const pages: Mark[][] = [];
  for (const page of request.tile === undefined ? pagesOf(context, request.pages) : [context]) {
    const tiles = tilesOnPage(page).filter(([id]) => request.tile === undefined || id === request.tile);
    const title =
      page.dashboard.pages.length > 1
        ? page.dashboard.pages[Math.min(page.state.page, page.dashboard.pages.length - 1)]!.title
        : undefined;
    const head = await heading(page, title, look);
    const room = height - 2 * margin - head.height - 16;
    const sheets =
      request.tile === undefined
        ? paginate(tiles, layOut(tiles).boxes, room)
        : [
            tiles.map(([id, tile]) => ({
              id,
              tile,
              box: { x: 0, y: 0, width: pageWidth, height: tile.kind === 'kpi' ? 120 : room },
            })),
          ];
    const longTables: ExportTable[] = [];
    for (const sheet of sheets) {
      const marks: Mark[] = [];
      for (const { id, tile, box } of sheet) {
        const { mark, rest } = await drawFrame(page, id, tile, box, look);
        marks.push(mark);
        if (rest && request.rows === 'all') longTables.push(await allOf(page, id, tile, rest, look.locale));
      }
      pages.push([
        { kind: 'group', x: margin, y: margin, marks: head.marks },
        { kind: 'group', x: margin, y: margin + head.height, marks },
      ]);
    }
    for (const table of longTables) pages.push(...tablePages(table, room, look, head));
  }
  return pages.map((marks, i) => {
    const foot: Mark = {
      kind: 'text',
      x: width - margin,
      y: height - 10,
      text: `${i + 1} / ${pages.length}`,
      fill: look.theme.text3,
      align: 'right',
      size: 10,
    };
    return {
      svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Inter">${paintGroup([...marks, foot])}</svg>`,
      ...paper,
    };
  });

  /** A table with as many rows as a document may have. */
  async function allOf(
    page: DashboardContext,
    id: string,
    tile: Tile,
    drawn: ExportTable,
    locale: string,
  ): Promise<ExportTable> {
    if (tile.kind !== 'table') return drawn;
    return (
      (await exportTable(page, id, tile, locale, {
        most: Math.min(maxExportRows.pdf, page.queryContext.exportRows ?? Infinity),
        isDrawn: true,
      })) ?? drawn
    );
  }
}

function tablePages(
  table: ExportTable,
  room: number,
  look: PageTheme,
  head: { marks: Mark[]; height: number },
): Mark[][] {
  const pages: Mark[][] = [];
  const all = table.cut?.of ?? table.rows.length;
  const title = `${table.title}${all > table.rows.length ? ` (${table.rows.length} / ${all})` : ''}`;
  for (let from = 0; from < table.rows.length;) {
    const { marks, rows } = drawTable(table, { width: pageWidth, height: room - 28 }, look, from);
    if (rows === 0) break;
    pages.push([
      { kind: 'group', x: margin, y: margin, marks: head.marks },
      {
        kind: 'group',
        x: margin,
        y: margin + head.height,
        marks: [
          {
            kind: 'text',
            x: 0,
            y: 14,
            text: title,
            fill: look.theme.text,
            align: 'left',
            size: 13,
            weight: 600,
          },
          { kind: 'group', x: 0, y: 24, marks },
        ],
      },
    ]);
    from += rows;
  }
  return pages;
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
