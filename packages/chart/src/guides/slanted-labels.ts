import type { Axis } from '@belvedere/query';
import type { PositionScale } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { fitText, textWidth } from '../text/text-width.ts';
import { categoryLabel, isCalendarCycle, type LabelsWanted } from './place-axis.ts';

const slope = Math.SQRT1_2;
/** Names with this width are wrapped, and cut if necessary, but not slanted. */
const levelRoom = 72;
/** The distance between slanted lines of text. */
const slantedRoom = 17;

/**
 * The depth of slanted category names, if horizontal ones would be cut to a few letters; else 0.
 * @param room the width of a category
 * @param height of the whole chart
 * @param deepest the maximum depth: a third of the chart, unless the marks need more
 */
export function slantedDepth(
  axis: Axis | undefined,
  room: number,
  height: number,
  locale: string,
  size: number,
  wanted: LabelsWanted,
  deepest = height / 3,
): number {
  if (axis?.kind !== 'categories' || room >= levelRoom || height < 140) return 0;
  if (room < slantedRoom && room * axis.values.length < 160) return 0;
  if (axis.values.every(value => typeof value === 'number')) return 0;
  const names = axis.values.map((_, position) => categoryLabel(axis, position, locale, wanted));
  const widest = Math.max(...names.map(name => textWidth(name, size)));
  if (widest <= room - 4 || isCalendarCycle(names, locale)) return 0;
  return Math.ceil(Math.min(widest * slope, deepest)) + size;
}

/**
 * The names of categories below a plot, rising to the right, each as long as there is room for. Names of
 * columns
 * that are too narrow are left out at regular distances.
 */
export function slantedLabels(
  scale: PositionScale & { readonly axis: Axis & { kind: 'categories' } },
  top: number,
  depth: number,
  locale: string,
  size: number,
  fill: string,
  wanted: LabelsWanted,
): Mark[] {
  const [left, right] = scale.span(0);
  const every = Math.ceil((slantedRoom - 0.5) / Math.max(1, Math.abs(right - left)));
  return Array.from({ length: Math.ceil(scale.positions / every) }, (_, i): Mark => {
    const position = i * every;
    const x = scale.middle(position) + size * 0.4;
    const longest = Math.min((depth - size) / slope, x / slope);
    const name = categoryLabel(scale.axis, position, locale, wanted);
    const text = fitText(name, longest + 1, size);
    return { kind: 'text', x, y: top + size + 1, text, fill, align: 'right', size, angle: -45 };
  });
}
