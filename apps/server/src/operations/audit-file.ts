import type { AuditEntry } from '@belvedere/api';
import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { ProblemError } from '../http/problems.ts';

/** An entry as one line of JSON. */
export type AuditLine = Omit<AuditEntry, 'id'>;

/** Lines that wait while the file cannot be written. Later ones are only in the state database. */
const maxWaiting = 10_000;
const newline = 10;

/**
 * The audit log as a file of JSON lines. A file that was rotated away is opened again under its name.
 * A full disk never stops the server: lines wait, and are written with the next entry that can be.
 */
export class AuditFile {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #waiting: Buffer[] = [];
  #lost = 0;
  #work: Promise<void> = Promise.resolve();
  #problem: string | undefined;

  private constructor(file: string) {
    this.#file = file;
  }

  /**
   * Opens the file, which only its owner can read if it is new.
   * @throws ProblemError `request-invalid` if it cannot be written
   */
  static async open(file: string): Promise<AuditFile> {
    const audit = new AuditFile(file);
    audit.#handle = await openFile(file).catch((error: unknown) => {
      throw new ProblemError('request-invalid', `Could not open the audit log: ${(error as Error).message}`);
    });
    return audit;
  }

  /** Why the file cannot be written now. */
  get problem(): string | undefined {
    return this.#problem;
  }

  add(line: AuditLine): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(Buffer.from(`${JSON.stringify(line)}\n`));
    else this.#lost++;
    this.#write();
  }

  /** Closes the file and opens it again by its name, as after a rotation. */
  reopen(): void {
    this.#work = this.#work.then(() => this.#close());
    this.#write();
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#close();
  }

  #write(): void {
    this.#work = this.#work.then(async () => {
      try {
        await this.#writeWaiting();
        if (this.#problem !== undefined) {
          const lost = this.#lost > 0 ? ` ${this.#lost} entries are only in the state database.` : '';
          log(`The audit log can be written to ${this.#file} again.${lost}`);
        }
        [this.#problem, this.#lost] = [undefined, 0];
      } catch (error) {
        const message = (error as Error).message;
        if (this.#problem === undefined)
          log(
            `Could not write the audit log to ${this.#file}: ${message}. ` +
              'Entries are kept in the state database.',
          );
        this.#problem = message;
      }
    });
  }

  async #writeWaiting(): Promise<void> {
    const handle = await this.#current();
    while (this.#waiting.length > 0) {
      const [line] = this.#waiting as [Buffer];
      const { bytesWritten } = await handle.write(line);
      // A full disk may take a part of a line; the rest follows once there is space.
      if (bytesWritten < line.length) this.#waiting[0] = line.subarray(bytesWritten);
      else this.#waiting.shift();
    }
  }

  /** Returns the file under its name, which may be another since it was rotated away. */
  async #current(): Promise<FileHandle> {
    if (this.#handle) {
      const [own, named] = await Promise.all([this.#handle.stat(), stat(this.#file).catch(() => undefined)]);
      if (named && named.ino === own.ino && named.dev === own.dev) return this.#handle;
      await this.#close();
    }
    this.#handle = await openFile(this.#file);
    return this.#handle;
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
  }
}

/** Opens a file at its end. A last line without its end, as after a crash, is ended first. */
async function openFile(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  try {
    const status = await handle.stat();
    if (status.isFile() && status.size > 0) {
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, status.size - 1);
      if (buffer[0] !== newline) await handle.write('\n');
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function log(message: string): void {
  console.error(new Date().toISOString(), message);
}
