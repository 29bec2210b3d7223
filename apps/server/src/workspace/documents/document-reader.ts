import {
  editText,
  locatable,
  readContent,
  type DocumentContent,
  type DocumentKind,
  type DocumentOf,
  type Edit,
  type PatchOperation,
  type ReadDocument,
} from '@belvedere/document';
import { Worker } from 'node:worker_threads';
import { contentHash } from './content-hash.ts';

export type DocumentJob =
  | { readonly kind: 'read'; readonly of: DocumentKind; readonly text: string; readonly file: string }
  | { readonly kind: 'edit'; readonly text: string; readonly edits: readonly Edit[] }
  | { readonly kind: 'patch'; readonly text: string; readonly operations: readonly PatchOperation[] };

export type DocumentReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'content'; readonly content: DocumentContent<unknown> }
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Shorter texts are parsed within a few milliseconds, no longer than a round trip to the thread. */
const shortText = 8 * 1024;
/**
 * Limits checked before parsing keep it far below this. The deadline ends the cases they miss. Every edit
 * parses the text several times.
 */
const deadlineMs = { read: 2000, edit: 10_000, patch: 10_000 };
/** On a busy machine the thread may get no CPU time. It is then awaited for up to this many deadlines. */
const maxDeadlines = 10;
/** Total length of the texts whose contents are cached. */
const keptCharacters = 32 * 2 ** 20;
/** How long short texts are parsed before other requests get a turn. */
const turnMs = 20;

/**
 * Parses and edits documents for the server. Contents are cached by hash; long texts are parsed in a worker
 * thread with a deadline. One text is parsed at a time.
 */
export class DocumentReader {
  readonly #kept = new Map<
    string,
    { readonly content: DocumentContent<unknown>; readonly characters: number }
  >();
  #keptCharacters = 0;
  #thread: Promise<Worker> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #turnEnds = 0;
  #isClosed = false;

  /** Returns the document in a text, or its errors. */
  read<K extends DocumentKind>(kind: K, text: string, file: string): Promise<ReadDocument<DocumentOf<K>>> {
    const known = this.#known(kind, text, file);
    if (known) return Promise.resolve(known);
    return this.#inTurn(async () => {
      const meanwhile = this.#known(kind, text, file);
      if (meanwhile) return meanwhile;
      if (text.length > shortText && !this.#isClosed) return this.#readInThread(kind, text, file);
      if (performance.now() > this.#turnEnds) {
        await new Promise(resolve => setImmediate(resolve));
        this.#turnEnds = performance.now() + turnMs;
      }
      return this.readHere(kind, text, file);
    });
  }

  /**
   * Like `editText`. @throws RangeError if an edit's path does not exist, the text is not YAML, or it takes
   * too long
   */
  edit(text: string, edits: readonly Edit[]): Promise<string> {
    return this.#inTurn(async () => {
      if (text.length <= shortText || this.#isClosed) return editText(text, edits);
      return this.#edited({ kind: 'edit', text, edits });
    });
  }

  /**
   * Like `patchText`. @throws RangeError if an operation does not apply, the text is not YAML, or it takes too
   * long
   */
  patch(text: string, operations: readonly PatchOperation[]): Promise<string> {
    return this.#inTurn(() => this.#edited({ kind: 'patch', text, operations }));
  }

  async #edited(job: DocumentJob): Promise<string> {
    const reply = await this.#inThread(job);
    if (reply?.kind === 'edited') return reply.text;
    throw new RangeError(reply?.kind === 'failed' ? reply.message : 'The edit took too long.');
  }

  /**
   * Like `read`, but synchronous. A text not in the cache is parsed in the caller's thread, so it is for
   * texts that are rarely new.
   */
  readHere<K extends DocumentKind>(kind: K, text: string, file: string): ReadDocument<DocumentOf<K>> {
    return this.#known(kind, text, file) ?? this.#keep(kind, text, file, readContent(kind, text, file));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.terminate();
  }

  async #readInThread<K extends DocumentKind>(
    kind: K,
    text: string,
    file: string,
  ): Promise<ReadDocument<DocumentOf<K>>> {
    const reply = await this.#inThread({ kind: 'read', of: kind, text, file });
    if (reply?.kind === 'content') return this.#keep(kind, text, file, reply.content);
    const message = `This file took longer than ${deadlineMs.read / 1000} s to parse. Split it into several files.`;
    return {
      ok: false,
      problems: [{ code: 'document.too-large', file, path: '', line: 1, column: 1, message }],
      locate: () => ({ line: 1, column: 1 }),
    };
  }

  /** Returns the thread's reply; undefined if it misses the deadline or ends. */
  async #inThread(job: DocumentJob): Promise<DocumentReply | undefined> {
    const thread = await this.#started();
    const reply = await new Promise<DocumentReply | undefined>(resolve => {
      const end = (found?: DocumentReply) => {
        clearInterval(timer);
        forget(thread);
        thread.unref();
        resolve(found);
      };
      const began = thread.cpuUsage();
      let deadlines = 0;
      const timer = setInterval(() => {
        if (++deadlines >= maxDeadlines) return end();
        void Promise.all([began, thread.cpuUsage()]).then(
          ([before, now]) =>
            now.user + now.system - before.user - before.system > deadlineMs[job.kind] * 500 && end(),
          () => end(),
        );
      }, deadlineMs[job.kind]);
      thread.ref();
      thread.on('message', end);
      thread.on('error', () => end());
      thread.on('exit', () => end());
      thread.postMessage(job);
    });
    if (reply) return reply;
    // Running or ended, this thread is abandoned; the next job starts another.
    this.#thread = undefined;
    thread.on('error', () => {});
    void thread.terminate();
    return undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #started(): Promise<Worker> {
    this.#thread ??= new Promise((resolve, reject) => {
      const thread = new Worker(new URL('./read-worker.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: 512 },
      });
      thread.once('message', () => {
        forget(thread);
        resolve(thread);
      });
      thread.once('error', error => {
        this.#thread = undefined;
        reject(error);
      });
    });
    return this.#thread;
  }

  #known<K extends DocumentKind>(
    kind: K,
    text: string,
    file: string,
  ): ReadDocument<DocumentOf<K>> | undefined {
    const key = keyOf(kind, text, file);
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return locatable(kept.content as DocumentContent<DocumentOf<K>>);
  }

  #keep<K extends DocumentKind>(
    kind: K,
    text: string,
    file: string,
    content: DocumentContent<unknown>,
  ): ReadDocument<DocumentOf<K>> {
    const key = keyOf(kind, text, file);
    this.#keptCharacters -= this.#kept.get(key)?.characters ?? 0;
    this.#kept.set(key, { content, characters: text.length });
    this.#keptCharacters += text.length;
    for (const [oldest, { characters }] of this.#kept) {
      if (this.#keptCharacters <= keptCharacters) break;
      this.#kept.delete(oldest);
      this.#keptCharacters -= characters;
    }
    return locatable(content as DocumentContent<DocumentOf<K>>);
  }
}

/**
 * Lists all events by name, since `removeAllListeners()` without one would remove Node's own listeners too.
 */
function forget(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

/** Problems name the file, so the same text in another file has another key. */
function keyOf(kind: DocumentKind, text: string, file: string): string {
  return `${kind} ${file} ${contentHash(text)}`;
}
