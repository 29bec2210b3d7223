import { buildModel, inferModel, type ColumnProfile, type TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import { layerLabel, measureText } from './measure-label.ts';

const column = (name: string): ColumnProfile => ({
  name,
  type: 'number',
  nulls: 0,
  empties: 0,
  distinct: 100,
  isDistinctExact: true,
  top: [],
  min: 0,
  max: 90,
  low: 0,
  high: 90,
});
const sheet: TableProfile = {
  name: 'sheet1',
  rows: 1000,
  columns: [column('unit_price'), column('NetRevenue'), column('Total'), column('cost "of goods"')],
};
const { model } = buildModel('sheet1', inferModel(sheet), [sheet]);

test.each([
  ['en', ['Rows', 'Average unit price', 'Total net revenue', 'Total', 'Total cost "of goods"']],
  ['de', ['Zeilen', 'Durchschnitt Unit price', 'Summe Net revenue', 'Total', 'Summe Cost "of goods"']],
  ['zh-CN', ['行数', 'Unit price 平均值', 'Net revenue 合计', 'Total', 'Cost "of goods" 合计']],
])('inferred measures have labels in %s', (locale, called) => {
  expect(
    Object.values(model!.measures).map(measure =>
      measureText(measure, field => model!.dimensions[field]!.label, locale),
    ),
  ).toEqual(called);
});

test.each([
  [{ name: 'avg_price', label: 'Mittlerer Preis' }, 'Mittlerer Preis'],
  [{ name: 'avg_price', label: 'Average Price paid' }, 'Average Price paid'],
  [{ name: 'price', label: 'Average price' }, 'Average price'],
  [{ name: 'rows', label: 'Bestellungen' }, 'Bestellungen'],
  [{ name: 'sum(price)', label: 'sum(price)' }, 'Summe Price'],
])('%o is labelled %s in German, as its model states', (measure, called) => {
  expect(measureText(measure, () => 'Price', 'de')).toBe(called);
});

test('a combo’s layers name their calculations, which in other charts the title does', () => {
  expect(layerLabel({ kind: 'combo' }, 'percent change', 'Revenue', 'en')).toBe('Percent change in revenue');
  expect(layerLabel({ kind: 'combo' }, null, 'Revenue', 'en')).toBe('Revenue');
  expect(layerLabel({ kind: 'line' }, 'percent change', 'Revenue', 'en')).toBe('Revenue');
});
