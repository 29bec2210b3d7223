import { edgesOf, parseCalendarTime, placesOf, type Axis, type Box, type FieldFilter } from '@belvedere/query';

/** For each place of an axis, whether any part of it meets the condition. */
export function placesMeeting(axis: Axis, condition: FieldFilter | undefined): readonly boolean[] {
  const meets = Array.from<boolean>({ length: placesOf(axis) }).fill(!condition);
  if (!condition) return meets;
  if (axis.kind === 'categories') {
    if ('oneOf' in condition) for (const [place, value] of axis.values.entries()) meets[place] = condition.oneOf.includes(value);
  } else if ('from' in condition || 'below' in condition) {
    const edge = (value: string | number | undefined, open: number) => (value === undefined ? open : typeof value === 'number' ? value : parseCalendarTime(value));
    const [from, below] = [edge(condition.from, -Infinity), edge(condition.below, Infinity)];
    const edges = edgesOf(axis);
    for (let place = 0; place < axis.count; place++) meets[place] = edges[place]! < below && edges[place + 1]! > from;
  }
  return meets;
}

/**
 * Whether a mark at places on up to three axes is inside any of the boxes; -1 stands for an axis the mark does not tell, as for the
 * branch of a tree, and undefined for one the chart has not.
 */
export function selectedPlaces(axes: readonly (Axis | undefined)[], boxes: readonly Box[]): ((first: number, second?: number, third?: number) => boolean) | undefined {
  if (boxes.length === 0) return undefined;
  const tests = boxes.map(box => axes.map(axis => axis && placesMeeting(axis, box[axis.field])));
  const meets = (test: readonly boolean[] | undefined, place: number) => place < 0 || !test || test[place] === true;
  const isIn = (test: (typeof tests)[number], first: number, second: number, third: number) => meets(test[0], first) && meets(test[1], second) && meets(test[2], third);
  return (first, second = -1, third = -1) => {
    for (const test of tests) if (isIn(test, first, second, third)) return true;
    return false;
  };
}
