import { buildModel } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { Tile } from '@belvedere/document';
import { tileShape } from './chart-query.ts';
import { measureOf } from './tile-measure.ts';

const { model } = buildModel(
  'trips',
  {
    version: 1,
    table: 'trips',
    dimensions: { delay: { label: 'Delay', format: '.1f' }, city: {} },
    measures: { trips: { expr: 'count(*)' } },
  },
  [
    {
      name: 'trips',
      columns: [
        { name: 'delay', type: 'integer' },
        { name: 'city', type: 'text' },
      ],
    },
  ],
);

test.each([
  ['trips', 'Trips', 'count'],
  ['mean(delay)', 'Mean of delay', 'avg'],
  ['median(delay)', 'Median of delay', 'median'],
  ['q1(delay)', 'First quartile of delay', 'quantile'],
  ['p95(delay)', '95th percentile of delay', 'quantile'],
  ['distinct(city)', 'Distinct count of city', 'count'],
  ['count()', 'Rows', 'count'],
] as const)('%s is called %s and queries %s', (name, label, call) => {
  const measure = measureOf(model!, name);
  expect([measure.name, measure.label]).toEqual([name, label]);
  expect(measure.expression).toMatchObject({ kind: 'call', name: call });
});

test('a field’s format applies to aggregates of its values, and not to counts', () => {
  expect([measureOf(model!, 'mean(delay)').format, measureOf(model!, 'distinct(delay)').format]).toEqual([
    '.1f',
    'integer',
  ]);
});

test.each([
  ['sum(city)', /not a number/],
  ['mean(dely)', /did you mean `delay`/],
  ['trps', /did you mean `trips`/],
  ['mode(delay)', /not an aggregate/],
] as const)('%s is refused with a message', (name, words) => {
  expect(() => measureOf(model!, name)).toThrow(words);
});

test.each(['pie', 'treemap', 'waterfall'] as const)(
  'a %s of averages is refused, since they are not additive',
  kind => {
    const mean = { field: 'delay', aggregate: 'mean' } as const;
    const tile =
      kind === 'pie'
        ? { kind, color: { field: 'city' }, theta: mean }
        : kind === 'treemap'
          ? { kind, levels: [{ field: 'city' }], size: mean }
          : { kind, x: { field: 'city' }, y: mean };
    expect(() => tileShape(tile, model!)).toThrow(/is not additive/);
  },
);

test('a funnel has steps from a field or from measures, and not from both', () => {
  expect(() => tileShape({ kind: 'funnel', x: { measure: 'trips' } }, model!)).toThrow(/needs steps/);
  expect(() =>
    tileShape(
      { kind: 'funnel', y: { field: 'city' }, x: [{ measure: 'trips' }, { measure: 'trips' }] },
      model!,
    ),
  ).toThrow(/not both/);
  expect(
    tileShape(
      { kind: 'funnel', x: [{ measure: 'trips' }, { aggregate: 'distinct', field: 'city' }] },
      model!,
    ),
  ).toMatchObject({ axes: [], measures: ['trips', 'distinct(city)'] });
});

test('a pivot queries its rows and columns, a table with a measure groups, a text its figures', () => {
  expect(
    tileShape({ kind: 'pivot', rows: [{ field: 'city' }], values: [{ measure: 'trips' }] }, model!),
  ).toMatchObject({ pivot: { rows: 1, columns: 0 }, measures: ['trips'] });
  expect(tileShape({ kind: 'table', columns: ['city', 'trips', 'mean(delay)'] }, model!)).toEqual({
    kind: 'groups',
    dimensions: ['city'],
    measures: ['trips', 'mean(delay)'],
    sparklines: [],
  });
  expect(
    tileShape({ kind: 'text', text: 'In all {{ trips }}, at {{mean(delay)}}, and {{ no figure' }, model!),
  ).toMatchObject({ axes: [], measures: ['trips', 'mean(delay)'] });
  expect(tileShape({ kind: 'text', text: 'Plain' }, model!)).toEqual({ kind: 'nothing' });
});

test.each(['kpi', 'gauge'] as const)('a %s queries the measure of its target after its value', kind => {
  const [value, target] = [{ measure: 'trips' }, { field: 'delay', aggregate: 'mean' as const }];
  expect(tileShape({ kind, value, target }, model!)).toMatchObject({
    measures: ['trips', 'mean(delay)'],
  });
  expect(tileShape({ kind, value, target: 9 }, model!)).toMatchObject({ measures: ['trips'] });
  expect(() => tileShape({ kind, value, target: { measure: 'trps' } }, model!)).toThrow(
    /did you mean `trips`/,
  );
});

test.each([
  [{ columns: ['city', 'trips'], heat: ['trips'] }, undefined],
  [{ columns: ['city', 'delay'], heat: ['delay'] }, undefined],
  [{ columns: ['city', 'trips'], heat: ['trps'] }, /`trps` cannot be shaded.*did you mean `trips`/],
  [{ columns: ['city', 'trips'], heat: ['delay'] }, /not among the table’s columns/],
  [{ columns: ['city', 'trips'], heat: ['city'] }, /`city` cannot be shaded by value: it is not a number/],
])('the shaded columns of a table are numbers among its columns: %o', (table, message) => {
  const shape = () => tileShape({ kind: 'table', ...table }, model!);
  if (message) expect(shape).toThrow(message);
  else expect(shape).not.toThrow();
});

test('a scatter consists of rows or of measures, and reports what it lacks', () => {
  const [trips, delay] = [{ measure: 'trips' }, { field: 'delay', aggregate: 'mean' as const }];
  expect(
    tileShape({ kind: 'scatter', x: trips, y: delay, size: trips, detail: { field: 'city' } }, model!),
  ).toMatchObject({
    axes: [{ channel: 'detail', kind: 'categories', limit: 300 }],
    measures: ['trips', 'mean(delay)', 'trips'],
  });
  expect(() => tileShape({ kind: 'scatter', x: trips, y: delay }, model!)).toThrow(/needs `detail`/);
  expect(() =>
    tileShape({ kind: 'scatter', x: { field: 'delay' }, y: trips, detail: { field: 'city' } }, model!),
  ).toThrow(/not one of each/);
  expect(() =>
    tileShape({ kind: 'scatter', x: { field: 'delay' }, y: { field: 'delay' }, size: trips }, model!),
  ).toThrow(/with a scatter of two measures/);
});

test('tooltip fields are queried after the drawn ones: fields of rows, measures of groups', () => {
  const bars: Tile = {
    kind: 'bar',
    x: { measure: 'trips', show: 'share of total' },
    y: { field: 'city' },
    tooltip: [{ aggregate: 'mean', field: 'delay' }],
  };
  expect(tileShape(bars, model!)).toMatchObject({
    measures: ['trips', 'mean(delay)'],
    show: ['share of total', null],
  });
  const points = { kind: 'scatter', x: { field: 'delay' }, y: { field: 'delay' } } as const;
  expect(tileShape({ ...points, tooltip: [{ field: 'city' }] }, model!)).toMatchObject({
    measures: ['rows'],
  });
  expect(() => tileShape({ ...points, tooltip: [{ field: 'citty' }] }, model!)).toThrow(
    /did you mean `city`/,
  );
  expect(() => tileShape({ ...points, tooltip: [{ measure: 'trips' }] }, model!)).toThrow(/can show fields/);
  expect(() =>
    tileShape(
      {
        kind: 'scatter',
        x: { measure: 'trips' },
        y: { measure: 'trips' },
        detail: { field: 'city' },
        tooltip: [{ field: 'city' }],
      },
      model!,
    ),
  ).toThrow(/can show measures/);
});

test('shapes belong to rows, a connecting line to points of measures', () => {
  const rows = { kind: 'scatter', x: { field: 'delay' }, y: { field: 'delay' } } as const;
  const measured = {
    kind: 'scatter',
    x: { measure: 'trips' },
    y: { measure: 'trips' },
    detail: { field: 'city' },
  } as const;
  expect(tileShape({ ...rows, shape: { field: 'city' } }, model!)).toMatchObject({
    axes: [{ channel: 'x' }, { channel: 'y' }, { channel: 'shape', limit: 6 }],
  });
  expect(
    tileShape({ ...rows, color: { field: 'city', limit: 3 }, shape: { field: 'city' } }, model!),
  ).toMatchObject({
    axes: [
      { channel: 'x' },
      { channel: 'y' },
      { channel: 'color', limit: 3 },
      { channel: 'shape', limit: 3 },
    ],
  });
  expect(() => tileShape({ ...measured, shape: { field: 'city' } }, model!)).toThrow(/has no `shape`/);
  expect(tileShape({ ...measured, order: { field: 'city' } }, model!)).toMatchObject({
    axes: [{ channel: 'detail' }],
  });
  expect(() => tileShape({ ...measured, order: { field: 'delay' } }, model!)).toThrow(
    /order: \{ field: city \}/,
  );
  expect(() => tileShape({ ...rows, order: { field: 'city' } }, model!)).toThrow(
    /with a scatter of two measures/,
  );
});

test('an option of an axis or legend that the tile lacks is refused', () => {
  expect(() =>
    tileShape(
      { kind: 'radar', x: { field: 'city', axis: { title: 'City' } }, y: { measure: 'trips' } },
      model!,
    ),
  ).toThrow(/`x` of a radar has no axis/);
  expect(() =>
    tileShape(
      { kind: 'line', x: { field: 'city' }, y: { measure: 'trips' }, column: { field: 'city', axis: false } },
      model!,
    ),
  ).toThrow(/`column` of a line has no axis/);
  expect(() =>
    tileShape(
      { kind: 'pie', color: { field: 'city', legend: { title: 'City' } }, theta: { measure: 'trips' } },
      model!,
    ),
  ).toThrow(/`color` of a pie has no legend/);
  expect(() =>
    tileShape(
      { kind: 'line', x: { field: 'city', axis: { tickCount: 4 } }, y: { measure: 'trips' } },
      model!,
    ),
  ).toThrow(/`tickCount` needs numbers or times, but `x` shows the names of `city`/);
  expect(() =>
    tileShape(
      { kind: 'line', x: { field: 'city', axis: { format: 'percent' } }, y: { measure: 'trips' } },
      model!,
    ),
  ).toThrow(/`format` needs numbers, but `x` shows the names of `city`/);
  for (const numbered of [
    { x: { measure: 'trips' }, y: { field: 'city', axis: { tickCount: 4 } } },
    { x: { measure: 'trips', axis: { format: '.1f' } }, y: { field: 'city' } },
  ])
    expect(() => tileShape({ kind: 'bar', ...numbered }, model!)).toThrow(/horizontal bars/);
  expect(
    tileShape(
      {
        kind: 'combo',
        x: { field: 'city', axis: { title: 'City' } },
        layers: [
          { mark: 'bar', y: { measure: 'trips', axis: { title: 'Trips' } } },
          { mark: 'line', y: { measure: 'trips' }, axis: 'right' },
        ],
      },
      model!,
    ),
  ).toMatchObject({ kind: 'cells' });
});

test('an annotation without a position, or with one on a field that its tile lacks, is refused', () => {
  const noted = (tile: object, annotation: object) => () =>
    tileShape(
      { ...tile, annotations: [{ text: 'Look', ...annotation }] } as Parameters<typeof tileShape>[0],
      model!,
    );
  const bars = { kind: 'bar', x: { measure: 'trips' }, y: { field: 'city' } };
  const points = {
    kind: 'scatter',
    x: { measure: 'trips' },
    y: { measure: 'trips' },
    detail: { field: 'city' },
  };
  expect(noted(bars, { y: 'Paris' })).not.toThrow();
  expect(noted(bars, { y: 'Paris', x: 3 })).not.toThrow();
  expect(noted(bars, { x: 3 })).toThrow(/Annotation 1 is missing `y`/);
  expect(noted(bars, { x: 'far', y: 'Paris' })).toThrow(/needs a number as `x`/);
  expect(noted(bars, { y: 'Paris', color: 'red' })).toThrow(/uses `color`, which this tile does not have/);
  expect(noted(points, { detail: 'Paris' })).not.toThrow();
  expect(noted(points, { x: 1, y: 2 })).not.toThrow();
  expect(noted(points, { x: 1 })).toThrow(/is missing `detail`, or `x` and `y`/);
  expect(
    noted({ kind: 'scatter', x: { field: 'delay' }, y: { field: 'delay' } }, { x: 'soon', y: 1 }),
  ).toThrow(/needs a number as `x`/);
  expect(
    noted({ kind: 'bar', x: { field: 'delay', bin: true }, y: { measure: 'trips' } }, { x: 'soon' }),
  ).toThrow(/needs a number as `x`/);
  expect(
    noted(
      {
        kind: 'combo',
        x: { field: 'city' },
        layers: [
          { mark: 'bar', y: { measure: 'trips' } },
          { mark: 'line', y: { measure: 'trips' } },
        ],
      },
      { x: 'Paris', y: 4 },
    ),
  ).not.toThrow();
});
