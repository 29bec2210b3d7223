import { WorkspaceLockedError, problemFrom, progressInWords, type Progress } from '@belvedere/server';
import type { CommonOptions } from './arguments.ts';

/** What comes of a command, to people and to programs. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly json: unknown;
  /** Beside it, for people. */
  readonly note?: string;
  /** What it looked for is wrong: it ends with 1. */
  readonly isWrong?: boolean;
}

/** Says what came of a command, and ends. */
export async function print({ lines, json, note, isWrong }: Outcome, options: CommonOptions): Promise<never> {
  await write(options.json ? `${JSON.stringify(json)}\n` : lines.map(line => `${line}\n`).join(''));
  if (note !== undefined && !options.json && !options.quiet) console.error(note);
  process.exit(isWrong ? 1 : 0);
}

let progressShown = '';

/** What takes less is not worth a word. */
const soonMs = 500;

/** Says how far a command is: in place on a terminal, else in a line whenever it is about something else. */
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

/** Takes away what was said in place. */
function endProgress(): void {
  if (progressShown !== '' && process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  progressShown = '';
}

/** Writes all of a text, however slowly its reader takes it. One who takes no more, such as `head`, is no fault. */
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

/** Says what went wrong, and ends. */
export function fail(error: unknown, { json }: CommonOptions): never {
  endProgress();
  const problem = problemOf(error);
  if (json) console.error(JSON.stringify(problem));
  else if (problem.type !== 'internal') console.error(problem.detail);
  else console.error(`${problem.title}: this is a bug in Belvedere. Please report it.`, error);
  process.exit(1);
}

/** As problem documents say it (RFC 9457); codes that the API does not know are of what only happens here. */
function problemOf(error: unknown): {
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
} {
  if (error instanceof WorkspaceLockedError)
    return { type: 'folder-held', title: 'The folder is already open', detail: error.message };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return {
      type: 'port-busy',
      title: 'No free port',
      detail: 'All ports tried are busy. Choose a free one with --port.',
    };
  if (code !== undefined && syscall !== undefined)
    return { type: 'system-refused', title: 'System error', detail: message };
  const { type, title, detail } = problemFrom(error);
  return type === 'internal'
    ? { type, title, detail: String(error) }
    : { type, title, ...(detail !== undefined && { detail }) };
}
