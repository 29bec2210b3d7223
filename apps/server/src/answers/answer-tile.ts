import type { Cells, Frame, NamedAxis, Sampled, TileNote, TilePart } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { Answer } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import { allOf, dimensionOf, earlierRange, measureOf, takeApart, tileShape, type Filter, type MeasureParts, type Order, type Question, type TileShape } from '@belvedere/query';
import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';
import { fileTableOf } from '../workspace/workspace.ts';
import { columnOf, filtersFor, knownExtent, tileModel, type DashboardContext } from './dashboard-context.ts';
import { cellsByValue, groupByValue, mostValues } from './group-by-value.ts';
import { seekRows } from './seek-rows.ts';
import { settleAxes } from './settle-axes.ts';

/** A tile with its axes laid out: what every answer to it shares. */
export interface SettledTile {
  readonly id: string;
  readonly tile: Tile;
  readonly model: Model;
  readonly shape: Extract<TileShape, { kind: 'cells' }>;
  readonly axes: readonly NamedAxis[];
  readonly parts: MeasureParts;
  readonly base: Filter;
  readonly selected: Filter;
  readonly notes: readonly TileNote[];
}

/** Lays out a tile's axes under the filters that bind it. @returns undefined for tiles that draw no totals (tables, texts). */
export async function settleTile(context: DashboardContext, id: string, tile: Tile): Promise<SettledTile | undefined> {
  if (tile.kind === 'text') return undefined;
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') return undefined;
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const { axes, notes } = await settleAxes(shape.axes, shape.measures[0]!, model, base, { ask: asking(context), knownExtent: field => knownExtent(context.asker.workspace, model, field), knownDistinct: field => columnOf(context.asker.workspace, model, field)?.distinct });
  const parts = takeApart(shape.measures.map(name => measureOf(model, name)));
  return { id, tile, model, shape, axes, parts, base, selected, notes: [...notes, ...notApplied.map(field => ({ kind: 'not-applied', field }) as const)] };
}

/** All answers a tile needs for the context's state; with `filtered` only those that selections change. */
export async function answerTile(context: DashboardContext, id: string, tile: Tile, scope: 'both' | 'filtered'): Promise<Frame[]> {
  if (tile.kind === 'text') return [];
  if (tile.kind === 'table') return [await firstRows(context, id, tile)];
  const settled = (await settleTile(context, id, tile))!;
  const scopes = settled.selected.kind === 'everything' ? (['base'] as const) : scope === 'both' ? (['base', 'filtered'] as const) : (['filtered'] as const);
  const frames = scopes.flatMap((one): Promise<Frame | Frame[]>[] => {
    const where = one === 'base' ? settled.base : allOf([settled.base, settled.selected]);
    if (tile.kind === 'scatter') return [cellsFrame(context, settled, 'main', one, drawnAxes(settled), where, settled.notes), pointsFrames(context, settled, one, where)];
    if (tile.kind !== 'kpi') return [cellsFrame(context, settled, 'main', one, settled.axes, where, settled.notes)];
    const earlier = settled.shape.compare && earlierFilter(where, settled.model, settled.shape.compare);
    const notes: TileNote[] = earlier ? [{ kind: 'compared', ...earlier.range }] : settled.shape.compare ? [{ kind: 'nothing-to-compare' }] : [];
    return [
      cellsFrame(context, settled, 'main', one, [], where, [...settled.notes, ...notes]),
      ...(settled.axes.length > 0 ? [cellsFrame(context, settled, 'spark', one, settled.axes, where, [])] : []),
      ...(earlier ? [cellsFrame(context, settled, 'previous', one, [], earlier.filter, [])] : []),
    ];
  });
  return (await Promise.all(frames)).flat();
}

/** The axes of a tile's picture: a scatter's density has no colour. */
export function drawnAxes({ tile, axes }: SettledTile): readonly NamedAxis[] {
  return tile.kind === 'scatter' ? axes.filter(axis => axis.channel !== 'color') : axes;
}

const mostPoints = 5000;

/** Whether a scatter is drawn as single points: its table has few enough rows, whatever the filters leave of them. */
export async function showsPoints(context: DashboardContext, { tile, model }: SettledTile): Promise<boolean> {
  return tile.kind === 'scatter' && (await rowsIn(context, model)) <= mostPoints;
}

/** How many rows a model's table has; a database is asked, files were counted when they were read. */
async function rowsIn(context: DashboardContext, model: Model): Promise<number> {
  const known = fileTableOf(context.asker.workspace, model)?.imported?.profile.rows;
  if (known !== undefined) return known;
  const counted = await asking(context)({ kind: 'groups', model: model.name, dimensions: [], measures: ['rows'], where: { kind: 'everything' } });
  return Number(counted.columns[0]!.values[0]);
}

async function pointsFrames(context: DashboardContext, settled: SettledTile, scope: 'base' | 'filtered', where: Filter): Promise<Frame[]> {
  const { tile, model, axes } = settled;
  if (tile.kind !== 'scatter' || !(await showsPoints(context, settled))) return [];
  const dimensions = [tile.x.field, tile.y.field, ...(tile.color ? [tile.color.field] : [])];
  const colour = axes.filter(axis => axis.channel === 'color');
  const answer = await asking(context)({ kind: 'rows', model: model.name, dimensions, where, limit: mostPoints });
  return [{ header: { kind: 'rows', tile: settled.id, scope, total: answer.rowCount, columns: answer.columns.map(({ name, type }) => ({ name, type })), rows: rowsFrom(answer), axes: colour, notes: agedNotes(answer) } }];
}

async function cellsFrame(context: DashboardContext, settled: SettledTile, part: TilePart, scope: 'base' | 'filtered', axes: readonly NamedAxis[], where: Filter, notes: readonly TileNote[]): Promise<Frame> {
  const began = performance.now();
  const answer = (await byValue(context, settled, axes, where)) ?? (await asking(context)({ kind: 'cells', model: settled.model.name, axes: axes.map(bare), measures: settled.shape.measures, where }));
  if ('rowCount' in answer && answer.rowCount > limits.marksPerTile) throw new ProblemError('query-too-large', `This tile would draw ${answer.rowCount.toLocaleString('en')} marks; at most ${limits.marksPerTile.toLocaleString('en')} can be drawn.`);
  const merges = settled.parts.parts.map(one => one.merge);
  const sampled = context.asker.rowsFrom === 'sample' ? sampleOf(context, settled.model) : undefined;
  const cells = 'groups' in answer ? answer : cellsOf(answer, axes.length > 0);
  return { header: { kind: 'cells', tile: settled.id, part, scope, axes, merges, values: settled.parts.values, ...(part === 'main' && settled.shape.show && { show: settled.shape.show }), notes: [...notes, ...agedNotes(answer)], ...(sampled && { sampled }), engineMs: Math.round(performance.now() - began) }, cells: sampled ? scaledUp(cells, sampled.of / sampled.rows) : cells };
}

/** Says so where a source is away and its last answer stands in. */
function agedNotes(answer: Pick<Answer, 'asOf'> | Cells): TileNote[] {
  return 'asOf' in answer && answer.asOf !== undefined ? [{ kind: 'last-answer', at: answer.asOf }] : [];
}

/** A chart of one dimension has its numbers already: settling its axis asked for all values. */
async function byValue(context: DashboardContext, settled: SettledTile, axes: readonly NamedAxis[], where: Filter): Promise<Cells | undefined> {
  const [axis] = axes;
  if (axes.length !== 1 || axis?.kind !== 'categories' || axis.channel === 'color' || where !== settled.base || settled.parts.parts.some(part => part.merge === 'ask')) return undefined;
  if ((columnOf(context.asker.workspace, settled.model, axis.field)?.distinct ?? 0) > mostValues) return undefined;
  const answer = await asking(context)(groupByValue(settled.model.name, axis.field, settled.shape.measures, where));
  return answer.rowCount <= mostValues ? { ...cellsByValue(answer, axis, settled.parts), ...(answer.asOf !== undefined && { asOf: answer.asOf }) } : undefined;
}

/** The sample of a model's table; none of small ones. */
function sampleOf({ asker }: DashboardContext, model: Model): Sampled | undefined {
  const imported = fileTableOf(asker.workspace, model)?.imported;
  return imported?.sampleRows ? { rows: imported.sampleRows, of: imported.profile.rows } : undefined;
}

/** Whether a tile's first picture may come from a sample: what it shows is counted or added up, so that a sample's says what all rows would. */
export function canSample(context: DashboardContext, tile: Tile): boolean {
  if (tile.kind === 'text' || tile.kind === 'table') return false;
  const model = tileModel(context, tile);
  if (!sampleOf(context, model) || Object.values(model.joins).some(join => join.table === model.table)) return false;
  const shape = tileShape(tile, model);
  return shape.kind === 'cells' && takeApart(shape.measures.map(name => measureOf(model, name))).parts.every(part => part.merge === 'sum');
}

function scaledUp({ groups, parts }: Cells, factor: number): Cells {
  return { groups, parts: parts.map(part => part.map(value => value * factor)) };
}

/** An axis as questions know it: channels do not change what is asked, so tiles that ask alike share an answer. */
export function bare({ channel: _, ...axis }: NamedAxis) {
  return axis;
}

export function cellsOf(answer: Answer, hasGroups: boolean): Cells {
  const columns = answer.columns.map(column => column.values as Float64Array);
  return hasGroups ? { groups: new Int32Array(columns[0]!), parts: columns.slice(1) } : { groups: Int32Array.of(0), parts: columns };
}

export function asking(context: DashboardContext) {
  return (question: Question) => context.answers.ask(question, context.asker);
}

/** The filter with its range on the model's time moved back; undefined where no full range is set. */
function earlierFilter(filter: Filter, model: Model, by: 'previous period' | 'previous year'): { filter: Filter; range: { from: number; below: number } } | undefined {
  let found: { from: number; below: number } | undefined;
  const moved = (inner: Filter): Filter => {
    if (inner.kind === 'allOf' || inner.kind === 'anyOf') return { ...inner, filters: inner.filters.map(moved) };
    if (inner.kind !== 'range' || inner.field !== model.time || inner.from === undefined || inner.below === undefined) return inner;
    const range = earlierRange({ from: inner.from, below: inner.below }, by);
    found = range;
    return { ...inner, ...range };
  };
  const result = moved(filter);
  return found && { filter: result, range: found };
}

async function firstRows(context: DashboardContext, id: string, tile: Tile & { kind: 'table' }): Promise<Frame> {
  const page = await tableRows(context, id, tile, { offset: 0, limit: 100 });
  return { header: { kind: 'rows', tile: id, scope: page.isFiltered ? 'filtered' : 'base', total: page.total, columns: page.columns, rows: page.rows, notes: page.notes } };
}

/** One page of a table tile. */
export async function tableRows(context: DashboardContext, id: string, tile: Tile & { kind: 'table' }, page: { offset: number; limit: number; sort?: Order }) {
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model) as Extract<TileShape, { kind: 'rows' }>;
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const where = allOf([base, selected]);
  const written: Order | undefined = tile.sort && { by: tile.sort.field, descending: tile.sort.order === 'descending' };
  const order = page.sort ?? written ?? (model.time && shape.dimensions.includes(model.time) ? { by: model.time, descending: true } : undefined);
  const ask = asking(context);
  const seek = async () => (await seekRows(model, where, order, page, order && columnOf(context.asker.workspace, model, order.by)?.distinct, ask)) ?? { where, offset: page.offset };
  const [rows, count] = await Promise.all([
    seek().then(at => ask({ kind: 'rows', model: model.name, dimensions: shape.dimensions, limit: page.limit, ...at, ...(order && { order: [order] }) })),
    where.kind === 'everything' ? rowsIn(context, model) : ask({ kind: 'groups', model: model.name, dimensions: [], measures: ['rows'], where }).then(count => Number(count.columns[0]!.values[0])),
  ]);
  return {
    isFiltered: selected.kind !== 'everything',
    total: count,
    columns: rows.columns.map(({ name }) => ({ name, label: dimensionOf(model, name).label, type: dimensionOf(model, name).type })),
    rows: rowsFrom(rows),
    notes: [...notApplied.map(field => ({ kind: 'not-applied', field }) as const), ...agedNotes(rows)],
  };
}

/** Columns turned to rows, for pages of a hundred. */
export function rowsFrom(answer: Answer): (string | number | boolean | null)[][] {
  return Array.from({ length: answer.rowCount }, (_, i) => answer.columns.map(column => (column.values as readonly (string | number | boolean | null)[])[i] ?? null));
}

