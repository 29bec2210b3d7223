import { searchFromState, type OpenDashboard } from '@belvedere/api';
import { chartMessagesIn } from '@belvedere/chart';
import type { ReportFile } from '@belvedere/document';
import type { Message, MessageFile, MessageImage } from '../deliver/message.ts';
import { aboutLines } from '../exports/about-lines.ts';
import { exportDashboard, type Exported, type ExportRequest } from '../exports/export-dashboard.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import { tilesOnPage, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { onPage } from './report-filters.ts';
import { reportTexts, type ReportTexts } from './report-texts.ts';

/** Pictures of more pages would be a mail that no program shows well. */
const maxPictures = 10;
const maxCsvFiles = 10;
/** Mail shows pictures of about half this width, so that they are sharp on good screens. */
const pictureWidth = 1200;
/** Mails are sent as text, which makes each file larger by a third. */
const encodedSize = 4 / 3;

export interface Rendering {
  readonly report: ReportFile;
  /** Indexes of pages. */
  readonly pages: readonly number[];
  /** Whether the recipients may export data. */
  readonly mayExport: boolean;
  readonly opened: OpenDashboard;
  readonly locale: string;
  readonly root: string;
  readonly pagesFolder: string;
  readonly writer: ExportWriter;
  /** Size of the whole mail. */
  readonly maxBytes: number;
  /** See `ExportRequest`. */
  readonly drawsInterruptions?: boolean;
}

/** A report's content for recipients who see the same. */
export type ReportContent = Pick<
  Message,
  'locale' | 'title' | 'lines' | 'facts' | 'links' | 'images' | 'files'
>;

/** Draws and writes a report's pictures and files, under the rights of the context's caller. */
export async function renderReport(context: DashboardContext, rendering: Rendering): Promise<ReportContent> {
  const { report, pages, mayExport, locale, maxBytes } = rendering;
  const texts = reportTexts(locale);
  const room = new Room(maxBytes);
  const notes: string[] = [];
  const images = report.pictures === false ? [] : await drawPages(context, rendering, room, notes, texts);
  const files = await writeFiles(context, rendering, room, notes, texts);
  if (!mayExport && report.attach?.some(format => format !== 'pdf')) notes.push(texts.noDataFiles);
  const about = await aboutLines(onPage(context, pages[0] ?? 0), context.dashboard.title, locale);
  const { made } = chartMessagesIn(locale).about;
  return {
    ...(report.locale !== undefined && { locale: report.locale }),
    title: report.title,
    lines: [...(report.description ? [report.description] : []), ...notes],
    facts: about
      .slice(1)
      .filter(([label]) => label !== made)
      .map(([label, value]) => ({ label, value })),
    links: [{ label: texts.open, href: dashboardPath(context, pages[0] ?? 0) }],
    images,
    files,
  };
}

/** Where a dashboard shows what a report shows. */
function dashboardPath({ queryContext, state }: DashboardContext, page: number): string {
  const search = new URLSearchParams(searchFromState({ ...state, page })).toString();
  const id = encodeURIComponent(queryContext.dashboard ?? '');
  return `/d/${id}${search === '' ? '' : `?${search}`}`;
}

/** The bytes that a mail has left. */
class Room {
  readonly maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get left(): number {
    return Math.max(0, (this.maxBytes - this.#used) / encodedSize);
  }

  /** Whether there was room for so many bytes, which are taken then. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.#used += bytes * encodedSize;
    return true;
  }

  get size(): string {
    return `${Math.round(this.maxBytes / 1e6)} MB`;
  }
}

async function drawPages(
  context: DashboardContext,
  rendering: Rendering,
  room: Room,
  notes: string[],
  texts: ReportTexts,
): Promise<MessageImage[]> {
  const { pages } = rendering;
  const images: MessageImage[] = [];
  const drawn = pages.slice(0, maxPictures);
  for (const [i, page] of drawn.entries()) {
    const exported = await exportDashboard(
      onPage(context, page),
      { ...requestOf(rendering), format: 'png', scale: 1 },
      rendering.writer,
    );
    const png = await bytesOf(exported.body, room.left);
    if (!png || !room.take(png.length)) {
      notes.push(texts.picturesTooLarge(room.size));
      return images;
    }
    const { title } = context.dashboard.pages[page]!;
    const alt = texts.picture(
      context.dashboard.title,
      drawn.length > 1 ? (title ?? String(page + 1)) : undefined,
    );
    images.push({ name: `page-${i + 1}.png`, alt, png, width: pictureWidth });
  }
  if (drawn.length < pages.length) notes.push(texts.morePages(drawn.length, pages.length));
  return images;
}

async function writeFiles(
  context: DashboardContext,
  rendering: Rendering,
  room: Room,
  notes: string[],
  texts: ReportTexts,
): Promise<MessageFile[]> {
  const files: MessageFile[] = [];
  const tooLarge: string[] = [];
  const add = async (exported: Exported) => {
    const name = freeFileName(exported.name, files);
    const bytes = await bytesOf(exported.body, room.left);
    if (bytes && room.take(bytes.length)) files.push({ name, type: exported.type, bytes });
    else tooLarge.push(name);
  };
  const { report, pages, mayExport, writer } = rendering;
  const wanted = new Set(report.attach);
  const request = requestOf(rendering);
  if (wanted.has('pdf')) await add(await exportDashboard(context, { ...request, format: 'pdf' }, writer));
  if (wanted.has('xlsx') && mayExport)
    await add(await exportDashboard(context, { ...request, format: 'xlsx' }, writer));
  if (wanted.has('csv') && mayExport)
    for (const [page, tile] of csvTiles(context, pages))
      await add(await exportDashboard(onPage(context, page), { ...request, format: 'csv', tile }, writer));
  if (tooLarge.length > 0) notes.push(texts.tooLarge(tooLarge, room.size));
  return files;
}

/** The tables of the pages; without any, the first chart. */
function csvTiles(
  context: DashboardContext,
  pages: readonly number[],
): readonly (readonly [page: number, tile: string])[] {
  const tiles = pages.flatMap(page =>
    tilesOnPage(onPage(context, page)).map(([id, tile]) => ({ page, id, tile })),
  );
  const tables = tiles.filter(({ tile }) => tile.kind === 'table' || tile.kind === 'pivot');
  const without = new Set<string>(['kpi', 'text', 'image', 'control']);
  const found = tables.length > 0 ? tables : tiles.filter(({ tile }) => !without.has(tile.kind)).slice(0, 1);
  return found.slice(0, maxCsvFiles).map(({ page, id }) => [page, id]);
}

function requestOf(rendering: Rendering): Omit<ExportRequest, 'format'> {
  const { pages, locale, root, pagesFolder, opened, drawsInterruptions = false } = rendering;
  return { pages, rows: 'limited', locale, theme: 'light', root, pagesFolder, opened, drawsInterruptions };
}

/** Reads a file until its end; undefined if it is larger than the limit. */
async function bytesOf(body: Exported['body'], maxBytes: number): Promise<Uint8Array | undefined> {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Two tiles may have the same title. */
function freeFileName(name: string, files: readonly MessageFile[]): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.[a-z]+)$/.exec(name) ?? [];
  let free = name;
  for (let n = 2; files.some(file => file.name === free); n++) free = `${stem} ${n}${ending}`;
  return free;
}
