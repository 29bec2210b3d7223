import { brushAxis, buildIndex, conditionFor, areasOnAxes, sliceIndex } from '@belvedere/crossfilter';
import {
  denseParts,
  shownValues,
  type Cells,
  type CellsHeader,
  type DashboardState,
  type Frame,
  type IndexHeader,
} from '@belvedere/api';
import { measureName, resolveDashboard, writeDocument, type Tile } from '@belvedere/document';
import {
  groupsOf,
  isSelectable,
  measuresOf,
  parseCalendarTime,
  positionsOf,
  slotOf,
  slotsOf,
  type Axis,
  type Box,
  type FieldFilter,
} from '@belvedere/query';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '../random/random-from.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * The figures of a page are computed in four ways on random data, filters and brushes, and must be equal: by
 * the page (results combined from parts), from the brush index, by a plain query of the model on the engine,
 * and by a loop in this file over the rows, without any engine.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const random = randomFrom(seed);
const rounds = 25;

interface Row {
  readonly at: number | null;
  readonly kind: string | null;
  readonly size: number | null;
  readonly amount: number | null;
  readonly flag: boolean | null;
}

const rows: Row[] = Array.from({ length: 3000 }, () => ({
  at: maybe(() => parseCalendarTime('2023-11-20') + Math.floor(random() * 100 * 24 * 60) * 60_000),
  // Empty text, a text that reads like null, and letters beyond ASCII are values of their own.
  kind: maybe(() =>
    pick(['a', 'b', 'c', 'NULL', '', 'é', 'E', 'e ', "o'clock", 'x"y', 'd', 'f', 'g', 'h', 'i', 'j']),
  ),
  size: maybe(() => Math.floor(random() * 200) - 50),
  // A third of the values lie on the edges of bins, where counting goes wrong first.
  amount: maybe(() =>
    random() < 0.3 ? Math.round(random() * 40 - 10) * 50 : Math.round((random() * 2000 - 500) * 4) / 4,
  ),
  flag: maybe(() => random() < 0.3),
}));

const measures = {
  rows: 'count(*)',
  total: 'sum(amount)',
  mean: 'avg(amount)',
  share: '1.0 * count(*) filter (where flag) / count(*)',
  least: 'min(amount)',
  most: 'max(size)',
  kinds: 'count(distinct kind)',
  half: 'median(amount)',
} as const;
type MeasureName = keyof typeof measures | 'largest' | 'lower' | 'upper';

let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-oracle-'));
  for (const name of ['data', 'models', 'dashboards']) await mkdir(path.join(folder, name));
  await writeFile(
    path.join(folder, 'belvedere.yaml'),
    `version: 1\ntimezone: UTC\nweekStart: ${pick(['monday', 'sunday', 'saturday'])}\nfiscalYearStart: ${pick(['january', 'december', 'february'])}\n`,
  );
  await writeFile(
    path.join(folder, 'data', 'things.ndjson'),
    rows
      .map(row =>
        JSON.stringify({ ...row, at: row.at === null ? null : new Date(row.at).toISOString().slice(0, 19) }),
      )
      .join('\n'),
  );
  const dimensions = Object.fromEntries(['at', 'kind', 'size', 'amount', 'flag'].map(name => [name, {}]));
  await writeFile(
    path.join(folder, 'models', 'things.yaml'),
    writeDocument(
      {
        version: 1,
        table: 'things',
        time: 'at',
        dimensions,
        measures: Object.fromEntries(Object.entries(measures).map(([name, expr]) => [name, { expr }])),
      },
      'model',
      'models/things.yaml',
    ),
  );
  await writeFile(
    path.join(folder, 'dashboards', 'all.yaml'),
    writeDocument(
      { version: 1, title: 'All', model: 'things', pages: [{ title: 'One', tiles: randomTiles() }] },
      'dashboard',
      'dashboards/all.yaml',
    ),
  );
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

test(`the data set is imported in full (seed ${seed})`, async () => {
  console.log(`oracle seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  const { report } = await running.client.getTable({ params: { table: 'things' } });
  expect([report!.rowsRead, report!.rowsKept]).toEqual([rows.length, rows.length]);
});

test(
  `page = index = engine = plain loop, ${rounds} random states (seed ${seed})`,
  { timeout: 240_000 },
  async () => {
    const { document } = await running.client.getDashboard({ params: { id: 'all' } });
    const { tiles } = resolveDashboard(document!, { filters: {}, selections: {} }, (_, value) =>
      String(value),
    ).pages[0]!;
    let compared = 0;
    let sliced = 0;
    for (let round = 0; round < rounds; round++) {
      const filters = randomFilters();
      const base = await ask({ page: 0, filters, selections: {} });
      const active = pick(
        Object.keys(tiles).filter(id => tiles[id]!.kind !== 'kpi' && tiles[id]!.kind !== 'text'),
      );
      const activeAxes = headerOf(base, active).axes.filter(axis =>
        isSelectable(tiles[active]!, axis.channel),
      );
      const box = randomBox(activeAxes);
      const state: DashboardState = { page: 0, filters, selections: { [active]: [box] } };
      const shown = await ask(state);
      const indexes = await collect(
        await running.client.getBrushIndex({
          params: { id: 'all' },
          body: { state: { ...state, selections: {} }, active },
        }),
      );

      for (const [id, tile] of Object.entries(tiles)) {
        const measures = namesOf(tile);
        const conditions = [...Object.entries(filters), ...(id === active ? [] : Object.entries(box))] as [
          keyof Row,
          FieldFilter,
        ][];
        // A pivot's totals are answers of their own, each compared with the rows themselves.
        for (const { header, cells } of partsOf(shown, id, id === active ? 'base' : 'filtered')) {
          const where = `seed ${seed}, round ${round}, tile ${id}, ${header.part}`;
          const page = shownValues(header, denseParts(header.axes, header.merges, cells));
          const expected = measures.map(measure => plainly(header.axes, measure, conditions));
          const groups = groupsOf(header.axes);
          expected.forEach((values, m) =>
            expectSame(page.subarray(m * groups, (m + 1) * groups), values, `${where}, page against loop`),
          );
          compared += page.length;
          const index = indexes.find(
            one => one.header.kind === 'index' && one.header.tile === id && one.header.part === header.part,
          );
          const slice = index && id !== active ? sliceOf(index, box) : undefined;
          if (slice) {
            expectSame(shownValues(header, slice), page, `${where}, index against page`);
            sliced++;
          }
        }
        const measure = measures[0]!;
        if (tile.kind === 'kpi') {
          const where = Object.fromEntries([...Object.entries(filters), ...Object.entries(box)]) as Record<
            string,
            FieldFilter
          >;
          const isPlain = Object.keys(where).length === Object.keys(filters).length + Object.keys(box).length;
          if (isPlain) {
            const answer = await running.client.postQuery({
              params: { name: 'things' },
              body: { measures: [measure], where },
            });
            const value = answer.rows[0]![0];
            const [{ header, cells }] = partsOf(shown, id, 'filtered') as [
              { header: CellsHeader; cells: Cells },
            ];
            const page = shownValues(header, denseParts(header.axes, header.merges, cells));
            expectSame(
              Float64Array.of(value === null || value === undefined ? Number.NaN : Number(value)),
              page,
              `seed ${seed}, round ${round}, tile ${id}, engine against page`,
            );
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(rounds * 100);
    expect(sliced).toBeGreaterThan(rounds);
  },
);

function randomTiles(): Record<string, Tile> {
  const mergeable: MeasureName[] = ['rows', 'total', 'mean', 'share', 'least', 'most'];
  const measure = () => ({ measure: pick(mergeable) });
  return {
    figure_1: { kind: 'kpi', value: { measure: 'rows' } },
    figure_2: { kind: 'kpi', value: measure() },
    figure_3: { kind: 'kpi', value: { measure: 'kinds' } },
    figure_4: { kind: 'kpi', value: { measure: 'half' } },
    by_time: {
      kind: 'line',
      x: { field: 'at', timeUnit: pick(['day', 'week', 'month', 'fiscalQuarter'] as const) },
      y: measure(),
    },
    by_time_and_kind: {
      kind: 'area',
      x: { field: 'at', timeUnit: 'week' },
      y: { measure: 'rows' },
      color: { field: 'kind', limit: 4 },
    },
    by_kind: { kind: 'bar', x: measure(), y: { field: 'kind', limit: pick([5, 30]) } },
    by_size: { kind: 'bar', x: { field: 'size', bin: { step: pick([7, 10, 25]) } }, y: measure() },
    clipped: {
      kind: 'bar',
      x: { field: 'amount', bin: { step: 50 }, scale: { domain: [-100, 900] } },
      y: { measure: 'rows' },
    },
    by_flag: { kind: 'bar', x: { field: 'flag' }, y: measure() },
    cells: {
      kind: 'heatmap',
      x: { field: 'at', timeUnit: 'month' },
      y: { field: 'kind', limit: 8 },
      color: measure(),
    },
    cloud: { kind: 'scatter', x: { field: 'size' }, y: { field: 'amount' } },
    points: {
      kind: 'scatter',
      x: measure(),
      y: measure(),
      size: { measure: 'rows' },
      detail: { field: 'kind', limit: pick([5, 30]) },
      color: { field: 'flag' },
    },
    two_scales: {
      kind: 'combo',
      x: { field: 'at', timeUnit: 'week' },
      layers: [
        { mark: 'bar', y: measure() },
        { mark: 'line', y: measure(), axis: 'right' },
        { mark: 'area', y: { field: 'amount', aggregate: 'sum' } },
      ],
    },
    boxes: { kind: 'boxplot', x: { field: 'flag' }, y: { field: 'amount' }, extent: 'min-max' },
    parts: { kind: 'donut', color: { field: 'kind', limit: 5 }, theta: { measure: 'rows' } },
    tree: {
      kind: 'treemap',
      levels: [{ field: 'kind', limit: 4 }, { field: 'flag' }],
      size: { measure: 'rows' },
    },
    panels: {
      kind: 'line',
      x: { field: 'at', timeUnit: 'month' },
      y: measure(),
      column: { field: 'kind', limit: 4 },
    },
    grid: {
      kind: 'bar',
      x: { field: 'size', bin: { step: 25 } },
      y: measure(),
      column: { field: 'kind', limit: 3 },
      row: { field: 'flag' },
    },
    days: { kind: 'calendar', x: { field: 'at' }, color: measure() },
    crossed: {
      kind: 'pivot',
      rows: [{ field: 'kind', limit: 4 }, { field: 'flag' }],
      columns: [{ field: 'at', timeUnit: 'month' }],
      values: [measure(), { field: 'amount', aggregate: 'median' }],
    },
    said: { kind: 'text', text: '{{ rows }} of {{ mean }}' },
  };
}

/** The names of a tile's measures where they are defined by the test. */
function namesOf(tile: Tile): MeasureName[] {
  if (tile.kind === 'boxplot') return ['least', 'lower', 'half', 'upper', 'largest'];
  const names = measuresOf(tile)
    .map(measureName)
    .map(
      name =>
        ({ 'sum(amount)': 'total', 'median(amount)': 'half' } as Record<string, MeasureName>)[name] ??
        (name as MeasureName),
    );
  return names.length > 0 ? names : ['rows'];
}

/** A tile's results in one scope, without those shown beside its chart. */
function partsOf(
  frames: readonly Frame[],
  tile: string,
  scope: 'base' | 'filtered',
): { header: CellsHeader; cells: Cells }[] {
  return frames.flatMap(({ header, cells }) =>
    header.kind === 'cells' &&
    header.tile === tile &&
    header.scope === scope &&
    header.part !== 'spark' &&
    header.part !== 'previous'
      ? [{ header, cells: cells! }]
      : [],
  );
}

function randomFilters(): Record<string, FieldFilter> {
  const filters: Record<string, FieldFilter> = {};
  if (random() < 0.4)
    filters['size'] = { from: Math.floor(random() * 100) - 40, ...(random() < 0.7 && { below: 80 }) };
  if (random() < 0.3)
    filters['kind'] = { oneOf: [pick(['a', 'NULL', 'é', "o'clock"]), pick([null, '', 'b']), 'c'] };
  if (random() < 0.2) filters['at'] = { from: '2023-12-03', below: '2024-02-11T12:30' };
  if (random() < 0.2) filters['flag'] = { oneOf: pick([[true], [false, null]]) };
  if (random() < 0.1) filters['kind'] = { contains: 'E' };
  if (random() < 0.1) filters['kind'] = { noneOf: [pick(['a', null]), 'c'] };
  return filters;
}

/** A brush along the axes' own steps, as a pointer would make it. */
function randomBox(axes: readonly Axis[]): Box {
  return Object.fromEntries(
    axes.map(axis => {
      const steps = axes.length > 1 ? axis : brushAxis(axis, axis.field === 'size' ? 'integer' : 'time');
      const places = steps.kind === 'categories' ? steps.values.length : positionsOf(steps);
      const from = Math.floor(random() * places);
      return [axis.field, conditionFor(steps, from, from + 1 + Math.floor(random() * (places - from)))];
    }),
  );
}

/** The oracle: assigns every row to its group and computes every measure by its definition. */
function plainly(
  axes: readonly Axis[],
  measure: MeasureName,
  conditions: readonly (readonly [keyof Row, FieldFilter])[],
): Float64Array {
  const groups: Row[][] = Array.from({ length: groupsOf(axes) }, () => []);
  for (const row of rows) {
    if (!conditions.every(([field, condition]) => meets(row[field], condition))) continue;
    groups[
      axes.reduce((group, axis) => group * slotsOf(axis) + slotOf(axis, row[axis.field as keyof Row]), 0)
    ]?.push(row);
  }
  return Float64Array.from(groups, group => definitions[measure](group));
}

const definitions: Record<MeasureName, (group: readonly Row[]) => number> = {
  rows: group => group.length,
  total: group => (amounts(group).length === 0 ? Number.NaN : sum(amounts(group))),
  mean: group => (amounts(group).length === 0 ? Number.NaN : sum(amounts(group)) / amounts(group).length),
  share: group =>
    group.length === 0 ? Number.NaN : group.filter(row => row.flag === true).length / group.length,
  least: group => (amounts(group).length === 0 ? Number.NaN : Math.min(...amounts(group))),
  most: group => Math.max(...group.flatMap(row => row.size ?? [])),
  kinds: group => new Set(group.flatMap(row => row.kind ?? [])).size,
  largest: group => (amounts(group).length === 0 ? Number.NaN : Math.max(...amounts(group))),
  lower: group => quantile(amounts(group), 0.25),
  upper: group => quantile(amounts(group), 0.75),
  half: group => {
    const sorted = amounts(group).toSorted((a, b) => a - b);
    const middle = sorted.length / 2;
    return sorted.length === 0
      ? Number.NaN
      : (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  },
};
/** Between two values by proportion, as the language of expressions has it. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return sorted.length === 0 ? Number.NaN : low + (high - low) * (at - Math.floor(at));
}

const amounts = (group: readonly Row[]) => group.flatMap(row => row.amount ?? []);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function meets(value: Row[keyof Row], condition: FieldFilter): boolean {
  if ('oneOf' in condition) return condition.oneOf.includes(value);
  if ('noneOf' in condition) return !condition.noneOf.includes(value);
  if ('contains' in condition)
    return typeof value === 'string' && value.toLowerCase().includes(condition.contains.toLowerCase());
  if (!('from' in condition || 'below' in condition) || typeof value !== 'number') return false;
  const edge = (text: string | number | undefined) =>
    typeof text === 'string' ? parseCalendarTime(text) : text;
  const [from, below] = [edge(condition.from), edge(condition.below)];
  return (from === undefined || value >= from) && (below === undefined || value < below);
}

function sliceOf(frame: Frame, box: Box): Float64Array[] | undefined {
  const header = frame.header as IndexHeader;
  const index = buildIndex(header, frame.cells!);
  const areas = areasOnAxes(index.brush, [box], index.unbound);
  if (!areas) return undefined;
  const out = index.parts.map(() => new Float64Array(index.groups));
  sliceIndex(index, areas, out);
  return out;
}

/**
 * Equal, doubles to a billionth; nothing (NaN) only where nothing is expected, or 0 where the loop's empty
 * Math.max gives −∞.
 */
function expectSame(got: Float64Array, expected: Float64Array, what: string): void {
  expect(got.length, what).toBe(expected.length);
  for (let i = 0; i < got.length; i++) {
    const [a, b] = [got[i]!, expected[i]!];
    const isNothing = (value: number) => Number.isNaN(value) || value === -Infinity;
    if (isNothing(a) && isNothing(b)) continue;
    // A distinct count of a group without rows is not queried, so it is null rather than 0.
    if (isNothing(a) && b === 0) continue;
    if (Math.abs(a - b) > 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)))
      expect.fail(`${what}: group ${i} is ${a}, expected ${b}`);
  }
}

async function ask(state: DashboardState): Promise<Frame[]> {
  const frames = await collect(await running.client.queryTiles({ params: { id: 'all' }, body: { state } }));
  expect(frames.filter(frame => frame.header.kind === 'problem').map(frame => frame.header)).toEqual([]);
  return frames;
}

function find(frames: readonly Frame[], tile: string, scope: 'base' | 'filtered'): Frame {
  return frames.find(
    frame =>
      frame.header.kind === 'cells' &&
      frame.header.tile === tile &&
      frame.header.part === 'main' &&
      frame.header.scope === scope,
  )!;
}

function headerOf(frames: readonly Frame[], tile: string): CellsHeader {
  return find(frames, tile, 'base').header as CellsHeader;
}

function pick<T>(values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

function maybe<T>(make: () => T): T | null {
  return random() < 0.07 ? null : make();
}
