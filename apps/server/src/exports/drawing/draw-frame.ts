import { emptyReasonOf, maxExportRows, problemSentence, type EmptyReason, type Frame } from '@belvedere/api';
import {
  chartMessagesIn,
  drawChart,
  fitText,
  formatNumber,
  hasLegend,
  isChartTile,
  legendEntries,
  legendTitle,
  seriesOf,
  textWidth,
  tileNotes,
  type ChartTheme,
  type ChartTile,
  type Mark,
  type Rectangle,
} from '@belvedere/chart';
import { selectionIn } from '@belvedere/crossfilter';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { withEvents, type Box } from '@belvedere/query';
import { isExposed } from '../../access/exposed-fields.ts';
import { asForbiddenError } from '../../access/row-policies.ts';
import { titleOf } from '../../presenters/tile-title.ts';
import { problemFrom, problemWords } from '../../http/problems.ts';
import { tileModel, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { drawTile, type DrawnTile } from '../../queries/tiles/draw-tile.ts';
import { queryTile } from '../../queries/tiles/query-tile.ts';
import type { ExportTable } from '../tables/export-table.ts';
import { partOf } from '../tables/result-part.ts';
import { refuseInterrupted } from '../interrupted-query.ts';
import { exportTable } from '../tables/tile-table.ts';
import { drawnImageAddress } from '../workspace-image.ts';
import { drawKpi } from './draw-kpi.ts';
import { drawLegend } from './draw-legend.ts';
import { drawTable, rowsThatFit, withTotalsInSight } from './draw-table.ts';
import { textOfTile, wrapText } from './draw-text.ts';
import type { PageTheme } from './page-theme.ts';

const padding = { x: 14, y: 12 };

/** A tile's marks, from its top left corner. `rest` is its table if not all rows fit. */
interface DrawnBody {
  readonly marks: readonly Mark[];
  readonly rest?: ExportTable;
}

/**
 * Draws a tile with its frame and title, or with its error. `rest` is its table if not all rows fit.
 * @throws ProblemError for a query that was interrupted, unless the look says that it is drawn
 */
export async function drawFrame(
  context: DashboardContext,
  id: string,
  tile: Tile,
  box: Rectangle,
  look: PageTheme,
): Promise<{ readonly mark: Mark; readonly rest?: ExportTable }> {
  const { marks, ...rest } = await drawBodyOrError(context, id, tile, box, look);
  const card = hasCard(tile) ? drawCard(box, look.theme) : [];
  return { mark: { kind: 'group', x: box.x, y: box.y, clip: box, marks: [...card, ...marks] }, ...rest };
}

function hasCard({ kind }: Tile): boolean {
  return kind !== 'text' && kind !== 'image' && kind !== 'control';
}

function drawCard({ width, height }: Rectangle, theme: ChartTheme): Mark[] {
  return [
    { kind: 'rects', xywh: [0, 0, width, height], fill: theme.axis },
    { kind: 'rects', xywh: [1, 1, width - 2, height - 2], fill: theme.surface },
  ];
}

async function drawBodyOrError(
  context: DashboardContext,
  id: string,
  tile: Tile,
  box: Rectangle,
  look: PageTheme,
): Promise<DrawnBody> {
  const { signal, caller } = context.queryContext;
  try {
    return await drawBody(context, id, tile, box, look);
  } catch (error) {
    if (signal?.aborted) throw error;
    const problem = problemFrom(asForbiddenError(error, caller));
    if (!look.drawsInterruptions) refuseInterrupted(id, problem);
    const place = { x: padding.x, y: padding.y + 12, width: box.width - 2 * padding.x };
    return {
      marks: wrapText(problemSentence(problem, problemWords(look.locale)), place, 12, look.theme.bad),
    };
  }
}

async function drawBody(
  context: DashboardContext,
  id: string,
  tile: Tile,
  box: Rectangle,
  look: PageTheme,
): Promise<DrawnBody> {
  const place = { x: 4, y: 16, width: box.width - 8 };
  switch (tile.kind) {
    case 'text': {
      const text = await textOfTile(context, id, tile, look.locale);
      return { marks: wrapText(text, place, 13, look.theme.text) };
    }
    case 'image': {
      const address = await drawnImageAddress(look.root, tile.file, box);
      // Without a drawing, a text describes the result.
      return {
        marks: address
          ? [{ kind: 'image', x: 0, y: 0, width: box.width, height: box.height, address }]
          : wrapText(tile.alt, place, 12, look.theme.text3),
      };
    }
    case 'control':
      return { marks: [] };
    case 'table':
    case 'pivot':
      return drawTableTile(context, id, tile, box, look);
    default:
      return { marks: await drawKpiOrChartTile(context, id, tile, box, look) };
  }
}

async function drawTableTile(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' | 'pivot' },
  box: Rectangle,
  look: PageTheme,
): Promise<DrawnBody> {
  const { locale, theme } = look;
  const model = tileModel(context, tile);
  const limit = Math.min(
    maxExportRows.pdf,
    rowsThatFit(box.height) + 1,
    context.queryContext.exportRows ?? Infinity,
  );
  const table = (await exportTable(context, id, tile, locale, { limit, isDrawn: true }))!;
  const all = table.cut?.of ?? table.rows.length;
  const description = describeTile(context, tile, model, [], locale);
  const cut = cutNote(table, description.length > 0, box.height, locale);
  const head = drawHead(tile, titleOf(tile, model, locale), [...description, ...cut], box, theme);
  const emptyReason = table.emptyReason ?? (table.rows.length === 0 ? 'rows' : undefined);
  if (emptyReason) return { marks: [...head.marks, emptyMessage(emptyReason, head.room, look)] };
  const drawn = drawTable(withTotalsInSight(table, rowsThatFit(head.room.height)), head.room, look);
  return {
    marks: [...head.marks, { kind: 'group', x: head.room.x, y: head.room.y, marks: drawn.marks }],
    ...(drawn.rows < all && { rest: table }),
  };
}

/** Says how many rows of a table are drawn, if they are not all. */
function cutNote(table: ExportTable, hasSubtitle: boolean, height: number, locale: string): string[] {
  const all = table.cut?.of ?? table.rows.length;
  const fitting = (withSubtitle: boolean) => rowsThatFit(height - topOf(withSubtitle) - padding.y);
  if (fitting(hasSubtitle) >= Math.max(all, table.rows.length)) return [];
  const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
  const shown = Math.max(0, fitting(true) - (table.totals?.size === 1 ? 1 : 0));
  return [chartMessagesIn(locale).notes.rows(count(shown), count(all))];
}

async function drawKpiOrChartTile(
  context: DashboardContext,
  id: string,
  tile: Tile,
  box: Rectangle,
  look: PageTheme,
): Promise<readonly Mark[]> {
  const { theme, locale } = look;
  const model = tileModel(context, tile);
  const title = titleOf(tile, model, locale);
  const frames = await queryTile(context, id, tile, 'both');
  const head = drawHead(tile, title, describeTile(context, tile, model, frames, locale), box, theme);
  const { room } = head;
  if (tile.kind === 'kpi') {
    const marks = drawKpi(tile, model, frames, room, look);
    return [...head.marks, { kind: 'group', x: room.x, y: room.y, marks }];
  }
  if (!isChartTile(tile)) return head.marks;
  const main = partOf(frames, 'main');
  const emptyReason = main && emptyReasonOf(tile, main.header, main.values);
  if (emptyReason) return [...head.marks, emptyMessage(emptyReason, room, look)];
  const drawn = await drawTile(
    withEvents(tile, look.notes, field => model.dimensions[field]?.type),
    model,
    frames,
    { size: room, theme, locale, calendar: context.queryContext.calendar, root: look.root },
  );
  if (!drawn) return head.marks;
  const legend = drawLegend(
    { title: legendTitle(tile), entries: legendOf(tile, drawn, look) },
    {
      left: textWidth(title, 13) + padding.x + 16,
      right: box.width - padding.x,
      baseline: padding.y + 12,
    },
    room,
    theme,
  );
  return [
    ...head.marks,
    ...legend.marks,
    drawBelowLegend(drawn, room, legend.height, context.state.selections[id] ?? []),
  ];
}

/** The entries of a chart's legend; none for charts without one. */
function legendOf(tile: ChartTile, { input, chart }: DrawnTile, { theme, locale }: PageTheme) {
  if (!hasLegend(tile)) return [];
  const colour = input.axes.find(axis => axis.channel === 'color');
  const series =
    tile.kind === 'combo'
      ? chart.series
      : colour && ['bar', 'line', 'area', 'scatter', 'radar'].includes(tile.kind)
        ? seriesOf(colour, theme, locale)
        : [];
  return legendEntries(input.axes, series, theme, locale);
}

/**
 * Draws a chart with its unfiltered marks behind, again and lower if its legend has lines of its own.
 *
 * @param boxes what is selected on the tile itself, which mutes its other marks
 */
function drawBelowLegend(
  { input, chart }: DrawnTile,
  room: Rectangle,
  legendHeight: number,
  boxes: readonly Box[],
): Mark {
  const size = { width: room.width, height: room.height - legendHeight };
  const { guides, marks, panels } = legendHeight > 0 ? drawChart({ ...input, size }) : chart;
  const isSelectedIn = selectionIn(input.axes, boxes);
  const selected = boxes.length === 0 ? {} : panels ? { isSelectedIn } : { isSelected: isSelectedIn() };
  return {
    kind: 'group',
    x: room.x,
    y: room.y + legendHeight,
    clip: size,
    marks: [
      ...guides,
      ...(input.filtered ? marks(input.base, { isMuted: true }) : []),
      ...marks(input.filtered ?? input.base, selected),
    ],
  };
}

/** The parts of a tile's subtitle: its own text, and notes such as the compared period. */
function describeTile(
  context: DashboardContext,
  tile: Tile,
  model: Model,
  frames: readonly Frame[],
  locale: string,
): string[] {
  const notes = frames.flatMap(({ header }) =>
    header.kind === 'cells' && header.part === 'main' && header.scope === 'base' ? header.notes : [],
  );
  // A field that the caller may not name has no label, whether it exists or not.
  const labelOf = (field: string) =>
    (isExposed(context.exposed, field) ? model.dimensions[field]?.label : undefined) ?? field;
  const subtitle = 'subtitle' in tile && tile.subtitle ? [tile.subtitle] : [];
  return [...subtitle, ...tileNotes(tile, notes, partOf(frames, 'main'), labelOf, locale)].filter(Boolean);
}

/** The top of a tile's content, below its title. */
const topOf = (hasSubtitle: boolean) => padding.y + 24 + (hasSubtitle ? 16 : 0);

/** Draws a tile's title and subtitle. @returns them, and the room that they leave for the content */
function drawHead(
  { kind }: Tile,
  title: string,
  description: readonly string[],
  box: Rectangle,
  theme: ChartTheme,
): { readonly marks: readonly Mark[]; readonly room: Rectangle } {
  const width = box.width - 2 * padding.x;
  const top = topOf(description.length > 0);
  const line = { kind: 'text', x: padding.x, align: 'left' } as const;
  const heading: Mark = {
    ...line,
    y: padding.y + 12,
    text: fitText(title, width, 13),
    fill: kind === 'kpi' ? theme.text2 : theme.text,
    size: 13,
    weight: kind === 'kpi' ? 400 : 600,
  };
  const subtitle: Mark = {
    ...line,
    y: padding.y + 28,
    text: fitText(description.join(' · '), width, 12),
    fill: theme.text3,
    size: 12,
  };
  return {
    marks: description.length > 0 ? [heading, subtitle] : [heading],
    room: {
      x: padding.x,
      y: top,
      width: Math.max(20, width),
      height: Math.max(20, box.height - top - padding.y),
    },
  };
}

/** Says in the middle of a tile why it is empty. */
function emptyMessage(reason: EmptyReason, room: Rectangle, { theme, locale }: PageTheme): Mark {
  return {
    kind: 'text',
    x: room.x + room.width / 2,
    y: room.y + room.height / 2,
    text: fitText(chartMessagesIn(locale).emptyReasons[reason], room.width, 12),
    fill: theme.text2,
    align: 'center',
    size: 12,
  };
}
