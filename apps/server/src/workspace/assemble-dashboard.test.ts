import { readDocument } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { assembleDashboard } from './assemble-dashboard.ts';

const modelWith = (name: string, fields: readonly string[]) => ({
  model: {
    name,
    label: name,
    source: 'files',
    table: name,
    joins: {},
    dimensions: Object.fromEntries(
      fields.map(field => [
        field,
        { name: field, label: field, type: 'text', expression: { kind: 'column', name: field } },
      ]),
    ),
    measures: {
      rows: {
        name: 'rows',
        label: 'Rows',
        type: 'integer',
        expression: { kind: 'call', name: 'count', args: [] },
      },
    },
  },
});

/** The problems of a dashboard about the model `orders`, which has `region` and `city`, and `shops`, with `owner`. */
function problemsOf(
  text: string,
  {
    reading = [],
    waiting = [],
    sources = [],
  }: { reading?: readonly string[]; waiting?: readonly string[]; sources?: readonly string[] } = {},
): string[] {
  const file = 'dashboards/a.yaml';
  const whole = `version: 1\ntitle: A\nmodel: orders\n${text}`;
  const models = new Map(
    [modelWith('orders', ['region', 'city']), modelWith('shops', ['owner'])]
      .filter(({ model: { name } }) => !reading.includes(name))
      .map(entry => [entry.model.name, entry]),
  );
  const { problems } = assembleDashboard(
    'a',
    { file, text: whole, updated: 0, read: readDocument('dashboard', whole, file) } as never,
    undefined,
    {
      models,
      modelsReading: new Set(reading),
      modelsWaiting: new Map(waiting.map(name => [name, 'shop'])),
      tables: new Map(),
      sources: new Map(sources.map(state => [state, { state }])),
      dashboards: new Map(['a', 'sales', 'overview/orders'].map(id => [id, undefined])),
      settings: {},
    } as never,
  );
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

const filter = (field: string) =>
  `filters:\n  - { field: ${field}, default: { oneOf: [x] }, locked: true }\n`;
const tiles = (...lines: readonly string[]) =>
  `pages:\n  - title: One\n    tiles:\n${lines.map(line => `      ${line}\n`).join('')}`;
const total = 'a: { kind: kpi, value: { measure: rows } }';
const ofShops = 'b: { kind: kpi, model: shops, value: { measure: rows } }';

describe('fields of filters and conditions are checked against the models', () => {
  test.each([
    [
      'a filter of the dashboard',
      filter('regoin') + tiles(total),
      '5: There is no field `regoin` in `orders`; did you mean `region`?',
    ],
    [
      'a filter of the dashboard, with two models',
      filter('ownr') + tiles(total, ofShops),
      '5: There is no field `ownr` in `orders`, `shops`; did you mean `owner`?',
    ],
    [
      'a filter of a tile, whose field another model has',
      tiles(`${total.slice(0, -2)}, filters: [{ field: owner }] }`, ofShops),
      '7: There is no field `owner` in `orders`',
    ],
    [
      'a drill path',
      tiles('a: { kind: bar, x: { measure: rows }, y: { field: region }, drill: [region, cty] }'),
      '7: There is no field `cty` in `orders`; did you mean `city`?',
    ],
    [
      'a condition for showing a tile',
      tiles(total, 'c: { kind: text, text: Hi, showIf: { notFiltered: citi } }'),
      '8: There is no field `citi` in `orders`; did you mean `city`?',
    ],
  ])('%s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  test('a field of any tile’s model is known', () => {
    expect(problemsOf(filter('owner') + tiles(total, ofShops))).toEqual([]);
  });

  test('models that are being read, or wait for their source, may have the field', () => {
    const text = filter('other') + tiles(total, ofShops);
    expect(problemsOf(text)).toHaveLength(1);
    expect(problemsOf(text, { reading: ['shops'] })).toEqual([]);
    expect(problemsOf(text, { waiting: ['shops'] })).toEqual([]);
  });
});

describe('dashboards that tiles open are checked against those of the workspace', () => {
  const opening = (id: string) => tiles(`${total.slice(0, -2)}, opens: ${id} }`);

  test.each(['sales', 'overview/orders', 'a'])('%s exists', id => {
    expect(problemsOf(opening(id))).toEqual([]);
  });

  test.each([
    ['slaes', '`slaes`; did you mean `sales`?'],
    ['overview/order', '`overview/order`; did you mean `overview/orders`?'],
    ['elsewhere', '`elsewhere`'],
  ])('%s is reported with the nearest one', (id, message) => {
    expect(problemsOf(opening(id))).toEqual([`7: There is no dashboard ${message}`]);
  });

  test('an overview of a source that is not connected yet may come later', () => {
    expect(problemsOf(opening('overview/shop_customers'), { sources: ['connecting'] })).toEqual([]);
    expect(problemsOf(opening('overview/shop_customers'), { sources: ['ready'] })).toHaveLength(1);
    expect(problemsOf(opening('customers'), { sources: ['connecting'] })).toHaveLength(1);
  });
});
