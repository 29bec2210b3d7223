import { emptyReasonOf, maxExportRows, problemSentence, type Frame } from '@belvedere/api';
import {
  colourScale,
  drawChart,
  drawSpark,
  fitText,
  comparisonText,
  shortUnit,
  tileNotes,
  formatNumber,
  formatPlainly,
  hasLegend,
  inkOn,
  isChartTile,
  legendEntries,
  legendTitle,
  seriesOf,
  symbolPath,
  textWidth,
  chartMessagesIn,
  type ChartTheme,
  type LegendEntry,
  type Mark,
  type Rectangle,
} from '@belvedere/chart';
import { measureName, measuresInText, replaceMeasures, type Tile } from '@belvedere/document';
import type { Measure, Model } from '@belvedere/model';
import {
  hasNoQuery,
  cellHighlight,
  measureOf,
  wholePositions,
  withEvents,
  type NotedEvent,
} from '@belvedere/query';
import { queryTile } from '../queries/query-tile.ts';
import { titleOf } from '../presenters/tile-title.ts';
import { tileModel, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { drawTile } from '../queries/draw-tile.ts';
import { isExposed } from '../access/exposed-fields.ts';
import { asForbiddenError } from '../access/row-policies.ts';
import { problemFrom, problemWords } from '../problems.ts';
import { drawnImageAddress } from './workspace-image.ts';
import {
  measureColumns,
  partOf,
  shownTime,
  exportTable,
  type ExportColumn,
  type ExportTable,
  type ExportValue,
} from './export-table.ts';

export interface PageTheme {
  readonly theme: ChartTheme;
  readonly canvas: string;
  readonly locale: string;
  readonly root: string;
  /** Event notes to draw on time charts. */
  readonly notes: readonly NotedEvent[];
}

/** Layout of a dashboard's page as on the screen: rows of 28 pixels with gaps of 12, 24 columns. */
export const pageWidth = 1152;
const rowHeight = 40;
const gap = 12;
const padding = { x: 14, y: 12 };

/** Draws a tile with its frame and title, or with its error. `rest` is its table if not all rows fit. */
export async function drawFrame(
  context: DashboardContext,
  id: string,
  tile: Tile,
  box: Rectangle,
  look: PageTheme,
): Promise<{ readonly mark: Mark; readonly rest?: ExportTable }> {
  const { theme } = look;
  const card: Mark[] =
    tile.kind === 'text' || tile.kind === 'image' || tile.kind === 'control'
      ? []
      : [
          { kind: 'rects', xywh: [0, 0, box.width, box.height], fill: theme.axis },
          { kind: 'rects', xywh: [1, 1, box.width - 2, box.height - 2], fill: theme.surface },
        ];
  const inner = (marks: readonly Mark[], rest?: ExportTable) => ({
    mark: { kind: 'group', x: box.x, y: box.y, clip: box, marks: [...card, ...marks] } satisfies Mark,
    ...(rest && { rest }),
  });
  try {
    const drawn = await drawBody(context, id, tile, box, look);
    return inner(drawn.marks, drawn.rest);
  } catch (error) {
    if (context.queryContext.signal?.aborted) throw error;
    return inner(
      lines(
        problemSentence(
          problemFrom(asForbiddenError(error, context.queryContext.caller)),
          problemWords(look.locale),
        ),
        padding.x,
        padding.y + 12,
        box.width - 2 * padding.x,
        12,
        theme.bad,
      ),
    );
  }
}

/** The top of a tile's content, below its title. */
const topOf = (hasSubtitle: boolean) => padding.y + 24 + (hasSubtitle ? 16 : 0);

async function drawBody(
  context: DashboardContext,
  id: string,
  tile: Tile,
  box: Rectangle,
  look: PageTheme,
): Promise<{ marks: readonly Mark[]; rest?: ExportTable }> {
  const { theme, locale } = look;
  if (tile.kind === 'text')
    return {
      marks: lines(
        plainText(await textWithFigures(context, id, tile, look)),
        4,
        16,
        box.width - 8,
        13,
        theme.text,
      ),
    };
  if (tile.kind === 'image') {
    const address = await drawnImageAddress(look.root, tile.file, box);
    // Without a drawing, a text describes the result.
    return {
      marks: address
        ? [{ kind: 'image', x: 0, y: 0, width: box.width, height: box.height, address }]
        : lines(tile.alt, 4, 16, box.width - 8, 12, theme.text3),
    };
  }
  if (tile.kind === 'control') return { marks: [] };
  const model = tileModel(context, tile);
  const title = titleOf(tile, model, locale);
  const room = box.width - 2 * padding.x;
  const frames =
    tile.kind === 'table' || tile.kind === 'pivot' ? [] : await queryTile(context, id, tile, 'both');
  const main = partOf(frames, 'main');
  const table =
    tile.kind === 'table' || tile.kind === 'pivot'
      ? (await exportTable(context, id, tile, locale, {
          most: Math.min(
            maxExportRows.pdf,
            rowsThatFit(box.height) + 1,
            context.queryContext.exportRows ?? Infinity,
          ),
          isDrawn: true,
        }))!
      : undefined;
  const description = [
    tile.subtitle,
    ...tileNotes(
      tile,
      frames.flatMap(({ header }) =>
        header.kind === 'cells' && header.part === 'main' && header.scope === 'base' ? header.notes : [],
      ),
      main,
      // A field that the caller may not name has no label, whether it exists or not.
      field => (isExposed(context.exposed, field) ? model.dimensions[field]?.label : undefined) ?? field,
      locale,
    ),
  ];
  const rowsText = (shown: number, of: number) =>
    chartMessagesIn(locale).notes.rows(formatCount(shown), formatCount(of));
  const formatCount = (count: number) => formatNumber(count, 'integer', locale, 'full');
  const all = table?.cut?.of ?? table?.rows.length ?? 0;
  const rowsWithin = (withSubtitle: boolean) => rowsThatFit(box.height - topOf(withSubtitle) - padding.y);
  if (table && rowsWithin(description.some(Boolean)) < Math.max(all, table.rows.length))
    description.push(rowsText(Math.max(0, rowsWithin(true) - (table.totals?.size === 1 ? 1 : 0)), all));
  const subtitle = description.filter(Boolean).join(' · ');
  const heading: Mark[] = [
    {
      kind: 'text',
      x: padding.x,
      y: padding.y + 12,
      text: fitText(title, room, 13),
      fill: tile.kind === 'kpi' ? theme.text2 : theme.text,
      align: 'left',
      size: 13,
      weight: tile.kind === 'kpi' ? 400 : 600,
    },
  ];
  if (subtitle)
    heading.push({
      kind: 'text',
      x: padding.x,
      y: padding.y + 28,
      text: fitText(subtitle, room, 12),
      fill: theme.text3,
      align: 'left',
      size: 12,
    });
  const top = topOf(subtitle !== '');
  const size = { width: Math.max(20, room), height: Math.max(20, box.height - top - padding.y) };
  if (table) {
    const lacking = table.lacking ?? (table.rows.length === 0 ? 'rows' : undefined);
    if (lacking) return { marks: [...heading, ...messageInstead(chartMessagesIn(locale).lacking[lacking])] };
    const drawn = drawTable(withTotalsInSight(table, rowsThatFit(size.height)), size, look);
    return {
      marks: [...heading, { kind: 'group', x: padding.x, y: top, marks: drawn.marks }],
      ...(drawn.rows < all && { rest: table }),
    };
  }
  if (tile.kind === 'kpi')
    return {
      marks: [
        ...heading,
        {
          kind: 'group',
          x: padding.x,
          y: top,
          marks: drawFigure(tile, figureMeasure(tile, model, locale), frames, size, look),
        },
      ],
    };
  if (!isChartTile(tile)) return { marks: heading };
  const lacking = main && emptyReasonOf(tile, main.header, main.values);
  if (lacking) return { marks: [...heading, ...messageInstead(chartMessagesIn(locale).lacking[lacking])] };
  const drawn = await drawTile(
    withEvents(tile, look.notes, field => model.dimensions[field]?.type),
    model,
    frames,
    { size, theme, locale, calendar: context.queryContext.calendar, root: look.root },
  );
  if (!drawn) return { marks: heading };
  const { input } = drawn;
  const colour = input.axes.find(axis => axis.channel === 'color');
  const own =
    tile.kind === 'combo'
      ? drawn.chart.series
      : colour && ['bar', 'line', 'area', 'scatter', 'radar'].includes(tile.kind)
        ? seriesOf(colour, theme, locale)
        : [];
  const series = hasLegend(tile) ? legendEntries(input.axes, own, theme, locale) : [];
  // The legend is drawn beside the title. If it does not fit there, it gets a line of its own above the
  // chart.
  const named = legendTitle(tile);
  const beside = legend(
    series,
    named,
    box.width - padding.x,
    padding.y + 12,
    textWidth(title, 13) + padding.x + 16,
    look,
  );
  const isBelow = beside.length < series.length * 2 + (named && series.length > 0 ? 1 : 0);
  const below = isBelow
    ? legendLines(series, named, { x: padding.x, y: top, width: room, height: size.height / 3 }, look)
    : undefined;
  const chartSize = below ? { ...size, height: size.height - below.height } : size;
  const chart = below ? drawChart({ ...input, size: chartSize }) : drawn.chart;
  const names = below?.marks ?? beside;
  const marks = [
    ...chart.guides,
    ...(input.filtered ? chart.marks(input.base, { isMuted: true }) : []),
    ...chart.marks(input.filtered ?? input.base, {}),
  ];
  return {
    marks: [
      ...heading,
      ...names,
      { kind: 'group', x: padding.x, y: top + (below?.height ?? 0), clip: chartSize, marks },
    ],
  };

  /** Draws a text in the middle of the chart's area. */
  function messageInstead(words: string): Mark[] {
    return [
      {
        kind: 'text',
        x: padding.x + room / 2,
        y: top + size.height / 2,
        text: fitText(words, room, 12),
        fill: theme.text2,
        align: 'center',
        size: 12,
      },
    ];
  }
}

function figureMeasure(tile: Tile & { kind: 'kpi' }, model: Model, locale: string) {
  const { better } = measureOf(model, measureName(tile.value));
  return { ...measureColumns(tile, model, locale)[0]!, better };
}

async function textWithFigures(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'text' },
  { locale }: PageTheme,
): Promise<string> {
  if (hasNoQuery(tile)) return tile.text;
  const model = tileModel(context, tile);
  const values = partOf(await queryTile(context, id, tile, 'both'), 'main')?.values;
  const names = measuresInText(tile.text);
  return replaceMeasures(tile.text, name => {
    const { format, unit } = measureOf(model, name);
    return formatNumber(values?.[names.indexOf(name)] ?? Number.NaN, format, locale, 'label', unit);
  });
}

/** Draws a name after its colour or shape. */
function legendEntry(
  text: string,
  colour: string,
  symbol: LegendEntry['symbol'],
  x: number,
  baseline: number,
  theme: ChartTheme,
): Mark[] {
  const sign: Mark =
    symbol === undefined
      ? { kind: 'rects', xywh: [x, baseline - 5, 10, 3], fill: colour }
      : { kind: 'path', d: symbolPath(symbol, x + 5, baseline - 4, 4), fill: colour };
  return [{ kind: 'text', x: x + 14, y: baseline, text, fill: theme.text2, align: 'left', size: 12 }, sign];
}

const legendLine = 18;

/**
 * Draws the series' names above a chart in as many lines as needed. Names beyond a third of the tile's height
 * are only counted.
 */
function legendLines(
  series: readonly LegendEntry[],
  title: string | undefined,
  room: Rectangle,
  { theme }: PageTheme,
): { readonly marks: Mark[]; readonly height: number } {
  const marks: Mark[] = [];
  const [right, lastLine] = [room.x + room.width, Math.max(1, Math.floor(room.height / legendLine))];
  let [x, line] = [room.x, 1];
  const write = (text: string, at: number, fill: string) =>
    marks.push({
      kind: 'text',
      x: at,
      y: room.y + line * legendLine - 8,
      text,
      fill,
      align: 'left',
      size: 12,
    });
  if (title !== undefined) {
    const text = fitText(title, 140, 12);
    write(text, x, theme.text3);
    x += textWidth(text, 12) + 12;
  }
  for (const [i, { label, colour, symbol }] of series.entries()) {
    const text = fitText(label, Math.min(240, room.width - 16), 12);
    const width = 14 + textWidth(text, 12);
    const isLast = i === series.length - 1;
    const more = `+${series.length - i}`;
    // The last line needs space for the number of omitted names.
    const reserved = line === lastLine && !isLast ? textWidth(`+${series.length - i - 1}`, 12) + 12 : 0;
    if (x + width + reserved > right && x > room.x) {
      if (line === lastLine) {
        write(more, x, theme.text3);
        break;
      }
      [x, line] = [room.x, line + 1];
    }
    const y = room.y + line * legendLine - 8;
    marks.push(...legendEntry(text, colour, symbol, x, y, theme));
    x += width + 12;
  }
  return { marks, height: line * legendLine };
}

/** Draws the series' names to the right of the title, as many as fit. */
function legend(
  series: readonly LegendEntry[],
  title: string | undefined,
  right: number,
  baseline: number,
  left: number,
  { theme }: PageTheme,
): Mark[] {
  const marks: Mark[] = [];
  let x = right;
  for (const { label, colour, symbol } of series.toReversed()) {
    const text = fitText(label, 140, 12);
    x -= textWidth(text, 12);
    if (x - 16 < left) break;
    marks.push(...legendEntry(text, colour, symbol, x - 14, baseline, theme));
    x -= 26;
  }
  const before = title === undefined || series.length === 0 ? '' : fitText(title, 140, 12);
  if (before !== '' && marks.length === series.length * 2 && x - textWidth(before, 12) >= left)
    marks.push({
      kind: 'text',
      x: x + 8,
      y: baseline,
      text: before,
      fill: theme.text3,
      align: 'right',
      size: 12,
    });
  return marks;
}

function drawFigure(
  tile: Tile & { kind: 'kpi' },
  measure: ExportColumn & Pick<Measure, 'better'>,
  frames: readonly Frame[],
  size: { width: number; height: number },
  { theme, locale }: PageTheme,
): Mark[] {
  const value = partOf(frames, 'main')?.values[0] ?? Number.NaN;
  const unit = shortUnit(measure.unit);
  const marks: Mark[] = [
    {
      kind: 'text',
      x: 0,
      y: size.height - 22,
      text: formatNumber(value, measure.format, locale, 'label', unit),
      fill: theme.text,
      align: 'left',
      size: 26,
      weight: 600,
    },
  ];
  const main = frames.find(({ header }) => header.kind === 'cells' && header.part === 'main')?.header;
  const period = main?.kind === 'cells' ? main.notes.find(note => note.kind === 'compared') : undefined;
  const previous = partOf(frames, 'previous')?.values[0];
  const sparkWidth = size.width > 160 ? Math.min(144, size.width / 2) : 0;
  if (tile.compare && period && previous !== undefined) {
    const comparison = comparisonText(value, previous, measure, period, locale);
    const write = (text: string, x: number, fill: string, weight: number) =>
      marks.push({
        kind: 'text',
        x,
        y: size.height - 2,
        text: fitText(text, size.width - x, 12),
        fill,
        align: 'left',
        size: 12,
        weight,
      });
    if (comparison.kind === 'none') write(comparison.reason, 0, theme.text3, 400);
    else {
      const fill = comparison.isGood === undefined ? theme.text2 : comparison.isGood ? theme.good : theme.bad;
      write(comparison.change, 0, fill, 600);
      write(comparison.basis, textWidth(comparison.change, 12) * 1.06 + 6, theme.text3, 400);
    }
  }
  const spark = partOf(frames, 'spark');
  const axis = spark?.axes[0];
  if (spark && axis && sparkWidth > 0)
    marks.push({
      kind: 'group',
      x: size.width - sparkWidth,
      // Above the comparison's line, which needs the full width.
      y: size.height - 56,
      marks: drawSpark(
        spark.values.subarray(
          ...wholePositions(axis, axis.kind === 'categories' ? spark.values.length : axis.count),
        ),
        { width: sparkWidth, height: 36 },
        theme.accent,
      ),
    });
  return marks;
}

const lineHeight = 22;
/** Widths of a number's sparkline and bar. */
const sparklineWidth = 64;
const barWidth = 64;

const rowsThatFit = (height: number) => Math.max(0, Math.floor((height - lineHeight) / lineHeight));

/** Keeps the totals of a table that is cut off, in place of its last visible row, as on the page. */
function withTotalsInSight(table: ExportTable, fits: number): ExportTable {
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
  table: Pick<ExportTable, 'columns' | 'rows' | 'totals' | 'blank' | 'sparklines' | 'bars'>,
  size: { width: number; height: number },
  { theme, locale }: PageTheme,
  from = 0,
): { marks: Mark[]; rows: number } {
  const fits = rowsThatFit(size.height);
  const rows = table.rows.slice(from, from + fits);
  const texts = rows.map((row, line) =>
    row.map((value, i) =>
      i === 0 && value === null && table.totals?.has(from + line)
        ? chartMessagesIn(locale).total
        : shownCell(value, table.columns[i]!, locale, table.blank),
    ),
  );
  const words = table.columns.map((column, i) =>
    Math.min(
      220,
      Math.max(textWidth(column.label, 11), ...texts.slice(0, 60).map(row => textWidth(row[i]!, 11))) + 14,
    ),
  );
  const drawn = table.columns.map(
    (_, i) => (table.sparklines?.has(i) ? sparklineWidth : 0) + (table.bars?.has(i) ? barWidth : 0),
  );
  const widthOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);
  // If the width is too small for everything, text and numbers take precedence over sparklines and bars.
  const hasRoom = widthOf(words) + widthOf(drawn) <= size.width;
  const wanted = words.map((width, i) => width + (hasRoom ? drawn[i]! : 0));
  const scale = Math.min(1.6, size.width / widthOf(wanted));
  const widths = wanted.map(width => width * scale);
  const marks: Mark[] = [];
  let x = 0;
  table.columns.forEach((column, i) => {
    const width = widths[i]!;
    const isRight = column.type === 'number';
    const write = (text: string, y: number, fill: string, weight: number) =>
      marks.push({
        kind: 'text',
        x: isRight ? x + width - 7 : x + 7,
        y,
        text: fitText(text, width - 10, 11),
        fill,
        align: isRight ? 'right' : 'left',
        size: 11,
        weight,
      });
    write(column.label, 14, theme.text2, 600);
    const shades =
      column.heat &&
      colourScale(
        column.heat.extent,
        { label: column.label, isAdditive: column.heat.isAdditive },
        { theme, locale },
      );
    const looks = rows.map((row, line): { readonly fill: string; readonly text: string } | undefined => {
      const value = row[i]!;
      if (table.totals?.has(from + line)) return undefined;
      const look = cellHighlight(column.highlights, value);
      if (look) return theme.highlights[look];
      const fill = typeof value === 'number' ? shades?.colours[shades.bucketOf(value)] : undefined;
      return fill === undefined ? undefined : { fill, text: inkOn(fill) };
    });
    looks.forEach((look, line) => {
      if (look)
        marks.push({
          kind: 'rects',
          xywh: [x, lineHeight * (line + 1), width, lineHeight - 1],
          fill: look.fill,
        });
    });
    rows.forEach((_, line) => {
      const sparkline = table.sparklines?.get(i)?.[from + line];
      if (sparkline && hasRoom)
        marks.push({
          kind: 'group',
          x: x + 2,
          y: lineHeight * (line + 1) + 3,
          marks: drawSpark(
            sparkline.map(value => value ?? Number.NaN),
            { width: sparklineWidth - 4, height: lineHeight - 7 },
            theme.accent,
          ),
        });
    });
    if (table.bars?.has(i) && hasRoom)
      marks.push(
        ...barsOf(
          rows.map((row, line) => (table.totals?.has(from + line) ? null : row[i]!)),
          x + 2 + (table.sparklines?.has(i) ? sparklineWidth : 0),
        ),
      );
    texts.forEach((row, line) =>
      write(
        row[i]!,
        lineHeight * (line + 1) + 14,
        looks[line]?.text ?? theme.text,
        table.totals?.has(from + line) ? 600 : 400,
      ),
    );
    x += width;
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

  /** Draws bars scaled to the largest magnitude of the drawn values. */
  function barsOf(values: readonly ExportValue[], left: number): Mark[] {
    const reach = Math.max(0, ...values.map(value => Math.abs(Number(value ?? 0))));
    if (!(reach > 0)) return [];
    const there = values.flatMap((value, line) =>
      value === null ? [] : [{ share: Number(value) / reach, top: lineHeight * (line + 1) + 6 }],
    );
    const bars = (wanted: (share: number) => boolean) =>
      there
        .filter(({ share }) => wanted(share))
        .flatMap(({ share, top }) => [left, top, (barWidth - 6) * Math.abs(share), 9]);
    return [
      { kind: 'rects', xywh: there.flatMap(({ top }) => [left, top, barWidth - 6, 9]), fill: theme.grid },
      { kind: 'rects', xywh: bars(share => share >= 0), fill: theme.accent },
      { kind: 'rects', xywh: bars(share => share < 0), fill: theme.bad },
    ];
  }
}

/** Formats a value as in the page's tables. */
export function shownCell(
  value: ExportValue,
  { type, format, unit }: ExportColumn,
  locale: string,
  blank = '–',
): string {
  const words = chartMessagesIn(locale);
  if (value === null) return blank;
  if (value === '') return '';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number')
    return type === 'date' || type === 'time'
      ? shownTime(value, type, locale)
      : type === 'text'
        ? String(value)
        : format === 'plain'
          ? formatPlainly(value, locale)
          : formatNumber(value, format, locale, 'full', unit);
  return value;
}

/** Returns the position of each tile on a page, and the page's height. */
export function layOut(tiles: readonly (readonly [string, Tile])[]): {
  readonly boxes: ReadonlyMap<string, Rectangle>;
  readonly height: number;
} {
  const boxes = new Map<string, Rectangle>();
  let height = 0;
  tiles.forEach(([id, tile], i) => {
    const [column, row, columns, rows] = tile.at ?? [(i % 2) * 12, Math.floor(i / 2) * 8, 12, 8];
    const unit = (pageWidth + gap) / 24;
    const box = {
      x: column * unit,
      y: row * rowHeight,
      width: Math.min(columns, 24 - column) * unit - gap,
      height: rows * rowHeight - gap,
    };
    boxes.set(id, box);
    height = Math.max(height, box.y + box.height);
  });
  return { boxes, height };
}

/** Wraps text to the given width. */
function lines(text: string, x: number, y: number, width: number, size: number, fill: string): Mark[] {
  const marks: Mark[] = [];
  let at = y;
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (textWidth(longer, size) > width && line !== '') {
        marks.push({ kind: 'text', x, y: at, text: line, fill, align: 'left', size });
        at += size * 1.5;
        line = word;
      } else line = longer;
    }
    if (line !== '')
      marks.push({ kind: 'text', x, y: at, text: fitText(line, width, size), fill, align: 'left', size });
    at += size * 1.5;
  }
  return marks;
}

/** Returns Markdown's text without its markup. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>]+/g, '')
    .trim();
}
