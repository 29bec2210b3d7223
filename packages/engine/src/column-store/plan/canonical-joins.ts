import { joinedTables } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { createHash } from 'node:crypto';

/**
 * Renames a plan's joins after their definition: their keys, their filter, and the version of the joined
 * data. Models may use one name for different joins of a table, and codes read through one join are not those
 * of another.
 * @param versionOf returns the version of a table's data
 */
export function withCanonicalJoins(plan: Plan, versionOf: (table: string) => string): Plan {
  const entries = Object.entries(plan.joins);
  if (entries.length === 0) return plan;
  const names = new Map<string, string>();
  const renamed = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(renamed) as T;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === 'join' && typeof part === 'string'
          ? (names.get(part) ?? part)
          : key === 'visible'
            ? part
            : renamed(part as unknown),
      ]),
    ) as T;
  };
  // A join that starts from another join follows it in the list.
  const joins = entries.map(([name, join]) => {
    const own = renamed(join);
    names.set(
      name,
      `${name} ${createHash('sha256')
        .update(JSON.stringify([own, ...joinedTables({ [name]: join }).map(versionOf)]))
        .digest('base64url')
        .slice(0, 12)}`,
    );
    return [names.get(name)!, own] as const;
  });
  return {
    ...plan,
    joins: Object.fromEntries(joins),
    columns: renamed(plan.columns),
    where: renamed(plan.where),
  };
}
