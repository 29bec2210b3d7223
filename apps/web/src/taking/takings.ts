import { createStore } from 'zustand/vanilla';
import { problemText } from '../data/problem-text.ts';
import { saveResponse } from './save-response.ts';

export type FileFormat = 'png' | 'svg' | 'pdf' | 'csv' | 'xlsx' | 'parquet' | 'html';

/** A file that is on its way, or why it did not come. */
export interface Taking {
  readonly id: number;
  readonly format: FileFormat;
  /** What has come of it; none while it is being made. */
  readonly bytes: number;
  readonly problem?: string;
  /** Calls it off, in the server and the engine too; or lets go of what went wrong. */
  readonly end: () => void;
}

/** What is worth saying: what comes at once comes without a word. */
export const takings = createStore<{ readonly all: readonly Taking[] }>(() => ({ all: [] }));

const sayAfterMs = 400;
/** What is larger goes from the server to the disk, past the page's memory; the browser says how far it is. */
const mostBytes = 64 * 2 ** 20;
let lastId = 0;

/**
 * Takes a response away as a file: how much of it has come is said, and it can be called off.
 * @param name where the server gives the file none
 * @param handOver how the browser is to have it by itself, where that can be
 */
export function take(format: FileFormat, name: string, ask: (signal: AbortSignal) => Promise<Response>, handOver?: () => void): void {
  const controller = new AbortController();
  const id = ++lastId;
  const forget = () => takings.setState(({ all }) => ({ all: all.filter(other => other.id !== id) }));
  const say = (change: Partial<Taking>) => takings.setState(({ all }) => ({ all: all.map(other => (other.id === id ? { ...other, ...change } : other)) }));
  const begin = () => takings.setState(({ all }) => (all.some(other => other.id === id) ? { all } : { all: [...all, { id, format, bytes: 0, end: () => controller.abort() }] }));
  const timer = setTimeout(begin, sayAfterMs);
  let isLarge = false;
  const count = (bytes: number) => {
    say({ bytes });
    isLarge = handOver !== undefined && bytes > mostBytes;
    if (isLarge) controller.abort();
  };
  const work = async () => saveResponse(await ask(controller.signal), name, count);
  void work().then(forget, (error: unknown) => {
    if (isLarge) handOver?.();
    if (controller.signal.aborted) return forget();
    begin();
    say({ problem: problemText(error), end: forget });
  }).finally(() => clearTimeout(timer));
}
