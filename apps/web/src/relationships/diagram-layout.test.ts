import type { RelatedTable, TableRelationship } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { boxWidth, farLines, layoutTables, neighbourOf, type DiagramLayout } from './diagram-layout.ts';

const table = (name: string, ...columns: readonly string[]): RelatedTable => ({
  name,
  rows: 10,
  columns: ['id', ...columns].map(column => ({ name: column, type: 'integer', isKey: column === 'id' })),
});
const link = (from: string, column: string, to: string): TableRelationship => ({
  from: { table: from, columns: [column] },
  to: { table: to, columns: ['id'] },
  cardinality: 'many-to-one',
  verdict: 'used',
  origin: 'found',
});

//   lines → orders → customers          notes
//         ↘ products                    (without relationships)
const shop = {
  tables: [
    table('customers'),
    table('notes', 'text'),
    table('orders', 'customer', 'parent'),
    table('products'),
    table('lines', 'order', 'product'),
  ],
  links: [
    link('lines', 'order', 'orders'),
    link('lines', 'product', 'products'),
    link('orders', 'customer', 'customers'),
    link('orders', 'parent', 'orders'),
  ],
};

function overlaps({ boxes }: DiagramLayout): string[] {
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        b => a.x < b.x + boxWidth && b.x < a.x + boxWidth && a.y < b.y + b.height && b.y < a.y + a.height,
      )
      .map(b => `${a.table.name} ${b.table.name}`),
  );
}

test('tables stand left of those that they refer to, and those without relationships below', () => {
  const diagram = layoutTables(shop.tables, shop.links);
  const at = (name: string) => diagram.boxes.find(box => box.table.name === name)!;
  expect(at('lines').x).toBeLessThan(at('orders').x);
  expect(at('orders').x).toBeLessThan(at('customers').x);
  const lowest = Math.max(...['lines', 'orders', 'products'].map(name => at(name).y + at(name).height));
  expect(at('notes').y).toBeGreaterThan(lowest);
  expect(overlaps(diagram)).toEqual([]);
  expect(diagram.links).toHaveLength(4);
});

test('a box lists the columns of relationships and a key, and counts the others', () => {
  const wide = table('wide', ...Array.from({ length: 30 }, (_, i) => `c${i}`), 'order');
  const { boxes } = layoutTables([wide, table('orders')], [link('wide', 'order', 'orders')]);
  const { columns, more } = boxes.find(box => box.table.name === 'wide')!;
  expect([columns.map(({ name }) => name), more]).toEqual([['id', 'order'], 30]);
});

test('places do not depend on the order of tables and relationships', () => {
  expect(layoutTables(shop.tables.toReversed(), shop.links.toReversed()).boxes).toEqual(
    layoutTables(shop.tables, shop.links).boxes,
  );
});

test('60 tables with 500 relationships are placed without overlaps', () => {
  const names = Array.from({ length: 60 }, (_, i) => `table_${i}`);
  const links = Array.from({ length: 500 }, (_, i) =>
    link(names[(i * 7) % 60]!, `ref_${i}`, names[(i * 13 + Math.floor(i / 60)) % 60]!),
  );
  const tables = names.map(name =>
    table(name, ...links.filter(one => one.from.table === name).map(one => one.from.columns[0]!)),
  );
  const diagram = layoutTables(tables, links);
  expect(overlaps(diagram)).toEqual([]);
});

test('arrow keys go to the nearest related table in their direction', () => {
  const diagram = layoutTables(shop.tables, shop.links);
  expect(neighbourOf(diagram, 'orders', 'ArrowLeft')).toBe('lines');
  expect(neighbourOf(diagram, 'orders', 'ArrowRight')).toBe('customers');
  expect(neighbourOf(diagram, 'customers', 'ArrowLeft')).toBe('orders');
  expect(neighbourOf(diagram, 'customers', 'ArrowRight')).toBeUndefined();
});

describe('names of tables in a diagram that is far away', () => {
  const room = { width: 192, height: 90 };

  test.each([
    ['orders', ['orders']],
    ['employee_territories', ['employee_', 'territories']],
    ['CustomerCustomerDemo', ['Customer', 'Customer', 'Demo']],
    ['sales_order_header_reasons', ['sales_order_', 'header_', 'reasons']],
  ])('%s has the lines %j', (name, lines) => {
    expect(farLines(name, room, 80).lines).toEqual(lines);
  });

  test.each(['orders', 'employee_territories', 'a', 'x'.repeat(30), 'sales order of a very long name 2024'])(
    'the letters of %s fit into the box, and are no larger than asked',
    name => {
      for (const largest of [20, 40, 90]) {
        const { lines, size } = farLines(name, room, largest);
        expect(lines.join('')).toBe(name);
        expect(size).toBeLessThanOrEqual(largest);
        if (size > 13) {
          expect(Math.max(...lines.map(line => line.trim().length)) * size * 0.6).toBeLessThan(193);
          expect(lines.length * size * 1.15).toBeLessThan(91);
        }
      }
    },
  );
});
