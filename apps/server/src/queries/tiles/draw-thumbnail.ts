import { hasNoQuery, positionsOf, wholePositions } from '@belvedere/query';
import type { Frame } from '@belvedere/api';
import {
  darkTheme,
  drawSpark,
  fitText,
  formatNumber,
  isChartTile,
  lightTheme,
  paintGroup,
  paintSvg,
  textWidth,
  withLook,
  type ChartTheme,
  type Mark,
  type Rectangle,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { measureColumns } from '../../exports/tables/export-columns.ts';
import { partOf } from '../../exports/tables/result-part.ts';
import { titleOf } from '../../presenters/tile-title.ts';
import { queryTile } from './query-tile.ts';
import { tileModel, tilesOnPage, type DashboardContext } from '../dashboard-query-context.ts';
import { drawTile } from './draw-tile.ts';

const page = { width: 1152, height: 648 };
const rowHeight = 40;
const gap = 12;

/** Of the titles in a picture that is shown large, and the room for one. */
const title = { size: 21, height: 32 };

/**
 * Draws a thumbnail of a dashboard's first page from the same scenes as the screen, without a browser. Its only
 * texts are figures, which are large enough to be read, and the titles of tiles if it is shown large.
 *
 * @param locale how the figures are written
 */
export async function drawThumbnail(
  context: DashboardContext,
  themeName: 'light' | 'dark',
  locale: string,
  root: string,
  { hasTitles = false }: { readonly hasTitles?: boolean } = {},
): Promise<string> {
  const theme = withLook(themeName === 'dark' ? darkTheme : lightTheme, context.look);
  const tiles = tilesOnPage(context).filter(([, tile]) => tile.at && tile.at[1] * rowHeight < page.height);
  const loaded = await Promise.all(
    tiles.map(async ([id, tile]) => ({
      tile,
      ...cardOf(tile.at!, hasTitles ? titleIn(context, tile, locale) : ''),
      frames: await queryTile(context, id, tile, 'both').catch((): readonly Frame[] => []),
    })),
  );
  const size = figureSize(
    loaded.flatMap(({ tile, box, frames }) =>
      tile.kind === 'kpi' && frames.length > 0
        ? [{ ...figureOf(context, tile, frames, locale), width: within(box).width }]
        : [],
    ),
  );
  const groups = await Promise.all(
    loaded.map(async ({ tile, card: { x, y, width, height }, text, box, frames }) => {
      const card: Mark[] = [{ kind: 'rects', xywh: [x, y, width, height], fill: theme.surface }];
      if (text !== '')
        card.push({
          kind: 'text',
          x: x + 14,
          y: y + title.height,
          text: fitText(text, width - 28, title.size),
          fill: theme.text2,
          align: 'left',
          size: title.size,
          weight: 500,
        });
      const drawn = picture(context, tile, frames, { box, theme, locale, root, figureSize: size });
      return paintGroup(card) + (await drawn.catch(() => ''));
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

/** @returns the card of a tile, its title, and the room below that for a picture */
function cardOf([column, row, columns, rows]: NonNullable<Tile['at']>, text: string) {
  const card = {
    x: (column / 24) * page.width + gap / 2,
    y: row * rowHeight + gap / 2,
    width: (columns / 24) * page.width - gap,
    height: rows * rowHeight - gap,
  };
  const top = text === '' ? 0 : title.height;
  return { card, text, box: { ...card, y: card.y + top, height: card.height - top } };
}

function titleIn(context: DashboardContext, tile: Tile, locale: string): string {
  return titleOf(tile, hasNoQuery(tile) ? undefined : tileModel(context, tile), locale);
}

async function picture(
  context: DashboardContext,
  tile: Tile,
  frames: readonly Frame[],
  {
    box,
    theme,
    locale,
    root,
    figureSize,
  }: {
    readonly box: Rectangle;
    readonly theme: ChartTheme;
    readonly locale: string;
    readonly root: string;
    readonly figureSize: number;
  },
): Promise<string> {
  const size = within(box);
  if (tile.kind === 'kpi') {
    const marks = drawFigure(figureOf(context, tile, frames, locale), size, theme, figureSize);
    return paintGroup(marks, box.x + 14, box.y + 14);
  }
  if (tile.kind === 'table' || tile.kind === 'pivot')
    return paintGroup(tableLines(size, theme), box.x + 14, box.y + 14);
  if (!isChartTile(tile)) return '';
  const drawn = await drawTile(tile, tileModel(context, tile), frames, {
    size,
    theme,
    locale,
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

/** The room for a picture in its card. */
function within({ width, height }: Rectangle): { readonly width: number; readonly height: number } {
  return { width: Math.max(20, width - 28), height: Math.max(20, height - 28) };
}

interface Figure {
  /** Without its unit, which a card has no room for. */
  readonly text: string;
  readonly spark: ReturnType<typeof partOf>;
}

function figureOf(context: DashboardContext, tile: Tile, frames: readonly Frame[], locale: string): Figure {
  const [measure] = measureColumns(tile, tileModel(context, tile), locale);
  const value = partOf(frames, 'main')?.values[0] ?? Number.NaN;
  return { text: formatNumber(value, measure?.format, locale, 'label'), spark: partOf(frames, 'spark') };
}

/** The size in which the longest of the figures fits, since all of a picture have the same. */
function figureSize(
  figures: readonly (Pick<Figure, 'text' | 'spark'> & { readonly width: number })[],
): number {
  // Fonts of other systems are wider than those that are measured.
  const fitting = figures.map(
    ({ text, spark, width }) => (spark ? width * 0.48 : width) / Math.max(1, textWidth(text, 1)),
  );
  return Math.min(largestFigure, ...fitting);
}

/** A figure's number, and its sparkline beside it. */
function drawFigure(
  { text, spark }: Figure,
  { width, height }: { readonly width: number; readonly height: number },
  theme: ChartTheme,
  size: number,
): Mark[] {
  const axis = spark?.axes[0];
  const number: Mark = {
    kind: 'text',
    x: 0,
    y: Math.min(height, 60),
    text,
    fill: theme.text,
    align: 'left',
    size,
    weight: 600,
  };
  if (!axis) return [number];
  const positions = positionsOf(axis);
  const line = { width: width * 0.36, height: Math.min(height, 70) };
  const values = spark.values.subarray(...wholePositions(axis, positions));
  return [
    number,
    { kind: 'group', x: width - line.width, y: 0, marks: drawSpark(values, line, theme.accent) },
  ];
}

/** On a card a fifth of it remains. */
const largestFigure = 56;

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
