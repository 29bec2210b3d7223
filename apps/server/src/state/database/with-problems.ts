import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely';

/**
 * Returns a dialect whose errors are converted by `problemOf`, so that every failure of the database reaches
 * its caller as a problem that a user can act on. Texts are stored without NUL, which PostgreSQL refuses.
 */
export function withProblems(dialect: Dialect, problemOf: (error: unknown) => unknown): Dialect {
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw problemOf(error);
    }
  };
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: db => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => convertErrors(dialect.createDriver(), attempt),
  };
}

type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

function convertErrors(driver: Driver, attempt: Attempt): Driver {
  const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const of = (connection: DatabaseConnection) => inner.get(connection)!;
  return {
    init: options => attempt(() => driver.init(options)),
    acquireConnection: async options => {
      const found = await attempt(() => driver.acquireConnection(options));
      const connection: DatabaseConnection = {
        executeQuery: (query, given) => attempt(() => found.executeQuery(withoutNul(query), given)),
        streamQuery: (query, chunk, given) => found.streamQuery(query, chunk, given),
      };
      inner.set(connection, found);
      return connection;
    },
    beginTransaction: (connection, settings) =>
      attempt(() => driver.beginTransaction(of(connection), settings)),
    commitTransaction: connection => attempt(() => driver.commitTransaction(of(connection))),
    rollbackTransaction: connection => attempt(() => driver.rollbackTransaction(of(connection))),
    releaseConnection: (connection, options) => driver.releaseConnection(of(connection), options),
    destroy: options => driver.destroy(options),
  };
}

function withoutNul<T>(query: CompiledQuery<T>): CompiledQuery<T> {
  return query.parameters.some(hasNul) ? { ...query, parameters: query.parameters.map(storable) } : query;
}

/** Replaces NUL in a text as HTML does, so that it is neither refused nor hidden, and is found again. */
export function storable(value: unknown): unknown {
  return hasNul(value) ? value.replaceAll('\0', '\uFFFD') : value;
}

const hasNul = (value: unknown): value is string => typeof value === 'string' && value.includes('\0');
