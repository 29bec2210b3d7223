import type { DataType } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import type { PoolConnection } from 'mysql2';
import type { RowReceiver } from '../database/collect-rows.ts';
import type { Watch } from '../database/run-with-limits.ts';
import { EngineError } from '../result.ts';

export type Row = (string | null)[];

/** All rows of a short result. */
export function allRows(client: PoolConnection, sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query({ sql, rowsAsArray: true }, (error, result) =>
      error ? reject(error) : resolve(result as unknown as Row[]),
    );
  });
}

/**
 * Streams a result to a receiver, no faster than it takes it. Resolves when the last row has been
 * consumed.
 */
export function readRows(
  client: PoolConnection,
  statement: Statement,
  watch: Watch,
  { begin, addRow }: RowReceiver,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let hasBegun = false;
    let last: Promise<void> | undefined;
    const fail = (error: unknown) => {
      isOver = true;
      reject(error as Error);
    };
    const query = client.query({ sql: statement.text, rowsAsArray: true });
    query.on('fields', (fields: readonly { name: string; columnType?: number; columnLength?: number }[]) => {
      watch.onData();
      hasBegun = true;
      begin(
        statement.columns ??
          (fields ?? []).map(field => ({
            name: field.name,
            type: wireTypes[field.columnType ?? -1] ?? 'text',
          })),
      );
    });
    query.on('result', (row: unknown) => {
      if (isOver) return;
      watch.onData();
      watch.emptied();
      try {
        const added = addRow(row as Row);
        if (!added) return;
        client.pause();
        last = watch.held(added).then(() => client.resume(), fail);
      } catch (error) {
        fail(error);
      }
    });
    query.on('error', fail);
    query.on('end', () =>
      hasBegun
        ? void Promise.resolve(last).then(resolve)
        : fail(new EngineError('query-failed', 'The server sent no result.')),
    );
  });
}

const wireTypes: Readonly<Record<number, DataType>> = {
  0: 'decimal',
  1: 'integer',
  2: 'integer',
  3: 'integer',
  4: 'number',
  5: 'number',
  7: 'instant',
  8: 'integer',
  9: 'integer',
  10: 'date',
  12: 'time',
  13: 'integer',
  246: 'decimal',
};
