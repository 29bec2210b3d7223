import { edgesOf, parseCalendarTime, placesOf, type Axis, type Box, type FieldFilter } from '@belvedere/query';

/** For each place of an axis, whether any part of it meets the condition. */
export function placesMeeting(axis: Axis, condition: FieldFilter | undefined): readonly boolean[] {
  const places = Array.from({ length: placesOf(axis) }, (_, place) => place);
  if (!condition) return places.map(() => true);
  if ('oneOf' in condition) return places.map(place => axis.kind === 'categories' && place < axis.values.length && condition.oneOf.includes(axis.values[place]!));
  if (axis.kind === 'categories' || !('from' in condition || 'below' in condition)) return places.map(() => false);
  const edge = (value: string | number | undefined, open: number) => (value === undefined ? open : typeof value === 'number' ? value : parseCalendarTime(value));
  const [from, below] = [edge(condition.from, -Infinity), edge(condition.below, Infinity)];
  const edges = edgesOf(axis);
  return places.map(place => edges[place]! < below && edges[place + 1]! > from);
}

/**
 * Whether a mark at places on up to three axes is inside any of the boxes; -1 stands for an axis the mark does not tell, as for the
 * branch of a tree, and undefined for one the chart has not.
 */
export function selectedPlaces(axes: readonly (Axis | undefined)[], boxes: readonly Box[]): ((first: number, second?: number, third?: number) => boolean) | undefined {
  if (boxes.length === 0) return undefined;
  const tests = boxes.map(box => axes.map(axis => axis && placesMeeting(axis, box[axis.field])));
  const meets = (test: readonly boolean[] | undefined, place: number) => place < 0 || !test || test[place] === true;
  return (first, second = -1, third = -1) => tests.some(([a, b, c]) => meets(a, first) && meets(b, second) && meets(c, third));
}
