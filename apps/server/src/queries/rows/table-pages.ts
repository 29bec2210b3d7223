import type { Sparklines, TileNote } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import { isOnDemand, type Model } from '@belvedere/model';
import {
  allOf,
  refuseUnsorted,
  dimensionOf,
  filterOn,
  measureOf,
  tileShape,
  type FieldFilter,
  type Filter,
  type Order,
  type Query,
  type TileShape,
  type Value,
} from '@belvedere/query';
import { unexposed } from '../../access/exposed-fields.ts';
import { limits } from '../../limits.ts';
import { countRows } from './count-rows.ts';
import { clockOf } from '../data-times.ts';
import { columnOf } from '../models/column-profiles.ts';
import { filtersFor } from '../tile-filters.ts';
import { runQuery, tileModel, type DashboardContext } from '../dashboard-query-context.ts';
import { dataNotes, resultRows } from './result-rows.ts';
import { rowKey } from './row-key.ts';
import { seekPage } from './seek-pagination.ts';
import { sparklinesOf } from './table-sparklines.ts';

/** A page of a table: its columns and rows, and for a table of measures its totals. */
export interface TablePage {
  readonly isFiltered: boolean;
  readonly total: number;
  readonly columns: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly format?: string;
  }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly totals?: readonly (string | number | boolean | null)[];
  /** The fields whose values name a row. */
  readonly key?: readonly string[];
  readonly sparklines?: Sparklines;
  readonly notes: readonly TileNote[];
}

interface PageWanted {
  readonly offset: number;
  readonly limit: number;
  readonly sort?: Order;
  /** Omits the sparklines. */
  readonly isPlain?: boolean;
  /** Only the rows with these values. */
  readonly row?: Readonly<Record<string, FieldFilter>> | undefined;
}

/** The sort order set in the dashboard. */
export function sortOf({ sort }: Tile & { kind: 'table' }): { readonly sort?: Order } {
  return sort ? { sort: { by: sort.field, descending: sort.order === 'descending' } } : {};
}

/** Returns one page of a table tile. */
export async function tableRows(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
  page: PageWanted,
): Promise<TablePage> {
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model) as Extract<TileShape, { kind: 'groups' | 'rows' }>;
  const unknown = Object.keys(page.row ?? {}).find(field => !shape.dimensions.includes(field));
  if (unknown !== undefined) throw unexposed(unknown);
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const where = allOf([base, selected, ...(await conditionsOn(context, model, page.row))]);
  const notes = notApplied.map((field): TileNote => ({ kind: 'not-applied', field }));
  const sorted = { ...sortOf(tile), ...page };
  const found =
    shape.kind === 'groups'
      ? await groupsPage(context, model, shape, where, sorted, tile.columns!)
      : await rowsPage(context, model, shape.dimensions, where, sorted);
  const sparklines =
    shape.kind === 'groups' && shape.sparklines.length > 0 && !page.isPlain
      ? await sparklinesOf(
          context,
          model,
          shape.sparklines,
          shape.dimensions,
          found.rows.map(row => shape.dimensions.map(field => row[tile.columns!.indexOf(field)] ?? null)),
          where,
        )
      : undefined;
  return {
    ...found,
    ...(sparklines && { sparklines }),
    key: rowKey(context.queryContext.workspace, model, shape),
    isFiltered: selected.kind !== 'everything',
    notes: [...notes, ...found.notes],
  };
}

/**
 * Returns the rows behind a tile's number or behind one of its marks, with all exposed fields of its model.
 */
export async function underlyingRows(
  context: DashboardContext,
  id: string,
  tile: Tile,
  mark: Readonly<Record<string, FieldFilter>> | undefined,
  page: PageWanted,
): Promise<TablePage> {
  const model = tileModel(context, tile);
  const { base, selected } = await filtersFor(context, model, { tileId: id, tile });
  const marked = await conditionsOn(context, model, mark);
  const exposed = context.exposed && (context.exposed.get(model.name) ?? new Set());
  const fields = Object.keys(model.dimensions)
    .filter(field => exposed?.has(field) ?? !isOnDemand(model.dimensions[field]!))
    .slice(0, maxFields);
  return {
    ...(await rowsPage(context, model, fields, allOf([base, selected, ...marked]), page)),
    isFiltered: true,
  };
}

const maxFields = 60;

async function conditionsOn(
  context: DashboardContext,
  model: Model,
  box: Readonly<Record<string, FieldFilter>> = {},
): Promise<Filter[]> {
  if (Object.keys(box).length === 0) return [];
  const clock = await clockOf(context, model);
  return Object.entries(box).flatMap(([field, condition]) => filterOn(model, field, condition, clock) ?? []);
}

/** Returns the model's rows under a filter, sorted by its time unless the page sets another order. */
async function rowsPage(
  context: DashboardContext,
  model: Model,
  dimensions: readonly string[],
  where: Filter,
  page: PageWanted,
): Promise<Omit<TablePage, 'isFiltered'>> {
  // Checked here, so that the error is the same for every page: far pages are found by counting along the
  // sorted field.
  if (page.sort) refuseUnsorted(page.sort, dimensions);
  const order = page.sort ?? newestFirst(model, dimensions);
  const run = (query: Query) => runQuery(context, query);
  const seek = async () =>
    (await seekPage(
      model,
      where,
      order,
      page,
      order && columnOf(context.queryContext.workspace, model, order.by)?.distinct,
      run,
    )) ?? { where, offset: page.offset };
  const [rows, count] = await Promise.all([
    seek().then(at =>
      run({
        kind: 'rows',
        model: model.name,
        dimensions,
        limit: page.limit,
        ...at,
        ...(order && { order: [order] }),
      }),
    ),
    countRows(context, model, where),
  ]);
  return {
    total: count,
    columns: rows.columns.map(({ name }) => columnNamed(model, name)),
    rows: resultRows(rows),
    notes: dataNotes(rows, model, context.queryContext.workspace),
  };
}

/**
 * Streams all of a model's rows under a filter in chunks, up to a limit, in the same order as its pages.
 * @param isUtc whether instants are in UTC instead of the workspace's zone
 */
export async function allRows(
  context: DashboardContext,
  model: Model,
  dimensions: readonly string[],
  where: Filter,
  { sort, limit, isUtc }: { readonly sort?: Order; readonly limit: number; readonly isUtc: boolean },
): Promise<{ columns: TablePage['columns']; total: number; pieces: AsyncIterable<TablePage['rows']> }> {
  const order = sort ?? newestFirst(model, dimensions);
  const total = await countRows(context, model, where);
  const chunks = context.queries.stream(
    {
      kind: 'rows',
      model: model.name,
      dimensions,
      where,
      limit,
      ...(order && { order: [order] }),
      ...(isUtc && { isUtc }),
    },
    context.queryContext,
  );
  return {
    columns: dimensions.map(name => columnNamed(model, name)),
    total,
    pieces: mapped(chunks, resultRows),
  };
}

/**
 * Streams all groups of a model's rows in chunks, up to a limit, in the order of the tile's columns, along
 * with the totals.
 */
export async function allGroups(
  context: DashboardContext,
  model: Model,
  { dimensions, measures }: Extract<TileShape, { kind: 'groups' }>,
  where: Filter,
  columns: readonly string[],
  { sort, limit }: { readonly sort?: Order; readonly limit: number },
): Promise<{
  columns: TablePage['columns'];
  totals: TablePage['rows'][number];
  pieces: AsyncIterable<TablePage['rows']>;
}> {
  const names = [...dimensions, ...measures];
  const positions = columns.map(name => names.indexOf(name));
  const whole = await runQuery(context, {
    kind: 'groups',
    model: model.name,
    dimensions: [],
    measures,
    where,
  });
  const chunks = context.queries.stream(
    {
      kind: 'groups',
      model: model.name,
      dimensions: dimensions.map(field => ({ field })),
      measures,
      where,
      order: [sort ?? { by: measures[0]!, descending: true }],
      limit,
    },
    context.queryContext,
  );
  return {
    columns: columns.map(name => columnNamed(model, name)),
    totals: totalsOf(positions, dimensions.length, whole),
    pieces: mapped(chunks, piece => resultRows(piece).map(row => positions.map(position => row[position]!))),
  };
}

function totalsOf(
  positions: readonly number[],
  dimensions: number,
  whole: QueryResult,
): TablePage['rows'][number] {
  return positions.map(position =>
    position < dimensions
      ? null
      : ((whole.columns[position - dimensions]!.values as readonly Value[])[0] ?? null),
  );
}

async function* mapped<T, U>(pieces: AsyncIterable<T>, change: (piece: T) => U): AsyncGenerator<U, void> {
  for await (const piece of pieces) yield change(piece);
}

function newestFirst(model: Model, dimensions: readonly string[]): Order | undefined {
  return model.time && dimensions.includes(model.time) ? { by: model.time, descending: true } : undefined;
}

/**
 * Returns a page of a model's grouped rows, in the order of the tile's columns. Totals are queried, never
 * added up.
 * Groups are queried in large blocks, since viewers rarely look at a single page.
 */
async function groupsPage(
  context: DashboardContext,
  model: Model,
  { dimensions, measures }: Extract<TileShape, { kind: 'groups' }>,
  where: Filter,
  page: PageWanted,
  columns: readonly string[],
): Promise<Omit<TablePage, 'isFiltered'>> {
  const run = (query: Query) => runQuery(context, query);
  const order = page.sort ?? { by: measures[0]!, descending: true };
  const grouped = {
    kind: 'groups',
    model: model.name,
    dimensions: dimensions.map(field => ({ field })),
    where,
  } as const;
  const [first, last] = [page.offset, page.offset + Math.max(page.limit, 1) - 1].map(row =>
    Math.floor(row / limits.tableGroups),
  ) as [number, number];
  const [blocks, whole] = await Promise.all([
    Promise.all(
      Array.from({ length: last - first + 1 }, (_, i) =>
        run({
          ...grouped,
          measures,
          order: [order],
          limit: limits.tableGroups,
          offset: (first + i) * limits.tableGroups,
        }),
      ),
    ),
    run({ ...grouped, dimensions: [], measures }),
  ]);
  const isAll = first === 0 && blocks[0]!.rowCount < limits.tableGroups;
  const counted = isAll ? undefined : await run({ ...grouped, measures: [], isCounted: true });
  const names = [...dimensions, ...measures];
  const positions = columns.map(name => names.indexOf(name));
  const begin = first * limits.tableGroups;
  const there = begin + blocks.reduce((sum, block) => sum + block.rowCount, 0);
  const rows = Array.from({ length: Math.max(0, Math.min(page.limit, there - page.offset)) }, (_, i) => {
    const row = page.offset + i - begin;
    const block = blocks[Math.floor(row / limits.tableGroups)]!;
    return positions.map(
      position => (block.columns[position]!.values as readonly Value[])[row % limits.tableGroups] ?? null,
    );
  });
  return {
    total: counted ? Number(counted.columns[0]!.values[0]) : blocks[0]!.rowCount,
    columns: columns.map(name => columnNamed(model, name)),
    rows,
    totals: totalsOf(positions, dimensions.length, whole),
    notes: dataNotes(blocks[0]!, model, context.queryContext.workspace),
  };
}

function columnNamed(model: Model, name: string): TablePage['columns'][number] {
  const dimension = Object.hasOwn(model.dimensions, name) ? dimensionOf(model, name) : undefined;
  const { label, type, format } = dimension ?? measureOf(model, name);
  // Dimensions show every digit. Calculated numbers such as means show only their significant digits.
  const shown = format ?? (dimension === undefined && type === 'number' ? 'number' : undefined);
  return {
    name,
    label,
    type,
    ...(shown && { format: shown }),
    ...(dimension?.link && { link: dimension.link }),
  };
}
