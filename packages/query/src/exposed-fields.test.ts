import { readDocument, type DashboardFile } from '@belvedere/document';
import { buildModel, type Model, type TableModelFile } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import { exposedFields } from './exposed-fields.ts';
import { noMeasure, visibleDocument } from './visible-document.ts';

const names = ['day', 'country', 'region', 'city', 'shop', 'size', 'salary', 'status'];
const table = {
  name: 'sales',
  columns: names.map(
    name =>
      ({
        name,
        type: name === 'size' || name === 'salary' ? 'integer' : name === 'day' ? 'date' : 'text',
      }) as const,
  ),
};

function built(without: readonly string[] = [], name = 'sales'): Model {
  const fields = names.filter(field => !without.includes(field));
  const measures: TableModelFile['measures'] = without.includes('pay')
    ? {}
    : { pay: { expr: 'sum(salary)' } };
  const file: TableModelFile = {
    version: 1,
    table: 'sales',
    dimensions: Object.fromEntries(fields.map(field => [field, {}])),
    measures: { total: { expr: 'sum(size)' }, ...measures },
    hierarchies: { position: ['country', 'region', 'city'] },
  };
  return buildModel(name, { ...file, ...(without.includes('region') && { hierarchies: {} }) }, [table])
    .model!;
}

function dashboard(tiles: string, more = ''): DashboardFile {
  const read = readDocument(
    'dashboard',
    `version: 1\ntitle: Sales\nmodel: sales\n${more}pages:\n  - title: One\n    tiles:\n${tiles
      .split('\n')
      .map(line => `      ${line}`)
      .join('\n')}\n`,
    'dashboards/sales.yaml',
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}
const total = 'y: { measure: total }';

describe('fields that a dashboard exposes', () => {
  const exposed = (tiles: string, more?: string) =>
    [...exposedFields(dashboard(tiles, more), built())].toSorted();

  test.each([
    [
      'channels of a chart',
      `a: { kind: bar, x: { field: shop }, ${total}, color: { field: status }, row: { field: city } }`,
      ['city', 'shop', 'status'],
    ],
    [
      'fields in a tooltip',
      'a: { kind: scatter, x: { field: size }, y: { field: salary }, tooltip: [{ field: shop }] }',
      ['salary', 'shop', 'size'],
    ],
    [
      'rows and columns of a pivot',
      'a: { kind: pivot, rows: [{ field: shop }], columns: [{ field: status }], values: [{ measure: total }] }',
      ['shop', 'status'],
    ],
    ['columns of a table that are fields', 'a: { kind: table, columns: [shop, total] }', ['shop']],
    ['all fields, by a table that names no columns', 'a: { kind: table }', names.toSorted()],
    [
      'both sides of a box plot',
      'a: { kind: boxplot, x: { field: shop }, y: { field: size } }',
      ['shop', 'size'],
    ],
    ['the field of a control', 'a: { kind: control, field: status }', ['status']],
    [
      'the time of a sparkline',
      'a: { kind: kpi, value: { measure: total }, spark: { field: day } }',
      ['day'],
    ],
    [
      'levels of a drill-down',
      `a: { kind: bar, x: { field: country }, ${total} }`,
      ['city', 'country', 'region'],
    ],
    [
      'the tile’s own way to drill',
      `a: { kind: bar, x: { field: country }, ${total}, drill: [shop] }`,
      ['country', 'shop'],
    ],
  ])('include %s', (_, tiles, expected) => expect(exposed(tiles)).toEqual(expected));

  test.each([
    [
      'a tile is only filtered by',
      'a: { kind: kpi, value: { measure: total }, filters: [{ field: status, default: { oneOf: [open] } }] }',
    ],
    ['a tile only aggregates', 'a: { kind: kpi, value: { field: salary, aggregate: mean } }'],
    ['a text only names by a figure', "a: { kind: text, text: 'Pay: {{ mean(salary) }} salary' }"],
  ])('exclude those that %s', (_, tiles) => expect(exposed(tiles)).toEqual([]));

  test('include those an axis shows, and not those that it is only sorted by', () => {
    expect(
      exposed(`a: { kind: bar, x: { field: shop, sort: { field: salary, aggregate: max } }, ${total} }`),
    ).toEqual(['shop']);
  });

  test('include the filters that viewers see, and not the hidden ones', () => {
    expect(
      exposed(
        'a: { kind: text, text: Hello }',
        'filters: [{ field: shop }, { field: city, locked: true, default: { oneOf: [Ulm] } }, { field: status, hidden: true }]\n',
      ),
    ).toEqual(['city', 'shop']);
  });

  test('include every option of a parameter, whichever is chosen', () => {
    expect(
      exposed(
        `a: { kind: bar, x: { field: ':by' }, ${total} }`,
        'parameters: { by: { kind: field, options: [shop, status] } }\n',
      ),
    ).toEqual(['shop', 'status']);
  });

  test('include only those of tiles of the same model', () => {
    const document = dashboard(
      `a: { kind: bar, x: { field: shop }, ${total} }\nb: { kind: bar, model: staff, x: { field: salary }, ${total} }`,
    );
    expect([[...exposedFields(document, built())], [...exposedFields(document, built([], 'staff'))]]).toEqual(
      [['shop'], ['salary']],
    );
  });

  test('exclude those that the model lacks', () => {
    expect([
      ...exposedFields(
        dashboard(`a: { kind: bar, x: { field: country }, ${total} }`),
        built(['region', 'country']),
      ),
    ]).toEqual([]);
  });
});

describe('the viewer’s copy of a document', () => {
  const without = ['salary', 'pay'];
  const seen = (tiles: string, more?: string) =>
    visibleDocument(dashboard(tiles, more), () => built(without));

  test('is unchanged if all its fields exist for the viewer', () => {
    const document = dashboard(
      `a: { kind: bar, x: { field: shop }, ${total}, drill: [city], at: [0, 0, 6, 4] }`,
      'filters: [{ field: status }]\nparameters: { by: { kind: measure, options: [total, mean(size)] } }\n',
    );
    expect(visibleDocument(document, () => built(without))).toEqual(document);
  });

  test.each([
    ['a measure', 'a: { kind: kpi, title: Wages, value: { measure: pay }, at: [0, 0, 6, 4] }'],
    [
      'an aggregate',
      'a: { kind: kpi, title: Wages, value: { field: salary, aggregate: mean }, at: [0, 0, 6, 4] }',
    ],
    [
      'an order',
      `a: { kind: bar, title: Wages, x: { field: shop, sort: { measure: pay } }, ${total}, at: [0, 0, 6, 4] }`,
    ],
    [
      'a figure in a text',
      "a: { kind: text, title: Wages, text: 'We pay {{ median(salary) }}', at: [0, 0, 6, 4] }",
    ],
    ['a column', 'a: { kind: table, title: Wages, columns: [shop, salary], at: [0, 0, 6, 4] }'],
  ])('has an empty tile in place of a tile with %s that does not exist for the viewer', (_, tile) => {
    expect(seen(tile).pages[0]!.tiles['a']).toEqual({
      kind: 'kpi',
      title: 'Wages',
      value: { measure: noMeasure },
      at: [0, 0, 6, 4],
    });
  });

  test('contains no name of a hidden field', () => {
    const document = seen(
      `a: { kind: bar, x: { field: shop }, ${total}, filters: [{ field: salary, default: { from: 9 } }], drill: [salary, city], showIf: { notFiltered: salary } }\nb: { kind: kpi, value: { measure: ':what' } }`,
      'filters: [{ field: salary }, { field: shop }]\ncolours: { salary: { "1": "#112233" }, shop: { x: "#112233" } }\nparameters: { what: { kind: measure, options: [pay, total], default: pay } }\n',
    );
    expect(JSON.stringify(document)).not.toMatch(/salary|pay/);
    expect(document.pages[0]!.tiles).toMatchObject({
      a: { kind: 'bar', drill: ['city'] },
      b: { value: { measure: ':what' } },
    });
  });
});
