import { PostgresAdapter, type Kysely } from 'kysely';

/** SQL words that differ between the two databases. */
export interface Words {
  readonly isPostgres: boolean;
  /** Text compared by code point. PostgreSQL would otherwise compare by the rules of a language. */
  readonly text: string;
  /** A whole number of up to 53 bits, such as a time in ms. */
  readonly whole: string;
  /** A key that the database counts up and never issues twice. */
  readonly counter: string;
  /** Ends a `create table`. Makes SQLite check types as strictly as PostgreSQL does. */
  readonly strict: string;
}

const sqlite: Words = {
  isPostgres: false,
  text: 'text',
  whole: 'integer',
  counter: 'integer primary key autoincrement',
  strict: 'strict',
};

const postgres: Words = {
  isPostgres: true,
  text: 'text collate "C"',
  whole: 'bigint',
  counter: 'bigint generated always as identity primary key',
  strict: '',
};

export function wordsOf(db: Kysely<unknown>): Words {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
}
