import type { Frame } from '@belvedere/api';
import {
  comparisonText,
  drawSpark,
  fitText,
  formatNumber,
  latestChange,
  shortUnit,
  textWidth,
  type Mark,
} from '@belvedere/chart';
import { measureName, type Tile } from '@belvedere/document';
import type { Measure, Model } from '@belvedere/model';
import { measureOf, wholePositions } from '@belvedere/query';
import { measureColumns } from '../tables/export-columns.ts';
import type { ExportColumn } from '../tables/export-table.ts';
import { partOf } from '../tables/result-part.ts';
import type { PageTheme } from './page-theme.ts';

type KpiTile = Tile & { kind: 'kpi' };
type KpiMeasure = ExportColumn & Pick<Measure, 'better'>;

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
  const value = partOf(frames, 'main')?.values[0] ?? Number.NaN;
  return [
    {
      kind: 'text',
      x: 0,
      y: size.height - 22,
      text: formatNumber(value, measure.format, locale, 'label', shortUnit(measure.unit)),
      fill: theme.text,
      align: 'left',
      size: 26,
      weight: 600,
    },
    ...(tile.compare ? drawComparison(tile, value, measure, frames, size, look) : []),
    ...drawSparkline(frames, size, look),
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
  const positions = axis.kind === 'categories' ? spark.values.length : axis.count;
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
