import type { NamedAxis } from '@belvedere/api';
import type { Chart, PositionScale } from '@belvedere/chart';
import { brushAxis, conditionFor } from '@belvedere/crossfilter';
import type { DataType } from '@belvedere/model';
import { edgesOf, parseCalendarTime, type Axis, type Box, type FieldFilter } from '@belvedere/query';

/** A channel of a chart along which it can be brushed, with the steps a brush snaps to. */
export interface BrushChannel {
  readonly channel: 'x' | 'y';
  readonly axisScale: PositionScale;
  readonly steps: Axis;
  readonly edges: Float64Array | undefined;
}

/** The ends of a range along each channel, in pixels of its panel. */
export type Spans = Partial<Record<'x' | 'y', readonly [number, number]>>;

export function brushChannels(
  chart: Chart,
  axes: readonly NamedAxis[],
  typeOf: (field: string) => DataType,
): BrushChannel[] {
  const positional = axes.filter(axis => axis.channel === 'x' || axis.channel === 'y');
  return positional.flatMap(axis => {
    const channel = axis.channel as 'x' | 'y';
    const axisScale = chart[channel];
    if (!axisScale) return [];
    const { channel: _, gaps: __, ...bare } = axis;
    const steps: Axis =
      positional.length > 1 || axes.some(other => other.channel === 'row' || other.channel === 'column')
        ? bare
        : brushAxis(bare, typeOf(axis.field));
    return [{ channel, axisScale, steps, edges: steps.kind === 'categories' ? undefined : edgesOf(steps) }];
  });
}

/** The step edge nearest to a pixel. */
function stepAt(brush: BrushChannel, pixel: number): number {
  const value = brush.axisScale.fromPixel(pixel);
  const { edges } = brush;
  if (!edges) return Math.max(0, Math.min(brush.axisScale.positions, Math.round(value)));
  let [below, above] = [0, edges.length - 1];
  while (above - below > 1) {
    const half = (below + above) >> 1;
    if (edges[half]! <= value) below = half;
    else above = half;
  }
  return value - edges[below]! < edges[above]! - value ? below : above;
}

/**
 * The box between two pixels, snapped to steps and at least one step wide. Undefined if it contains only
 * Other on an axis, which cannot be named.
 * @param snap treats positions that are only partly inside: a new brush takes all that it touches; edges of a
 * moved or resized one snap to the nearest
 */
export function boxBetween(
  brushes: readonly BrushChannel[],
  a: { x: number; y: number },
  b: { x: number; y: number },
  snap: 'touched' | 'nearest' = 'touched',
): Box | undefined {
  const box = Object.fromEntries(
    brushes.map(brush => {
      const [p, q] = [stepAt(brush, a[brush.channel]), stepAt(brush, b[brush.channel])];
      const [from, below] =
        brush.edges || snap === 'nearest'
          ? [Math.min(p, q), Math.max(p, q)]
          : [
              Math.min(positionAt(brush, a), positionAt(brush, b)),
              Math.max(positionAt(brush, a), positionAt(brush, b)) + 1,
            ];
      const last = brush.edges ? brush.edges.length - 1 : brush.axisScale.positions;
      const safeFrom = from === below ? Math.max(0, Math.min(from, last - 1)) : from;
      return [brush.steps.field, conditionFor(brush.steps, safeFrom, Math.max(below, safeFrom + 1))];
    }),
  );
  return Object.values(box).some(condition => 'oneOf' in condition && condition.oneOf.length === 0)
    ? undefined
    : box;
}

function positionAt(brush: BrushChannel, point: { x: number; y: number }): number {
  return brush.axisScale.positionAt(point[brush.channel]);
}

/** The box of the mark at places on the chart's own axes. */
export function boxOfPositions(
  brushes: readonly BrushChannel[],
  positions: Partial<Record<'x' | 'y', readonly [number, number]>>,
): Box | undefined {
  const conditions = brushes.map(({ channel, axisScale }): readonly [string, FieldFilter] | undefined => {
    const range = positions[channel];
    if (!range) return undefined;
    const { axis } = axisScale;
    // Other has no values to name: it cannot be selected.
    if (axis.kind === 'categories' && range[0] >= axis.values.length) return undefined;
    return [axis.field, conditionFor(axis, range[0], range[1])];
  });
  return conditions.every(condition => condition !== undefined) ? Object.fromEntries(conditions) : undefined;
}

/** The position of a box on the chart, for its frame and handles. Undefined for a list of categories. */
export function pixelsOf(brushes: readonly BrushChannel[], box: Box): Spans | undefined {
  const spans: Spans = {};
  for (const { channel, axisScale } of brushes) {
    const condition = box[axisScale.axis.field];
    if (!condition) continue;
    if ('oneOf' in condition) {
      if (axisScale.axis.kind !== 'categories') return undefined;
      const { values } = axisScale.axis;
      const positions = condition.oneOf.map(value => values.indexOf(value)).toSorted((p, q) => p - q);
      if (positions.includes(-1) || positions.at(-1)! - positions[0]! + 1 !== positions.length)
        return undefined;
      spans[channel] = ordered(axisScale.toPixel(positions[0]!), axisScale.toPixel(positions.at(-1)! + 1));
      continue;
    }
    if (
      !('from' in condition || 'below' in condition) ||
      condition.from === undefined ||
      condition.below === undefined
    )
      return undefined;
    const edge = (value: string | number) =>
      axisScale.toPixel(typeof value === 'number' ? value : parseCalendarTime(value));
    spans[channel] = ordered(edge(condition.from), edge(condition.below));
  }
  return Object.keys(spans).length > 0 ? spans : undefined;
}

function ordered(a: number, b: number): readonly [number, number] {
  return a < b ? [a, b] : [b, a];
}
