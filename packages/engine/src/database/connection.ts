import type { TableSchema } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import type { RunOptions } from '../result.ts';
import type { Engine } from '../engine.ts';

/** How a database server is reached. Secrets are plain here: they were looked up a moment ago, and are kept nowhere else. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `verified` checks the server's certificate against the system's authorities, or against those given. */
  readonly tls: 'off' | 'verified' | { readonly ca: string };
  /** Only these schemas are looked at; all but the server's own where none is named. */
  readonly schemas?: readonly string[];
}

/** A table of a database, as its catalogue has it. */
export interface DatabaseTable extends TableSchema {
  readonly schema: string;
  readonly isView: boolean;
  /** What the server itself believes. */
  readonly estimatedRows?: number;
}

/** Who is at the other end, and what should worry whoever runs it. */
export interface ServerFacts {
  readonly version: string;
  readonly warnings: readonly string[];
}

/** A database server that answers questions, and can be looked around in. */
export interface DatabaseEngine extends Engine {
  /** Connects and asks the cheapest question there is. @throws EngineError source-unreachable, source-refused */
  check(): Promise<ServerFacts>;
  /** @throws EngineError */
  tables(): Promise<readonly DatabaseTable[]>;
  /**
   * Hands over an answer's rows one after another, as the texts they came as, however many there are; the server waits while one is being put away.
   * @throws EngineError where the answer does not come whole
   */
  copy(statement: Statement, options: Pick<RunOptions, 'timeoutMs' | 'signal'>, take: TakeRow): Promise<void>;
  /** A table's full name in a statement, quoted. */
  tableName(schema: string, table: string): string;
}

export type TakeRow = (row: readonly (string | null)[]) => Promise<void> | undefined;

/** Longer than this nobody waits for a server to say hello. */
export const connectMs = 5_000;
/** Between two pieces of one answer. */
export const stallMs = 10_000;
/** How long a server gets to end what it was told to end, before its connection is cut. */
export const stopMs = 2_000;
/** Connections of one source; as many again, while they are used, for SQL that people wrote. */
export const maxConnections = 8;
/** Of an answer's pieces that have arrived and are not yet rows that were taken. No row is larger. */
export const untakenBytes = 128 * 2 ** 20;
