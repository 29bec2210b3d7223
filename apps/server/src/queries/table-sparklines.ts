import type { Sparklines } from '@belvedere/api';
import type { TimeUnit } from '@belvedere/document';
import { unitFor, type Model } from '@belvedere/model';
import {
  addUnits,
  allOf,
  coarserUnit,
  measureOf,
  onCalendar,
  startOf,
  decomposeMeasures,
  unitsBetween,
  type CalendarUnit,
  type Filter,
  type Value,
} from '@belvedere/query';
import type { DashboardContext } from './dashboard-query-context.ts';
import { resultRows } from './result-rows.ts';

/** A small line has no room for more points. */
const maxPoints = 60;
/** So many rows have their courses; past them a table is read for its numbers. */
const maxRows = 300;

/**
 * How measures of a table's rows ran along the model's time, from the first unit that has data under the table's filters to the last.
 * @param keys each row's values of `dimensions`
 * @returns undefined where there is no time in the data
 */
export async function sparklinesOf(
  context: DashboardContext,
  model: Model,
  courses: readonly string[],
  dimensions: readonly string[],
  keys: readonly (readonly Value[])[],
  where: Filter,
): Promise<Sparklines | undefined> {
  const time = model.time!;
  const ask = (question: object) =>
    context.answers.ask(
      { kind: 'groups', model: model.name, dimensions: [], measures: [], where, ...question },
      context.queryContext,
    );
  const [extent] = resultRows(await ask({ extents: [time] }));
  const [first, last] = extent ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return undefined;
  const { unit, along } = unitWithin(
    unitFor({ min: first, max: last }, model.dimensions[time]!.type),
    first,
    last,
    context,
  );
  const from = startOf(along, first);
  const points = unitsBetween(along, from, last) + 1;
  const shown = keys.slice(0, maxRows);
  const answer = await ask({
    dimensions: [...dimensions.map(field => ({ field })), { field: time, timeUnit: along }],
    measures: courses,
    where: allOf([where, amongRows(dimensions, shown)]),
  });
  const positionIn = new Map(Array.from({ length: points }, (_, i) => [addUnits(along, from, i), i]));
  const rowOf = new Map(shown.map((key, row) => [JSON.stringify(key), row]));
  const of = courses.map(name => {
    const {
      parts,
      values: [value],
    } = decomposeMeasures([measureOf(model, name)]);
    // As on charts: no rows are counted where there are none; a sum of nothing is no value.
    const none = value!.kind === 'part' && parts[value!.index]!.merge === 'sum' ? 0 : null;
    return [name, shown.map(() => Array.from({ length: points }, (): number | null => none))] as const;
  });
  for (const row of resultRows(answer)) {
    const own = rowOf.get(JSON.stringify(row.slice(0, dimensions.length)));
    const position = positionIn.get(row[dimensions.length] as number);
    if (own === undefined || position === undefined) continue;
    of.forEach(([, lines], i) => {
      const value = row[dimensions.length + 1 + i] ?? null;
      lines[own]![position] = value === null ? null : Number(value);
    });
  }
  return { unit, from, to: addUnits(along, from, points - 1), of: Object.fromEntries(of) };
}

/** The unit, or the next coarser one of which not too many lie between the two moments. */
function unitWithin(
  unit: TimeUnit,
  first: number,
  last: number,
  context: DashboardContext,
): { unit: TimeUnit; along: CalendarUnit } {
  const along = onCalendar(unit, context.queryContext.calendar);
  const coarser =
    unitsBetween(along, startOf(along, first), last) >= maxPoints ? coarserUnit(unit) : undefined;
  return coarser ? unitWithin(coarser, first, last, context) : { unit, along };
}

function amongRows(dimensions: readonly string[], keys: readonly (readonly Value[])[]): Filter {
  if (dimensions.length === 0) return { kind: 'everything' };
  const [only] = dimensions;
  if (dimensions.length === 1) return { kind: 'oneOf', field: only!, values: keys.map(key => key[0]!) };
  return {
    kind: 'anyOf',
    filters: keys.map(key =>
      allOf(dimensions.map((field, i) => ({ kind: 'oneOf', field, values: [key[i]!] }))),
    ),
  };
}
