import type { Socket } from 'node:net';
import { EngineError } from '../result.ts';

/**
 * Hands the size of every piece that a driver's socket receives to `received`, before the driver reads it. An error that the driver then
 * throws, which nobody could catch, ends this connection and becomes its statement's error. @returns what ends the watch
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
