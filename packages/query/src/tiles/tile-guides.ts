import { isMeasure, type FieldEncoding, type MeasureEncoding, type Tile } from '@belvedere/document';
import { isNumeric, isTemporal, type Model } from '@belvedere/model';
import { isCalendarTime } from '../calendar.ts';
import { dimensionOf } from '../dimension.ts';
import { QueryError } from '../query-error.ts';
import { isOfGroups, isOfRows } from './tile-encodings.ts';

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

/** Rejects settings of axes and legends that the tile’s kind does not have. */
export function refuseIdleGuides(tile: Tile, model: Model): void {
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
export function refuseStrayAnnotations(tile: Tile, model: Model): void {
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
