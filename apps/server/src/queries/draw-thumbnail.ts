import { wholePositions } from '@belvedere/query';
import { denseParts, shownValues, type Frame } from '@belvedere/api';
import {
  darkTheme,
  drawSpark,
  isChartTile,
  lightTheme,
  paintGroup,
  paintSvg,
  withLook,
  type ChartTheme,
  type Mark,
  type Rectangle,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { queryTile } from './query-tile.ts';
import { tileModel, tilesOnPage, type DashboardContext } from './dashboard-query-context.ts';
import { drawTile } from './draw-tile.ts';

const page = { width: 1152, height: 648 };
const rowHeight = 40;
const gap = 12;

/**
 * Draws a thumbnail of a dashboard's first page from the same scenes as the screen, without text and without
 * a browser.
 */
export async function drawThumbnail(
  context: DashboardContext,
  themeName: 'light' | 'dark',
  root: string,
): Promise<string> {
  const theme = withLook(themeName === 'dark' ? darkTheme : lightTheme, context.look);
  const tiles = tilesOnPage(context).filter(([, tile]) => tile.at && tile.at[1] * rowHeight < page.height);
  const groups = await Promise.all(
    tiles.map(async ([id, tile]) => {
      const box = {
        x: (tile.at![0] / 24) * page.width + gap / 2,
        y: tile.at![1] * rowHeight + gap / 2,
        width: (tile.at![2] / 24) * page.width - gap,
        height: tile.at![3] * rowHeight - gap,
      };
      const card: Mark[] = [
        { kind: 'rects', xywh: [box.x, box.y, box.width, box.height], fill: theme.surface },
      ];
      const frames = await queryTile(context, id, tile, 'both').catch(() => []);
      return paintGroup(card) + (await picture(context, tile, frames, box, theme, root).catch(() => ''));
    }),
  );
  const background = paintGroup([
    {
      kind: 'rects',
      xywh: [0, 0, page.width, page.height],
      fill: themeName === 'dark' ? '#0E1116' : '#F5F6F8',
    },
  ]);
  return paintSvg([], page, context.dashboard.title).replace(
    '</svg>',
    `${background}${groups.join('')}</svg>`,
  );
}

async function picture(
  context: DashboardContext,
  tile: Tile,
  frames: readonly Frame[],
  box: Rectangle,
  theme: ChartTheme,
  root: string,
): Promise<string> {
  const size = { width: Math.max(20, box.width - 28), height: Math.max(20, box.height - 28) };
  if (tile.kind === 'kpi') {
    const frame = frames.find(one => one.header.kind === 'cells' && one.header.part === 'spark');
    if (frame?.header.kind !== 'cells' || !frame.cells) return '';
    const { axes, merges } = frame.header;
    const values = shownValues(frame.header, denseParts(axes, merges, frame.cells));
    return paintGroup(
      drawSpark(
        values.subarray(
          ...wholePositions(axes[0]!, axes[0]!.kind === 'categories' ? values.length : axes[0]!.count),
        ),
        { width: size.width * 0.6, height: size.height },
        theme.accent,
      ),
      box.x + 14 + size.width * 0.4,
      box.y + 14,
    );
  }
  if (tile.kind === 'table' || tile.kind === 'pivot')
    return paintGroup(tableLines(size, theme), box.x + 14, box.y + 14);
  if (!isChartTile(tile)) return '';
  const drawn = await drawTile(tile, tileModel(context, tile), frames, {
    size,
    theme,
    locale: context.queryContext.workspace.settings.locale ?? 'en',
    calendar: context.queryContext.calendar,
    root,
  });
  if (!drawn) return '';
  const marks = wordless([
    ...drawn.chart.guides,
    ...drawn.chart.marks(drawn.input.filtered ?? drawn.input.base, {}),
  ]);
  return paintGroup([{ kind: 'group', x: box.x + 14, y: box.y + 14, clip: size, marks }]);
}

/** A table as lines in place of its texts: too small to read, but no empty box. */
function tableLines(
  { width, height }: { readonly width: number; readonly height: number },
  theme: ChartTheme,
): Mark[] {
  const [columns, rowStep, thickness] = [4, 22, 6];
  const step = width / columns;
  const lines = Array.from({ length: Math.floor(height / rowStep) }, (_, row) =>
    Array.from({ length: columns }, (_unused, column) => [
      Math.round(column * step),
      row * rowStep + (rowStep - thickness) / 2,
      // Of uneven lengths, as texts are, and the same each time.
      Math.round(step * (0.45 + ((row * 7 + column * 5) % 6) * 0.06)),
      thickness,
    ]),
  );
  return [{ kind: 'rects', xywh: lines.flat(2), fill: theme.axis }];
}

function wordless(marks: readonly Mark[]): Mark[] {
  return marks
    .filter(mark => mark.kind !== 'text')
    .map(mark => (mark.kind === 'group' ? { ...mark, marks: wordless(mark.marks) } : mark));
}
