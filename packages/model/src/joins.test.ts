import type { ModelFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { buildModel } from './build-model.ts';
import { joinsOf } from './expression-joins.ts';
import type { TableSchema } from './table.ts';

const tables: readonly TableSchema[] = [
  {
    name: 'orders',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'customer', type: 'integer' },
      { name: 'shop.town', type: 'text' },
    ],
  },
  {
    name: 'customers',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'town', type: 'text' },
    ],
    unique: ['id'],
  },
  {
    name: 'towns',
    columns: [
      { name: 'name', type: 'text' },
      { name: 'country', type: 'text' },
    ],
    unique: ['name'],
  },
  {
    name: 'countries',
    columns: [
      { name: 'code', type: 'text' },
      { name: 'called', type: 'text' },
    ],
    unique: ['code'],
  },
];
const customer = { table: 'customers', on: { customer: 'id' } };
const town = { table: 'towns', on: { 'customer.town': 'name' } };
const country = { table: 'countries', on: { 'town.country': 'code' } };
const built = (joins: ModelFile['joins'], column = 'country.called') =>
  buildModel('orders', { version: 1, table: 'orders', joins, dimensions: { called: { column } } }, tables);

test('a join may begin at another join, in whatever order they are written', () => {
  for (const joins of [
    { customer, town, country },
    { country, town, customer },
  ]) {
    const { model, problems } = built(joins);
    expect(problems).toEqual([]);
    expect(Object.keys(model!.joins)).toEqual(['customer', 'town', 'country']);
    expect(model!.joins['country']!.on).toEqual([
      { join: 'town', column: 'country', type: 'text', equals: 'code', equalsType: 'text' },
    ]);
    expect(model!.dimensions['called']!.type).toBe('text');
  }
});

test('a column of the table takes precedence, whatever its name looks like', () => {
  const { model, problems } = built(
    { shop: customer, town: { table: 'towns', on: { 'shop.town': 'name' } } },
    'town.country',
  );
  expect(problems).toEqual([]);
  expect(model!.joins['town']!.on[0]).toMatchObject({ column: 'shop.town' });
  expect(model!.joins['town']!.on[0]).not.toHaveProperty('join');
});

test.each([
  [
    'an unknown column of the joined table',
    { customer, town: { table: 'towns', on: { 'customer.twon': 'name' } } },
    ['joins.town: `customers` has no column `twon`; did you mean `town`?'],
  ],
  [
    'an unknown join',
    { customer, town: { table: 'towns', on: { 'custmer.town': 'name' } } },
    ['joins.town: `orders` has no column `custmer.town`'],
  ],
  [
    'joins that begin at each other',
    { town: { table: 'towns', on: { 'country.called': 'name' } }, country },
    [
      'joins.town: `country.called` starts at the join `country`',
      'joins.country: `town.country` starts at the join `town`',
    ],
  ],
  [
    'a join that begins at itself',
    { town: { table: 'towns', on: { 'town.country': 'name' } } },
    ['joins.town: `town.country` starts at the join `town`'],
  ],
  [
    'a join that begins at an invalid join',
    { customer: { table: 'customers', on: { custmer: 'id' } }, town },
    [
      'joins.customer: `orders` has no column `custmer`; did you mean `customer`?',
      'joins.town: `customer.town` starts at the join `customer`',
    ],
  ],
])('%s is reported', (_, joins, said) => {
  const { problems } = built(joins as ModelFile['joins'], 'id');
  expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(
    said.map(start => expect.stringMatching(new RegExp(`^${start.replaceAll(/[?.]/g, '\\$&')}`))),
  );
});

test.each([
  [{ a: 'order', b: 'line' }, true],
  [{ a: 'order', b: 'line', c: 'n' }, true],
  [{ a: 'order', c: 'n' }, false],
  [{ a: 'order' }, false],
])('columns that are unique together key a join only if all of them are compared: %j', (on, isKeyed) => {
  const integers = (...names: readonly string[]) => names.map(name => ({ name, type: 'integer' as const }));
  const { model } = buildModel(
    'returns',
    { version: 1, table: 'returns', joins: { line: { table: 'lines', on } } },
    [
      { name: 'returns', columns: integers('a', 'b', 'c') },
      {
        name: 'lines',
        columns: integers('order', 'line', 'n'),
        unique: [],
        uniqueTogether: [['order', 'line']],
      },
    ],
  );
  expect(model!.joins['line']!.isKeyed).toBe(isKeyed);
});

describe('a join by a range', () => {
  const ranged = (
    between: Record<string, [string, string]>,
    on: Record<string, string> = { product: 'product' },
  ) =>
    buildModel(
      'lines',
      {
        version: 1,
        table: 'lines',
        joins: { price: { table: 'prices', on, between }, order: { table: 'orders', on: { order: 'id' } } },
      },
      [
        {
          name: 'lines',
          columns: [
            { name: 'order', type: 'integer' },
            { name: 'product', type: 'text' },
          ],
        },
        {
          name: 'orders',
          columns: [
            { name: 'id', type: 'integer' },
            { name: 'day', type: 'date' },
          ],
          unique: ['id'],
        },
        {
          name: 'prices',
          columns: [
            { name: 'product', type: 'text' },
            { name: 'from', type: 'date' },
            { name: 'to', type: 'instant' },
          ],
          unique: [],
        },
      ],
    );

  test('starts at a time of the table or of another join, and needs no unique key', () => {
    const { model, problems } = ranged({ 'order.day': ['from', 'to'] });
    expect(problems).toEqual([]);
    expect(Object.keys(model!.joins)).toEqual(['order', 'price']);
    expect(model!.joins['price']).toMatchObject({
      isKeyed: false,
      between: {
        join: 'order',
        column: 'day',
        type: 'date',
        begin: { name: 'from', type: 'date' },
        end: { name: 'to', type: 'instant' },
      },
    });
    expect(Object.keys(joinsOf(['price'], model!.joins))).toEqual(['order', 'price']);
  });

  test.each([
    [
      { 'order.days': ['from', 'to'] },
      undefined,
      'joins.price: `orders` has no column `days`; did you mean `day`?',
    ],
    [{ 'order.day': ['from', 'till'] }, undefined, 'joins.price: `prices` has no column `till`'],
    [
      { 'order.id': ['from', 'to'] },
      undefined,
      'joins.price.between: `between` compares dates and times, but `id` is integer.',
    ],
    [
      { 'order.day': ['product', 'to'] },
      undefined,
      'joins.price.between: `between` compares dates and times, but `product` is text.',
    ],
    [{ 'order.day': ['from', 'to'] }, {}, 'joins.price: A join needs a column in `on`.'],
  ] as const)('of %j reports what is wrong', (between, on, said) => {
    const { model, problems } = ranged(between as unknown as Record<string, [string, string]>, on);
    expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      expect.stringContaining(said),
    ]);
    expect(Object.keys(model!.joins)).toEqual(['order']);
  });
});
