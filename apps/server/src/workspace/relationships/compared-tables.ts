import {
  inclusionIn,
  inclusionStatement,
  repeatedKeysStatement,
  serverInclusionIn,
  serverReferences,
  serverInclusionStatement,
  type FileEngine,
  type ImportedTable,
  type QueryResult,
} from '@belvedere/engine';
import {
  isTemporal,
  type Column,
  type DeclaredKey,
  type Inclusion,
  type RangeColumns,
  type RelationshipDecision,
  type RelationshipEnds,
  type TableColumns,
  type TableProfile,
  type TableSchema,
} from '@belvedere/model';
import {
  overlapsStatement,
  rangeMatchesStatement,
  type Dialect,
  type RangeJoin,
  type Statement,
} from '@belvedere/sql';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceEngine } from '../sources/source.ts';
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
  inclusion(ends: RelationshipEnds, signal: AbortSignal): Promise<Omit<Inclusion, 'isUnique'>>;
  /** Whether no key occurs twice, or no two ranges of a key overlap. @throws EngineError */
  isUnique(ends: RelationshipEnds, signal: AbortSignal): Promise<boolean>;
}

/** The tables that were imported, of which the engine has copies. */
export function comparedFiles(
  tables: ReadonlyMap<string, TableState>,
  decisions: readonly RelationshipDecision[],
  engine: FileEngine,
): ComparedTables {
  // Values that first files lack would be missing only for now.
  const imported = [...tables.values()].flatMap(table =>
    table.alias !== undefined && table.imported && table.part === undefined
      ? [{ alias: table.alias, imported: table.imported }]
      : [],
  );
  const byName = new Map(imported.map(one => [one.imported.name, one]));
  const profileOf = (table: string) => byName.get(table)!.imported.profile;
  const addressOf = (table: string) => `${engine.dialect.quote(byName.get(table)!.alias)}."main"."data"`;
  const run = politely(engine);
  return {
    tables: imported.map(({ alias, imported: table }) => ({
      version: alias,
      profile: withoutParentKey(table, decisions),
    })),
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
      const join = rangeJoin(candidate, ...profiles);
      if (join)
        return serverInclusionIn(
          await run(
            rangeMatchesStatement(
              engine.dialect,
              addressOf(candidate.from.table),
              join,
              addressOf,
              serverReferences,
            ),
            signal,
          ),
        );
      const statement = inclusionStatement(candidate, addressOf, ...profiles);
      return inclusionIn(await run(statement, signal), candidate, ...profiles);
    },
    isUnique: async ({ to, between }, signal) => {
      const statement = between
        ? overlaps(engine.dialect, addressOf(to.table), to, between, profileOf(to.table))
        : repeatedKeysStatement(to, addressOf);
      return isNone(await run(statement, signal));
    },
  };
}

/**
 * The profile of a table of list elements without the key of its parent's rows, which several tables of one parent
 * have in common, and by which they name no rows of each other. A relationship that was decided by hand keeps it.
 */
function withoutParentKey(
  { name, profile, parent }: Pick<ImportedTable, 'name' | 'profile' | 'parent'>,
  decisions: readonly RelationshipDecision[],
): TableProfile {
  if (!parent) return profile;
  const isDecided = decisions
    .flatMap(({ from, to }) => [from, to])
    .some(({ table, columns }) => table === name && columns.includes(parent.column));
  if (isDecided) return profile;
  return { ...profile, columns: profile.columns.filter(column => column.name !== parent.column) };
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
    inclusion: async (ends, signal) => {
      const { from, to } = ends;
      const join = rangeJoin(ends, byName.get(from.table)!, byName.get(to.table)!);
      const statement = join
        ? rangeMatchesStatement(engine.dialect, addressOf(from.table), join, addressOf, serverReferences)
        : serverInclusionStatement({ from, to }, addressOf, quote);
      return serverInclusionIn(await run(statement, signal));
    },
    isUnique: async ({ to, between }, signal) => {
      const table = byName.get(to.table)!;
      if (hasKey(table, to.columns)) return true;
      const statement = between
        ? overlaps(engine.dialect, addressOf(to.table), to, between, table)
        : repeatedKeysStatement(to, addressOf, quote);
      return isNone(await run(statement, signal));
    },
  };
}

type TypedColumns = Pick<TableSchema, 'columns'>;

/**
 * The join of two tables by a range; undefined if there is none.
 * @throws RangeError if a column is missing, or the range is none of times
 */
function rangeJoin(
  { from, to, between }: RelationshipEnds,
  source: TypedColumns,
  target: TypedColumns,
): RangeJoin | undefined {
  if (!between) return undefined;
  const time = columnIn(source, between.column);
  const [begin, end] = [columnIn(target, between.begin), columnIn(target, between.end)];
  if (![time, begin, end].every(({ type }) => isTemporal(type))) throw new RangeError('A range is of times.');
  return {
    table: to.table,
    on: from.columns.map((column, i) => {
      const [here, there] = [columnIn(source, column), columnIn(target, to.columns[i]!)];
      return { column, type: here.type, equals: there.name, equalsType: there.type };
    }),
    between: { column: time.name, type: time.type, begin, end },
    isKeyed: false,
  };
}

function overlaps(
  dialect: Dialect,
  address: string,
  { columns }: TableColumns,
  { begin, end }: RangeColumns,
  table: TypedColumns,
): Statement {
  const keys = columns.map(column => columnIn(table, column));
  return overlapsStatement(dialect, address, keys, [columnIn(table, begin), columnIn(table, end)]);
}

function columnIn({ columns }: TypedColumns, wanted: string): Column {
  const found = columns.find(({ name }) => name === wanted);
  if (!found) throw new RangeError(`There is no column ${wanted}.`);
  return { name: found.name, type: found.type };
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
