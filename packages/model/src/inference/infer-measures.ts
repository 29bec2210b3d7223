import { freeName, labelFrom, type MeasureFile } from '@belvedere/document';
import { wordsOf } from './column-vocabulary.ts';
import type { JoinedTable } from './infer-joins.ts';
import { quotedColumn } from './quoted-column.ts';
import { phrases, plural, singular } from '../relationships/relationship-names.ts';
import { isNumeric, isTemporal, type ColumnProfile, type TableProfile } from '../table.ts';

const prices = new Set(
  phrases(`unit_price price sale_price sales_price selling_price item_price price_each price_per_unit einzelpreis stuckpreis preis
    prix_unitaire precio precio_unitario 单价`),
);
const quantities = new Set(
  phrases(
    'quantity qty quantity_ordered ordered_quantity order_quantity order_qty units units_sold menge quantite cantidad 数量',
  ),
);
const discounts = new Set(
  phrases(
    'discount discount_rate discount_pct discount_percent discount_percentage rabatt remise descuento 折扣',
  ),
);
const totals = /\b(?:revenue|sales|turnover|amount|line total|total|extended price|umsatz)\b/;
/** Rows of such tables are sales: their mean is worth knowing. */
const sales = new Set([
  'order',
  'invoice',
  'receipt',
  'transaction',
  'basket',
  'sale',
  'purchase',
  'booking',
  'ticket',
]);

/** Whether words name the price of one thing: `unit price`. */
export const isPrice = (words: string) => prices.has(words);

/** Whether a word names sales, as `orders` and `invoice` do. */
export const isSale = (word: string) => sales.has(singular(word));

/**
 * Measures that no single column gives: revenue of prices and quantities, how many rows of joined tables
 * there are, the mean value of
 * an order.
 */
export function combinedMeasures(
  table: TableProfile,
  joined: readonly JoinedTable[],
  taken: Set<string>,
): Record<string, MeasureFile> {
  const measures: Record<string, MeasureFile> = {};
  const revenue = revenueOf(table);
  const price = revenue ? undefined : priceOfLine(table);
  const sold: MeasureFile | undefined =
    revenue ?? (price && { expr: `sum(${quotedColumn(price.name)})`, format: moneyFormat(price) });
  if (sold) measures[freeName('revenue', taken)] = { label: 'Revenue', ...sold };
  const order = sold && joined.length === 0 ? orderKeyOf(table) : undefined;
  if (order) Object.assign(measures, orderMeasures(order, sold!, taken));
  for (const { name, depth, columns, isRole } of joined) {
    if (depth > 1 || isRole || columns.length !== 1) continue;
    const words = wordsOf(name).split(' ');
    const many = [...words.slice(0, -1), plural(words.at(-1)!)].join(' ');
    const count = `count(distinct ${quotedColumn(columns[0]!)})`;
    measures[freeName(many.replaceAll(' ', '_'), taken)] = {
      label: labelFrom(many),
      expr: count,
      format: 'integer',
    };
    if (!revenue || !isSale(words.at(-1)!)) continue;
    measures[freeName(`avg_${words.join('_')}_value`, taken)] = {
      label: labelFrom(`Average ${words.join(' ')} value`),
      expr: `${revenue.expr} / nullif(${count}, 0)`,
      format: revenue.format,
    };
  }
  return measures;
}

/** Price × quantity, less the discount, where a table has these by name and no total of its own. */
function revenueOf(table: TableProfile): { readonly expr: string; readonly format: string } | undefined {
  const named = (isNamed: (name: string) => boolean) =>
    table.columns.filter(({ name, type }) => isNumeric(type) && isNamed(wordsOf(name)));
  const [[price, ...morePrices], [quantity, ...moreQuantities]] = [
    named(name => prices.has(name)),
    named(name => quantities.has(name)),
  ];
  if (
    !price ||
    !quantity ||
    morePrices.length + moreQuantities.length > 0 ||
    named(name => totals.test(name)).length > 0
  )
    return undefined;
  const discount = named(name => discounts.has(name)).find(
    column => Number(column.min) >= 0 && Number(column.max) <= 1,
  );
  const factors = [price, quantity].map(column => quotedColumn(column.name));
  const less = discount ? [`(1 - ${quotedColumn(discount.name)})`] : [];
  return { expr: `sum(${[...factors, ...less].join(' * ')})`, format: moneyFormat(price) };
}

/**
 * The price in a table of sold pieces, one to a row, so that it adds up: there is no quantity and no total, and
 * an order has several rows of one day.
 */
function priceOfLine({ columns, rows }: TableProfile): ColumnProfile | undefined {
  const named = (isNamed: (name: string) => boolean) =>
    columns.filter(({ name, type }) => isNumeric(type) && isNamed(wordsOf(name)));
  const [price, ...more] = named(name => prices.has(name));
  const isSales =
    orderKeyOf({ columns, rows }) !== undefined &&
    columns.some(({ type, distinct }) => isTemporal(type) && distinct > 1);
  const hasOwn = named(name => quantities.has(name) || totals.test(name)).length > 0;
  return price && more.length === 0 && isSales && !hasOwn ? price : undefined;
}

/** The column that says which order a line is of: each has several lines. */
function orderKeyOf({ columns, rows }: Pick<TableProfile, 'columns' | 'rows'>): ColumnProfile | undefined {
  return columns.find(
    ({ name, distinct, nulls }) =>
      orderKeys.test(wordsOf(name)) && nulls === 0 && distinct > 1 && distinct < rows * 0.8,
  );
}

/** How many orders lines are of, and the mean value of one. */
function orderMeasures(
  key: ColumnProfile,
  { expr, format }: MeasureFile,
  taken: Set<string>,
): Record<string, MeasureFile> {
  const noun = wordsOf(key.name).split(' ').find(isSale) ?? 'order';
  const count = `count(distinct ${quotedColumn(key.name)})`;
  return {
    [freeName(plural(noun), taken)]: { label: labelFrom(plural(noun)), expr: count, format: 'integer' },
    [freeName(`avg_${noun}_value`, taken)]: {
      label: labelFrom(`Average ${noun} value`),
      expr: `${expr} / nullif(${count}, 0)`,
      ...(format !== undefined && { format }),
    },
  };
}

const orderKeys =
  /^(?:id|(?:order|invoice|receipt|transaction|basket|sale|purchase|ticket|bestell|auftrags) ?(?:id|no|nr|number|key|nummer))$/;

function moneyFormat({ format }: ColumnProfile): string {
  return format?.startsWith('currency') ? format : ',.2f';
}
