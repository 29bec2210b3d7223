/**
 * Orders tables so that each comes after those that it refers to. A reference of a table to itself does not
 * count.
 *
 * @param references pairs of a table and one that it refers to
 */
export function tableOrder(
  tables: readonly string[],
  references: readonly (readonly [from: string, to: string])[],
): string[] {
  const ordered: string[] = [];
  const visited = new Set<string>();
  const visit = (table: string) => {
    if (visited.has(table)) return;
    visited.add(table);
    for (const [from, to] of references) if (from === table && tables.includes(to)) visit(to);
    ordered.push(table);
  };
  for (const table of tables.toSorted()) visit(table);
  return ordered;
}
