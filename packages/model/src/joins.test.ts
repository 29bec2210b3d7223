import type { ModelFile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { buildModel } from './build-model.ts';
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
