import type { ForeignKey } from './connection.ts';

/** One column of a declared key, as catalogues list them: in the order of the key's columns. */
export interface KeyColumn {
  readonly schema: string;
  readonly table: string;
  /** The constraint's name, unique among the table's foreign keys or among its other keys. */
  readonly constraint: string;
  readonly column: string;
  /** The column that it refers to. Absent for primary keys and unique constraints. */
  readonly refers?: { readonly schema: string; readonly table: string; readonly column: string };
}

/** The declared keys of a table. */
export interface DeclaredKeys {
  /** Several columns that are unique together. */
  readonly uniqueTogether: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** Groups the columns of declared keys by table; the result is keyed by `[schema, table]` in JSON. */
export function keysByTable(columns: readonly KeyColumn[]): ReadonlyMap<string, DeclaredKeys> {
  const byTable = Map.groupBy(columns, ({ schema, table }) => JSON.stringify([schema, table]));
  return new Map(
    [...byTable].map(([name, all]) => {
      // In MySQL, a foreign key and a unique one may have the same name.
      const constraints = [
        ...Map.groupBy(
          all,
          ({ constraint, refers }) => `${refers ? 'foreign' : 'own'} ${constraint}`,
        ).values(),
      ];
      return [
        name,
        {
          uniqueTogether: constraints
            .filter(([first, ...rest]) => !first!.refers && rest.length > 0)
            .map(parts => parts.map(({ column }) => column)),
          foreignKeys: constraints.flatMap(parts => {
            const { refers } = parts[0]!;
            if (!refers) return [];
            return {
              columns: parts.map(({ column }) => column),
              schema: refers.schema,
              table: refers.table,
              keys: parts.map(one => one.refers!.column),
            };
          }),
        },
      ];
    }),
  );
}

/** The part of a table's description that its declared keys make. */
export function withDeclaredKeys(keys: DeclaredKeys | undefined): Partial<DeclaredKeys> {
  return {
    ...(keys && keys.uniqueTogether.length > 0 && { uniqueTogether: keys.uniqueTogether }),
    ...(keys && keys.foreignKeys.length > 0 && { foreignKeys: keys.foreignKeys }),
  };
}
