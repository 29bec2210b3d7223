import { edgeOf, parseCalendarTime, placesOf, type Axis, type Box, type FieldFilter } from '@belvedere/query';

/** For each place of an axis, whether any part of it meets the condition. */
export function placesMeeting(axis: Axis, condition: FieldFilter | undefined): readonly boolean[] {
  const places = Array.from({ length: placesOf(axis) }, (_, place) => place);
  if (!condition) return places.map(() => true);
  if ('oneOf' in condition) return places.map(place => axis.kind === 'categories' && place < axis.values.length && condition.oneOf.includes(axis.values[place]!));
  if (axis.kind === 'categories' || !('from' in condition || 'below' in condition)) return places.map(() => false);
  const edge = (value: string | number | undefined, open: number) => (value === undefined ? open : typeof value === 'number' ? value : parseCalendarTime(value));
  const [from, below] = [edge(condition.from, -Infinity), edge(condition.below, Infinity)];
  return places.map(place => edgeOf(axis, place) < below && edgeOf(axis, place + 1) > from);
}

/** Whether a mark at the places (x, y) is inside any of the boxes; -1 stands for an axis the chart has not. */
export function selectedPlaces(axes: { readonly x?: Axis; readonly y?: Axis }, boxes: readonly Box[]): ((x: number, y: number) => boolean) | undefined {
  if (boxes.length === 0) return undefined;
  const tests = boxes.map(box => ({ x: axes.x && placesMeeting(axes.x, box[axes.x.field]), y: axes.y && placesMeeting(axes.y, box[axes.y.field]) }));
  return (x, y) => tests.some(test => (x < 0 || !test.x || test.x[x] === true) && (y < 0 || !test.y || test.y[y] === true));
}
