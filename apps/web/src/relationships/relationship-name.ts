import type { TableRelationship } from '@belvedere/api';

export type Ends = Pick<TableRelationship, 'from' | 'to'>;

/** Identifies a relationship among those of its source. */
export function keyOf({ from, to }: Ends): string {
  return JSON.stringify([from.table, from.columns, to.table, to.columns]);
}

/** `orders.customer_id → customers.customer_id` */
export function nameOf({ from, to }: Ends): string {
  return `${endText(from)} → ${endText(to)}`;
}

export function endText({ table, columns }: TableRelationship['from']): string {
  return columns.map(column => `${table}.${column}`).join(' + ');
}
