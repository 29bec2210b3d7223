import type { TableSchema } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import type { RunOptions } from '../result.ts';
import type { Engine } from '../engine.ts';

/**
 * How to reach a database server. Secrets are in plain text: they are resolved just before use and stored
 * nowhere else.
 */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `verified` checks the server's certificate against the system's authorities or against the given one. */
  readonly tls: 'off' | 'verified' | { readonly ca: string };
  /** Restricts the catalogue to these schemas. By default all except the server's own are read. */
  readonly schemas?: readonly string[];
}

/** Columns of a table that its database declares to be the key of another table's rows. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  /** In the order of `columns`. */
  readonly keys: readonly string[];
}

/** A table of a database, as described by its catalogue. */
export interface DatabaseTable extends TableSchema {
  readonly schema: string;
  readonly foreignKeys?: readonly ForeignKey[];
  readonly isView: boolean;
  /** The server's own estimate. */
  readonly estimatedRows?: number;
}

/** Facts about a server, with warnings for its administrator. */
export interface ServerFacts {
  readonly version: string;
  readonly warnings: readonly string[];
}

/** A database server that runs queries and lists its tables. */
export interface DatabaseEngine extends Engine {
  /** Connects and runs a trivial query. @throws EngineError source-unreachable, source-refused */
  check(): Promise<ServerFacts>;
  /** @throws EngineError */
  tables(): Promise<readonly DatabaseTable[]>;
  /**
   * Passes a result's rows one by one to `addRow`, as the texts received, whatever their number. The server
   * pauses while a row is being consumed.
   * @throws EngineError if the result is incomplete
   */
  copy(
    statement: Statement,
    options: Pick<RunOptions, 'timeoutMs' | 'signal'>,
    addRow: AddRow,
  ): Promise<void>;
  /** A table's qualified name, quoted for a statement. */
  tableName(schema: string, table: string): string;
}

export type AddRow = (row: readonly (string | null)[]) => Promise<void> | undefined;

/** Time limit for connecting. */
export const connectMs = 5_000;
/** Time limit between two pieces of a result. */
export const stallMs = 10_000;
/** Time for a server to cancel a statement before its connection is closed. */
export const stopMs = 2_000;
/** Connections per source. Custom SQL has as many again, opened on demand. */
export const maxConnections = 8;
/**
 * Limit for received bytes of a result that have not been consumed as rows yet. It also limits the size of a
 * row.
 */
export const untakenBytes = 128 * 2 ** 20;
