import { ApiError } from '@belvedere/api';
import { WorkspaceLockedError, problemFrom, progressInWords, type Progress } from '@belvedere/server';
import type { CommonOptions } from './arguments.ts';

/** The result of a command, for people and for programs. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly json: unknown;
  /** A note for people, on standard error. */
  readonly note?: string;
  /** Whether the command found problems; the exit code is then 1. */
  readonly isWrong?: boolean;
}

/** Prints the result of a command and exits. */
export async function print({ lines, json, note, isWrong }: Outcome, options: CommonOptions): Promise<never> {
  await write(options.json ? `${JSON.stringify(json)}\n` : lines.map(line => `${line}\n`).join(''));
  if (note !== undefined && !options.json && !options.quiet) console.error(note);
  process.exit(isWrong ? 1 : 0);
}

let progressShown = '';

/** Shorter commands show no progress. */
const soonMs = 500;

/** Returns a progress printer: in place on a terminal, otherwise a line per step. */
export function printProgress({ json, quiet }: CommonOptions): (progress: Progress) => void {
  const began = performance.now();
  return progress => {
    if (performance.now() - began < soonMs) return;
    const [what, far] = progressInWords(progress);
    const isTerminal = process.stderr.isTTY;
    const text = isTerminal ? `${what} ${far}`.slice(0, process.stderr.columns - 1) : what;
    if (quiet || json || text === progressShown) return;
    progressShown = text;
    process.stderr.write(isTerminal ? `\r\u001B[K${text}` : `${text}\n`);
  };
}

/** Clears the progress line of a terminal. */
function endProgress(): void {
  if (progressShown !== '' && process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  progressShown = '';
}

/**
 * Writes a text completely, at the reader's speed. A reader that closes the pipe, such as `head`, is not an
 * error.
 */
export async function write(text: string | Uint8Array): Promise<void> {
  endProgress();
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, error => {
      if (!error) resolve();
      else if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0);
      else reject(error);
    });
  });
}

/** Prints the error and exits. */
export function fail(error: unknown, { json }: CommonOptions): never {
  endProgress();
  const problem = problemOf(error);
  if (json) console.error(JSON.stringify(problem));
  else if (problem.type !== 'internal') console.error(problem.detail);
  else console.error(`${problem.title}: this is a bug in Belvedere. Please report it.`, error);
  process.exit(1);
}

/** Converts an error to a problem (RFC 9457). Codes unknown to the API exist only on the command line. */
function problemOf(error: unknown): {
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
} {
  if (error instanceof WorkspaceLockedError)
    return { type: 'folder-held', title: 'The folder is already open', detail: error.message };
  if (error instanceof ApiError) {
    const { type, title, detail } = error.problem;
    return { type, title, detail: detail ?? title };
  }
  const { code, syscall, message, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code === 'EADDRINUSE')
    return {
      type: 'port-busy',
      title: 'No free port',
      detail: `Port ${port} is in use by another program. Choose a free one with --port.`,
    };
  if (code !== undefined && syscall !== undefined)
    return { type: 'system-refused', title: 'System error', detail: message };
  const { type, title, detail } = problemFrom(error);
  return type === 'internal'
    ? { type, title, detail: String(error) }
    : { type, title, ...(detail !== undefined && { detail }) };
}
