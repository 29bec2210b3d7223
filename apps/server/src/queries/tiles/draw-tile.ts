import { denseParts, shownValues, type Frame } from '@belvedere/api';
import {
  drawChart,
  isChartTile,
  loadMarks,
  isBuiltIn,
  layerLabel,
  loadShapes,
  pointsOfRows,
  shapesFromGeoJson,
  type Chart,
  type ChartInput,
  type ChartMeasure,
  type ChartTheme,
  type MapShapes,
  type Size,
} from '@belvedere/chart';
import type { Calendar, Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { resultMeasures, isAdditive, isRatio, measureOf, tileShape } from '@belvedere/query';
import { measureLabel } from '../models/measure-label.ts';
import { readWorkspaceMap } from '../../workspace/workspace-assets.ts';

export interface Drawing {
  readonly size: Size;
  readonly theme: ChartTheme;
  readonly locale: string;
  readonly calendar: Calendar;
  /** The workspace's folder, for custom maps. */
  readonly root: string;
}

/** A drawn chart, and what it was drawn from. */
export interface DrawnTile {
  readonly chart: Chart;
  readonly input: ChartInput;
}

/**
 * Draws a tile's results as a chart, identical to the screen, without a browser.
 * @returns undefined for tiles that are no charts or have no result
 */
export async function drawTile(
  tile: Tile,
  model: Model,
  frames: readonly Frame[],
  drawing: Drawing,
): Promise<DrawnTile | undefined> {
  if (isChartTile(tile)) await loadMarks(tile.kind);
  const input = await chartInputOf(tile, model, frames, drawing);
  return input && { chart: drawChart(input), input };
}

async function chartInputOf(
  tile: Tile,
  model: Model,
  frames: readonly Frame[],
  { size, theme, locale, calendar, root }: Drawing,
): Promise<ChartInput | undefined> {
  if (!isChartTile(tile)) return undefined;
  const pictures = (['base', 'filtered'] as const).map(scope =>
    frames.find(({ header }) => header.kind === 'cells' && header.part === 'main' && header.scope === scope),
  );
  const [base, filtered] = pictures.map(frame =>
    frame?.header.kind === 'cells' && frame.cells
      ? {
          header: frame.header,
          values: shownValues(frame.header, denseParts(frame.header.axes, frame.header.merges, frame.cells)),
        }
      : undefined,
  );
  const shape = tileShape(tile, model);
  if (!base || shape.kind !== 'cells') return undefined;
  const encodings = resultMeasures(tile);
  const measures = shape.measures.map((name, i): ChartMeasure => {
    const { format, unit, better } = measureOf(model, name);
    const show = base.header.show?.[i];
    const own = encodings[i]?.format ?? (isRatio(show) ? 'percent' : format);
    return {
      label: layerLabel(tile, show, measureLabel(model, name, locale), locale),
      isAdditive: !show && isAdditive(base.header.values[i]!, base.header.merges),
      ...(own && { format: own }),
      ...(unit && !isRatio(show) && { unit }),
      ...(better && { better }),
    };
  });
  const rows = frames
    .map(({ header }) => header)
    .filter(header => header.kind === 'rows')
    .toSorted((a, b) => Number(b.scope === 'filtered') - Number(a.scope === 'filtered'))[0];
  const rowAxes = rows?.axes ?? [];
  const points = rows && pointsOfRows(rows.rows, rowAxes);
  const shapes = tile.kind === 'map' ? await shapesOf(tile.shape, root) : undefined;
  return {
    tile,
    axes: [
      ...base.header.axes,
      ...rowAxes.filter(axis => axis.channel === 'color' || axis.channel === 'shape'),
    ],
    measures,
    base: base.values,
    ...(filtered && { filtered: filtered.values }),
    ...(points && { points }),
    ...(shapes && { shapes }),
    size,
    theme,
    locale,
    calendar,
  };
}

async function shapesOf(shape: string, root: string): Promise<MapShapes | undefined> {
  return isBuiltIn(shape) ? loadShapes(shape) : shapesFromGeoJson(await readWorkspaceMap(root, shape));
}
