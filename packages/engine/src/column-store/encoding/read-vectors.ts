import koffi from 'koffi';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * A batch of result rows in the engine's memory, one array of numbers per column. Valid until the next batch
 * is fetched.
 */
export interface Vectors {
  /** `vectorRows` at most. */
  readonly rows: number;
  /** Copies a column's numbers, as many bytes as `into` holds. */
  readonly copy: (column: number, into: Uint8Array) => void;
  /**
   * Copies a column's validity bitmap: one bit per row, the first row in the lowest bit, 1 for a value and 0
   * for null.
   * @returns false, and copies nothing, if no row is null
   */
  readonly copyPresence: (column: number, into: Uint8Array) => boolean;
}

export const vectorRows = 2048;

/** Settings of a private in-memory engine, and the statements that attach the tables to read. */
export interface EngineToOpen {
  /** The file of the engine's library; see `loadedLibrary`. */
  readonly library: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly statements: readonly string[];
}

/**
 * The path of the engine's library that the driver has loaded into this process.
 * @throws RangeError if the driver has not been loaded
 */
export function loadedLibrary(): string {
  const driver = Object.keys(createRequire(import.meta.url).cache).find(
    file => path.basename(file) === 'duckdb.node',
  );
  if (!driver) throw new RangeError('The engine’s driver has not been loaded.');
  return path.join(
    path.dirname(driver),
    process.platform === 'win32'
      ? 'duckdb.dll'
      : `libduckdb.${process.platform === 'darwin' ? 'dylib' : 'so'}`,
  );
}

/**
 * Yields the rows of a statement with numeric or boolean columns, from an engine that runs only in the
 * calling thread. So a vector is still in the processor's cache when it is copied.
 * Uses DuckDB's C interface instead of the driver. The driver passes each vector between threads and makes
 * objects of it, which takes several times as long as computing the vector.
 * @throws Error with the engine's message
 * @see https://duckdb.org/docs/stable/clients/c/api
 */
export function* readVectors(
  { library, settings, statements }: EngineToOpen,
  sql: string,
): Generator<Vectors> {
  const c = cInterface(library);
  const [config, database, connection, statement] = [empty(), empty(), empty(), empty()];
  const result: Result = {};
  try {
    const problem: [string | null] = [null];
    c.createConfig(config);
    for (const [name, value] of Object.entries(settings))
      must(c.setConfig(config[0], name, value), () => `The engine has no setting “${name}”.`);
    must(c.open(':memory:', database, config[0], problem), () => problem[0]);
    must(c.connect(database[0], connection), () => 'The engine gives no connection.');
    for (const text of statements) {
      const done: Result = {};
      try {
        must(c.query(connection[0], text, done), () => c.resultError(done));
      } finally {
        c.destroyResult(done);
      }
    }
    must(c.prepare(connection[0], sql, statement), () => c.prepareError(statement[0]));
    must(c.executeStreaming(statement[0], result), () => c.resultError(result));
    for (let chunk = c.fetchChunk(result); chunk !== null; chunk = c.fetchChunk(result)) {
      try {
        yield vectorsIn(c, chunk);
      } finally {
        c.destroyChunk([chunk]);
      }
    }
  } finally {
    c.destroyResult(result);
    c.destroyPrepare(statement);
    c.disconnect(connection);
    c.close(database);
    c.destroyConfig(config);
  }
}

function vectorsIn(c: CInterface, chunk: Pointer): Vectors {
  return {
    rows: c.chunkSize(chunk),
    copy: (column, into) => c.copy(into, c.vectorData(c.chunkVector(chunk, column)), into.length),
    copyPresence: (column, into) => {
      const bits = c.vectorValidity(c.chunkVector(chunk, column));
      if (bits !== null) c.copy(into, bits, into.length);
      return bits !== null;
    },
  };
}

function must(state: number, problem: () => string | null): void {
  if (state !== 0) throw new Error(problem() ?? 'The engine failed.');
}

/** An address in the library's memory, which only the library reads. */
type Pointer = { readonly brand: 'pointer' } | null;
/** An output parameter for a pointer. */
type Place = [Pointer];
const empty = (): Place => [null];
/** The fields of a result; only the library reads them. */
type Result = object;
type CInterface = ReturnType<typeof cInterface>;

koffi.struct('duckdb_result', {
  columnCount: 'uint64',
  rowCount: 'uint64',
  rowsChanged: 'uint64',
  columns: 'void *',
  errorMessage: 'void *',
  internal: 'void *',
});

function cInterface(library: string) {
  const engine = koffi.load(library);
  const func = (definition: string) => engine.func(definition);
  const standard = koffi.load(process.platform === 'win32' ? 'msvcrt.dll' : null);
  return {
    copy: standard.func('void *memcpy(void *, const void *, size_t)') as (
      into: Uint8Array,
      from: Pointer,
      bytes: number,
    ) => void,
    createConfig: func('int duckdb_create_config(_Out_ void **)') as (config: Place) => number,
    setConfig: func('int duckdb_set_config(void *, const char *, const char *)') as (
      config: Pointer,
      name: string,
      value: string,
    ) => number,
    destroyConfig: func('void duckdb_destroy_config(_Inout_ void **)') as (config: Place) => void,
    open: func('int duckdb_open_ext(const char *, _Out_ void **, void *, _Out_ char **)') as (
      path: string,
      database: Place,
      config: Pointer,
      problem: [string | null],
    ) => number,
    close: func('void duckdb_close(_Inout_ void **)') as (database: Place) => void,
    connect: func('int duckdb_connect(void *, _Out_ void **)') as (
      database: Pointer,
      connection: Place,
    ) => number,
    disconnect: func('void duckdb_disconnect(_Inout_ void **)') as (connection: Place) => void,
    query: func('int duckdb_query(void *, const char *, _Out_ duckdb_result *)') as (
      connection: Pointer,
      sql: string,
      done: Result,
    ) => number,
    prepare: func('int duckdb_prepare(void *, const char *, _Out_ void **)') as (
      connection: Pointer,
      sql: string,
      statement: Place,
    ) => number,
    prepareError: func('const char *duckdb_prepare_error(void *)') as (statement: Pointer) => string | null,
    destroyPrepare: func('void duckdb_destroy_prepare(_Inout_ void **)') as (statement: Place) => void,
    executeStreaming: func('int duckdb_execute_prepared_streaming(void *, _Out_ duckdb_result *)') as (
      statement: Pointer,
      into: Result,
    ) => number,
    resultError: func('const char *duckdb_result_error(duckdb_result *)') as (of: Result) => string | null,
    destroyResult: func('void duckdb_destroy_result(_Inout_ duckdb_result *)') as (of: Result) => void,
    fetchChunk: func('void *duckdb_fetch_chunk(duckdb_result)') as (of: Result) => Pointer,
    chunkSize: func('uint64 duckdb_data_chunk_get_size(void *)') as (chunk: Pointer) => number,
    destroyChunk: func('void duckdb_destroy_data_chunk(_Inout_ void **)') as (chunk: Place) => void,
    chunkVector: func('void *duckdb_data_chunk_get_vector(void *, uint64)') as (
      chunk: Pointer,
      column: number,
    ) => Pointer,
    vectorData: func('void *duckdb_vector_get_data(void *)') as (vector: Pointer) => Pointer,
    vectorValidity: func('void *duckdb_vector_get_validity(void *)') as (vector: Pointer) => Pointer,
  };
}
