import type { RelatedTable, TableRelationship } from '@belvedere/api';
import type { Relationship, TableSchema } from '@belvedere/model';
import { schemaInSource, schemaOf } from '../workspace/assemble-model.ts';
import type { SourceState } from '../workspace/sources/source.ts';
import type { TableState, Workspace } from '../workspace/workspace.ts';

/** The tables of a source and how they refer to each other, in the order of their names. */
export interface PresentedRelationships {
  readonly tables: RelatedTable[];
  readonly relationships: TableRelationship[];
}

/** @param isShown whether a table of the files is among those that are wanted */
export function relationshipsOfFiles(
  { tables, relationships }: Pick<Workspace, 'tables' | 'relationships'>,
  isShown: (table: TableState) => boolean,
): PresentedRelationships {
  const imported = [...tables.values()].flatMap(table =>
    table.imported && isShown(table) ? [table.imported] : [],
  );
  const schemas = new Map(imported.map(table => [table.name, schemaOf(table)]));
  const nested = imported.flatMap(({ name, parent }): TableRelationship[] =>
    parent && schemas.has(parent.table)
      ? [
          {
            from: { table: name, columns: [parent.column] },
            to: { table: parent.table, columns: [parent.equals] },
            cardinality: 'many-to-one',
            verdict: 'used',
            origin: 'nested',
          },
        ]
      : [],
  );
  const isNested = new Set(nested.map(({ from, to }) => JSON.stringify([from.table, to.table])));
  const others = (relationships.get('files') ?? []).filter(
    ({ from, to }) => !isNested.has(JSON.stringify([from.table, to.table])),
  );
  return {
    tables: tablesIn(schemas),
    relationships: [...nested, ...presented(others, schemas)],
  };
}

export function relationshipsOfSource(
  source: SourceState,
  { relationships }: Pick<Workspace, 'relationships'>,
): PresentedRelationships {
  const schemas = new Map(
    source.tables.map(({ called, estimatedRows }) => [
      called,
      {
        ...schemaInSource(source, called),
        ...(estimatedRows !== undefined && { rows: estimatedRows }),
      },
    ]),
  );
  return {
    tables: tablesIn(schemas),
    relationships: presented(relationships.get(source.name) ?? [], schemas),
  };
}

function tablesIn(schemas: ReadonlyMap<string, TableSchema>): RelatedTable[] {
  return [...schemas.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, rows, columns, unique = [], uniqueTogether = [] }) => {
      const keys = new Set([...unique, ...uniqueTogether.flat()]);
      return {
        name,
        ...(rows !== undefined && { rows }),
        columns: columns.map(column => ({
          name: column.name,
          type: column.type,
          isKey: keys.has(column.name),
        })),
      };
    });
}

function presented(
  relationships: readonly Relationship[],
  schemas: ReadonlyMap<string, TableSchema>,
): TableRelationship[] {
  const end = ({ table, columns }: Relationship['from']) => ({ table, columns: [...columns] });
  return relationships
    .filter(({ from, to }) => schemas.has(from.table) && schemas.has(to.table))
    .map(({ from, to, between, verdict, reason, origin, evidence }): TableRelationship => ({
      from: end(from),
      to: end(to),
      ...(between && { between }),
      cardinality: isUniqueIn(schemas.get(from.table)!, from.columns) ? 'one-to-one' : 'many-to-one',
      verdict,
      ...(reason && { reason }),
      origin: origin ?? 'found',
      ...(evidence && {
        matches: {
          rows: evidence.rows,
          matched: evidence.matched,
          isUnique: evidence.isUnique,
          ...(evidence.isSampled && { isSampled: true }),
        },
      }),
    }));
}

function isUniqueIn({ unique = [], uniqueTogether = [] }: TableSchema, columns: readonly string[]): boolean {
  return (
    columns.some(column => unique.includes(column)) ||
    uniqueTogether.some(together => together.every(column => columns.includes(column)))
  );
}
