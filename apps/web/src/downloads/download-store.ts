import { createStore } from 'zustand/vanilla';
import { problemText } from '../data/problem-text.ts';
import { t } from '../messages/messages.ts';
import { saveResponse } from './save-response.ts';

export type FileFormat = 'png' | 'svg' | 'pdf' | 'csv' | 'xlsx' | 'parquet' | 'html';

/** A message about a download, a copy or a removed dashboard. */
export interface Download {
  readonly id: number;
  readonly message:
    /** A download in progress; `bytes` is 0 while the server prepares the file. */
    | { readonly kind: 'downloading'; readonly format: FileFormat; readonly bytes: number }
    | { readonly kind: 'copied' }
    | { readonly kind: 'removed'; readonly title: string; readonly undo: () => void }
    | { readonly kind: 'failed'; readonly problem: string };
  /** Cancels the download, also in the server; or dismisses the message. */
  readonly end: () => void;
}

/** The messages that are shown. Short downloads have none. */
export const downloads = createStore<{ readonly all: readonly Download[] }>(() => ({ all: [] }));

const showAfterMs = 400;
const showCopiedMs = 4000;
/** Time to read the message and to undo. */
const offerUndoMs = 10_000;
/** The browser itself downloads larger files, to disk and with its own progress, not into the page's memory. */
const maxBytesInMemory = 64 * 2 ** 20;
let lastId = 0;

function show(id: number, message: Download['message'], end: () => void): void {
  downloads.setState(({ all }) =>
    all.some(other => other.id === id)
      ? { all: all.map(other => (other.id === id ? { id, message, end } : other)) }
      : { all: [...all, { id, message, end }] },
  );
}

function dismiss(id: number): void {
  downloads.setState(({ all }) => ({ all: all.filter(other => other.id !== id) }));
}

/**
 * Downloads a response as a file, with progress and a way to cancel.
 * @param name the file's name, unless the server gives one
 * @param downloadInBrowser starts the browser's own download of a large file
 */
export function startDownload(
  format: FileFormat,
  name: string,
  request: (signal: AbortSignal) => Promise<Response>,
  downloadInBrowser?: () => void,
): void {
  const controller = new AbortController();
  const id = ++lastId;
  let bytes = 0;
  let isShown = false;
  const showProgress = () => {
    isShown = true;
    show(id, { kind: 'downloading', format, bytes }, () => controller.abort());
  };
  const timer = setTimeout(showProgress, showAfterMs);
  let isLarge = false;
  const onBytes = (received: number) => {
    bytes = received;
    if (isShown) showProgress();
    isLarge = downloadInBrowser !== undefined && bytes > maxBytesInMemory;
    if (isLarge) controller.abort();
  };
  const work = async () => saveResponse(await request(controller.signal), name, onBytes);
  void work()
    .then(
      () => dismiss(id),
      (error: unknown) => {
        if (isLarge) downloadInBrowser?.();
        if (controller.signal.aborted) return dismiss(id);
        show(id, { kind: 'failed', problem: problemText(error) }, () => dismiss(id));
      },
    )
    .finally(() => clearTimeout(timer));
}

/** Shows why something could not be done, until it is dismissed. */
export function announceFailed(problem: string): void {
  const id = ++lastId;
  show(id, { kind: 'failed', problem }, () => dismiss(id));
}

/** Shows for some seconds that something was copied, or that the browser did not allow it. */
export function announceCopied(copying: Promise<void>): void {
  const id = ++lastId;
  const end = () => dismiss(id);
  void copying.then(
    () => {
      show(id, { kind: 'copied' }, end);
      setTimeout(end, showCopiedMs);
    },
    () => show(id, { kind: 'failed', problem: t.downloads.notCopied }, end),
  );
}

/** Shows that a dashboard is in the trash, with a button to restore it; shows why that failed. */
export function announceRemoved(title: string, restore: () => Promise<unknown>): void {
  const id = ++lastId;
  const end = () => dismiss(id);
  const undo = () => {
    end();
    const failed = (error: unknown) => show(id, { kind: 'failed', problem: problemText(error) }, end);
    void restore().catch(failed);
  };
  show(id, { kind: 'removed', title, undo }, end);
  setTimeout(() => {
    const isStillOffered = downloads
      .getState()
      .all.some(other => other.id === id && other.message.kind === 'removed');
    if (isStillOffered) end();
  }, offerUndoMs);
}
