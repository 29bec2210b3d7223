import type { QueryResult } from '@belvedere/engine';
import { isTemporal, type Model } from '@belvedere/model';
import {
  addUnits,
  allOf,
  dimensionOf,
  type Filter,
  type Order,
  type Query,
  type Value,
} from '@belvedere/query';

/** Below this offset, the engine's top-N sort is as fast. */
const shallow = 10_000;
/** Fields with more distinct values than this are not narrowed. */
const maxGroups = 40_000;

/**
 * Locates a far page of a sorted table: the range of sorted values it holds, and the number of rows before it
 * within that range.
 * Sorting a hundred million rows for one page of a hundred takes seconds. Counting rows by the sorted field
 * is fast and happens once.
 * @param distinct approximate number of distinct values of the field, if known
 * @returns undefined if the page should be queried as it is
 */
export async function seekPage(
  model: Model,
  where: Filter,
  order: Order | undefined,
  page: { readonly offset: number; readonly limit: number },
  distinct: number | undefined,
  runQuery: (query: Query) => Promise<QueryResult>,
): Promise<{ where: Filter; offset: number } | undefined> {
  if (!order || page.offset < shallow) return undefined;
  const { type } = dimensionOf(model, order.by);
  const timeUnit = isTemporal(type) ? 'day' : undefined;
  if (!timeUnit && (distinct ?? Infinity) > maxGroups) return undefined;
  const counted = await runQuery({
    kind: 'groups',
    model: model.name,
    dimensions: [{ field: order.by, ...(timeUnit && { timeUnit }) }],
    measures: ['rows'],
    where,
    order: [order],
    limit: maxGroups + 1,
  });
  if (counted.rowCount > maxGroups) return undefined;
  const [values, rows] = counted.columns.map(column => column.values as readonly Value[]);
  let first = 0;
  let before = 0;
  while (first < values!.length && before + Number(rows![first]) <= page.offset)
    before += Number(rows![first++]);
  let last = first;
  for (let held = before; last < values!.length && held < page.offset + page.limit; last++)
    held += Number(rows![last]);
  const held = values!.slice(first, last);
  if (held.length === 0) return undefined;
  const narrowed: readonly Filter[] = timeUnit
    ? held.map(value =>
        value === null
          ? { kind: 'oneOf', field: order.by, values: [null] }
          : { kind: 'range', field: order.by, from: Number(value), below: addUnits('day', Number(value), 1) },
      )
    : [{ kind: 'oneOf', field: order.by, values: held }];
  return {
    where: allOf([where, narrowed.length === 1 ? narrowed[0]! : { kind: 'anyOf', filters: narrowed }]),
    offset: page.offset - before,
  };
}
