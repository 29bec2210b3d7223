import { clickhouse, SqlError, type FunctionCall } from '@belvedere/sql';
import { unknownIn, type ServerNames } from './harmless-functions.ts';

export type Row = (string | null)[];
export type QueryRows = (query: string) => Promise<readonly Row[]>;

/** Minimum interval between two lookups of the server's functions. */
const lookupMs = 10_000;

/** The functions that a server has itself, looked up when custom SQL calls one that is not known yet. */
export class ServerFunctions {
  readonly #queryRows: QueryRows;
  #names: ServerNames | undefined;
  #lookedUpAt = 0;

  constructor(queryRows: QueryRows) {
    this.#queryRows = queryRows;
  }

  /**
   * Allows only the server's own functions in custom SQL, and none that access files or other machines.
   * Connections have no session, so no state is left behind.
   * @throws SqlError
   */
  async refuseUnknown(calls: readonly FunctionCall[]): Promise<void> {
    if (calls.length === 0) return;
    let unknown = this.#names ? unknownIn(calls, this.#names) : calls;
    // Functions may have been added since the last lookup.
    if (!this.#names || (unknown.length > 0 && performance.now() > this.#lookedUpAt + lookupMs)) {
      this.#names = await this.#lookUp();
      this.#lookedUpAt = performance.now();
      unknown = unknownIn(calls, this.#names);
    }
    for (const { name } of unknown)
      // A parameterised view is called like a function.
      if (!(await this.#isView(name)))
        throw new SqlError(`\`${name}\` is not allowed: it is not a known read-only function.`);
  }

  async #isView(name: string): Promise<boolean> {
    const rows = await this.#queryRows(
      `select 1 from system.tables where name = ${clickhouse.text(name)} and engine = 'View' and lower(name) not in (select lower(name) from system.table_functions) and lower(name) not in (select lower(name) from system.functions)`,
    );
    return rows.length > 0;
  }

  async #lookUp(): Promise<ServerNames> {
    const originColumns = await this.#queryRows(
      "select name from system.columns where database = 'system' and table = 'functions' and name = 'origin'",
    );
    const own = originColumns.length > 0 ? " where toString(origin) <> 'ExecutableUserDefined'" : '';
    const [functions, types] = await Promise.all([
      this.#queryRows(`select name, is_aggregate from system.functions${own}`),
      this.#queryRows('select name from system.data_type_families'),
    ]);
    return {
      functions: lowerNames(functions),
      aggregates: lowerNames(functions.filter(([, isAggregate]) => isAggregate === '1')),
      types: lowerNames(types),
    };
  }
}

function lowerNames(rows: readonly Row[]): Set<string> {
  return new Set(rows.map(([name]) => name!.toLowerCase()));
}
