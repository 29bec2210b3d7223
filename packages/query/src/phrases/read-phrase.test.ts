import { describe, expect, test } from 'vitest';
import type { PhraseReading } from './assemble-readings.ts';
import type { PhraseModel } from './phrase-model.ts';
import { readPhrase } from './read-phrase.ts';

const time = (name: string, label: string) => ({
  name,
  label,
  type: 'date' as const,
  profile: { distinct: 480, min: Date.UTC(1996, 6, 4), max: Date.UTC(1998, 4, 6) },
});
const countries = ['Germany', 'France', 'USA', 'UK'];
const sales: PhraseModel = {
  name: 'order_details',
  label: 'Order details',
  time: 'order_date',
  rows: 2155,
  timeParts: {
    weekday: { name: 'weekday', label: 'Weekday', type: 'text' },
    month: { name: 'month_of_year', label: 'Month of year', type: 'text' },
    hour: { name: 'hour_of_day', label: 'Hour of day', type: 'integer' },
  },
  fields: [
    { name: 'rows', label: 'Order details' },
    { name: 'revenue', label: 'Revenue' },
    { name: 'orders', label: 'Orders' },
    { name: 'avg_order_value', label: 'Average order value' },
    { name: 'total_quantity', label: 'Total quantity' },
    { name: 'discount', label: 'Discount', type: 'number' },
    { name: 'quantity', label: 'Quantity', type: 'integer' },
    { name: 'order_ship_country', label: 'Order ship country', type: 'text', values: countries },
    time('order_date', 'Order date'),
    time('order_shipped_date', 'Order shipped date'),
    { name: 'product_name', label: 'Product name', type: 'text' },
    { name: 'customer_name', label: 'Customer name', type: 'text' },
    {
      name: 'customer_country',
      label: 'Customer country',
      type: 'text',
      values: countries,
      regions: 'countries',
    },
    { name: 'category_name', label: 'Category name', type: 'text', values: ['Dairy Products', 'Beverages'] },
    { name: 'customer_state', label: 'Customer state', type: 'text', values: ['IN', 'OR', 'WA'] },
  ],
};
const suppliers: PhraseModel = {
  name: 'suppliers',
  label: 'Suppliers',
  rows: 29,
  fields: [
    { name: 'rows', label: 'Rows' },
    { name: 'company_name', label: 'Company name', type: 'text' },
    { name: 'country', label: 'Country', type: 'text' },
  ],
};
const flights: PhraseModel = {
  name: 'flights',
  label: 'Flights',
  rows: 30_000,
  fields: [
    { name: 'rows', label: 'Flights' },
    { name: 'airlines', label: 'Airlines' },
    { name: 'avg_temp', label: 'Average temp' },
    { name: 'plane_manufacturer', label: 'Plane manufacturer', type: 'text' },
  ],
};
const chinese: PhraseModel = {
  name: 'xiaoshou',
  label: '销售',
  rows: 100,
  fields: [
    { name: 'rows', label: '行数' },
    { name: 'total', label: '销售额' },
    { name: 'guojia', label: '客户国家', type: 'text' },
  ],
};
const stops: PhraseModel = {
  name: 'minneapolis',
  label: 'Minneapolis 2017',
  time: 'stopped',
  rows: 50_000,
  fields: [
    { name: 'rows', label: 'Rows' },
    time('stopped', 'Incident date'),
    { name: 'race', label: 'Race', type: 'text', values: ['Black', 'White'] },
    { name: 'gender', label: 'Gender', type: 'text', values: ['Female', 'Male'] },
  ],
};
const models = [sales, suppliers, flights, chinese, stops];
const calendar = { weekStart: 'monday', fiscalYearStart: 'january' } as const;
const read = (phrase: string): readonly PhraseReading[] => readPhrase(phrase, models, calendar);

/** A chart in short: `measure by field, field`. */
function shortOf({ tile }: PhraseReading): string {
  const names: string[] = [];
  const measures: string[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const encoding = value as Readonly<Record<string, unknown>>;
    if (typeof encoding['measure'] === 'string')
      measures.push(`${encoding['measure']}${encoding['show'] ? ` (${String(encoding['show'])})` : ''}`);
    else if (typeof encoding['aggregate'] === 'string')
      measures.push(`${encoding['aggregate']}(${String(encoding['field'])})`);
    else if (typeof encoding['field'] === 'string')
      names.push([encoding['field'], encoding['timeUnit']].filter(Boolean).join('/'));
    else for (const inner of Object.values(encoding)) visit(inner);
  };
  visit(tile);
  return `${tile.kind}: ${measures.join(' + ')}${names.length > 0 ? ` by ${names.join(', ')}` : ''}`;
}

const of1997 = { order_date: { from: '1997-01-01', below: '1998-01-01' } };

describe('the best reading of a phrase is', () => {
  test.each<[phrase: string, chart: string, filters?: object]>([
    ['revenue by country 1997', 'bar: revenue by customer_country', of1997],
    ['Revenue per country in 1997', 'bar: revenue by customer_country', of1997],
    ['umsatz nach land 1997', 'bar: revenue by customer_country', of1997],
    ['Umsätze je Land im Jahr 1997', 'bar: revenue by customer_country', of1997],
    ['按国家的收入 1997年', 'bar: revenue by customer_country', of1997],
    ['各类别销售额', 'bar: revenue by category_name'],
    ['top 10 products by revenue', 'bar: revenue by product_name'],
    ['revenue', 'kpi: revenue'],
    ['reven', 'kpi: revenue'],
    ['revenue by month', 'line: revenue by order_date/month'],
    ['revenue by month 1997', 'line: revenue by order_date/month', of1997],
    ['Umsatz pro Monat 1997', 'line: revenue by order_date/month', of1997],
    ['durchschnittlicher Bestellwert nach Land', 'bar: avg_order_value by customer_country'],
    ['平均订单金额', 'kpi: avg_order_value'],
    ['按国家的订单数', 'bar: orders by customer_country'],
    ['Umsatz in Deutschland', 'kpi: revenue', { customer_country: { oneOf: ['Germany'] } }],
    [
      'Umsatz nach Monat in Frankreich',
      'line: revenue by order_date/month',
      { customer_country: { oneOf: ['France'] } },
    ],
    ['德国收入', 'kpi: revenue', { customer_country: { oneOf: ['Germany'] } }],
    ['distribution of discount', 'bar: rows by discount'],
    ['Verteilung der Rabatte', 'bar: rows by discount'],
    ['折扣分布', 'bar: rows by discount'],
    ['distribution of total quantity', 'bar: rows by quantity'],
    // Revenue is computed of several fields, so that no one field has its values.
    ['distribution of revenue', 'bar: revenue by order_ship_country'],
    ['Verteilung des Umsatzes', 'bar: revenue by order_ship_country'],
    ['distribution of revenue by customer', 'bar: revenue by customer_name'],
    ['map of revenue by country', 'map: revenue by customer_country'],
    ['stops by race', 'bar: rows by race'],
    ['Kontrollen nach Geschlecht', 'bar: rows by gender'],
    ['share of stops by race', 'bar: rows (share of total) by race'],
    ['stops over time', 'line: rows by stopped/week'],
    ['停车按种族', 'bar: rows by race'],
    ['incidents by race', 'bar: rows by race'],
    ['Frauen nach Rasse', 'bar: rows by race', { gender: { oneOf: ['Female'] } }],
    ['monthly revenue 1997', 'line: revenue by order_date/month', of1997],
    ['umsatz pro monat', 'line: revenue by order_date/month'],
    ['1997年每月收入', 'line: revenue by order_date/month', of1997],
    ['revenue over time', 'line: revenue by order_date/week'],
    ['revenue by category last month', 'bar: revenue by category_name', { order_date: { last: '1 month' } }],
    [
      'umsatz nach kategorie letzten 3 Monate',
      'bar: revenue by category_name',
      { order_date: { last: '3 months' } },
    ],
    ['最近3个月按类别的收入', 'bar: revenue by category_name', { order_date: { last: '3 months' } }],
    ['revenue last 90 days', 'kpi: revenue', { order_date: { last: '90 days' } }],
    ['revenue previous quarter', 'kpi: revenue', { order_date: { from: '1998-01-01', below: '1998-04-01' } }],
    ['revenue this year', 'kpi: revenue', { order_date: { last: '1 year' } }],
    ['revenue Q2 1997', 'kpi: revenue', { order_date: { from: '1997-04-01', below: '1997-07-01' } }],
    ['umsatz 2. quartal 1997', 'kpi: revenue', { order_date: { from: '1997-04-01', below: '1997-07-01' } }],
    ['1997年第二季度收入', 'kpi: revenue', { order_date: { from: '1997-04-01', below: '1997-07-01' } }],
    ['revenue march 1997', 'kpi: revenue', { order_date: { from: '1997-03-01', below: '1997-04-01' } }],
    ['umsatz März 1997', 'kpi: revenue', { order_date: { from: '1997-03-01', below: '1997-04-01' } }],
    ['1997年3月收入', 'kpi: revenue', { order_date: { from: '1997-03-01', below: '1997-04-01' } }],
    ['revenue in august', 'kpi: revenue', { order_date: { from: '1997-08-01', below: '1997-09-01' } }],
    ['revenue 1996 to 1997', 'kpi: revenue', { order_date: { from: '1996-01-01', below: '1998-01-01' } }],
    ['umsatz von 1996 bis 1997', 'kpi: revenue', { order_date: { from: '1996-01-01', below: '1998-01-01' } }],
    ['revenue 1996–1997', 'kpi: revenue', { order_date: { from: '1996-01-01', below: '1998-01-01' } }],
    ['revenue since 1997', 'kpi: revenue', { order_date: { from: '1997-01-01' } }],
    ['umsatz vor 1997', 'kpi: revenue', { order_date: { below: '1997-01-01' } }],
    ['umsatz nach 1997', 'kpi: revenue', { order_date: { from: '1998-01-01' } }],
    ['revenue 1997-03-04', 'kpi: revenue', { order_date: { from: '1997-03-04', below: '1997-03-05' } }],
    ['revenue shipped date 1997', 'kpi: revenue', { order_shipped_date: of1997.order_date }],
    ['revenue germany', 'kpi: revenue', { customer_country: { oneOf: ['Germany'] } }],
    [
      'revenue in Germany by month',
      'line: revenue by order_date/month',
      { customer_country: { oneOf: ['Germany'] } },
    ],
    ['revenue ship country germany', 'kpi: revenue', { order_ship_country: { oneOf: ['Germany'] } }],
    [
      'revenue germany vs france',
      'bar: revenue by customer_country',
      { customer_country: { oneOf: ['Germany', 'France'] } },
    ],
    ['umsatz ohne Dairy Products', 'kpi: revenue', { category_name: { noneOf: ['Dairy Products'] } }],
    ['revenue in OR', 'kpi: revenue', { customer_state: { oneOf: ['OR'] } }],
    ['average discount by category', 'bar: mean(discount) by category_name'],
    ['durchschnittlicher discount nach kategorie', 'bar: mean(discount) by category_name'],
    ['average order value by country', 'bar: avg_order_value by customer_country'],
    ['number of customers by category', 'bar: distinct(customer_name) by category_name'],
    ['number of orders', 'kpi: orders'],
    ['anzahl bestellungen nach kategorie', 'bar: orders by category_name'],
    ['top 10 manufacturers', 'bar: rows by plane_manufacturer'],
    ['temperature by manufacturer', 'bar: avg_temp by plane_manufacturer'],
    ['revenue by category pie', 'pie: revenue by category_name'],
    ['销售额按国家', 'bar: total by guojia'],
    ['suppliers by country', 'bar: rows by country'],
    ['sales by weekday', 'bar: revenue by weekday'],
    ['umsatz nach Wochentag', 'bar: revenue by weekday'],
    ['按星期几的销售额', 'bar: revenue by weekday'],
    ['revenue by month of year', 'bar: revenue by month_of_year'],
    ['umsatz nach Kalendermonat', 'bar: revenue by month_of_year'],
    ['按月份的销售额', 'bar: revenue by month_of_year'],
    ['revenue by hour', 'bar: revenue by hour_of_day'],
    ['umsatz nach Uhrzeit', 'bar: revenue by hour_of_day'],
    ['order details by weekday and hour', 'heatmap: rows by hour_of_day, weekday'],
    ['nach Wochentag und Uhrzeit', 'heatmap: revenue by hour_of_day, weekday'],
    ['revenue by category and month', 'line: revenue by order_date/month, category_name'],
    ['share of revenue by country', 'bar: revenue (share of total) by customer_country'],
    ['anteil am umsatz nach land', 'bar: revenue (share of total) by customer_country'],
    ['按国家的收入占比', 'bar: total (share of total) by guojia'],
    ['cumulative revenue', 'line: revenue (running total) by order_date/week'],
    ['revenue growth by month', 'line: revenue (difference) by order_date/month'],
    ['revenue growth rate by month', 'line: revenue (percent change) by order_date/month'],
    ['percentage change in revenue by month', 'line: revenue (percent change) by order_date/month'],
    ['wachstumsrate umsatz nach monat', 'line: revenue (percent change) by order_date/month'],
    ['best selling products', 'bar: revenue by product_name'],
  ])('%s', (phrase, chart, filters = {}) => {
    const [best] = read(phrase);
    expect(best && { chart: shortOf(best), filters: best.filters, unknown: best.unknown }).toEqual({
      chart,
      filters,
      unknown: [],
    });
  });
});

describe('of a table of days and sizes, the best reading of a phrase is', () => {
  const pizzas: PhraseModel = {
    name: 'pizzas',
    label: 'Pizzas',
    time: 'order_date',
    rows: 49_574,
    fields: [
      { name: 'rows', label: 'Rows' },
      { name: 'revenue', label: 'Revenue' },
      { name: 'avg_price', label: 'Average price' },
      { name: 'price', label: 'Price', type: 'number' },
      { name: 'size', label: 'Size', type: 'text' },
      { name: 'type', label: 'Type', type: 'text' },
      time('order_date', 'Order date'),
    ],
  };
  test.each<[phrase: string, chart: string, unknown?: readonly string[]]>([
    ['Umsatz nach Größe', 'bar: revenue by size'],
    ['按尺寸的收入', 'bar: revenue by size'],
    ['durchschnittlicher Preis nach Typ', 'bar: avg_price by type'],
    ['按类型的平均价格', 'bar: avg_price by type'],
    ['收入最高的5种类型', 'bar: revenue by type'],
    ['十二月的收入', 'kpi: revenue'],
    ['revenue by hour', 'kpi: revenue', ['hour']],
  ])('%s', (phrase, chart, unknown = []) => {
    const [best] = readPhrase(phrase, [pizzas], calendar);
    expect(best && [shortOf(best), best.unknown]).toEqual([chart, unknown]);
  });
});

describe('of a table of sales without revenue, the best reading of a phrase is', () => {
  const market: PhraseModel = {
    name: 'supermarket_sales',
    label: 'Supermarket sales',
    rows: 350,
    fields: [
      { name: 'rows', label: 'Invoices' },
      { name: 'total_total', label: 'Total' },
      { name: 'total_quantity', label: 'Total quantity' },
      { name: 'quantity', label: 'Quantity', type: 'integer' },
      { name: 'city', label: 'City', type: 'text' },
      { name: 'payment', label: 'Payment', type: 'text' },
      { name: 'product_line', label: 'Product line', type: 'text' },
    ],
  };
  test.each([
    ['top 3 product lines by quantity', 'bar: total_quantity by product_line'],
    ['Umsatz nach Stadt', 'bar: total_total by city'],
    ['sales by payment', 'bar: total_total by payment'],
    ['Summe nach Zahlungsart', 'bar: total_total by payment'],
    ['Menge nach Produktlinie', 'bar: total_quantity by product_line'],
    ['按产品线的数量', 'bar: total_quantity by product_line'],
    ['总额最高的3个城市', 'bar: total_total by city'],
  ])('%s', (phrase, chart) => {
    const [best] = readPhrase(phrase, [market], calendar);
    expect(best && [shortOf(best), best.unknown]).toEqual([chart, []]);
  });
});

describe('phrases', () => {
  test('a limit and its direction are those of the ranked names', () => {
    expect(read('top 3 products by revenue')[0]!.tile).toEqual({
      kind: 'bar',
      x: { measure: 'revenue' },
      y: { field: 'product_name', limit: 3 },
    });
    expect(read('bottom 5 products by revenue')[0]!.tile).toEqual({
      kind: 'bar',
      x: { measure: 'revenue' },
      y: { field: 'product_name', limit: 5, sort: 'value' },
    });
  });

  test('an ambiguous name gives several readings, the closest name first', () => {
    expect(readPhrase('revenue by country', [sales], calendar).map(shortOf)).toEqual([
      'bar: revenue by customer_country',
      'bar: revenue by order_ship_country',
    ]);
  });

  test('the last month is the latest in the data, else the whole month before', () => {
    expect(read('revenue by category last month').map(({ filters }) => filters)).toEqual([
      { order_date: { last: '1 month' } },
      { order_date: { from: '1998-04-01', below: '1998-05-01' } },
    ]);
  });

  test.each([
    ['revenue 1997 vs 1998', 'bar: revenue by order_date/year', '1997-01-01', '1999-01-01'],
    ['revenue 1998 vs 1997', 'bar: revenue by order_date/year', '1997-01-01', '1999-01-01'],
    ['revenue 1996 compared to 1998', 'bar: revenue by order_date/year', '1996-01-01', '1999-01-01'],
    ['umsatz 1997 gegen 1998', 'bar: revenue by order_date/year', '1997-01-01', '1999-01-01'],
    ['revenue march 1998 vs april 1998', 'bar: revenue by order_date/month', '1998-03-01', '1998-05-01'],
    ['revenue by month 1997 vs 1998', 'line: revenue by order_date/month', '1997-01-01', '1999-01-01'],
    ['revenue 1997 vs 1998 by month', 'line: revenue by order_date/month', '1997-01-01', '1999-01-01'],
  ])('“%s” compares two periods', (phrase, chart, from, below) => {
    const [best] = read(phrase);
    expect(best && { chart: shortOf(best), filters: best.filters, unknown: best.unknown }).toEqual({
      chart,
      filters: { order_date: { from, below } },
      unknown: [],
    });
  });

  test('periods of two units, and one period twice, are not compared', () => {
    expect(read('revenue 1997 vs april 1998')[0]!.unknown).not.toEqual([]);
    expect(read('revenue 1997 vs 1997')[0]!.unknown).not.toEqual([]);
  });

  test('every reading tells how its parts were understood', () => {
    expect(read('top 3 products by revenue in Germany 1997')[0]!.parts).toEqual([
      { role: 'measure', text: 'revenue', encoding: { measure: 'revenue' } },
      { role: 'by', text: 'products', field: 'product_name' },
      { role: 'filter', text: 'Germany', field: 'customer_country', condition: { oneOf: ['Germany'] } },
      { role: 'period', text: '1997', field: 'order_date', condition: of1997.order_date },
      { role: 'limit', text: 'top 3', count: 3, isLowest: false },
    ]);
  });

  test('unknown words are reported and the others read', () => {
    const [best] = read('revenue by country flubber');
    expect(best!.unknown).toEqual(['flubber']);
    expect(shortOf(best!)).toBe('bar: revenue by customer_country');
  });

  test.each(['', '   ', '1997', 'by', 'flubber', 'flubber quux zork revenue', 'the of in'])(
    '“%s” has no reading',
    phrase => expect(read(phrase)).toEqual([]),
  );

  test('a period outside the data is not understood', () => {
    expect(read('revenue by country 2015')[0]!.unknown).toEqual(['2015']);
  });

  test('an axis of time has a unit that fits the period', () => {
    const units = ['revenue over time', 'revenue over time last month'].map(phrase =>
      shortOf(read(phrase)[0]!),
    );
    expect(units).toEqual(['line: revenue by order_date/week', 'line: revenue by order_date/day']);
  });

  test('of a long text the first words are read', () => {
    const [best] = read('revenue by country '.repeat(200));
    expect(best).toBeUndefined();
    expect(shortOf(read(`revenue by country 1997 ${'please '.repeat(200)}`)[0]!)).toBe(
      'bar: revenue by customer_country',
    );
  });
});

test('numbers that name things are not averaged', () => {
  const named: PhraseModel = {
    name: 'shipments',
    label: 'Shipments',
    fields: [
      { name: 'rows', label: 'Rows' },
      { name: 'parcel_id', label: 'Parcel ID', type: 'integer' },
      { name: 'weight', label: 'Weight', type: 'integer' },
    ],
  };
  const best = (phrase: string) => shortOf(readPhrase(phrase, [named], calendar)[0]!);
  expect(best('average weight')).toBe('kpi: mean(weight)');
  expect(readPhrase('average parcel', [named], calendar).map(shortOf)).not.toContain('kpi: mean(parcel_id)');
});

test('a month without a year is the latest one of a date that is made of its parts', () => {
  const parts: PhraseModel = {
    name: 'flights',
    label: 'Flights',
    time: 'date',
    fields: [
      { name: 'rows', label: 'Flights' },
      { name: 'year', label: 'Year', type: 'integer', profile: { distinct: 1, min: 2013, max: 2013 } },
      { name: 'date', label: 'Date', type: 'date' },
    ],
  };
  expect(readPhrase('flights in december', [parts], calendar)[0]!.filters).toEqual({
    date: { from: '2013-12-01', below: '2014-01-01' },
  });
});
