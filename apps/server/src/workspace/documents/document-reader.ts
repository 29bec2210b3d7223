import {
  editText,
  locatable,
  readContent,
  type DocumentContent,
  type DocumentKind,
  type DocumentOf,
  type Edit,
  type ReadDocument,
} from '@belvedere/document';
import { Worker } from 'node:worker_threads';
import { contentHash } from './content-hash.ts';

export type DocumentJob =
  | { readonly kind: 'read'; readonly of: DocumentKind; readonly text: string; readonly file: string }
  | { readonly kind: 'edit'; readonly text: string; readonly edits: readonly Edit[] };

export type DocumentReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'content'; readonly content: DocumentContent<unknown> }
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Shorter texts are read within a few milliseconds: sending them to the thread and back would take as long. */
const shortText = 8 * 1024;
/** The counts before the parser keep reading far below this: it ends what they overlooked. Every edit reads the text several times. */
const deadlineMs = { read: 2000, edit: 10_000 };
/** A busy machine may give the thread no time: then it is waited for, up to this many times its deadline. */
const mostDeadlines = 10;
/** Of the texts whose contents are kept. */
const keptCharacters = 32 * 2 ** 20;
/** How long short texts are read without letting other requests in between. */
const turnMs = 20;

/**
 * Reads and edits documents for the server: each text once, kept by its hash, and long ones in a thread of their own with a deadline. One text is
 * read at a time.
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

  /** The document in a text, or what is wrong with it. */
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

  /** `editText`. @throws RangeError where an edit leads nowhere, the text is not YAML, or it takes too long */
  edit(text: string, edits: readonly Edit[]): Promise<string> {
    return this.#inTurn(async () => {
      if (text.length <= shortText || this.#isClosed) return editText(text, edits);
      const reply = await this.#inThread({ kind: 'edit', text, edits });
      if (reply?.kind === 'edited') return reply.text;
      throw new RangeError(reply?.kind === 'failed' ? reply.message : 'The edit took too long.');
    });
  }

  /** As `read`, at once. A text that was not read before is read in the caller's thread: for those that are seldom new. */
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

  /** The thread's reply; none where it takes longer than the deadline, or ends. */
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
        if (++deadlines >= mostDeadlines) return end();
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
    // Whether it still runs or is gone: the next job gets another thread.
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
    this.#kept.set(keyOf(kind, text, file), { content, characters: text.length });
    this.#keptCharacters += text.length;
    for (const [oldest, { characters }] of this.#kept) {
      if (this.#keptCharacters <= keptCharacters) break;
      this.#kept.delete(oldest);
      this.#keptCharacters -= characters;
    }
    return locatable(content as DocumentContent<DocumentOf<K>>);
  }
}

/** Of all events by name: without one, Node's own listeners would go, too. */
function forget(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

/** Problems name the file: the same text elsewhere is read anew. */
function keyOf(kind: DocumentKind, text: string, file: string): string {
  return `${kind} ${file} ${contentHash(text)}`;
}
