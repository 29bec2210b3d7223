import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
} from 'kysely';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Kysely's dialect for Node's own SQLite. Calls run on the calling thread, one transaction at a time. */
export function nodeSqliteDialect(sql: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new NodeSqliteDriver(sql),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite rolls back changes of the schema like any others, so all migrations run in one transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #sql: DatabaseSync;

  constructor(sql: DatabaseSync) {
    super({
      database: {
        close: () => sql.close(),
        prepare: text => {
          const statement = sql.prepare(text);
          const values = (all: readonly unknown[]) => all as readonly SQLInputValue[];
          return {
            reader: statement.columns().length > 0,
            all: all => statement.all(...values(all)),
            run: all => statement.run(...values(all)),
            iterate: all => statement.iterate(...values(all)),
          };
        },
      },
    });
    this.#sql = sql;
  }

  /** Takes the write lock at once: a transaction that reads first could not get it later. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite rolls back by itself if the disk is full. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sql.isTransaction) await super.rollbackTransaction(connection);
  }
}
