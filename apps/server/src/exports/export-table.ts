import { titleOf } from '../presenters/tile-title.ts';
import {
  denseParts,
  emptyReasonOf,
  shownValues,
  type CellsHeader,
  type Frame,
  type EmptyReason,
} from '@belvedere/api';
import {
  type ChannelAxis,
  extentOf,
  formatDay,
  formatMoment,
  isChartTile,
  isThere,
  pivotColumns,
  pivotLines,
  pivotValues,
  positionName,
  dataTableRows,
  chartMessagesIn,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import {
  resultMeasures,
  allOf,
  hasNoQuery,
  dimensionOf,
  edgeOf,
  groupsOf,
  isAdditive,
  measureOf,
  nullSlot,
  outsideSlot,
  tileShape,
  type Highlight,
  type TileShape,
} from '@belvedere/query';
import type { Model } from '@belvedere/model';
import { queryTile } from '../queries/query-tile.ts';
import { allGroups, allRows, sortOf, tableRows, type TablePage } from '../queries/table-pages.ts';
import { measureLabel } from '../queries/measure-label.ts';
import { filtersFor, tileModel, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';

export type ExportValue = string | number | boolean | null;

/**
 * A column of an exported table. `format` and `unit` are the measure's; dates and times are wall-clock
 * milliseconds.
 */
export interface ExportColumn {
  readonly label: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'time';
  readonly format?: string;
  readonly unit?: string;
  /** Rules that highlight its cells. */
  readonly highlights?: readonly Highlight[];
  /** Shades its cells by value, over the extent of its measure's values. */
  readonly heat?: { readonly extent: readonly [number, number]; readonly isAdditive: boolean };
}

export interface ExportTableHeader {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  /** The text for nulls; defaults to an en dash. */
  readonly blank?: string;
  /** Indexes of total rows. */
  readonly totals?: ReadonlySet<number>;
  /** The number of included rows and of all rows, if they differ. */
  readonly cut?: { readonly rows: number; readonly of: number };
}

type Rows = readonly (readonly ExportValue[])[];

/** A tile's contents as a table, with the same rows and numbers. */
export interface ExportTable extends ExportTableHeader {
  readonly rows: Rows;
  /** By column index: the sparkline of each row, for columns that have one. */
  readonly sparklines?: ReadonlyMap<number, readonly (readonly (number | null)[])[]>;
  /** Indexes of columns whose numbers are also drawn as bars. */
  readonly bars?: ReadonlySet<number>;
  /** Why a pivot table is empty. */
  readonly lacking?: EmptyReason;
}

/** A table of any length. Each chunk of rows is queried once the previous one has been written. */
export interface ExportTableRows extends ExportTableHeader {
  /** Whether its last row is a total. */
  readonly endsInTotal?: boolean;
  readonly pieces: AsyncIterable<Rows>;
}

/**
 * Returns a tile's numbers for export, or undefined for tiles without numbers.
 * @param most maximum number of rows, and whether the table is drawn, with its sparklines
 */
export async function exportTable(
  context: DashboardContext,
  id: string,
  tile: Tile,
  locale: string,
  { most = limits.tableGroups, isDrawn = false }: { readonly most?: number; readonly isDrawn?: boolean } = {},
): Promise<ExportTable | undefined> {
  const model = tile.kind === 'text' || hasNoQuery(tile) ? undefined : tileModel(context, tile);
  if (!model) return undefined;
  const title = titleOf(tile, model, locale);
  if (tile.kind === 'table')
    return { id, title, ...(await wholeTable(context, id, tile, model, locale, most, isDrawn)) };
  const frames = await queryTile(context, id, tile, 'both');
  return tile.kind === 'pivot'
    ? { id, title, ...pivotTable(tile, model, frames, locale, isDrawn) }
    : { id, title, ...figures(tile, model, frames, locale) };
}

/**
 * Returns a tile's numbers for export, at any length: a table's rows are queried as they are read.
 * @param isCut whether rows past the maximum are left out, instead of failing
 * @returns undefined for tiles without numbers
 */
export async function exportTableRows(
  context: DashboardContext,
  id: string,
  tile: Tile,
  locale: string,
  mostOfFormat: number = context.queryContext.workspace.limits.exportRows,
  isCutByFormat = false,
): Promise<ExportTableRows | undefined> {
  const { exportRows = Infinity } = context.queryContext;
  const most = Math.min(mostOfFormat, exportRows);
  // A file says in its name what the caller's limit leaves out.
  const isCut = isCutByFormat || exportRows <= mostOfFormat;
  const model = tile.kind === 'table' ? tileModel(context, tile) : undefined;
  const shape = model && tileShape(tile, model);
  if (tile.kind === 'table' && model && shape?.kind === 'rows')
    return {
      id,
      title: titleOf(tile, model, locale),
      ...(await rowChunks(context, id, tile, model, shape.dimensions, most)),
    };
  if (tile.kind === 'table' && model && shape?.kind === 'groups')
    return {
      id,
      title: titleOf(tile, model, locale),
      ...(await groupChunks(context, id, tile, model, shape, most, isCut, locale)),
    };
  const table = await exportTable(context, id, tile, locale);
  if (!table) return undefined;
  const rows = table.rows.slice(0, exportRows);
  return {
    ...table,
    ...(rows.length < table.rows.length && { cut: { rows: rows.length, of: table.rows.length } }),
    pieces: (async function* () {
      yield rows;
    })(),
  };
}

type Body = Pick<
  ExportTable,
  'columns' | 'rows' | 'totals' | 'cut' | 'blank' | 'sparklines' | 'bars' | 'lacking'
>;

/** Returns the numbers and axes of one part of a tile's result, filtered by selections if there are any. */
export function partOf(
  frames: readonly Frame[],
  part: string,
):
  | {
      readonly header: CellsHeader;
      readonly axes: readonly ChannelAxis[];
      readonly values: Float64Array;
      /** Of each measure, whether it adds up. */ readonly additive: readonly boolean[];
    }
  | undefined {
  const of = (scope: 'base' | 'filtered') =>
    frames.find(({ header }) => header.kind === 'cells' && header.part === part && header.scope === scope);
  const frame = of('filtered') ?? of('base');
  if (frame?.header.kind !== 'cells' || !frame.cells) return undefined;
  return {
    header: frame.header,
    axes: frame.header.axes,
    values: shownValues(frame.header, denseParts(frame.header.axes, frame.header.merges, frame.cells)),
    additive: frame.header.values.map(value => isAdditive(value, (frame.header as CellsHeader).merges)),
  };
}

export function measureColumns(tile: Tile, model: Model, locale: string): ExportColumn[] {
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') return [];
  const encodings = resultMeasures(tile);
  const words = chartMessagesIn(locale);
  return shape.measures.map((name, i): ExportColumn => {
    const { format, unit } = measureOf(model, name);
    const isShare = shape.show?.[i] === 'share of total';
    const own = encodings[i]?.format ?? (isShare ? 'percent' : format);
    const figure =
      tile.kind === 'boxplot'
        ? Object.values(words.figures)[i]!
        : tile.kind === 'candlestick' && i < 4
          ? Object.values(words.ohlc)[i]!
          : measureLabel(model, name, locale);
    return { label: figure, type: 'number', ...(own && { format: own }), ...(unit && !isShare && { unit }) };
  });
}

function figures(tile: Tile, model: Model, frames: readonly Frame[], locale: string): Body {
  const measures = measureColumns(tile, model, locale);
  const main = partOf(frames, 'main');
  if (!main || (!isChartTile(tile) && tile.kind !== 'kpi')) return { columns: measures, rows: [] };
  const number = (value: number) => (Number.isNaN(value) ? null : value);
  if (main.axes.length === 0)
    return { columns: measures, rows: [measures.map((_, i) => number(main.values[i]!))] };
  const rows = dataTableRows(main.axes, main.values, measures.length, locale, keepsPositions.has(tile.kind));
  const cells = main.axes.map((axis, i) =>
    axisCells(
      axis,
      rows.map(({ positions, names }) => ({ position: positions[i]!, name: names[i]! })),
    ),
  );
  return {
    columns: [
      ...main.axes.map((axis, i): ExportColumn => ({
        label: dimensionOf(model, axis.field).label,
        type: cells[i]!.type,
      })),
      ...measures,
    ],
    rows: rows.map((row, at) => [...cells.map(({ values }) => values[at]!), ...row.values.map(number)]),
  };
}

/**
 * Kinds that draw series along one axis keep every position, with or without a value. In grids and trees,
 * most combinations are empty.
 */
const keepsPositions: ReadonlySet<Tile['kind']> = new Set([
  'bar',
  'line',
  'area',
  'combo',
  'radar',
  'waterfall',
]);

interface AxisCells {
  readonly type: ExportColumn['type'];
  readonly values: readonly ExportValue[];
}

function timeTypeOf({ unit }: ChannelAxis & { kind: 'times' }): 'date' | 'time' {
  return unit === 'hour' || unit === 'minute' ? 'time' : 'date';
}

/** Names a position in a file: a time by its start in ISO 8601, anything else as on the page. */
function fileName(axis: ChannelAxis, position: number, locale: string): string {
  return axis.kind === 'times' && position < axis.count
    ? isoTime(edgeOf(axis, position), timeTypeOf(axis))
    : positionName(axis, position, locale);
}

/**
 * Returns an axis' cells for a file: times as the start of each period, other positions as names.
 * Rows beyond the ends of a time axis have a name but no time. Such a column is text, with its times in ISO
 * 8601.
 */
function axisCells(
  axis: ChannelAxis,
  cells: readonly { readonly position: number; readonly name: string }[],
): AxisCells {
  if (axis.kind !== 'times') return { type: 'text', values: cells.map(({ name }) => name) };
  const type = timeTypeOf(axis);
  const outside = outsideSlot(axis);
  const hasOutside = cells.some(({ position }) => position === outside);
  const values = cells.map(({ position, name }): ExportValue => {
    if (position === nullSlot(axis)) return null;
    if (position === outside) return name;
    return hasOutside ? fileName(axis, position, '') : edgeOf(axis, position);
  });
  return { type: hasOutside ? 'text' : type, values };
}

function pivotTable(
  tile: Tile & { kind: 'pivot' },
  model: Model,
  frames: readonly Frame[],
  locale: string,
  isDrawn: boolean,
): Body {
  const measures = measureColumns(tile, model, locale);
  const main = partOf(frames, 'main');
  if (!main) return { columns: [], rows: [] };
  const rowAxes = main.axes.filter(axis => axis.channel === 'row');
  const columnAxes = main.axes.filter(axis => axis.channel === 'column');
  const parts = new Map<string, ReturnType<typeof partOf>>();
  const valueAt = pivotValues((r, c) => {
    const name = r === rowAxes.length && c === columnAxes.length ? 'main' : `r${r}c${c}`;
    if (!parts.has(name)) parts.set(name, partOf(frames, name));
    return parts.get(name);
  });
  const { total } = chartMessagesIn(locale);
  const nameIn = (axis: ChannelAxis, position: number) =>
    isDrawn ? positionName(axis, position, locale) : fileName(axis, position, locale);
  const lines = pivotLines(rowAxes, new Set(), positions =>
    measures.some((_, m) => isThere(valueAt(positions, [], m))),
  );
  const columns = pivotColumns(columnAxes);
  const nameOf = (column: (typeof columns)[number]) =>
    column.positions.length === 0
      ? total
      : column.positions.map((position, i) => nameIn(columnAxes[i]!, position)).join(' › ') +
        (column.positions.length < columnAxes.length ? ` › ${total}` : '');
  const lacking = emptyReasonOf(tile, main.header, main.values);
  const cells = groupsOf(main.axes);
  const heat = tile.heat
    ? measures.map((_, m) => ({
        extent: extentOf(main.values.subarray(m * cells, (m + 1) * cells)),
        isAdditive: main.additive[m] ?? false,
      }))
    : undefined;
  return {
    columns: [
      ...rowAxes.map((axis): ExportColumn => ({ label: dimensionOf(model, axis.field).label, type: 'text' })),
      ...columns.flatMap(column =>
        measures.map((measure, m): ExportColumn => ({
          ...measure,
          ...(heat && column.positions.length === columnAxes.length && { heat: heat[m]! }),
          label:
            columnAxes.length === 0
              ? measure.label
              : measures.length === 1
                ? nameOf(column)
                : `${nameOf(column)} · ${measure.label}`,
        })),
      ),
    ],
    rows: lines.map(line => [
      ...rowAxes.map((axis, i) =>
        i < line.positions.length
          ? nameIn(axis, line.positions[i]!)
          : i === line.positions.length
            ? total
            : '',
      ),
      ...columns.flatMap(column =>
        measures.map((_, m) => {
          const value = valueAt(line.positions, column.positions, m);
          return isThere(value) ? value : null;
        }),
      ),
    ]),
    blank: '',
    ...(lacking && { lacking }),
    totals: new Set(lines.flatMap((line, i) => (line.positions.length < rowAxes.length ? [i] : []))),
  };
}

async function wholeTable(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
  model: Model,
  locale: string,
  most: number,
  withSparklines: boolean,
): Promise<Body> {
  const shape = tileShape(tile, model);
  if (shape.kind === 'rows') {
    const { pieces, ...head } = await rowChunks(context, id, tile, model, shape.dimensions, most);
    const names = shownPositions(context, id, shape.dimensions).map(position => shape.dimensions[position]!);
    return { ...head, ...barsIn(tile, names), rows: (await Array.fromAsync(pieces)).flat() };
  }
  const page = await tableRows(context, id, tile, { offset: 0, limit: most, isPlain: !withSparklines });
  const positions = shownPositions(
    context,
    id,
    page.columns.map(({ name }) => name),
  );
  const rows = [...page.rows, ...(page.totals ? [page.totals] : [])].map(row =>
    positions.map(position => row[position]!),
  );
  const sparklines = new Map(
    positions.flatMap((position, i) => {
      const lines = page.sparklines?.of[page.columns[position]!.name];
      return lines ? [[i, lines] as const] : [];
    }),
  );
  return {
    ...(sparklines.size > 0 && { sparklines }),
    ...barsIn(
      tile,
      positions.map(position => page.columns[position]!.name),
    ),
    columns: positions.map(position =>
      standingOut(
        localize(exportColumn(page.columns[position]!), page.columns[position]!.name, model, locale),
        tile,
        page.columns[position]!.name,
      ),
    ),
    rows,
    ...(page.totals && { totals: new Set([page.rows.length]) }),
    ...(page.total > page.rows.length && { cut: { rows: page.rows.length, of: page.total } }),
  };
}

function barsIn(
  { bars = [] }: Tile & { kind: 'table' },
  names: readonly string[],
): Pick<ExportTable, 'bars'> {
  return bars.length === 0
    ? {}
    : { bars: new Set(names.flatMap((name, position) => (bars.includes(name) ? [position] : []))) };
}

/** Adds the tile's highlights and shading to a column. */
function standingOut(
  column: ExportColumn,
  { highlights = [] }: Tile & { kind: 'table' },
  name: string,
): ExportColumn {
  const own = highlights.filter(({ field }) => field === name);
  return own.length === 0 ? column : { ...column, highlights: own };
}

/**
 * Returns the rows of a table tile from a single query, which makes them consistent, in the page's order. The
 * query runs once the rows are read.
 */
async function rowChunks(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
  model: Model,
  dimensions: readonly string[],
  most: number,
): Promise<Pick<ExportTableRows, 'columns' | 'pieces' | 'cut'>> {
  const { base, selected } = await filtersFor(context, model, { tileId: id, tile });
  const { columns, total, pieces } = await allRows(context, model, dimensions, allOf([base, selected]), {
    most,
    ...sortOf(tile),
  });
  const positions = shownPositions(context, id, dimensions);
  return {
    columns: positions.map(position =>
      standingOut(exportColumn(columns[position]!), tile, dimensions[position]!),
    ),
    pieces: withPlaces(pieces, positions, dimensions.length),
    ...(total > most && { cut: { rows: most, of: total } }),
  };
}

/** Like `rowChunks`, for an aggregated table; its last row contains the totals. */
async function groupChunks(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
  model: Model,
  shape: Extract<TileShape, { kind: 'groups' }>,
  most: number,
  isCut: boolean,
  locale: string,
): Promise<Pick<ExportTableRows, 'columns' | 'pieces' | 'endsInTotal' | 'cut'>> {
  const { base, selected } = await filtersFor(context, model, { tileId: id, tile });
  const names = tile.columns!;
  const { columns, totals, pieces } = await allGroups(context, model, shape, allOf([base, selected]), names, {
    // One more than fits shows that there are more.
    most: isCut ? most : most + 1,
    ...sortOf(tile),
  });
  const total = isCut ? await countTableRows(context, id, tile) : 0;
  const positions = shownPositions(context, id, names);
  const withTotals = (async function* () {
    // Reserves the last row for the totals.
    yield* noMoreThan(isCut ? most : most - 1, pieces, rows => rows.length);
    yield [totals];
  })();
  return {
    columns: positions.map(position =>
      standingOut(
        localize(exportColumn(columns[position]!), names[position]!, model, locale),
        tile,
        names[position]!,
      ),
    ),
    pieces: withPlaces(withTotals, positions, names.length),
    endsInTotal: true,
    ...(total > most && { cut: { rows: most, of: total } }),
  };
}

/** Counts the rows of a table tile, without its totals. */
export async function countTableRows(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
): Promise<number> {
  return (await tableRows(context, id, tile, { offset: 0, limit: 1, isPlain: true })).total;
}

/** Returns the indexes of the columns that the viewer has not hidden. */
function shownPositions({ state }: DashboardContext, id: string, names: readonly string[]): number[] {
  const { without = [] } = state.tiles?.[id] ?? {};
  const shown = names.flatMap((name, position) => (without.includes(name) ? [] : [position]));
  return shown.length > 0 ? shown : [...names.keys()];
}

/** Selects some columns of each row. All are queried, since the rows may be sorted by a hidden one. */
async function* withPlaces(
  pieces: AsyncIterable<TablePage['rows']>,
  positions: readonly number[],
  of: number,
): AsyncGenerator<TablePage['rows'], void> {
  for await (const rows of pieces)
    yield positions.length === of ? rows : rows.map(row => positions.map(position => row[position]!));
}

/**
 * Passes chunks through and fails past the format's row limit. The total was not known before, and no rows
 * are omitted silently.
 */
export async function* noMoreThan<T>(
  most: number,
  pieces: AsyncIterable<T>,
  rowsIn: (piece: T) => number,
  refused: (most: number) => ProblemError = tooLong,
): AsyncGenerator<T, void> {
  let rows = 0;
  for await (const piece of pieces) {
    rows += rowsIn(piece);
    if (rows > most) throw refused(most);
    yield piece;
  }
}

function tooLong(most: number): ProblemError {
  return new ProblemError(
    'query-too-large',
    `There are more than ${most.toLocaleString('en')} rows, the maximum of this format. Select fewer rows, or use another format.`,
  );
}

/** Requests the first chunk at once, so that errors appear before anything is sent. */
export async function begun<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  return (await withFirst(pieces))[0];
}

/** Returns the same chunks, and the first of them if there is one. */
export async function withFirst<T>(
  pieces: AsyncIterable<T>,
): Promise<readonly [AsyncIterable<T>, T | undefined]> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const all = (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
  return [all, first.done ? undefined : first.value];
}

/** Labels measure columns as on the page. */
function localize(column: ExportColumn, name: string, model: Model, locale: string): ExportColumn {
  return Object.hasOwn(model.dimensions, name)
    ? column
    : { ...column, label: measureLabel(model, name, locale) };
}

/** Converts a result's column for export. */
export function exportColumn({
  label,
  type,
  format,
}: Pick<TablePage['columns'][number], 'label' | 'type' | 'format'>): ExportColumn {
  const kind =
    type === 'date'
      ? 'date'
      : type === 'time' || type === 'instant'
        ? 'time'
        : type === 'boolean'
          ? 'boolean'
          : ['integer', 'decimal', 'number'].includes(type)
            ? 'number'
            : 'text';
  // Columns without a format show every digit and no separators: they may be years or IDs.
  return { label, type: kind, ...(kind === 'number' && { format: format ?? 'plain' }) };
}

const dayMs = 86_400_000;
const days = new Map<number, string>();

/**
 * Formats a date or time in ISO 8601, which every program reads. Dates are cached, since long files repeat
 * them.
 */
export function isoTime(ms: number, type: 'date' | 'time'): string {
  const day = Math.floor(ms / dayMs);
  let text = days.get(day);
  if (text === undefined) {
    if (days.size > 50_000) days.clear();
    text = new Date(day * dayMs).toISOString().replace(/T.*$/, '');
    days.set(day, text);
  }
  if (type === 'date') return text;
  const second = Math.floor((ms - day * dayMs) / 1000);
  const two = (value: number) => (value < 10 ? `0${value}` : `${value}`);
  return `${text}T${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
}

/** Formats a date or time as on the page. */
export function shownTime(ms: number, type: 'date' | 'time', locale: string): string {
  return type === 'date' ? formatDay(ms, locale) : formatMoment(ms, locale);
}
