import {
  inclusionIn,
  inclusionStatement,
  repeatedKeysStatement,
  serverInclusionIn,
  serverInclusionStatement,
  type FileEngine,
  type QueryResult,
} from '@belvedere/engine';
import type {
  Candidate,
  DeclaredKey,
  Inclusion,
  RelationshipDecision,
  TableColumns,
  TableProfile,
} from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceEngine } from '../sources/source-store.ts';
import type { SourceState, SourceTable } from '../sources/source.ts';
import type { TableState } from '../workspace.ts';

/** Of one candidate at most: one that takes longer is not measured. */
const longestMs = 5000;
/** So long a measurement lets queries of pages go first. */
const politeMs = 2000;
/** A server's tables are described one after another; they are compared once there was a pause. */
const settleMs = 250;

/** A table, and what identifies this version of it. */
interface ComparedTable {
  readonly version: string;
  readonly profile: TableProfile;
}

/** The tables of one source, and how they are measured. */
export interface ComparedTables {
  readonly tables: readonly ComparedTable[];
  readonly declared: readonly DeclaredKey[];
  readonly decisions: readonly RelationshipDecision[];
  /** How long to wait for further changes before comparing them. */
  readonly settleMs: number;
  /** Counts how many references find their key. @throws EngineError */
  inclusion(
    candidate: Pick<Candidate, 'from' | 'to'>,
    signal: AbortSignal,
  ): Promise<Omit<Inclusion, 'isUnique'>>;
  /** Whether no key occurs twice. @throws EngineError */
  isUnique(key: TableColumns, signal: AbortSignal): Promise<boolean>;
}

/** The tables that were imported, of which the engine has copies. */
export function comparedFiles(
  tables: ReadonlyMap<string, TableState>,
  decisions: readonly RelationshipDecision[],
  engine: FileEngine,
): ComparedTables {
  const imported = [...tables.values()].flatMap(table =>
    table.alias !== undefined && table.imported ? [{ alias: table.alias, imported: table.imported }] : [],
  );
  const byName = new Map(imported.map(one => [one.imported.name, one]));
  const profileOf = (table: string) => byName.get(table)!.imported.profile;
  const addressOf = (table: string) => `${engine.dialect.quote(byName.get(table)!.alias)}."main"."data"`;
  const run = politely(engine);
  return {
    tables: imported.map(({ alias, imported: { profile } }) => ({ version: alias, profile })),
    // SQLite does not check that the referenced columns are unique, so they are counted.
    declared: imported.flatMap(({ imported: { name, declaredKeys } }) =>
      (declaredKeys?.foreignKeys ?? []).map(({ columns, table, keys }) => ({
        from: { table: name, columns },
        to: { table, columns: keys },
        isUnique: false,
      })),
    ),
    decisions,
    settleMs: 0,
    inclusion: async (candidate, signal) => {
      const profiles = [candidate.from, candidate.to].map(({ table }) => profileOf(table)) as [
        TableProfile,
        TableProfile,
      ];
      const statement = inclusionStatement(candidate, addressOf, ...profiles);
      return inclusionIn(await run(statement, signal), candidate, ...profiles);
    },
    isUnique: async (key, signal) => isNone(await run(repeatedKeysStatement(key, addressOf), signal)),
  };
}

/** The tables of a database server. Those that were not described yet are compared by their declared keys. */
export function comparedSource(
  { tables }: SourceState,
  decisions: readonly RelationshipDecision[],
  { engine, circuit }: SourceEngine,
): ComparedTables {
  const byName = new Map(tables.map(table => [table.called, table]));
  const bySchema = new Map(tables.map(table => [JSON.stringify([table.schema, table.name]), table]));
  const addressOf = (called: string) => {
    const { schema, name } = byName.get(called)!;
    return engine.tableName(schema, name);
  };
  const quote = (name: string) => engine.dialect.quote(name);
  const run = (statement: Statement, signal: AbortSignal) =>
    circuit.runAside(() => politely(engine)(statement, signal));
  return {
    tables: tables.map(table => ({
      version: JSON.stringify([table.called, table.columns, table.profile?.rows]),
      profile: table.profile ?? undescribed(table),
    })),
    declared: tables.flatMap(({ called, foreignKeys = [] }) =>
      foreignKeys.flatMap(({ columns, schema, table, keys }) => {
        const target = bySchema.get(JSON.stringify([schema, table]));
        if (!target) return [];
        const from = { table: called, columns };
        return { from, to: { table: target.called, columns: keys }, isUnique: hasKey(target, keys) };
      }),
    ),
    decisions,
    settleMs,
    inclusion: async ({ from, to }, signal) =>
      serverInclusionIn(await run(serverInclusionStatement({ from, to }, addressOf, quote), signal)),
    isUnique: async (key, signal) =>
      hasKey(byName.get(key.table)!, key.columns) ||
      isNone(await run(repeatedKeysStatement(key, addressOf, quote), signal)),
  };
}

/** Whether the database guarantees that no two rows have the same values in these columns. */
function hasKey({ unique = [], uniqueTogether = [] }: SourceTable, columns: readonly string[]): boolean {
  return (
    columns.some(column => unique.includes(column)) ||
    uniqueTogether.some(together => together.every(column => columns.includes(column)))
  );
}

/** A profile that says nothing about values. */
function undescribed({ called, columns, estimatedRows = 0 }: SourceTable): TableProfile {
  const nothing = { nulls: 0, empties: 0, distinct: 0, isDistinctExact: false, top: [] };
  return { name: called, rows: estimatedRows, columns: columns.map(column => ({ ...column, ...nothing })) };
}

/** Behind the queries of pages: while one runs, this waits for a while. */
function politely(engine: Pick<FileEngine, 'run' | 'status'>) {
  return async (statement: Statement, signal: AbortSignal): Promise<QueryResult> => {
    for (const end = Date.now() + politeMs; engine.status.running > 0 && Date.now() < end;)
      await sleep(5, undefined, { signal });
    return engine.run(statement, { as: 'numbers', timeoutMs: longestMs, maxRows: 1, signal });
  };
}

function isNone({ columns }: QueryResult): boolean {
  return Number(columns[0]!.values[0]) === 0;
}
