import { EngineError, type QueryResult, type FileEngine } from '@belvedere/engine';
import type { Column } from '@belvedere/model';
import { describingStatement } from '@belvedere/sql';
import { limits } from '../../limits.ts';
import type { SourceStore } from './source-store.ts';
import type { SourceTable } from './source.ts';

/** The columns of custom SQL, or why it has none. */
export type SqlTable = { readonly columns: readonly Column[] } | { readonly problem: string };

/** By source and SQL. */
export const sqlKey = (source: string, sql: string) => `${source}\n${sql}`;

interface Known {
  readonly table: SqlTable | undefined;
  /** The version of the tables it was queried on. */
  readonly version: unknown;
  readonly isAsking: boolean;
}

/** Maximum number of remembered statements; models may no longer use some of them. */
const maxKnown = 300;

/**
 * Knows the columns of models' SQL. The engine describes each statement once per version of its tables,
 * without reading rows.
 */
export class SqlTables {
  readonly #engine: FileEngine;
  readonly #sources: SourceStore;
  readonly #changed: () => void;
  readonly #known = new Map<string, Known>();

  constructor(engine: FileEngine, sources: SourceStore, changed: () => void) {
    this.#engine = engine;
    this.#sources = sources;
    this.#changed = changed;
  }

  /**
   * The known columns. Those of the previous version remain while the next one is queried, unless the
   * previous one had an error.
   */
  get current(): ReadonlyMap<string, SqlTable> {
    return new Map([...this.#known].flatMap(([key, { table }]) => (table ? [[key, table] as const] : [])));
  }

  /** @param tables the version of the files' tables, if the SQL reads those; all of them must be imported */
  want(source: string, sql: string, tables: string): void {
    const key = sqlKey(source, sql);
    const version = source === 'files' ? tables : this.#tablesOf(source);
    const known = this.#known.get(key);
    if (version === undefined || known?.isAsking || known?.version === version) return;
    const before = known?.table && 'columns' in known.table ? known.table : undefined;
    this.#known.delete(key);
    this.#known.set(key, { table: before, version, isAsking: true });
    void this.#describe(source, sql).then(described => {
      // An unreachable source says nothing about the SQL; it is queried again once it is back.
      const table = described ?? known?.table;
      this.#known.set(key, { table, version: described ? version : known?.version, isAsking: false });
      for (const oldest of [...this.#known.keys()].slice(0, Math.max(0, this.#known.size - maxKnown)))
        this.#known.delete(oldest);
      if (JSON.stringify(table) !== JSON.stringify(before)) this.#changed();
    });
  }

  #tablesOf(source: string): readonly SourceTable[] | undefined {
    const state = this.#sources.states.get(source);
    return state?.state === 'ready' ? state.tables : undefined;
  }

  async #describe(source: string, sql: string): Promise<SqlTable | undefined> {
    const options = { as: 'values', timeoutMs: limits.interactiveMs, maxRows: 1 } as const;
    try {
      const database = this.#sources.engineOf(source);
      if (source !== 'files' && !database) return undefined;
      const statement = describingStatement(sql, (database?.engine ?? this.#engine).dialect);
      const result = await (database
        ? database.circuit.runAside(() => database.engine.run(statement, options))
        : this.#engine.run(statement, options));
      return columnsIn(result);
    } catch (error) {
      if (
        error instanceof EngineError &&
        (error.code === 'source-unreachable' || error.code === 'source-refused')
      )
        return undefined;
      return { problem: (error as Error).message };
    }
  }
}

function columnsIn({ columns }: QueryResult): SqlTable {
  const twice = columns.find(({ name }, i) => columns.findIndex(other => other.name === name) !== i);
  if (twice)
    return {
      problem: `Two columns are called \`${twice.name}\`. Rename one of them with \`as\`.`,
    };
  return { columns: columns.map(({ name, type }) => ({ name, type })) };
}
