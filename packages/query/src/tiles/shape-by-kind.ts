import { isMeasure, measureName, type Tile } from '@belvedere/document';
import { isTemporal, type Model } from '@belvedere/model';
import { dimensionOf } from '../dimension.ts';
import { QueryError } from '../query-error.ts';
import { axisRequest, positionLimits, type AxisRequest } from './axis-request.ts';
import { scatterShape } from './scatter-shape.ts';
import { tableShape } from './table-shape.ts';
import { measuresOf } from './tile-encodings.ts';
import { measureOf } from './tile-measure.ts';
import type { ShapeParts, TileShape } from './tile-shape.ts';

/** The data that a tile draws by its kind, without its tooltip and table calculations. */
export function shapeByKind(tile: Tile, model: Model): TileShape {
  const shape = shapes[tile.kind] as (tile: Tile, parts: ShapeParts) => TileShape;
  return shape(tile, partsOf(tile, model));
}

function partsOf(tile: Tile, model: Model): ShapeParts {
  const request: ShapeParts['request'] = (channel, encoding, limit) =>
    axisRequest(tile, model, channel, encoding, limit);
  const measures = measuresOf(tile).map(encoding => measureOf(model, measureName(encoding)).name);
  const panels = (['row', 'column'] as const).flatMap(channel => {
    const encoding = 'row' in tile || 'column' in tile ? tile[channel] : undefined;
    return encoding ? [request(channel, encoding, positionLimits.panels)] : [];
  });
  const colour =
    'color' in tile && tile.color && !isMeasure(tile.color)
      ? [request('color', tile.color, positionLimits.series)]
      : [];
  return { model, measures, counted: measures.length > 0 ? measures : ['rows'], panels, colour, request };
}

const shapes: {
  readonly [Kind in Tile['kind']]: (tile: Tile & { kind: Kind }, parts: ShapeParts) => TileShape;
} = {
  text: (_, { measures }) => (measures.length > 0 ? cells([], measures) : { kind: 'nothing' }),
  image: () => ({ kind: 'nothing' }),
  control: ({ field }, { model }) => {
    dimensionOf(model, field);
    return { kind: 'nothing' };
  },
  table: (tile, { model }) => tableShape(tile, model),
  kpi: ({ spark, compare }, { measures, request }) => ({
    ...cells(spark ? [request('spark', spark, positionLimits.bars)] : [], measures),
    ...(compare && { compare }),
  }),
  gauge: (_, { measures }) => cells([], measures),
  scatter: scatterShape,
  heatmap: ({ x, y }, { measures, panels, request }) =>
    cells(
      [...panels, request('x', x, positionLimits.heatmap), request('y', y, positionLimits.heatmap)],
      measures,
    ),
  calendar: ({ x }, { model, measures, request }) => {
    if (!isTemporal(dimensionOf(model, x.field).type))
      throw new QueryError('type-mismatch', `A calendar needs dates, but \`${x.field}\` is not a date.`);
    return cells([request('x', { ...x, timeUnit: 'day' }, positionLimits.calendarDays)], measures);
  },
  boxplot: ({ x, y, extent }, { model, panels, request }) => {
    const ends = extent === 'min-max' ? ['min', 'max'] : ['p05', 'p95'];
    const figures = [ends[0], 'q1', 'median', 'q3', ends[1]].map(
      name => measureOf(model, `${name}(${y.field})`).name,
    );
    return cells([...panels, request('x', x, positionLimits.boxes)], figures);
  },
  waterfall: alongX,
  candlestick: alongX,
  combo: alongX,
  line: seriesAlongX,
  area: seriesAlongX,
  bar: (tile, { counted, panels, colour, request }) => {
    const axes = (['x', 'y'] as const).flatMap(channel => {
      const encoding = tile[channel];
      return isMeasure(encoding) ? [] : [request(channel, encoding, positionLimits.bars)];
    });
    return cells([...panels, ...axes, ...colour], counted);
  },
  pie: slices,
  donut: slices,
  treemap: nested,
  sunburst: nested,
  sankey: nested,
  funnel: ({ y }, { measures, request }) => {
    if (!y && measures.length < 2)
      throw new QueryError(
        'field-unknown',
        'A funnel needs steps: a field `y`, or a list of measures as `x`.',
      );
    if (y && measures.length > 1)
      throw new QueryError('type-mismatch', 'A funnel can have a field `y` or several measures, not both.');
    return cells(y ? [request('y', y, positionLimits.bars)] : [], measures);
  },
  radar: ({ x }, { measures, colour, request }) =>
    cells([request('x', x, positionLimits.bars), ...colour], measures),
  map: mapShape,
  pivot: ({ rows, columns = [] }, { measures, request }) => ({
    ...cells(
      [
        ...rows.map(level => request('row', level, positionLimits.pivot)),
        ...columns.map(level => request('column', level, positionLimits.bars)),
      ],
      measures,
    ),
    pivot: { rows: rows.length, columns: columns.length },
  }),
};

function cells(axes: readonly AxisRequest[], measures: readonly string[]): TileShape & { kind: 'cells' } {
  return { kind: 'cells', axes, measures };
}

function alongX(
  { x }: Tile & { kind: 'waterfall' | 'candlestick' | 'combo' },
  { measures, panels, request }: ShapeParts,
): TileShape {
  return cells([...panels, request('x', x, positionLimits.bars)], measures);
}

function seriesAlongX(
  { x }: Tile & { kind: 'line' | 'area' },
  { measures, panels, colour, request }: ShapeParts,
): TileShape {
  return cells([...panels, request('x', x, positionLimits.bars), ...colour], measures);
}

function slices({ color }: Tile & { kind: 'pie' | 'donut' }, { measures, request }: ShapeParts): TileShape {
  return cells([{ ...request('color', color, positionLimits.slices), isPart: true }], measures);
}

/** The outermost level has colours, and is a part of the whole. */
function nested(
  { kind, levels }: Tile & { kind: 'treemap' | 'sunburst' | 'sankey' },
  { measures, request }: ShapeParts,
): TileShape {
  const limit = kind === 'sunburst' ? positionLimits.rings : positionLimits.levels;
  const [outer, ...inner] = levels;
  return cells(
    [
      ...(outer ? [{ ...request('color', outer, limit), isPart: true }] : []),
      ...inner.map(level => request('detail', level, limit)),
    ],
    measures,
  );
}

/** A map of regions has a group per region; one of points has a grid of cells. */
function mapShape(
  { region, longitude, latitude }: Tile & { kind: 'map' },
  { counted, request }: ShapeParts,
): TileShape {
  const limit = positionLimits.regions;
  if (region) return cells([{ ...request('detail', region, limit), kind: 'categories', limit }], counted);
  if (!longitude || !latitude)
    throw new QueryError('field-unknown', 'A map needs a `region`, or a `longitude` and a `latitude`.');
  return cells(
    [
      request('x', { bin: { maxbins: 120 }, ...longitude }, 120),
      request('y', { bin: { maxbins: 80 }, ...latitude }, 80),
    ],
    counted,
  );
}
