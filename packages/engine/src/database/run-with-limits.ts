import { EngineError, queryCancelled, refuseCancelled, tooManyBytes, type RunOptions } from '../result.ts';
import { stallMs, stopMs, untakenBytes } from './connection.ts';

/** Distinguishes a stalled server from our own back-pressure, and counts received bytes. */
export interface Watch {
  /** Call for every chunk of a result. */
  readonly onData: () => void;
  /**
   * Call with the size of every received chunk before it is parsed: a row may be larger than the available
   * memory.
   */
  readonly received: (bytes: number) => void;
  /** Call when the received bytes have been consumed, or stored where the result's own limit counts them. */
  readonly emptied: () => void;
  /** Stall detection is paused while this promise is pending. */
  readonly held: <T>(ours: Promise<T>) => Promise<T>;
}

export interface RunningStatement<T> {
  /** Resolves at the end of the result. */
  readonly result: Promise<T>;
  /** Requests the server to cancel the statement. */
  readonly stop: () => Promise<void>;
  /** Closes the connection, if the server does not cancel the statement. */
  readonly cut: () => void;
}

/**
 * Enforces a statement's limits: its total time, the time between two chunks of its result, its size, and the
 * caller's cancellation. Beyond a limit the statement is cancelled in the server. If the server does not
 * react, the connection is closed.
 */
export async function runWithLimits<T>(
  { timeoutMs, signal, maxBytes = Infinity }: Pick<RunOptions, 'timeoutMs' | 'signal' | 'maxBytes'>,
  start: (watch: Watch) => RunningStatement<T>,
): Promise<T> {
  refuseCancelled(signal);
  let why: EngineError | undefined;
  let stallTimer: NodeJS.Timeout | undefined;
  let cutTimer: NodeJS.Timeout | undefined;
  const cutOff = Promise.withResolvers<never>();
  cutOff.promise.catch(() => {});
  const end = (error: EngineError) => {
    if (why) return;
    why = error;
    cutTimer = setTimeout(() => {
      running.cut();
      cutOff.reject(error);
    }, stopMs);
    running.stop().catch(() => running.cut());
  };
  let holding = 0;
  let hasBegun = false;
  let isOver = false;
  const onData = () => {
    hasBegun = true;
    clearTimeout(stallTimer);
    if (holding === 0 && !isOver)
      stallTimer = setTimeout(
        () =>
          end(
            new EngineError(
              'source-unreachable',
              `The server stopped sending its result for ${stallMs / 1000} s.`,
            ),
          ),
        stallMs,
      );
  };
  const held = async <T>(ours: Promise<T>): Promise<T> => {
    holding++;
    clearTimeout(stallTimer);
    try {
      return await ours;
    } finally {
      holding--;
      onData();
    }
  };
  const maxPendingBytes = Math.min(maxBytes, untakenBytes);
  let untaken = 0;
  const received = (bytes: number) => {
    // After the first row, a partial row also counts as a sign of life.
    if (hasBegun) onData();
    untaken += bytes;
    if (untaken <= maxPendingBytes || why) return;
    // No more bytes may arrive: the connection is closed at once, and the server is requested to cancel as
    // well.
    end(tooManyBytes(maxPendingBytes));
    running.cut();
    cutOff.reject(why);
  };
  const emptied = () => {
    untaken = 0;
  };
  const running = start({ onData, received, emptied, held });
  const timer = setTimeout(
    () =>
      end(
        new EngineError(
          'query-timeout',
          `The query was stopped after ${timeoutMs / 1000} s. Narrow it with a filter.`,
        ),
      ),
    timeoutMs,
  );
  const onAbort = () => end(queryCancelled());
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  try {
    const result = await Promise.race([running.result, cutOff.promise]);
    // The result of a cancelled statement may be incomplete or invalid.
    if (why) throw why;
    return result;
  } catch (error) {
    throw why ?? error;
  } finally {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(stallTimer);
    clearTimeout(cutTimer);
    signal?.removeEventListener('abort', onAbort);
  }
}
