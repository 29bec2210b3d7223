import type { Frame } from '@belvedere/api';
import {
  comparisonText,
  drawSpark,
  fitText,
  formatNumber,
  latestChange,
  shortUnit,
  targetOf,
  targetText,
  textWidth,
  type Mark,
  type TargetText,
} from '@belvedere/chart';
import { measureName, type Tile } from '@belvedere/document';
import type { Measure, Model } from '@belvedere/model';
import { measureOf, positionsOf, wholePositions } from '@belvedere/query';
import { measureColumns } from '../tables/export-columns.ts';
import type { ExportColumn } from '../tables/export-table.ts';
import { partOf } from '../tables/result-part.ts';
import type { PageTheme } from './page-theme.ts';

type KpiTile = Tile & { kind: 'kpi' };
type KpiMeasure = ExportColumn & Pick<Measure, 'better'>;

/** The height of the comparison's line, and of the target's. */
const lineHeight = 18;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Draws the value of a KPI tile, its comparison and its sparkline, from the bottom of its room. */
export function drawKpi(
  tile: KpiTile,
  model: Model,
  frames: readonly Frame[],
  size: Size,
  look: PageTheme,
): Mark[] {
  const { theme, locale } = look;
  const { better } = measureOf(model, measureName(tile.value));
  const measure = { ...measureColumns(tile, model, locale)[0]!, better };
  const values = partOf(frames, 'main')?.values ?? [];
  const value = values[0] ?? Number.NaN;
  const target = targetText(value, targetOf(tile, values), measure, locale);
  // The target is below the comparison, or in its place.
  const above = { ...size, height: size.height - (target && tile.compare ? lineHeight : 0) };
  return [
    {
      kind: 'text',
      x: 0,
      y: figureBaseline(above.height, tile),
      text: formatNumber(value, measure.format, locale, 'label', shortUnit(measure.unit)),
      fill: theme.text,
      align: 'left',
      size: 26,
      weight: 600,
    },
    ...(tile.compare ? drawComparison(tile, value, measure, frames, above, look) : []),
    ...(target ? drawTarget(target, size, look) : []),
    ...drawSparkline(frames, above, look),
  ];
}

/** In a tile of two rows, a figure without a comparison would meet the title above it. */
function figureBaseline(height: number, { compare, target }: KpiTile): number {
  const baseline = height - 22;
  return compare || target !== undefined ? baseline : Math.max(baseline, Math.min(height + 2, 22));
}

/** Writes how far the figure is from its target, with a bar beside it. */
function drawTarget({ text, share, isGood }: TargetText, size: Size, { theme }: PageTheme): Mark[] {
  const fill = isGood === undefined ? theme.text2 : isGood ? theme.good : theme.bad;
  // Bold, and other fonts of systems are wider than those that are measured.
  const x = Math.ceil(textWidth(text, 12) * 1.15) + 10;
  const width = Math.min(144, size.width - x);
  const bar = (length: number) => [x, size.height - 8, length, 4];
  return [
    {
      kind: 'text',
      x: 0,
      y: size.height - 2,
      text: fitText(text, size.width, 12),
      fill,
      align: 'left',
      size: 12,
      weight: 600,
    },
    ...(width >= 24
      ? ([
          { kind: 'rects', xywh: bar(width), fill: theme.unfiltered },
          { kind: 'rects', xywh: bar(width * share), fill: isGood === undefined ? theme.accent : fill },
        ] as const)
      : []),
  ];
}

function drawComparison(
  tile: KpiTile,
  value: number,
  measure: KpiMeasure,
  frames: readonly Frame[],
  size: Size,
  { theme, locale }: PageTheme,
): Mark[] {
  const main = frames.find(({ header }) => header.kind === 'cells' && header.part === 'main')?.header;
  const period = main?.kind === 'cells' ? main.notes.find(note => note.kind === 'compared') : undefined;
  const previous = partOf(frames, 'previous')?.values[0];
  const spark = tile.compare === 'previous period' ? partOf(frames, 'spark') : undefined;
  const comparison =
    period && previous !== undefined
      ? comparisonText(value, previous, measure, period, locale)
      : spark && latestChange(spark.values, spark.axes[0], measure, locale);
  if (!comparison) return [];
  const write = (text: string, x: number, fill: string, weight: number): Mark => ({
    kind: 'text',
    x,
    y: size.height - 2,
    text: fitText(text, size.width - x, 12),
    fill,
    align: 'left',
    size: 12,
    weight,
  });
  if (comparison.kind === 'none') return [write(comparison.reason, 0, theme.text3, 400)];
  const { change, basis, isGood } = comparison;
  const fill = isGood === undefined ? theme.text2 : isGood ? theme.good : theme.bad;
  return [write(change, 0, fill, 600), write(basis, textWidth(change, 12) * 1.06 + 6, theme.text3, 400)];
}

function drawSparkline(frames: readonly Frame[], size: Size, { theme }: PageTheme): Mark[] {
  const spark = partOf(frames, 'spark');
  const axis = spark?.axes[0];
  const width = size.width > 160 ? Math.min(144, size.width / 2) : 0;
  if (!axis || width === 0) return [];
  const positions = positionsOf(axis);
  return [
    {
      kind: 'group',
      x: size.width - width,
      // Above the comparison's line, which needs the full width.
      y: size.height - 56,
      marks: drawSpark(
        spark.values.subarray(...wholePositions(axis, positions)),
        { width, height: 36 },
        theme.accent,
      ),
    },
  ];
}
