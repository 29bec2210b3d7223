import { mysqlSession } from '@belvedere/sql';
import type { Connection as MySqlConnection, PoolConnection } from 'mysql2';
import { stopMs } from '../database/connection.ts';
import { connectionOf } from './mysql-connections.ts';
import { allRows } from './read-rows.ts';

/** Brings the sessions of connections into a known state. */
export class MySqlSessions {
  readonly #kind: 'mysql' | 'mariadb';
  /** The time limit in ms that a connection's session has. */
  readonly #timeLimits = new WeakMap<MySqlConnection, number>();

  constructor(kind: 'mysql' | 'mariadb') {
    this.#kind = kind;
  }

  /** Prepares a session for queries of our own, which leave it as it is. */
  async prepare(client: PoolConnection, timeoutMs: number): Promise<void> {
    const known = this.#timeLimits.get(connectionOf(client));
    if (known === timeoutMs) return;
    if (known === undefined) {
      await allRows(client, mysqlSession);
      await allRows(client, 'set session transaction read only');
    }
    await allRows(client, this.#timeLimit(timeoutMs));
    this.#timeLimits.set(connectionOf(client), timeoutMs);
  }

  /** Begins a read-only transaction for custom SQL, in a session that may be in any state. */
  async beginCustom(client: PoolConnection, timeoutMs: number): Promise<void> {
    const statements = [
      // A reset session uses the server's default character set.
      'set names utf8mb4',
      mysqlSession,
      'set session transaction read only',
      this.#timeLimit(timeoutMs),
      'start transaction read only',
    ];
    for (const text of statements) await allRows(client, text);
  }

  /** Slightly longer than our own time limit, so that the server stops by itself if this process has died. */
  #timeLimit(timeoutMs: number): string {
    const seconds = (timeoutMs + 500) / 1000;
    return this.#kind === 'mariadb'
      ? `set session max_statement_time = ${seconds}`
      : `set session max_execution_time = ${Math.round(seconds * 1000)}`;
  }
}

/** Resets a session's settings, ends its transaction and releases its locks. @returns whether the server did so */
export function resetSession(client: PoolConnection): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), stopMs);
    connectionOf(client).reset(error => {
      clearTimeout(timer);
      resolve(!error);
    });
  });
}
