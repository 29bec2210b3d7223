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
import type { DashboardContext } from '../dashboard-query-context.ts';
import { resultRows } from './result-rows.ts';

/** A sparkline has no space for more points. */
const maxPoints = 60;
/** Tables with more rows than this have no sparklines. */
const maxRows = 300;

/**
 * Returns time series of measures for a table's rows, from the first to the last time unit with data under
 * the table's filters.
 * @param keys each row's values of `dimensions`
 * @returns undefined if the data has no times
 */
export async function sparklinesOf(
  context: DashboardContext,
  model: Model,
  measures: readonly string[],
  dimensions: readonly string[],
  keys: readonly (readonly Value[])[],
  where: Filter,
): Promise<Sparklines | undefined> {
  const time = model.time!;
  const run = (query: object) =>
    context.queries.run(
      { kind: 'groups', model: model.name, dimensions: [], measures: [], where, ...query },
      context.queryContext,
    );
  const [extent] = resultRows(await run({ extents: [time] }));
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
  const result = await run({
    dimensions: [...dimensions.map(field => ({ field })), { field: time, timeUnit: along }],
    measures,
    where: allOf([where, amongRows(dimensions, shown)]),
  });
  const positionIn = new Map(Array.from({ length: points }, (_, i) => [addUnits(along, from, i), i]));
  const rowOf = new Map(shown.map((key, row) => [JSON.stringify(key), row]));
  const of = measures.map(name => {
    const {
      parts,
      values: [value],
    } = decomposeMeasures([measureOf(model, name)]);
    // As on charts: a count without rows is 0, and a sum without rows is null.
    const none = value!.kind === 'part' && parts[value!.index]!.merge === 'sum' ? 0 : null;
    return [name, shown.map(() => Array.from({ length: points }, (): number | null => none))] as const;
  });
  for (const row of resultRows(result)) {
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

/** Returns the unit, or the next coarser one that has few enough units between the two times. */
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
