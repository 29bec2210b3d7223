import type { TableRelationship } from '@belvedere/api';
import { words } from './messages/words.ts';

export type Ends = Pick<TableRelationship, 'from' | 'to' | 'between'>;

/** Identifies a relationship among those of its source. */
export function keyOf({ from, to, between }: Ends): string {
  return JSON.stringify([from.table, from.columns, to.table, to.columns, between]);
}

/** `orders.customer_id → customers.customer_id` */
export function nameOf({ from, to, between }: Ends): string {
  const range = between ? ` (${words.during(between.column, between.begin, between.end)})` : '';
  return `${endText(from)} → ${endText(to)}${range}`;
}

export function endText({ table, columns }: TableRelationship['from']): string {
  return columns.map(column => `${table}.${column}`).join(' + ');
}
