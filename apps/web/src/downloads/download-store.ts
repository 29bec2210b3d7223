import { createStore } from 'zustand/vanilla';
import { problemText } from '../data/problem-text.ts';
import { t } from '../messages/messages.ts';
import { saveResponse } from './save-response.ts';

export type FileFormat = 'png' | 'svg' | 'pdf' | 'csv' | 'xlsx' | 'parquet' | 'html';

/** What is said of what somebody takes away. */
export interface Download {
  readonly id: number;
  readonly said:
    /** A file on its way; no bytes while it is being made. */
    | { readonly kind: 'coming'; readonly format: FileFormat; readonly bytes: number }
    | { readonly kind: 'copied' }
    | { readonly kind: 'removed'; readonly title: string; readonly undo: () => void }
    | { readonly kind: 'failed'; readonly problem: string };
  /** Calls it off, in the server and the engine too; or lets go of what was said. */
  readonly end: () => void;
}

/** What is worth saying: what comes at once comes without a word. */
export const downloads = createStore<{ readonly all: readonly Download[] }>(() => ({ all: [] }));

const sayAfterMs = 400;
const sayCopiedMs = 4000;
/** Long enough to read it and to change one's mind. */
const offerUndoMs = 10_000;
/**
 * What is larger goes from the server to the disk, past the page's memory; the browser says how far it is.
 */
const mostBytes = 64 * 2 ** 20;
let lastId = 0;

function say(id: number, said: Download['said'], end: () => void): void {
  downloads.setState(({ all }) =>
    all.some(other => other.id === id)
      ? { all: all.map(other => (other.id === id ? { id, said, end } : other)) }
      : { all: [...all, { id, said, end }] },
  );
}

function forget(id: number): void {
  downloads.setState(({ all }) => ({ all: all.filter(other => other.id !== id) }));
}

/**
 * Takes a response away as a file: how much of it has come is said, and it can be called off.
 * @param name where the server gives the file none
 * @param handOver how the browser is to have it by itself, where that can be
 */
export function take(
  format: FileFormat,
  name: string,
  ask: (signal: AbortSignal) => Promise<Response>,
  handOver?: () => void,
): void {
  const controller = new AbortController();
  const id = ++lastId;
  let bytes = 0;
  let isSaid = false;
  const sayComing = () => {
    isSaid = true;
    say(id, { kind: 'coming', format, bytes }, () => controller.abort());
  };
  const timer = setTimeout(sayComing, sayAfterMs);
  let isLarge = false;
  const count = (come: number) => {
    bytes = come;
    if (isSaid) sayComing();
    isLarge = handOver !== undefined && bytes > mostBytes;
    if (isLarge) controller.abort();
  };
  const work = async () => saveResponse(await ask(controller.signal), name, count);
  void work()
    .then(
      () => forget(id),
      (error: unknown) => {
        if (isLarge) handOver?.();
        if (controller.signal.aborted) return forget(id);
        say(id, { kind: 'failed', problem: problemText(error) }, () => forget(id));
      },
    )
    .finally(() => clearTimeout(timer));
}

/** Shows why something could not be done, until it is dismissed. */
export function announceFailed(problem: string): void {
  const id = ++lastId;
  say(id, { kind: 'failed', problem }, () => forget(id));
}

/**
 * Says that something is on the clipboard, for as long as one looks at it, or that the browser did not let it
 * be.
 */
export function announceCopied(copying: Promise<void>): void {
  const id = ++lastId;
  const end = () => forget(id);
  void copying.then(
    () => {
      say(id, { kind: 'copied' }, end);
      setTimeout(end, sayCopiedMs);
    },
    () => say(id, { kind: 'failed', problem: t.taking.notCopied }, end),
  );
}

/**
 * Says that a dashboard is in the trash, and brings it back on request; why it could not is said in the same
 * place.
 */
export function announceRemoved(title: string, restore: () => Promise<unknown>): void {
  const id = ++lastId;
  const end = () => forget(id);
  const undo = () => {
    end();
    const failed = (error: unknown) => say(id, { kind: 'failed', problem: problemText(error) }, end);
    void restore().catch(failed);
  };
  say(id, { kind: 'removed', title, undo }, end);
  setTimeout(() => {
    const isStillOffered = downloads.getState().all.some(one => one.id === id && one.said.kind === 'removed');
    if (isStillOffered) end();
  }, offerUndoMs);
}
