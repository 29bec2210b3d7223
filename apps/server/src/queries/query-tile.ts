import type {
  Cells,
  Sparklines,
  Frame,
  NamedAxis,
  RowsHeader,
  Sampled,
  TileNote,
  TilePart,
} from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import { joinedTables, type Model } from '@belvedere/model';
import {
  allOf,
  refuseUnsorted,
  hasNoQuery,
  dimensionOf,
  comparedPeriod,
  comparisonFilter,
  filterOn,
  isOfRows,
  measureOf,
  decomposeMeasures,
  tileShape,
  tooltipFields,
  type Filter,
  type Axis,
  type FieldFilter,
  type DecomposedMeasures,
  type Order,
  type Query,
  type TileShape,
  type Value,
} from '@belvedere/query';
import { limits } from '../limits.ts';
import { asForbiddenError } from '../access/row-policies.ts';
import { ProblemError, problemFrom } from '../problems.ts';
import { fileTableOf } from '../workspace/workspace.ts';
import {
  contextOfTile,
  clockOf,
  columnOf,
  dataEnd,
  dataStart,
  filtersFor,
  knownExtent,
  knownModel,
  tileModel,
  type DashboardContext,
} from './dashboard-query-context.ts';
import { queryKpi } from './batch-kpis.ts';
import { cellsByValue, rankByValue, maxValues } from './rank-categories.ts';
import { resultRows, shownRows } from './result-rows.ts';
import { seekPage } from './seek-pagination.ts';
import { inOneStep, resolveAxes } from './resolve-axes.ts';
import { sparklinesOf } from './table-sparklines.ts';

/** A tile with its axes laid out, shared by all of its results. */
export interface ResolvedTile {
  readonly id: string;
  readonly tile: Tile;
  readonly model: Model;
  readonly shape: Extract<TileShape, { kind: 'cells' }>;
  readonly axes: readonly NamedAxis[];
  readonly parts: DecomposedMeasures;
  readonly base: Filter;
  readonly selected: Filter;
  readonly notes: readonly TileNote[];
}

/** Lays out a tile's axes under its filters. @returns undefined for tiles without totals (tables, texts) */
export async function resolveTile(
  context: DashboardContext,
  id: string,
  tile: Tile,
): Promise<ResolvedTile | undefined> {
  if (hasNoQuery(tile)) return undefined;
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') return undefined;
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const { axes: own, notes } = await resolveAxes(shape.axes, shape.measures[0]!, model, base, {
    calendar: context.queryContext.calendar,
    ask: asking(context),
    knownExtent: field => knownExtent(context.queryContext.workspace, model, field),
    knownDistinct: field => columnOf(context.queryContext.workspace, model, field)?.distinct,
  });
  const axes =
    tile.kind === 'map' && tile.longitude && tile.latitude && !tile.longitude.bin && !tile.latitude.bin
      ? inOneStep(own)
      : own;
  const parts = decomposeMeasures(shape.measures.map(name => measureOf(model, name)));
  return {
    id,
    tile,
    model,
    shape,
    axes,
    parts,
    base,
    selected,
    notes: [...notes, ...notApplied.map(field => ({ kind: 'not-applied', field }) as const)],
  };
}

/**
 * Returns the results that a tile needs for the context's state. With `filtered`, only those that selections
 * change.
 */
export async function queryTile(
  context: DashboardContext,
  id: string,
  tile: Tile,
  scope: Scope | 'both',
): Promise<Frame[]> {
  const answers = await answersTo(context, id, tile, scope);
  return (await Promise.all(answers.map(({ frames }) => frames))).flat();
}

/**
 * Like `queryTile`, but returns a problem frame for each failed result, since one scope may fail without the
 * other.
 */
export async function resultOrProblems(
  context: DashboardContext,
  id: string,
  tile: Tile,
  scope: Scope | 'both',
): Promise<Frame[]> {
  const problem = (of: Scope) => (error: unknown) => [problemFrame(context, id, of, error)];
  const answers = await answersTo(context, id, tile, scope).catch((error: unknown) => [
    { scope: 'base' as const, frames: Promise.resolve(problem('base')(error)) },
  ]);
  return (await Promise.all(answers.map(one => one.frames.catch(problem(one.scope))))).flat();
}

export function problemFrame(
  { queryContext }: DashboardContext,
  tile: string,
  scope: Scope,
  error: unknown,
): Frame {
  return {
    header: {
      kind: 'problem',
      tile,
      scope,
      problem: problemFrom(asForbiddenError(error, queryContext.caller)),
    },
  };
}

type Scope = 'base' | 'filtered';

async function answersTo(
  page: DashboardContext,
  id: string,
  tile: Tile,
  scope: Scope | 'both',
): Promise<readonly { readonly scope: Scope; readonly frames: Promise<Frame[]> }[]> {
  if (hasNoQuery(tile)) return [];
  const context = contextOfTile(page, id);
  if (tile.kind === 'table') {
    const { selected } = await filtersFor(context, tileModel(context, tile), { tileId: id, tile });
    return [
      {
        scope: isAll(selected) ? 'base' : 'filtered',
        frames: firstRows(context, id, tile).then(rows => [rows]),
      },
    ];
  }
  const settled = (await resolveTile(context, id, tile))!;
  const scopes = isAll(settled.selected)
    ? (['base'] as const)
    : scope === 'both'
      ? (['base', 'filtered'] as const)
      : ([scope] as const);
  return scopes.map(one => ({ scope: one, frames: framesUnder(context, settled, one) }));
}

function isAll(filter: Filter): boolean {
  return filter.kind === 'everything';
}

async function framesUnder(context: DashboardContext, settled: ResolvedTile, scope: Scope): Promise<Frame[]> {
  const where = scope === 'base' ? settled.base : allOf([settled.base, settled.selected]);
  const { compare } = settled.shape;
  const earlier =
    compare && comparisonFilter(where, settled.model, compare, await dataEnd(context, settled.model));
  const start = earlier && typeof compare === 'string' ? await dataStart(context, settled.model) : undefined;
  const notes: TileNote[] = [
    ...settled.notes,
    ...(earlier
      ? [{ kind: 'compared', ...comparedPeriod(earlier.range, start) } as const]
      : compare
        ? [{ kind: 'nothing-to-compare' } as const]
        : []),
  ];
  const frames = await Promise.all([
    ...picturesOf(settled).map(([part, axes]) =>
      cellsFrame(context, settled, part, scope, axes, where, part === 'main' ? notes : []),
    ),
    ...(earlier ? [cellsFrame(context, settled, 'previous', scope, [], earlier.filter, [])] : []),
    pointsFrames(context, settled, scope, where),
  ]);
  return frames.flat();
}

/**
 * Returns the parts of a tile, each with its axes.
 * A KPI's main value omits the sparkline's axis. A scatter plot's density omits colour and shape. A pivot
 * table's totals have one part for each prefix of its rows and columns; they are queried, never added up.
 */
export function picturesOf({
  tile,
  axes,
  shape,
}: ResolvedTile): readonly (readonly [TilePart, readonly NamedAxis[]])[] {
  if (tile.kind === 'kpi') return [['main', []], ...(axes.length > 0 ? [['spark', axes] as const] : [])];
  if (isOfRows(tile))
    return [['main', axes.filter(axis => axis.channel !== 'color' && axis.channel !== 'shape')]];
  if (!shape.pivot) return [['main', axes]];
  const { rows, columns } = shape.pivot;
  const totals = Array.from({ length: rows + 1 }, (_, r) =>
    Array.from({ length: columns + 1 }, (_, c) => [r, c] as const),
  )
    .flat()
    .filter(([r, c]) => r < rows || c < columns);
  return [
    ['main', axes],
    ...totals.map(([r, c]) => [`r${r}c${c}`, [...axes.slice(0, r), ...axes.slice(rows, rows + c)]] as const),
  ];
}

const maxPoints = 5000;

/** Whether a scatter plot draws single points: if its unfiltered table has few enough rows. */
export async function showsPoints(
  context: DashboardContext,
  { tile, model }: ResolvedTile,
): Promise<boolean> {
  return (
    (isOfRows(tile) || (tile.kind === 'map' && !tile.region && !tile.color)) &&
    (await rowsIn(context, model)) <= maxPoints
  );
}

/** Number of rows of a model's table. Files were counted at import; databases are queried. */
async function rowsIn(context: DashboardContext, model: Model): Promise<number> {
  const known = fileTableOf(context.queryContext.workspace, model)?.imported?.profile.rows;
  if (known !== undefined) return known;
  const counted = await asking(context)({
    kind: 'groups',
    model: model.name,
    dimensions: [],
    measures: ['rows'],
    where: { kind: 'everything' },
  });
  return Number(counted.columns[0]!.values[0]);
}

async function pointsFrames(
  context: DashboardContext,
  settled: ResolvedTile,
  scope: 'base' | 'filtered',
  where: Filter,
): Promise<Frame[]> {
  const { tile, model, axes } = settled;
  if (!(await showsPoints(context, settled))) return [];
  const positions = isOfRows(tile)
    ? [tile.x.field, tile.y.field]
    : tile.kind === 'map'
      ? [tile.longitude!.field, tile.latitude!.field]
      : [];
  const telling = axes.filter(axis => ['color', 'shape', 'row', 'column'].includes(axis.channel));
  const known = [...positions, ...telling.map(axis => axis.field)];
  const dimensions = [
    ...known,
    ...new Set(
      tooltipFields(tile)
        .map(encoding => encoding.field)
        .filter(field => !known.includes(field)),
    ),
  ];
  const answer = await asking(context)({
    kind: 'rows',
    model: model.name,
    dimensions,
    where,
    limit: maxPoints,
  });
  return [
    {
      header: {
        kind: 'rows',
        tile: settled.id,
        scope,
        total: answer.rowCount,
        columns: answer.columns.map(({ name, type }) => pointColumn(model, name, type)),
        rows: resultRows(answer),
        axes: telling,
        notes: agedNotes(answer),
      },
    },
  ];
}

function pointColumn(model: Model, name: string, type: string): RowsHeader['columns'][number] {
  const { label, format } = dimensionOf(model, name);
  return { name, type, label, ...(format && { format }) };
}

async function cellsFrame(
  context: DashboardContext,
  settled: ResolvedTile,
  part: TilePart,
  scope: 'base' | 'filtered',
  axes: readonly NamedAxis[],
  where: Filter,
  notes: readonly TileNote[],
): Promise<Frame> {
  const began = performance.now();
  const answer =
    (await byValue(context, settled, axes, where)) ??
    (axes.length === 0
      ? await queryKpi(context, settled.model, settled.shape.measures, where)
      : await asking(context)({
          kind: 'cells',
          model: settled.model.name,
          axes: axes.map(bare),
          measures: settled.shape.measures,
          where,
        }));
  const { marksPerTile } = context.queryContext.workspace.limits;
  if ('rowCount' in answer && answer.rowCount > marksPerTile)
    throw new ProblemError(
      'query-too-large',
      `This tile has ${answer.rowCount.toLocaleString('en')} marks; the maximum is ${marksPerTile.toLocaleString('en')}.`,
    );
  const merges = settled.parts.parts.map(one => one.merge);
  const sampled = context.queryContext.resultRows === 'sample' ? sampleOf(context, settled.model) : undefined;
  const cells = 'groups' in answer ? answer : cellsOf(answer, axes.length > 0);
  const isOfNoRows =
    part === 'main' &&
    settled.tile.kind !== 'kpi' &&
    !sampled &&
    isNothing(cells) &&
    !(await hasRows(context, settled, where));
  return {
    header: {
      kind: 'cells',
      tile: settled.id,
      part,
      scope,
      axes,
      merges,
      values: settled.parts.values,
      ...(part === 'main' && settled.shape.show && { show: settled.shape.show }),
      notes: [...notes, ...agedNotes(answer)],
      ...(sampled && { sampled }),
      ...(isOfNoRows && { isOfNoRows }),
      engineMs: Math.round(performance.now() - began),
    },
    cells: sampled ? scaledUp(cells, sampled.of / sampled.rows) : cells,
  };
}

function isNothing({ parts }: Cells): boolean {
  return parts.every(part => part.every(value => value === 0 || Number.isNaN(value)));
}

/**
 * Distinguishes no rows from a result that is empty for another reason: a measure that counts nothing, or
 * values outside an axis.
 */
async function hasRows(context: DashboardContext, { model }: ResolvedTile, where: Filter): Promise<boolean> {
  const counted = await queryKpi(context, model, ['rows'], where);
  return Number(counted.columns[0]!.values[0]) > 0;
}

/** Returns a note if the source is unreachable and the result is its last one. */
function agedNotes(answer: Pick<QueryResult, 'asOf'> | Cells): TileNote[] {
  return 'asOf' in answer && answer.asOf !== undefined ? [{ kind: 'last-answer', at: answer.asOf }] : [];
}

/**
 * A chart of one category axis reuses the query that laid out its axis, which already returned all values.
 */
async function byValue(
  context: DashboardContext,
  settled: ResolvedTile,
  axes: readonly NamedAxis[],
  where: Filter,
): Promise<Cells | undefined> {
  const [axis] = axes;
  if (
    axes.length !== 1 ||
    axis?.kind !== 'categories' ||
    axis.channel === 'color' ||
    where !== settled.base ||
    settled.parts.parts.some(part => part.merge === 'ask')
  )
    return undefined;
  if ((columnOf(context.queryContext.workspace, settled.model, axis.field)?.distinct ?? 0) > maxValues)
    return undefined;
  const answer = await asking(context)(
    rankByValue(settled.model.name, axis.field, settled.shape.measures, where),
  );
  return answer.rowCount <= maxValues
    ? {
        ...cellsByValue(answer, axis, settled.parts),
        ...(answer.asOf !== undefined && { asOf: answer.asOf }),
      }
    : undefined;
}

/** The sample of a model's table; undefined for small tables. */
function sampleOf({ queryContext }: DashboardContext, model: Model): Sampled | undefined {
  const imported = fileTableOf(queryContext.workspace, model)?.imported;
  return imported?.sampleRows ? { rows: imported.sampleRows, of: imported.profile.rows } : undefined;
}

/**
 * Whether a tile's first result may come from a sample: only if all its measures are counts or sums, which
 * scale to all rows.
 */
export function canSample(context: DashboardContext, tile: Tile): boolean {
  if (hasNoQuery(tile) || tile.kind === 'table') return false;
  const model = knownModel(context, tile);
  if (!model || !sampleOf(context, model) || joinedTables(model.joins).includes(model.table)) return false;
  const shape = tileShape(tile, model);
  return (
    shape.kind === 'cells' &&
    decomposeMeasures(shape.measures.map(name => measureOf(model, name))).parts.every(
      part => part.merge === 'sum',
    )
  );
}

function scaledUp({ groups, parts }: Cells, factor: number): Cells {
  return { groups, parts: parts.map(part => Float64Array.from(part, value => value * factor)) };
}

/**
 * An axis without its channel and colours. They do not affect the query, so that tiles with equal queries
 * share a result.
 */
export function bare({ channel: _, gaps: __, ...axis }: NamedAxis): Axis {
  if (axis.kind !== 'categories') return axis;
  const { colours: ___, ...asked } = axis;
  return asked;
}

export function cellsOf(answer: QueryResult, hasGroups: boolean): Cells {
  const columns = answer.columns.map(column => column.values as Float64Array | Int32Array);
  if (!hasGroups) return { groups: Int32Array.of(0), parts: columns };
  const [groups, ...parts] = columns as [Float64Array | Int32Array, ...typeof columns];
  return { groups: groups instanceof Int32Array ? groups : new Int32Array(groups), parts };
}

export function asking(context: DashboardContext) {
  return (query: Query) => context.answers.ask(query, context.queryContext);
}

async function firstRows(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
): Promise<Frame> {
  const { isFiltered, ...page } = await tableRows(context, id, tile, { offset: 0, limit: 100 });
  return {
    header: {
      kind: 'rows',
      tile: id,
      scope: isFiltered ? 'filtered' : 'base',
      ...page,
      rows: shownRows(page.rows),
    },
  };
}

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
  readonly courses?: Sparklines;
  readonly notes: readonly TileNote[];
}

interface PageWanted {
  readonly offset: number;
  readonly limit: number;
  readonly sort?: Order;
  /** Omits the sparklines. */
  readonly isPlain?: boolean;
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
  const shape = tileShape(tile, model);
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const where = allOf([base, selected]);
  const notes = notApplied.map((field): TileNote => ({ kind: 'not-applied', field }));
  const sorted = { ...sortOf(tile), ...page };
  const found =
    shape.kind === 'groups'
      ? await groupsPage(context, model, shape, where, sorted, tile.columns!)
      : await rowsPage(
          context,
          model,
          (shape as Extract<TileShape, { kind: 'rows' }>).dimensions,
          where,
          sorted,
        );
  const courses =
    shape.kind === 'groups' && shape.courses.length > 0 && !page.isPlain
      ? await sparklinesOf(
          context,
          model,
          shape.courses,
          shape.dimensions,
          found.rows.map(row => shape.dimensions.map(field => row[tile.columns!.indexOf(field)] ?? null)),
          where,
        )
      : undefined;
  return {
    ...found,
    ...(courses && { courses }),
    isFiltered: !isAll(selected),
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
  const clock = await clockOf(context, model);
  const marked = Object.entries(mark ?? {}).flatMap(
    ([field, condition]) => filterOn(model, field, condition, clock) ?? [],
  );
  const exposed = context.exposed && (context.exposed.get(model.name) ?? new Set());
  const fields = Object.keys(model.dimensions)
    .filter(field => exposed?.has(field) ?? true)
    .slice(0, mostFields);
  return {
    ...(await rowsPage(context, model, fields, allOf([base, selected, ...marked]), page)),
    isFiltered: true,
  };
}

const mostFields = 60;

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
  const ask = asking(context);
  const seek = async () =>
    (await seekPage(
      model,
      where,
      order,
      page,
      order && columnOf(context.queryContext.workspace, model, order.by)?.distinct,
      ask,
    )) ?? { where, offset: page.offset };
  const [rows, count] = await Promise.all([
    seek().then(at =>
      ask({
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
    notes: agedNotes(rows),
  };
}

/** Streams all of a model's rows under a filter in chunks, up to a limit, in the same order as its pages. */
export async function allRows(
  context: DashboardContext,
  model: Model,
  dimensions: readonly string[],
  where: Filter,
  { sort, most }: { readonly sort?: Order; readonly most: number },
): Promise<{ columns: TablePage['columns']; total: number; pieces: AsyncIterable<TablePage['rows']> }> {
  const order = sort ?? newestFirst(model, dimensions);
  const total = await countRows(context, model, where);
  const answers = context.answers.stream(
    { kind: 'rows', model: model.name, dimensions, where, limit: most, ...(order && { order: [order] }) },
    context.queryContext,
  );
  return {
    columns: dimensions.map(name => columnNamed(model, name)),
    total,
    pieces: mapped(answers, resultRows),
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
  { sort, most }: { readonly sort?: Order; readonly most: number },
): Promise<{
  columns: TablePage['columns'];
  totals: TablePage['rows'][number];
  pieces: AsyncIterable<TablePage['rows']>;
}> {
  const names = [...dimensions, ...measures];
  const positions = columns.map(name => names.indexOf(name));
  const whole = await asking(context)({ kind: 'groups', model: model.name, dimensions: [], measures, where });
  const answers = context.answers.stream(
    {
      kind: 'groups',
      model: model.name,
      dimensions: dimensions.map(field => ({ field })),
      measures,
      where,
      order: [sort ?? { by: measures[0]!, descending: true }],
      limit: most,
    },
    context.queryContext,
  );
  return {
    columns: columns.map(name => columnNamed(model, name)),
    totals: totalsOf(positions, dimensions.length, whole),
    pieces: mapped(answers, piece => resultRows(piece).map(row => positions.map(position => row[position]!))),
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

async function countRows(context: DashboardContext, model: Model, where: Filter): Promise<number> {
  if (where.kind === 'everything') return rowsIn(context, model);
  const counted = await asking(context)({
    kind: 'groups',
    model: model.name,
    dimensions: [],
    measures: ['rows'],
    where,
  });
  return Number(counted.columns[0]!.values[0]);
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
  const ask = asking(context);
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
        ask({
          ...grouped,
          measures,
          order: [order],
          limit: limits.tableGroups,
          offset: (first + i) * limits.tableGroups,
        }),
      ),
    ),
    ask({ ...grouped, dimensions: [], measures }),
  ]);
  const isAll = first === 0 && blocks[0]!.rowCount < limits.tableGroups;
  const counted = isAll ? undefined : await ask({ ...grouped, measures: [], isCounted: true });
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
    notes: agedNotes(blocks[0]!),
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
