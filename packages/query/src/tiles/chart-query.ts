import {
  didYouMean,
  isMeasure,
  measureName,
  sortingMeasure,
  type Comparison,
  type FieldEncoding,
  type MeasureEncoding,
  type Tile,
} from '@belvedere/document';
import { isNumeric, isTemporal, type Model } from '@belvedere/model';
import { isCalendarTime } from '../calendar.ts';
import { dimensionOf } from '../dimension.ts';
import { isAdditive, decomposeMeasures } from '../partial-aggregates.ts';
import { QueryError } from '../query-error.ts';
import type { ShowAs } from './table-calculations.ts';
import {
  isOfGroups,
  isOfRows,
  measuresOf,
  shadingMeasures,
  tooltipMeasures,
  tooltipFields,
  type Channel,
} from './tile-encodings.ts';
import { measureOf } from './tile-measure.ts';

/** The requested layout of an axis, before the data is known. */
export interface AxisRequest {
  readonly channel: Channel;
  readonly field: string;
  readonly kind: 'categories' | 'bins' | 'times';
  readonly encoding: FieldEncoding;
  /** The maximum number of positions. Further categories become Other; bins and times get coarser. */
  readonly limit: number;
  /** The values divide a whole: the tile shows the largest, each in the colour it has on every tile. */
  readonly isPart?: boolean;
}

/** The data a tile needs: totals along axes, the table's own rows, grouped rows, or nothing. */
export type TileShape =
  | {
      readonly kind: 'cells';
      readonly axes: readonly AxisRequest[];
      readonly measures: readonly string[];
      /** The table calculation of each measure. */
      readonly show?: readonly (ShowAs | null)[];
      readonly compare?: Comparison;
      /**
       * The number of axes that are rows and columns of a pivot. Each prefix of them is queried too, for the
       * totals.
       */
      readonly pivot?: { readonly rows: number; readonly columns: number };
    }
  | { readonly kind: 'rows'; readonly dimensions: readonly string[] }
  /**
   * The model's rows grouped by `dimensions`. `sparklines` are the measures that also run along the model's
   * time.
   */
  | {
      readonly kind: 'groups';
      readonly dimensions: readonly string[];
      readonly measures: readonly string[];
      readonly sparklines: readonly string[];
    }
  | { readonly kind: 'nothing' };

/** The default maximum number of positions, by kind of axis. Further bars and series become Other. */
export const positionLimits = {
  bars: 12,
  series: 6,
  heatmap: 40,
  numbers: 60,
  times: 2000,
  density: 48,
  bins: 40,
  slices: 6,
  levels: 12,
  boxes: 12,
  panels: 9,
  shapes: 6,
  regions: 4000,
  points: 300,
  pivot: 20,
  calendarDays: 3660,
} as const;

/**
 * Derives the data a tile needs from its encodings.
 * @throws QueryError for a field or measure that the model does not have.
 */
export function tileShape(tile: Tile, model: Model): TileShape {
  refuseIdleGuides(tile, model);
  refuseStrayAnnotations(tile, model);
  const drawn = shapeOf(tile, model);
  if (drawn.kind !== 'cells') return drawn;
  const tooltips = tooltipMeasures(tile).map(encoding => measureOf(model, measureName(encoding)).name);
  const shape = tooltips.length > 0 ? { ...drawn, measures: [...drawn.measures, ...tooltips] } : drawn;
  const shows = [...measuresOf(tile).map(encoding => encoding.show ?? null), ...tooltips.map(() => null)];
  const { parts, values } = decomposeMeasures(shape.measures.map(name => measureOf(model, name)));
  // Averages do not add up, so parts of a whole need an additive measure.
  if (
    wholes.includes(tile.kind) &&
    shows[0] !== 'difference' &&
    !isAdditive(
      values[0]!,
      parts.map(part => part.merge),
    )
  )
    throw new QueryError(
      'type-mismatch',
      `\`${shape.measures[0]}\` is not additive, so a ${tile.kind} cannot show it as parts of a whole. Use bars.`,
    );
  if (shows.every(show => show === null)) return shape;
  shows.forEach((show, i) => {
    if (
      show &&
      show !== 'difference' &&
      !isAdditive(
        values[i]!,
        parts.map(part => part.merge),
      )
    )
      throw new QueryError(
        'type-mismatch',
        `\`${shape.measures[i]}\` is not additive, so it has no ${show}.`,
      );
  });
  if (tile.kind === 'kpi' || tile.kind === 'gauge')
    throw new QueryError('type-mismatch', `A single number has no ${shows[0]}. Add an axis to the tile.`);
  if (shape.pivot) throw new QueryError('type-mismatch', 'A pivot shows plain values only.');
  return { ...shape, show: shows };
}

/**
 * The channels with an axis for each kind, and below the kinds with a legend. Settings of other axes and
 * legends would silently do nothing.
 */
const axesOf: Partial<Readonly<Record<Tile['kind'], readonly string[]>>> = {
  bar: ['x', 'y'],
  line: ['x', 'y'],
  area: ['x', 'y'],
  combo: ['x', 'layers'],
  heatmap: ['x', 'y'],
  scatter: ['x', 'y'],
  boxplot: ['x'],
  waterfall: ['x', 'y'],
  candlestick: ['x'],
};
const withLegend: readonly Tile['kind'][] = [
  'bar',
  'line',
  'area',
  'scatter',
  'radar',
  'treemap',
  'heatmap',
  'calendar',
  'map',
];

/**
 * Whether a channel of a kind has an axis to configure.
 * @param channel a combo's channels are `x` and `layers`
 */
export function takesAxis(kind: Tile['kind'], channel: string): boolean {
  return axesOf[kind]?.includes(channel) ?? false;
}

export function takesLegend(kind: Tile['kind'], channel: string): boolean {
  return channel === 'color' && withLegend.includes(kind);
}

function refuseIdleGuides(tile: Tile, model: Model): void {
  for (const [channel, value] of Object.entries(tile)) {
    for (const item of [value].flat() as readonly unknown[]) {
      if (item === null || typeof item !== 'object') continue;
      const encoding = (channel === 'layers' && 'y' in item ? item.y : item) as object;
      if ('axis' in encoding && !takesAxis(tile.kind, channel))
        throw new QueryError('type-mismatch', `\`${channel}\` of a ${tile.kind} has no axis to configure.`);
      const { axis } = encoding as FieldEncoding | MeasureEncoding;
      if (
        axis &&
        (axis.tickCount !== undefined || axis.format !== undefined) &&
        tile.kind === 'bar' &&
        !isMeasure(tile.y)
      )
        throw new QueryError('type-mismatch', 'The axes of horizontal bars have no `tickCount` or `format`.');
      if ('axis' in encoding && 'field' in encoding && !('aggregate' in encoding))
        refuseIdleNumbers(channel, encoding as FieldEncoding, model);
      if ('legend' in encoding && !takesLegend(tile.kind, channel))
        throw new QueryError('type-mismatch', `\`${channel}\` of a ${tile.kind} has no legend to configure.`);
    }
  }
}

/**
 * Rejects number settings on axes of names, whose ticks depend on the room, and number formats on times,
 * which follow their unit.
 */
function refuseIdleNumbers(channel: string, { field, axis }: FieldEncoding, model: Model): void {
  if (!axis || (axis.tickCount === undefined && axis.format === undefined)) return;
  const { type } = dimensionOf(model, field);
  if (axis.tickCount !== undefined && !isNumeric(type) && !isTemporal(type))
    throw new QueryError(
      'type-mismatch',
      `\`tickCount\` needs numbers or times, but \`${channel}\` shows the names of \`${field}\`.`,
    );
  if (axis.format !== undefined && !isNumeric(type))
    throw new QueryError(
      'type-mismatch',
      `\`format\` needs numbers, but \`${channel}\` shows ${isTemporal(type) ? 'times, which are formatted by their unit' : `the names of \`${field}\``}.`,
    );
}

/**
 * Rejects annotations whose position does not fit the tile: a value of each axis field, or numbers of its
 * measures.
 */
function refuseStrayAnnotations(tile: Tile, model: Model): void {
  const annotations = ('annotations' in tile && tile.annotations) || [];
  for (const [i, { text: _, ...where }] of annotations.entries()) {
    const refuse = (why: string) => {
      throw new QueryError('type-mismatch', `Annotation ${i + 1} ${why}`);
    };
    for (const [channel, value] of Object.entries(where)) {
      const encoding =
        channel === 'y' && tile.kind === 'combo'
          ? tile.layers[0]!.y
          : (tile as unknown as Readonly<Record<string, FieldEncoding | undefined>>)[channel];
      if (!encoding) refuse(`uses \`${channel}\`, which this tile does not have.`);
      else if (isMeasure(encoding)) {
        if (typeof value !== 'number') refuse(`needs a number as \`${channel}\`, a value of its measure.`);
      } else {
        const { type } = dimensionOf(model, encoding.field);
        if (isTemporal(type) && value !== null && !isCalendarTime(String(value)))
          refuse(`needs a date such as \`2024-03-09\` as \`${channel}\`.`);
        if ((encoding.bin || isOfRows(tile)) && isNumeric(type) && typeof value !== 'number')
          refuse(`needs a number as \`${channel}\`.`);
      }
    }
    const missing =
      isOfGroups(tile) && where.detail !== undefined
        ? undefined
        : (['x', 'y'] as const).find(
            channel =>
              where[channel] === undefined &&
              (isOfGroups(tile) ||
                !isMeasure(
                  (tile as unknown as Readonly<Record<string, FieldEncoding>>)[channel] ?? { measure: '' },
                )),
          );
    if (missing) refuse(`is missing ${isOfGroups(tile) ? '`detail`, or `x` and `y`' : `\`${missing}\``}.`);
  }
}

const wholes: readonly Tile['kind'][] = ['pie', 'donut', 'treemap', 'sunburst', 'sankey', 'waterfall'];

function shapeOf(tile: Tile, model: Model): TileShape {
  const measures = measuresOf(tile).map(encoding => measureOf(model, measureName(encoding)).name);
  const counted = measures.length > 0 ? measures : ['rows'];
  const multiples =
    'row' in tile || 'column' in tile
      ? [
          ...(tile.row ? [request('row', tile.row, positionLimits.panels)] : []),
          ...(tile.column ? [request('column', tile.column, positionLimits.panels)] : []),
        ]
      : [];
  const colour =
    'color' in tile && tile.color && !isMeasure(tile.color)
      ? [request('color', tile.color, positionLimits.series)]
      : [];
  switch (tile.kind) {
    case 'text':
      return measures.length > 0 ? { kind: 'cells', axes: [], measures } : { kind: 'nothing' };
    case 'image':
      return { kind: 'nothing' };
    case 'control':
      dimensionOf(model, tile.field);
      return { kind: 'nothing' };
    case 'table':
      return tableShape(tile, model);
    case 'kpi':
      return {
        kind: 'cells',
        axes: tile.spark ? [request('spark', tile.spark, positionLimits.bars)] : [],
        measures,
        ...(tile.compare && { compare: tile.compare }),
      };
    case 'gauge':
      return { kind: 'cells', axes: [], measures };
    case 'scatter':
      if (isOfGroups(tile)) {
        if (!isMeasure(tile.x) || !isMeasure(tile.y))
          throw new QueryError(
            'type-mismatch',
            'A scatter needs two fields (a point per row) or two measures (a point per value of `detail`), not one of each.',
          );
        if (tile.tooltip && tile.tooltip.length > tooltipMeasures(tile).length)
          throw new QueryError(
            'type-mismatch',
            'The tooltip of a scatter of measures can show measures but not fields, since each point is many rows.',
          );
        if (tile.shape)
          throw new QueryError(
            'type-mismatch',
            'A scatter of measures has no `shape`. Use `shape` with a scatter of two fields, which has a point per row.',
          );
        if (!tile.detail)
          throw new QueryError(
            'field-unknown',
            'A scatter of two measures needs `detail`, the field with a point per value.',
          );
        if (tile.order && tile.order.field !== tile.detail.field)
          throw new QueryError(
            'type-mismatch',
            `The line must follow the order of the points’ own field: \`order: { field: ${tile.detail.field} }\`.`,
          );
        return {
          kind: 'cells',
          axes: [...multiples, request('detail', tile.detail, positionLimits.points), ...colour],
          measures,
        };
      }
      if (shadingMeasures(tile).length > 0)
        throw new QueryError(
          'type-mismatch',
          'The `color` of a scatter of two fields is a field. Use a measure with a scatter of two measures.',
        );
      if (!isOfRows(tile)) throw new TypeError('a scatter has a point per group or per row');
      if (tooltipMeasures(tile).length > 0)
        throw new QueryError(
          'type-mismatch',
          'The tooltip of a scatter of two fields can show fields but not measures. Use measures with a scatter of two measures.',
        );
      if (tile.detail || tile.size || tile.order)
        throw new QueryError(
          'type-mismatch',
          'A scatter of two fields has a point per row, all of the same size. Use `detail`, `size` and `order` with a scatter of two measures.',
        );
      for (const { field } of tooltipFields(tile)) dimensionOf(model, field);
      // A shape of the same field as the colour gets the same layout, because one legend explains both.
      const shape = !tile.shape
        ? []
        : tile.shape.field === colour[0]?.field
          ? [request('shape', colour[0].encoding, positionLimits.series)]
          : [request('shape', { limit: positionLimits.shapes, ...tile.shape }, positionLimits.shapes)];
      // The colour tells single points apart; a density plot has none.
      return {
        kind: 'cells',
        axes: [
          ...multiples,
          request('x', tile.x, positionLimits.density),
          request('y', tile.y, positionLimits.density),
          ...colour,
          ...shape,
        ],
        measures: ['rows'],
      };
    case 'heatmap':
      return {
        kind: 'cells',
        axes: [
          ...multiples,
          request('x', tile.x, positionLimits.heatmap),
          request('y', tile.y, positionLimits.heatmap),
        ],
        measures,
      };
    case 'calendar':
      if (!isTemporal(dimensionOf(model, tile.x.field).type))
        throw new QueryError(
          'type-mismatch',
          `A calendar needs dates, but \`${tile.x.field}\` is not a date.`,
        );
      return {
        kind: 'cells',
        axes: [{ ...request('x', { ...tile.x, timeUnit: 'day' }, positionLimits.calendarDays) }],
        measures,
      };
    case 'boxplot': {
      const ends = tile.extent === 'min-max' ? ['min', 'max'] : ['p05', 'p95'];
      const figures = [ends[0], 'q1', 'median', 'q3', ends[1]].map(
        name => measureOf(model, `${name}(${tile.y.field})`).name,
      );
      return {
        kind: 'cells',
        axes: [...multiples, request('x', tile.x, positionLimits.boxes)],
        measures: figures,
      };
    }
    case 'waterfall':
    case 'candlestick':
      return { kind: 'cells', axes: [...multiples, request('x', tile.x, positionLimits.bars)], measures };
    case 'combo':
      return { kind: 'cells', axes: [...multiples, request('x', tile.x, positionLimits.bars)], measures };
    case 'pie':
    case 'donut':
      return {
        kind: 'cells',
        axes: [{ ...request('color', tile.color, positionLimits.slices), isPart: true }],
        measures,
      };
    case 'treemap':
    case 'sunburst':
    case 'sankey':
      return {
        kind: 'cells',
        axes: tile.levels.map((level, i) => ({
          ...request(
            i === 0 ? 'color' : 'detail',
            level,
            tile.kind === 'sunburst' ? 8 : positionLimits.levels,
          ),
          ...(i === 0 && { isPart: true }),
        })),
        measures,
      };
    case 'funnel':
      if (!tile.y && measures.length < 2)
        throw new QueryError(
          'field-unknown',
          'A funnel needs steps: a field `y`, or a list of measures as `x`.',
        );
      if (tile.y && measures.length > 1)
        throw new QueryError('type-mismatch', 'A funnel can have a field `y` or several measures, not both.');
      return { kind: 'cells', axes: tile.y ? [request('y', tile.y, positionLimits.bars)] : [], measures };
    case 'radar':
      return { kind: 'cells', axes: [request('x', tile.x, positionLimits.bars), ...colour], measures };
    case 'map': {
      if (tile.region)
        return {
          kind: 'cells',
          axes: [
            {
              ...request('detail', tile.region, positionLimits.regions),
              kind: 'categories',
              limit: positionLimits.regions,
            },
          ],
          measures: counted,
        };
      if (!tile.longitude || !tile.latitude)
        throw new QueryError('field-unknown', 'A map needs a `region`, or a `longitude` and a `latitude`.');
      return {
        kind: 'cells',
        axes: [
          request('x', { bin: { maxbins: 120 }, ...tile.longitude }, 120),
          request('y', { bin: { maxbins: 80 }, ...tile.latitude }, 80),
        ],
        measures: counted,
      };
    }
    case 'pivot':
      return {
        kind: 'cells',
        axes: [
          ...tile.rows.map(level => request('row', level, positionLimits.pivot)),
          ...(tile.columns ?? []).map(level => request('column', level, positionLimits.bars)),
        ],
        measures,
        pivot: { rows: tile.rows.length, columns: tile.columns?.length ?? 0 },
      };
    case 'bar': {
      const axes = (['x', 'y'] as const).flatMap(channel => {
        const encoding = tile[channel];
        return isMeasure(encoding) ? [] : [request(channel, encoding, positionLimits.bars)];
      });
      return { kind: 'cells', axes: [...multiples, ...axes, ...colour], measures: counted };
    }
    case 'line':
    case 'area':
      return {
        kind: 'cells',
        axes: [...multiples, request('x', tile.x, positionLimits.bars), ...colour],
        measures,
      };
  }

  function request(channel: Channel, encoding: FieldEncoding, limit: number): AxisRequest {
    const { type, sort } = dimensionOf(model, encoding.field);
    const common = { channel, field: encoding.field, encoding } as const;
    const sorting = sortingMeasure(encoding.sort);
    if (sorting) measureOf(model, sorting.measure);
    if (encoding.gaps && !isTemporal(type))
      throw new QueryError(
        'type-mismatch',
        `\`gaps\` needs a date or time, but \`${encoding.field}\` is not one.`,
      );
    if (isTemporal(type) && tile.kind !== 'pivot' && channel !== 'row' && channel !== 'column')
      return { ...common, kind: 'times', limit: tile.kind === 'calendar' ? limit : positionLimits.times };
    if (isTemporal(type)) return { ...common, kind: 'times', limit: 60 };
    const isPositional = (isOfRows(tile) || tile.kind === 'map') && (channel === 'x' || channel === 'y');
    if (isPositional && !isNumeric(type))
      throw new QueryError(
        'type-mismatch',
        `\`${encoding.field}\` is not a number, so it cannot position marks.`,
      );
    if (isNumeric(type) && (encoding.bin || isPositional))
      return { ...common, kind: 'bins', limit: isPositional ? limit : positionLimits.bins };
    const listed = Array.isArray(encoding.sort) ? encoding.sort : sort;
    return {
      ...common,
      kind: 'categories',
      limit:
        encoding.limit ??
        (listed
          ? Math.max(listed.length, limit)
          : isNumeric(type) && channel !== 'color'
            ? Math.max(limit, positionLimits.numbers)
            : limit),
    };
  }
}

/** A table's columns: those it names, else the first 30 dimensions of its model. */
export function tableColumns({ columns }: Tile & { kind: 'table' }, model: Model): readonly string[] {
  return columns ?? Object.keys(model.dimensions).slice(0, 30);
}

/** A table without measures shows rows of the model; with a measure, it groups by its other columns. */
function tableShape(tile: Tile & { kind: 'table' }, model: Model): TileShape {
  const columns = tableColumns(tile, model);
  const isMeasured = (name: string) =>
    !Object.hasOwn(model.dimensions, name) && (Object.hasOwn(model.measures, name) || name.includes('('));
  const { sparklines = [] } = tile;
  if (!columns.some(isMeasured)) {
    if (sparklines.length > 0)
      throw new QueryError('type-mismatch', 'A sparkline needs a measure among the table’s columns.');
    return { kind: 'rows', dimensions: columns.map(field => dimensionOf(model, field).name) };
  }
  const dimensions = columns.filter(name => !isMeasured(name)).map(field => dimensionOf(model, field).name);
  const measured = columns.filter(isMeasured);
  for (const name of sparklines) {
    if (!measured.includes(name))
      throw new QueryError(
        'field-unknown',
        `\`${name}\` cannot have a sparkline: it is not a measure among the table’s columns${didYouMean(name, measured)}`,
      );
    if (!model.time)
      throw new QueryError(
        'type-mismatch',
        `The model \`${model.name}\` has no \`time\`, which a sparkline needs.`,
      );
    if (dimensions.includes(model.time))
      throw new QueryError(
        'type-mismatch',
        `A sparkline runs along \`${model.time}\`, and the rows are grouped by it too. Remove one of the two.`,
      );
  }
  return {
    kind: 'groups',
    dimensions,
    measures: measured.map(name => measureOf(model, name).name),
    sparklines,
  };
}

/**
 * Whether a category axis sorts by its measure, as bars do, or by its own order, as numbers and months do.
 */
export function runsByValue(request: AxisRequest, model: Model): boolean {
  const { sort } = request.encoding;
  if (Array.isArray(sort)) return false;
  if (sort) return typeof sort === 'object' || sort === '-value' || sort === 'value';
  const dimension = dimensionOf(model, request.field);
  return !isNumeric(dimension.type) && !dimension.sort;
}
