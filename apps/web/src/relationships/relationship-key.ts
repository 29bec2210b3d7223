import type { TableRelationship } from '@belvedere/api';

export type Ends = Pick<TableRelationship, 'from' | 'to' | 'between'>;

/** Identifies a relationship among those of its source. */
export function keyOf({ from, to, between }: Ends): string {
  return JSON.stringify([from.table, from.columns, to.table, to.columns, between]);
}
