import { joinedTables } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { createHash } from 'node:crypto';

/**
 * The plan with its joins called by what they are: their keys, the rows of them that exist, and the version of the data they lead to. Models may call different joins of one
 * table the same, and what is coded through one of them is not what is coded through another.
 * @param versionOf names the version of a table's data
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
  // A join that begins at another comes after it.
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
