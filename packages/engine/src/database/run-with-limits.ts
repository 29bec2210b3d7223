import { EngineError, queryCancelled, refuseCancelled, tooManyBytes, type RunOptions } from '../result.ts';
import { stallMs, stopMs, untakenBytes } from './connection.ts';

/** Tells the server's silence from ours, and too much from enough. */
export interface Watch {
  /** Called at every piece of an answer. */
  readonly heard: () => void;
  /** Called with the size of every piece that arrives, before anything is made of it: a row may be larger than the memory there is. */
  readonly received: (bytes: number) => void;
  /** Called when what was received has been taken, or put where it counts against the answer's own limit. */
  readonly emptied: () => void;
  /** While this is awaited nothing is expected of the server. */
  readonly held: <T>(ours: Promise<T>) => Promise<T>;
}

export interface RunningStatement<T> {
  /** The answer's end. */
  readonly result: Promise<T>;
  /** Asks the server to end the statement. */
  readonly stop: () => Promise<void>;
  /** Cuts the connection, where the server does not. */
  readonly cut: () => void;
}

/**
 * Holds a statement to its limits: the time it may take, how long it may be silent in the middle of an answer, and whoever asked. What goes
 * past them is ended in the server; a server that does not listen loses the connection.
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
  const heard = () => {
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
      heard();
    }
  };
  const mostUntaken = Math.min(maxBytes, untakenBytes);
  let untaken = 0;
  const received = (bytes: number) => {
    // A part of a row is heard, too, once there have been rows.
    if (hasBegun) heard();
    untaken += bytes;
    if (untaken <= mostUntaken || why) return;
    // Nothing more is to arrive: the connection is cut at once, and the server is told besides.
    end(tooManyBytes(mostUntaken));
    running.cut();
    cutOff.reject(why);
  };
  const emptied = () => {
    untaken = 0;
  };
  const running = start({ heard, received, emptied, held });
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
    // What a statement gives that was stopped may be a part, or made up.
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
