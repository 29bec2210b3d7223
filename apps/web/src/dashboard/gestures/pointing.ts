import type { NamedAxis } from '@belvedere/api';
import type { Chart, ChartPoint, Panel, Target } from '@belvedere/chart';
import { axesInPanel, conditionFor } from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the keys are: a panel, and in it a place or a target. */
export interface Cursor {
  readonly panel: number;
  readonly x: number;
  readonly y: number;
  readonly target?: number;
  readonly from?: { readonly x: number; readonly y: number; readonly target?: number };
}

/** A chart as a single panel, or the panels of small multiples. */
export function panelsOf(
  chart: Chart,
  size: { readonly width: number; readonly height: number },
): readonly Panel[] {
  return chart.panels ?? [{ chart, x: 0, y: 0, ...size, label: '', valuesOf: values => values }];
}

/** The panel under a point, or the nearest one. */
export function panelAt(panels: readonly Panel[], point: Point): Panel {
  const distance = (panel: Panel) =>
    Math.hypot(
      Math.max(panel.x - point.x, 0, point.x - panel.x - panel.width),
      Math.max(panel.y - point.y, 0, point.y - panel.y - panel.height),
    );
  return panels.reduce((best, panel) => (distance(panel) < distance(best) ? panel : best));
}

/**
 * The conditions of a panel: its values of the row and the column field. Undefined for Other, which has none.
 */
export function boxOfPanel(panel: Panel, axes: readonly NamedAxis[]): Box | undefined {
  const box: Record<string, Box[string]> = {};
  for (const channel of ['row', 'column'] as const) {
    const position = panel[channel];
    const axis = axes.find(candidate => candidate.channel === channel);
    if (position === undefined || !axis) continue;
    if (axis.kind === 'categories' && position >= axis.values.length) return undefined;
    box[axis.field] = conditionFor(axis, position, position + 1);
  }
  return box;
}

/**
 * The conditions of something in a panel, with those of the panel. Undefined if there are none: a box without
 * conditions would select everything, and URLs cannot hold it.
 */
export function boxInPanel(panel: Panel, axes: readonly NamedAxis[], box: Box | undefined): Box | undefined {
  const own = boxOfPanel(panel, axes);
  const whole = own && box && { ...box, ...own };
  return whole && Object.keys(whole).length > 0 ? whole : undefined;
}

/** The conditions of a target in a panel. Undefined for Other, or if it cannot be selected. */
export function boxOfTarget(
  panel: Panel,
  { positions }: Target,
  axes: readonly NamedAxis[],
): Box | undefined {
  const own = boxOfPanel(panel, axes);
  if (!own) return undefined;
  const box: Record<string, Box[string]> = { ...own };
  for (const [i, position] of positions.entries()) {
    const axis = axesInPanel(axes)[i];
    if (!axis || position < 0) continue;
    if (axis.kind === 'categories' ? position >= axis.values.length : position >= axis.count)
      return undefined;
    box[axis.field] = conditionFor(axis, position, position + 1);
  }
  return Object.keys(box).length > Object.keys(own).length ? box : undefined;
}

const maxBoxes = 200;

/**
 * The conditions of several targets: a range along time and numbers, a list of categories. Targets that
 * differ in several categories are one box each, because a box of lists would select more.
 */
export function boxesOfTargets(
  panel: Panel,
  targets: readonly Target[],
  axes: readonly NamedAxis[],
): readonly Box[] {
  const known = targets.filter(target => boxOfTarget(panel, target, axes));
  if (known.length === 0) return [];
  const used = axesInPanel(axes)
    .map((axis, i) => ({ axis, i }))
    .filter(({ i }) => known.some(target => (target.positions[i] ?? -1) >= 0));
  if (used.filter(({ axis }) => axis.kind === 'categories').length > 1)
    return known.slice(0, maxBoxes).map(target => boxOfTarget(panel, target, axes)!);
  return [
    {
      ...boxOfPanel(panel, axes),
      ...Object.fromEntries(
        used.map(({ axis, i }) => {
          const positions = [
            ...new Set(known.map(target => target.positions[i]!).filter(position => position >= 0)),
          ].toSorted((a, b) => a - b);
          return [
            axis.field,
            axis.kind === 'categories'
              ? { oneOf: positions.map(position => axis.values[position]!) }
              : conditionFor(axis, positions[0]!, positions.at(-1)! + 1),
          ];
        }),
      ),
    },
  ];
}

/** The distance in pixels within which a point is hit. */
const reach = 8;

/** The single point of a panel that is pointed at: of those within reach the nearest. */
export function pointNear(panel: Panel, points: readonly ChartPoint[], at: Point): ChartPoint | undefined {
  const { x, y } = panel.chart;
  if (!x || !y) return undefined;
  let [nearest, nearestDistance] = [undefined as ChartPoint | undefined, reach];
  for (const point of points) {
    if (
      (panel.row !== undefined && point.row !== panel.row) ||
      (panel.column !== undefined && point.column !== panel.column)
    )
      continue;
    const distance = Math.hypot(x.toPixel(point.x) - at.x, y.toPixel(point.y) - at.y);
    if (distance < nearestDistance) [nearest, nearestDistance] = [point, distance];
  }
  return nearest;
}

const known = new WeakMap<Panel, { readonly values: Float64Array; readonly targets: readonly Target[] }>();

/**
 * The targets of a panel, laid out once per set of values: a pointer needs them at every step, and three
 * thousand counties take a while. Values that a brush overwrites in place need a new layout.
 */
export function targetsIn(panel: Panel, values: Float64Array, isMoving: boolean): readonly Target[] {
  const found = known.get(panel);
  if (found && !isMoving && found.values === values) return found.targets;
  const targets = panel.chart.targets?.(panel.valuesOf(values)) ?? [];
  if (!isMoving) known.set(panel, { values, targets });
  return targets;
}

/**
 * The target to go to from another one with an arrow key: the nearest in that direction, those straight ahead
 * first.
 */
export function neighbour(
  targets: readonly Target[],
  from: number | undefined,
  [right, up]: readonly [number, number],
): number {
  if (from === undefined || !targets[from]) return 0;
  const origin = targets[from];
  let best = from;
  let bestCost = Infinity;
  targets.forEach((target, i) => {
    const [dx, dy] = [target.x - origin.x, origin.y - target.y];
    const ahead = dx * right + dy * up;
    const aside = Math.abs(dx * up) + Math.abs(dy * right);
    if (i === from || ahead <= 0.5) return;
    const cost = ahead + 2.5 * aside;
    if (cost < bestCost) [best, bestCost] = [i, cost];
  });
  return best;
}

/** Whether a target's middle is in the rectangle between two points. */
export function isBetween(target: Target, a: Point, b: Point): boolean {
  return (
    target.x >= Math.min(a.x, b.x) &&
    target.x <= Math.max(a.x, b.x) &&
    target.y >= Math.min(a.y, b.y) &&
    target.y <= Math.max(a.y, b.y)
  );
}
