import { closestName } from '@belvedere/document';
import type { SourceTable } from './source.ts';

/** Describes changes between two schemas in words: removed names, and their most probable new names. */
export function schemaDrift(
  before: readonly SourceTable[],
  after: readonly Pick<SourceTable, 'called' | 'columns'>[],
): string[] {
  const now = new Map(after.map(table => [table.called, table]));
  const added = after
    .filter(table => !before.some(old => old.called === table.called))
    .map(table => table.called);
  return before.flatMap(old => {
    const table = now.get(old.called);
    if (!table) {
      const next = closestName(old.called, added);
      return [
        `The table \`${old.called}\` no longer exists${next ? `; it may now be called \`${next}\`` : ''}.`,
      ];
    }
    const fresh = table.columns.filter(column => !old.columns.some(one => one.name === column.name));
    return old.columns.flatMap(column => {
      const same = table.columns.find(one => one.name === column.name);
      if (same)
        return same.type === column.type
          ? []
          : [`\`${old.called}.${column.name}\` changed from ${column.type} to ${same.type}.`];
      const next =
        closestName(
          column.name,
          fresh.map(one => one.name),
        ) ?? (fresh.length === 1 && fresh[0]!.type === column.type ? fresh[0]!.name : undefined);
      return [
        `The column \`${old.called}.${column.name}\` no longer exists${next ? `; it may now be called \`${next}\`` : ''}.`,
      ];
    });
  });
}
