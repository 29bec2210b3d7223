import type { Statement } from '@belvedere/sql';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import type { RowReceiver } from '../database/collect-rows.ts';
import type { Watch } from '../database/run-with-limits.ts';
import { typesByOid } from './data-types.ts';

/** The driver collects this many rows per batch; fewer if rows are large. */
const rowsAtOnce = 5_000;
const firstRows = 500;
const bytesAtOnce = 8 * 2 ** 20;

/** Values stay texts as received, because the driver's parsers lose digits and time zones. */
export const asTexts = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

/** Runs a statement and passes its rows to `addRow`, in batches, so that the server pauses while they are consumed. */
export async function readRows(
  client: pg.PoolClient,
  statement: Statement,
  watch: Watch,
  { begin, addRow }: RowReceiver,
): Promise<void> {
  const { connection: wire } = client as unknown as { connection: EventEmitter };
  const socket = socketOf(client);
  wire.on('dataRow', watch.onData);
  const cursor = client.query(
    new Cursor<(string | null)[]>(statement.text, [...statement.parameters], {
      rowMode: 'array',
      types: asTexts,
    }),
  );
  let wanted = firstRows;
  try {
    for (;;) {
      const before = socket.bytesRead;
      const { rows, fields } = await nextRows(cursor, wanted);
      watch.emptied();
      begin(
        statement.columns ??
          fields.map(field => ({ name: field.name, type: typesByOid.get(field.dataTypeID) ?? 'other' })),
      );
      for (const row of rows) {
        const added = addRow(row);
        if (added) await watch.held(added);
      }
      if (rows.length < wanted) break;
      wanted = Math.max(
        1,
        Math.min(
          rowsAtOnce,
          Math.floor((bytesAtOnce * rows.length) / Math.max(1, socket.bytesRead - before)),
        ),
      );
    }
    await cursor.close();
  } finally {
    wire.off('dataRow', watch.onData);
  }
}

/** The connection's socket, which the driver does not publish. */
export function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function nextRows(
  cursor: Cursor<(string | null)[]>,
  wanted: number,
): Promise<{ rows: (string | null)[][]; fields: { name: string; dataTypeID: number }[] }> {
  return new Promise((resolve, reject) => {
    cursor.read(wanted, (error, rows, result) =>
      error
        ? reject(error)
        : resolve({
            rows,
            fields:
              (result as unknown as { fields?: { name: string; dataTypeID: number }[] } | undefined)
                ?.fields ?? [],
          }),
    );
  });
}
