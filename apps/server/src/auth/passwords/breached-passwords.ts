import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ProblemError } from '../../http/problems.ts';

/** A line is a hash, or its first digits, with a count behind it or not. */
const linePattern = /^([0-9A-F]{10,40})(?::\d{1,12})?\r?$/i;
const longestLine = 64;
/** Fewer bytes are read at once rather than halved. */
const blockBytes = 4096;
/** How many lines are compared when the file is opened, to see that it is sorted. */
const sampledLines = 64;

/**
 * The passwords of a file of SHA-1 hashes, sorted, one a line: the format of Have I Been Pwned. The file may be
 * larger than memory: a search reads about forty blocks of it. It is opened for each search, so that a newer one
 * can take its place.
 */
export class BreachedPasswords {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws ProblemError `request-invalid` that says what is wrong with the file */
  static async open(path: string): Promise<BreachedPasswords> {
    const refused = (reason: string, cause?: unknown) =>
      new ProblemError('request-invalid', `The file of breached passwords, ${path}, ${reason}.`, { cause });
    const lines = await SortedLines.open(path).catch((error: unknown) => {
      throw refused('cannot be read', error);
    });
    try {
      let before = '';
      for (let i = 0; i < sampledLines; i++) {
        const line = await lines.from(Math.floor((lines.bytes * i) / sampledLines));
        if (line === undefined) continue;
        const hash = hashIn(line.text);
        if (hash === '') throw refused('has a line that is not a SHA-1 hash in hexadecimal');
        if (hash < before) throw refused('is not sorted by hash. Download the version ordered by hash');
        before = hash;
      }
      if (before === '') throw refused('is empty');
    } finally {
      await lines.close();
    }
    return new BreachedPasswords(path);
  }

  /** @throws ProblemError `state-unavailable` if the file can no longer be read */
  async has(password: string): Promise<boolean> {
    // The normal form is what signs in, see `hashPassword`; lists have passwords as they were typed.
    const hashes = [...new Set([password, password.normalize('NFKC')])].map(text =>
      createHash('sha1').update(text, 'utf8').digest('hex').toUpperCase(),
    );
    try {
      const lines = await SortedLines.open(this.#path);
      try {
        for (const hash of hashes) if (await hasPrefixOf(lines, hash)) return true;
        return false;
      } finally {
        await lines.close();
      }
    } catch (cause) {
      throw new ProblemError(
        'state-unavailable',
        'The server’s list of breached passwords cannot be read, so no password can be set now. Tell an admin.',
        { cause },
      );
    }
  }
}

/** Whether a line is a hash or its first digits. */
async function hasPrefixOf(lines: SortedLines, hash: string): Promise<boolean> {
  // The last line that is not above the hash begins from `from` on and below `below`.
  let [from, below] = [0, lines.bytes];
  while (below - from > blockBytes) {
    const middle = from + Math.floor((below - from) / 2);
    const line = await lines.from(middle);
    if (line !== undefined && line.start < below && hashIn(line.text) <= hash) from = line.start;
    else below = middle;
  }
  const block = await lines.read(from, below - from + longestLine);
  return block.split('\n').some(line => {
    const known = hashIn(line);
    return known !== '' && hash.startsWith(known);
  });
}

class SortedLines {
  readonly #file: FileHandle;
  readonly bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.bytes = bytes;
  }

  static async open(path: string): Promise<SortedLines> {
    // A pipe must not wait for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new Error('not a file');
      return new SortedLines(file, stats.size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Returns the first line that begins at a place or after it; undefined if none does. */
  async from(place: number): Promise<{ readonly start: number; readonly text: string } | undefined> {
    const begin = Math.max(0, place - 1);
    const block = await this.read(begin, 3 * longestLine);
    const skipped = place === 0 ? 0 : block.indexOf('\n') + 1;
    if (place > 0 && skipped === 0) return undefined;
    const [text = ''] = block.slice(skipped).split('\n');
    return text === '' ? undefined : { start: begin + skipped, text };
  }

  async read(from: number, bytes: number): Promise<string> {
    const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, this.bytes - from)));
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, from);
    return buffer.toString('latin1', 0, bytesRead);
  }
}

function hashIn(line: string): string {
  return linePattern.exec(line)?.[1]?.toUpperCase() ?? '';
}
