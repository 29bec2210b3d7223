import { describe, expect, test } from 'vitest';
import { isLabelTaken, withCalculatedField } from './calculated-field.ts';

const model = `# Orders of the shop
version: 1
table: orders
dimensions:
  country: {} # of the customer
measures:
  revenue: { expr: sum(price) }
`;
const added = (label: string, expr: string, format = '') =>
  withCalculatedField(model, { label, expr, format });

describe('a calculated field', () => {
  test.each([
    ['sum(price) / count(*)', 'measures'],
    ['case when count(distinct id) > 1 then 1 else 0 end', 'measures'],
    ['price * quantity', 'dimensions'],
    ["country || ' sum('", 'dimensions'],
    ['sum(price', 'dimensions'],
  ])('of %s is added to the %s', (expr, section) => {
    expect(added('New', expr).section).toBe(section);
  });

  test('is one more line of the text; its label is left out where its name says it', () => {
    expect(added('Mean price', 'avg(price)', '.1f').text).toBe(
      `${model}  mean_price: { expr: avg(price), format: .1f }\n`,
    );
    expect(added('Ø price', 'avg(price)').text).toContain('label: Ø price');
  });

  test('has a name that neither a dimension nor a measure has', () => {
    expect(added('Revenue', 'price').name).toBe('revenue_2');
    expect(added('Rows', 'count(*)').name).toBe('rows_2');
  });

  test('has a label of its own, whatever its case', () => {
    expect(isLabelTaken(model, ' revenue ')).toBe(true);
    expect(isLabelTaken(model, 'Country')).toBe(true);
    expect(isLabelTaken(model, 'Revenue per order')).toBe(false);
  });
});
