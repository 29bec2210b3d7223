import { partsOf, type Expression } from './expression/expression.ts';
import type { Join, JoinKey } from './model.ts';

export type ColumnExpression = Expression & { readonly kind: 'column' };

/** All columns that an expression reads, repeats included. */
export function columnsIn(expression: Expression): ColumnExpression[] {
  return expression.kind === 'column' ? [expression] : partsOf(expression).flatMap(columnsIn);
}

/** The columns at which a join starts, each of the model's own table or of another join. */
export function startsOf({ on, between }: Join): readonly Pick<JoinKey, 'join' | 'column'>[] {
  return between ? [...on, between] : on;
}

/**
 * Returns the named joins and those they depend on, in order: each join follows the one that contains its
 * key.
 */
export function joinsOf(
  names: Iterable<string>,
  joins: Readonly<Record<string, Join>>,
): Readonly<Record<string, Join>> {
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    const one = joins[name];
    for (const { join } of one ? startsOf(one) : []) if (join !== undefined) need(join);
  };
  for (const name of names) need(name);
  return Object.fromEntries(Object.entries(joins).filter(([name]) => needed.has(name)));
}

/** The tables that joins lead to, including tables that only their visible rows depend on. */
export function joinedTables(joins: Readonly<Record<string, Join>>): string[] {
  return Object.values(joins).flatMap(({ table, visible }) => [
    table,
    ...(visible ? joinedTables(visible.joins) : []),
  ]);
}
