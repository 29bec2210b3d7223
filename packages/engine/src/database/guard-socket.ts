import type { Socket } from 'node:net';
import { EngineError } from '../result.ts';

/**
 * Reports the size of every chunk that a driver's socket receives to `received`, before the driver reads it.
 * If the driver throws on a chunk, where no caller could catch the error, the connection is closed and the
 * error becomes its statement's error.
 * @returns a function that removes the guard
 */
export function guardSocket(socket: Socket, received: (bytes: number) => void): () => void {
  const own = socket.emit;
  const emit = own.bind(socket) as (event: string, ...values: unknown[]) => boolean;
  const guarded = (event: string, ...values: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...values);
    received((values[0] as Buffer).length);
    if (socket.destroyed) return true;
    try {
      return emit(event, ...values);
    } catch (error) {
      socket.destroy(
        new EngineError(
          'query-failed',
          `Could not read the server’s response to this statement: ${(error as Error).message}.`,
          { cause: error },
        ),
      );
      return true;
    }
  };
  socket.emit = guarded;
  return () => {
    if (socket.emit === guarded) socket.emit = own;
  };
}
