import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { inferJoins } from './infer-joins.ts';
import { mergedWords } from './infer-joined-fields.ts';
import { inferModel } from './infer-model.ts';
import { inclusionOfRows, profileOfRows, type Columns } from '../relationships/profile-rows.fixture.ts';
import { plural, singular } from '../relationships/relationship-names.ts';
import { findCandidates, judgeCandidates } from '../relationships/relationships.ts';
import type { TableProfile } from '../table.ts';

const count = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const each = (n: number, values: readonly (number | string)[]) =>
  Array.from({ length: n }, (_, i) => values[i % values.length]!);

const shop: Readonly<Record<string, Columns>> = {
  order_details: {
    order_id: each(60, count(20)),
    product_id: each(60, count(9)),
    unit_price: each(60, [9.5, 3.25, 7]),
    quantity: each(60, [1, 4, 12]),
    discount: each(60, [0, 0.25, 0.1]),
  },
  orders: {
    order_id: count(20),
    customer_id: each(20, ['ALFKI', 'BONAP', 'CHOPS']),
    order_date: count(20).map(day => Date.UTC(1997, 0, day)),
  },
  customers: {
    customer_id: ['ALFKI', 'BONAP', 'CHOPS'],
    company_name: ['Alfreds', 'Bon app', 'Chop-suey'],
    phone: ['030-0074321', '91.24.45.40', '0452-076545'],
    address: ['Obere Str. 57', '12, rue des Bouchers', 'Hauptstr. 29'],
    country: ['Germany', 'France', 'Switzerland'],
  },
  products: {
    product_id: count(9),
    product_name: count(9).map(n => `Product ${n}`),
    category_id: each(9, [1, 2]),
    unit_price: each(9, [9.5, 3.25, 7]),
  },
  categories: { category_id: [1, 2], category_name: ['Drinks', 'Sweets'], description: ['Coffee', 'Cake'] },
};

function modelOf(table: string, tables: Readonly<Record<string, Columns>>) {
  const profiles = Object.entries(tables).map(([name, columns]): TableProfile => {
    const profile = profileOfRows(name, columns);
    const dated = profile.columns.map(column =>
      column.name.endsWith('_date') ? { ...column, type: 'date' as const } : column,
    );
    return { ...profile, columns: dated };
  });
  const relationships = judgeCandidates(findCandidates(profiles), profiles, candidate =>
    inclusionOfRows(candidate, tables),
  );
  const byName = new Map(profiles.map(profile => [profile.name, profile]));
  const joined = inferJoins(byName.get(table)!, relationships, byName);
  const file = inferModel(byName.get(table)!, joined);
  const { model, problems } = buildModel(table, file, profiles);
  expect(problems).toEqual([]);
  return { file, model: model! };
}

test('the inferred model of order lines joins orders, products and, over those, customers and categories', () => {
  const { file } = modelOf('order_details', shop);
  expect(Object.entries(file.joins!).map(([name, { on }]) => [name, on])).toEqual([
    ['order', { order_id: 'order_id' }],
    ['product', { product_id: 'product_id' }],
    ['customer', { 'order.customer_id': 'customer_id' }],
    ['category', { 'product.category_id': 'category_id' }],
  ]);
  expect(file.joins!['order']!.description).toBe('Matches all 60 rows of order_details that have a value.');
});

test('the inferred model has names, locations and dates of joined tables, without keys, phones or addresses', () => {
  const { file, model } = modelOf('order_details', shop);
  expect(
    Object.entries(file.dimensions!).map(([name, { label, hidden }]) => [name, hidden ? 'hidden' : label]),
  ).toEqual([
    ['order_id', 'hidden'],
    ['product_id', 'hidden'],
    ['unit_price', 'Unit price'],
    ['quantity', 'Quantity'],
    ['discount', 'Discount'],
    ['order_date', 'Order date'],
    ['product_name', 'Product'],
    ['customer_name', 'Customer'],
    ['customer_country', 'Customer country'],
    ['category_name', 'Category'],
    ['weekday', 'hidden'],
    ['month_of_year', 'hidden'],
  ]);
  expect(model.time).toBe('order_date');
});

test('the name of a joined row keeps its longer label if another field has the shorter one', () => {
  const { file } = modelOf('order_details', {
    ...shop,
    order_details: { ...shop.order_details, category: each(60, ['gift', 'own use']) },
  });
  expect([file.dimensions!['category']!.label, file.dimensions!['category_name']!.label]).toEqual([
    'Category',
    'Category name',
  ]);
});

test('the inferred model has revenue, counts of orders and products, and the mean value of an order', () => {
  const { file } = modelOf('order_details', shop);
  expect(
    Object.values(file.measures!)
      .map(({ label, expr }) => [label, expr])
      .slice(0, 5),
  ).toEqual([
    ['Order details', 'count(*)'],
    ['Revenue', 'sum(unit_price * quantity * (1 - discount))'],
    ['Orders', 'count(distinct order_id)'],
    [
      'Average order value',
      'sum(unit_price * quantity * (1 - discount)) / nullif(count(distinct order_id), 0)',
    ],
    ['Products', 'count(distinct product_id)'],
  ]);
});

test('a table in two roles is joined twice, named after the columns', () => {
  const faa = count(60).map(n => `A${n}`);
  const { file } = modelOf('flights', {
    airports: { faa, name: faa.map(code => `Airport ${code}`) },
    flights: { origin: each(120, faa.slice(0, 3)), dest: each(120, faa) },
  });
  expect(Object.entries(file.joins!).map(([name, { table, on }]) => [name, table, on])).toEqual([
    ['origin', 'airports', { origin: 'faa' }],
    ['dest', 'airports', { dest: 'faa' }],
  ]);
  expect(Object.values(file.dimensions!).flatMap(({ label, hidden }) => (hidden ? [] : label))).toEqual([
    'Origin',
    'Dest',
  ]);
});

test('a table that refers to itself is joined once, named after the column', () => {
  const { file } = modelOf('employees', {
    employees: {
      employee_id: count(6),
      last_name: each(6, ['A', 'B', 'C', 'D', 'E', 'F']),
      first_name: each(6, ['N', 'M']),
      reports_to: [2, 2, 2, 2, 5, 5],
    },
  });
  expect(file.joins).toMatchObject({ reports_to: { table: 'employees', on: { reports_to: 'employee_id' } } });
  expect(Object.values(file.joins!).length).toBe(1);
  expect(file.dimensions!['reports_to_name']).toEqual({
    label: 'Reports to',
    expr: "nullif(concat(reports_to.first_name, ' ', reports_to.last_name), ' ')",
  });
});

test.each([
  ['product', 'product name', 'product name'],
  ['order', 'order date', 'order date'],
  ['customer', 'country', 'customer country'],
  ['sales order', 'order date', 'sales order date'],
  ['categories', 'category name', 'categories name'],
])('%s and %s are %s', (join, column, words) => {
  expect(mergedWords(join, column)).toBe(words);
});

test.each([
  ['category', 'categories'],
  ['address', 'addresses'],
  ['movie', 'movies'],
  ['person', 'people'],
  ['employee', 'employees'],
  ['status', 'statuses'],
  ['branch', 'branches'],
  ['series', 'series'],
])('one %s, two %s', (one, many) => {
  expect([plural(one), singular(many)]).toEqual([many, one]);
});
