import { denseParts, shownValues, type Frame } from '@belvedere/api';
import { darkTheme, drawChart, drawSpark, lightTheme, paintGroup, paintSvg, type ChartTheme, type Mark, type Rectangle } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { isAdditive, measureOf, tileShape } from '@belvedere/query';
import { answerTile } from './answer-tile.ts';
import { tileModel, tilesOnPage, type DashboardContext } from './dashboard-context.ts';

const page = { width: 1152, height: 648 };
const rowHeight = 40;
const gap = 12;

/** A small picture of a dashboard's first page: the same scenes as on the screen, without words, drawn without a browser. */
export async function drawThumbnail(context: DashboardContext, themeName: 'light' | 'dark'): Promise<string> {
  const theme = themeName === 'dark' ? darkTheme : lightTheme;
  const tiles = tilesOnPage(context).filter(([, tile]) => tile.at && tile.at[1] * rowHeight < page.height);
  const groups = await Promise.all(
    tiles.map(async ([id, tile]) => {
      const box = { x: (tile.at![0] / 24) * page.width + gap / 2, y: tile.at![1] * rowHeight + gap / 2, width: (tile.at![2] / 24) * page.width - gap, height: tile.at![3] * rowHeight - gap };
      const card: Mark[] = [{ kind: 'rects', xywh: [box.x, box.y, box.width, box.height], fill: theme.surface }];
      const frames = await answerTile(context, id, tile, 'both').catch(() => []);
      return paintGroup(card) + picture(context, tile, frames, box, theme);
    }),
  );
  const background = paintGroup([{ kind: 'rects', xywh: [0, 0, page.width, page.height], fill: themeName === 'dark' ? '#0E1116' : '#F5F6F8' }]);
  return paintSvg([], page, context.dashboard.title).replace('</svg>', `${background}${groups.join('')}</svg>`);
}

function picture(context: DashboardContext, tile: Tile, frames: readonly Frame[], box: Rectangle, theme: ChartTheme): string {
  const inner = { width: Math.max(20, box.width - 28), height: Math.max(20, box.height - 28) };
  const frame = frames.find(one => one.header.kind === 'cells' && one.header.part === (tile.kind === 'kpi' ? 'spark' : 'main'));
  if (!frame || frame.header.kind !== 'cells' || !frame.cells) return '';
  const { axes, merges, values } = frame.header;
  const base = shownValues(frame.header, denseParts(axes, merges, frame.cells));
  if (tile.kind === 'kpi') return paintGroup(drawSpark(base.subarray(0, axes[0]!.kind === 'categories' ? base.length : axes[0]!.count), { width: inner.width * 0.6, height: inner.height }, theme.accent), box.x + 14 + inner.width * 0.4, box.y + 14);
  if (tile.kind === 'text' || tile.kind === 'table') return '';
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') return '';
  const { label, format, unit } = measureOf(model, shape.measures[0]!);
  const chart = drawChart({ tile, axes, measure: { label, isAdditive: !frame.header.show && isAdditive(values[0]!, merges), ...(format && { format }), ...(unit && { unit }) }, base, size: inner, theme, locale: 'en' });
  const marks = [...chart.guides, ...chart.marks(base, {})].filter(mark => mark.kind !== 'text');
  return paintGroup(marks, box.x + 14, box.y + 14);
}
