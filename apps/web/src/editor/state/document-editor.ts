import { ApiError } from '@belvedere/api';
import {
  editText,
  mergeDocuments,
  readDocument,
  type ConflictSide,
  type Conflict,
  type DocumentKind,
  type DocumentOf,
  type DocumentProblem,
  type Edit,
  type Path,
} from '@belvedere/document';
import { replaceEqualDeep } from '@tanstack/react-query';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { problemText } from '../../data/problem-text.ts';
import { noHistory, record, redo, undo, type History } from './history.ts';
import { Debounce } from './debounce.ts';

/** A saved text and its version; no version if there is no file yet. */
export interface Base {
  readonly text: string;
  readonly hash: string | undefined;
}

/** Properties that both sides changed; the user chooses. */
export interface Conflicts {
  readonly list: readonly Conflict[];
  readonly base: string;
  readonly theirs: Base;
}

export interface DocumentState<K extends DocumentKind> {
  readonly text: string;
  /** The parsed text; the last valid one while the text has errors. */
  readonly document: DocumentOf<K>;
  /** No version has been valid so far: the document is empty, and says nothing about the text. */
  readonly isPlaceholder: boolean;
  /** The errors of the current text; empty if it is valid. */
  readonly problems: readonly DocumentProblem[];
  readonly base: Base;
  readonly history: History;
  /** The selected parts of the document, by names that its own editor defines. */
  readonly selected: readonly string[];
  readonly saving: 'idle' | 'saving' | 'saved';
  /** Why the server could not save the draft. */
  readonly reach: 'ok' | 'away' | 'signedOut';
  readonly conflicts?: Conflicts;
  /** A change that came from outside this window. */
  readonly notice?: 'merged' | 'other window' | 'recovered';
  readonly problem?: string;
}

/** A document as the server has it. */
export interface OpenedText {
  readonly file: string;
  readonly text: string;
  /** Undefined while there is no file. */
  readonly hash?: string | undefined;
  readonly draft?:
    | {
        readonly text: string;
        readonly base: string;
        readonly baseHash?: string | undefined;
        readonly version: number;
      }
    | undefined;
}

/** A server that stores one document and its draft. `Made` is what it resolves from the text. */
export interface DocumentServer<Made> {
  open(): Promise<OpenedText>;
  made(hasDraft: boolean): Promise<Made>;
  putDraft(
    text: string,
    base: string | undefined,
    after: number,
  ): Promise<{ readonly version: number; readonly made: Made }>;
  dropDraft(): Promise<unknown>;
  /**
   * @param draft the version of the draft that is saved; 0 without one
   * @param follow whether references in other documents are renamed, too
   * @returns `problem` is a warning after a successful save
   */
  save(
    text: string,
    base: string | undefined,
    message: string,
    draft: number,
    follow: boolean,
  ): Promise<{ readonly hash: string; readonly problem?: string | undefined }>;
}

/** Where a draft waits while the server cannot be reached. */
export interface Backup {
  read(id: string): { readonly text: string; readonly synced: string } | undefined;
  write(id: string, backup: { readonly text: string; readonly synced: string }): void;
  drop(id: string): void;
}

/** The part of an editor that does not depend on the kind of document. */
export interface EditedText {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly state: DocumentState<DocumentKind>;
  readonly store: Pick<StoreApi<DocumentState<DocumentKind>>, 'subscribe' | 'getState'>;
  apply(name: string, edits: readonly Edit[], joins?: string): boolean;
  type(name: string, text: string): void;
  undo(): void;
  redo(): void;
  save(message: string, follow?: boolean): Promise<boolean>;
  discard(name: string): Promise<void>;
  settleConflicts(choose: (conflict: Conflict) => ConflictSide): void;
  pathOf(selected: string): Path | undefined;
  chooseAt(path: Path): void;
}

const noProblems: readonly DocumentProblem[] = [];

/** The delays after which a draft is saved, and a typed text is parsed. */
const keptAfter = { afterMs: 150, withinMs: 1000 };
const readAfter = { afterMs: 90, withinMs: 800 };
const retryMs = 2000;

interface EditorOptions<K extends DocumentKind, Made, State extends DocumentState<K>> {
  readonly kind: K;
  /** The key of the draft. */
  readonly id: string;
  readonly server: DocumentServer<Made>;
  readonly backup: Backup;
  readonly opened: OpenedText;
  /** The last valid document, shown while neither the draft nor its base is valid. */
  readonly valid?: DocumentOf<K> | undefined;
  /** Shown if there is no valid document at all. */
  readonly placeholder: DocumentOf<K>;
  /** Adds the state that only this kind of document has. */
  readonly begin: (state: DocumentState<K>) => State;
}

/**
 * An editor of one document. It owns the text, and everything else follows from it. Each change is a named
 * step that can be undone. It is saved as a draft within a moment, and merged with changes of other windows
 * and programs. What the document means and shows is defined by the editor of its kind.
 */
export abstract class DocumentEditor<
  K extends DocumentKind,
  Made,
  State extends DocumentState<K>,
> implements EditedText {
  readonly kind: K;
  /** The key of its draft. */
  readonly id: string;
  readonly file: string;
  readonly store: StoreApi<State>;
  protected readonly server: DocumentServer<Made>;
  protected isClosed = false;
  readonly #backup: Backup;
  /** The text that the server has, and the version of its draft; 0 without one. */
  #synced: string;
  #version: number;
  /** The file on which the server's draft is based. */
  #syncedBase: string | undefined;
  /** On its way there. */
  #sending: string | undefined;
  readonly #pushing = new Debounce(() => void this.#inTurn(() => this.#push()), keptAfter);
  #turn: Promise<void> = Promise.resolve();
  readonly #reading = new Debounce(() => this.#read(), readAfter);
  /** The position of the last keystroke, and its run. */
  #typed: { readonly at: number; readonly run: number } | undefined;

  /**
   * @param fallback is shown while neither the draft nor its base can be parsed: the last valid version, if the
   * server has one, else a placeholder
   * @param begin the rest of the initial state
   */
  constructor({
    kind,
    id,
    server,
    backup,
    opened,
    valid,
    placeholder,
    begin,
  }: EditorOptions<K, Made, State>) {
    const base: Base = opened.draft
      ? { text: opened.draft.base, hash: opened.draft.baseHash }
      : { text: opened.text, hash: opened.hash };
    const text = opened.draft?.text ?? opened.text;
    this.kind = kind;
    this.id = id;
    this.file = opened.file;
    this.server = server;
    this.#backup = backup;
    this.#synced = text;
    this.#version = opened.draft?.version ?? 0;
    this.#syncedBase = base.hash;
    const read = readDocument(kind, text, this.file);
    // An invalid draft is shown as its base.
    const readable = read.ok ? read : readDocument(kind, base.text, this.file);
    this.store = createStore<State>(() =>
      begin({
        text,
        document: readable.ok ? readable.value : (valid ?? placeholder),
        isPlaceholder: !readable.ok && !valid,
        problems: read.ok ? noProblems : read.problems,
        base,
        history: noHistory,
        selected: [],
        saving: 'idle',
        reach: 'ok',
      }),
    );
  }

  get state(): State {
    return this.store.getState();
  }

  /** The position of a selected part in the text. */
  abstract pathOf(selected: string): Path | undefined;
  /** Selects the part of the document at a position of the text, if it can be selected. */
  abstract chooseAt(path: Path): void;
  /** Keeps the edits whose targets still exist in the text. */
  protected stillThere(edits: readonly Edit[]): readonly Edit[] {
    return edits;
  }
  /** Updates further state that follows from the document. */
  protected abstract follow(document: DocumentOf<K>): Partial<State>;
  /** Shows what the server resolved from a text. */
  protected abstract show(made: Made, text: string): void;
  /** Whether the server now resolves the same text to something else. */
  protected abstract isNews(made: Made): boolean;

  /** Restores changes that were not saved when the page closed, and merges changes of the file since then. */
  protected resume({ hash, text }: OpenedText): void {
    const kept = this.#backup.read(this.id);
    if (kept && kept.text !== kept.synced)
      this.#takeIn(mergeDocuments(kept.synced, kept.text, this.state.text).text, 'recovered');
    if (hash !== this.state.base.hash) this.#mergeFile({ text, hash });
    this.#pushSoon();
  }

  /** Saves at once, because the page may close. */
  flush(): void {
    this.#readNow();
    this.#pushing.stop();
    void this.#inTurn(() => this.#push());
  }

  close(): void {
    this.#readNow();
    this.isClosed = true;
    this.#pushing.stop();
    if (!this.#isSynced) void this.#push();
  }

  // ---- Changes by the user

  /**
   * Makes edits as one step. Does nothing if the edits change nothing, or while the text is not valid YAML.
   */
  apply(name: string, edits: readonly Edit[], joins?: string): boolean {
    this.#readNow();
    const { text } = this.state;
    try {
      const after = editText(text, this.stillThere(edits));
      if (after !== text) this.#step(name, after, joins);
      return true;
    } catch {
      return false;
    }
  }

  /** Makes edits that are not part of the undo history. Does nothing while the text is not valid YAML. */
  amend(edits: readonly Edit[]): void {
    this.#readNow();
    if (this.state.problems.length > 0) return;
    const after = editText(this.state.text, edits);
    if (after !== this.state.text) this.#takeIn(after, undefined);
  }

  /**
   * Takes a typed text. Typing that continues at the last position, on the same line, is one step of undo.
   */
  type(name: string, text: string): void {
    const { text: before } = this.state;
    if (text === before) return;
    let from = 0;
    while (from < before.length && before[from] === text[from]) from++;
    const grown = Math.max(0, text.length - before.length);
    if (
      this.#typed === undefined ||
      Math.abs(from - this.#typed.at) > 1 ||
      text.slice(from, from + grown).includes('\n')
    )
      this.#typed = { at: from, run: (this.#typed?.run ?? 0) + 1 };
    this.#typed = { at: from + grown, run: this.#typed.run };
    // Parses the text after a pause, so that typing stays fast.
    const { history } = this.state;
    this.#set({
      text,
      history: record(history, {
        name,
        before,
        after: text,
        at: Date.now(),
        joins: `typing:${this.#typed.run}`,
      }),
      saving: 'idle',
    });
    this.#forget('notice');
    this.#reading.stir();
  }

  undo(): void {
    this.#went(undo(this.state.history, this.state.text));
  }

  redo(): void {
    this.#went(redo(this.state.history, this.state.text));
  }

  select(...ids: readonly string[]): void {
    if (ids.join() !== this.state.selected.join()) this.#set({ selected: ids });
  }

  /** Saves the text to the file. Merges changes of the file first, and asks if they conflict. */
  async save(message: string, follow = false): Promise<boolean> {
    this.#readNow();
    await this.#turn;
    let isGone = false;
    for (let attempt = 0; attempt < 5; attempt++) {
      const { text, base, problems } = this.state;
      if (problems.length > 0 || this.state.conflicts) return false;
      this.#set({ saving: 'saving' });
      this.#forget('problem');
      try {
        const { hash, problem } = await this.server.save(
          text,
          isGone ? undefined : base.hash,
          message,
          this.#version,
          follow,
        );
        this.#synced = text;
        this.#version = 0;
        this.#backup.drop(this.id);
        this.#set({ base: { text, hash }, saving: 'saved', ...(problem !== undefined && { problem }) });
        this.show(await this.server.made(false), text);
        if (this.state.text !== text) this.#pushSoon();
        return true;
      } catch (error) {
        this.#set({ saving: 'idle', problem: problemText(error) });
        if (!(error instanceof ApiError) || error.problem.type !== 'revision-conflict') return false;
        const opened = await this.server.open().catch((problem: unknown) => problem);
        // The file was removed meanwhile, so saving creates it again.
        if (opened instanceof ApiError && opened.problem.status === 404) isGone = true;
        else if (opened instanceof Error) return false;
        else {
          const { text: theirs, hash } = opened as OpenedText;
          if (hash === undefined) isGone = true;
          else if (readDocument(this.kind, theirs, this.file).ok) this.#mergeFile({ text: theirs, hash });
          // The file is most likely being written. A file that stays invalid is not overwritten without a
          // question.
          else await new Promise(resolve => setTimeout(resolve, 300));
        }
      }
    }
    return false;
  }

  /** Returns to the saved text, as a step that can be undone. */
  async discard(name: string): Promise<void> {
    this.#step(name, this.state.base.text);
    this.#pushing.stop();
    await this.#inTurn(async () => {
      await this.server.dropDraft();
      this.#version = 0;
      this.#synced = this.state.base.text;
      this.#backup.drop(this.id);
      this.show(await this.server.made(false), this.#synced);
    }).catch(() => this.#pushSoon());
  }

  /** The user's choices for conflicting changes. */
  settleConflicts(choose: (conflict: Conflict) => ConflictSide): void {
    const { conflicts, text } = this.state;
    if (!conflicts) return;
    this.#forget('conflicts');
    this.#set({ base: conflicts.theirs });
    this.#takeIn(mergeDocuments(conflicts.base, text, conflicts.theirs.text, choose).text, 'merged');
    this.#pushSoon();
  }

  // ---- Changes elsewhere

  /** Something may have changed: the file, or the draft in another window. */
  async catchUp(): Promise<void> {
    this.#readNow();
    await this.#inTurn(async () => {
      const opened = await this.server.open();
      const { draft } = opened;
      if (draft && draft.version !== this.#version) {
        const merged = mergeDocuments(this.#synced, this.state.text, draft.text).text;
        this.#synced = draft.text;
        this.#version = draft.version;
        this.#syncedBase = draft.baseHash;
        this.#set({ base: { text: draft.base, hash: draft.baseHash } });
        if (merged !== this.state.text) this.#takeIn(merged, 'other window');
      } else if (!draft && this.#version > 0) {
        // Saved in another window, or thrown away there.
        const merged = mergeDocuments(this.#synced, this.state.text, opened.text).text;
        this.#synced = opened.text;
        this.#version = 0;
        this.#set({ base: { text: opened.text, hash: opened.hash } });
        if (merged !== this.state.text) this.#takeIn(merged, 'other window');
      }
      // Waits for a file that is being written or has errors, because it cannot be merged.
      if (opened.hash !== this.state.base.hash && readDocument(this.kind, opened.text, this.file).ok) {
        this.#mergeFile({ text: opened.text, hash: opened.hash });
        if (this.#version === 0 && this.state.text === opened.text) this.#synced = opened.text;
      }
      // The conflict was resolved in another window.
      if (opened.hash === this.state.base.hash) this.#forget('conflicts');
      // What the text means may have changed, too.
      const made = await this.server.made(this.#version > 0);
      if (this.isNews(made)) this.show(made, this.#synced);
    }).catch(() => {});
    this.#pushSoon();
  }

  // ---- Saving and merging

  /**
   * Whether the server has the text, and with a draft also its base, so that a question about the file is asked
   * once.
   */
  get #isSynced(): boolean {
    return (
      this.state.text === this.#synced && (this.#version === 0 || this.state.base.hash === this.#syncedBase)
    );
  }

  /** Part of the state every document has. */
  #set(more: Partial<DocumentState<K>>): void {
    this.store.setState(more as Partial<State>);
  }

  #step(name: string, after: string, joins?: string): void {
    const { text: before, history } = this.state;
    this.#setText(after, {
      history: record(history, {
        name,
        before,
        after,
        at: Date.now(),
        ...(joins !== undefined && { joins }),
      }),
    });
    // Drags and choices are parsed at once; only typing is delayed.
    if (joins === undefined) this.#pushSoon(0);
    this.#forget('notice');
  }

  #went(step: ReturnType<typeof undo>): void {
    if (step) this.#setText(step.text, { history: step.history });
  }

  /** Sets a text that another window or program changed; it is no step of undo. */
  #takeIn(text: string, notice: DocumentState<K>['notice']): void {
    this.#setText(text, { ...(notice && { notice }) });
  }

  /** Parses text that was typed since the last time. */
  #readNow(): void {
    if (this.#reading.isWaiting) this.#read();
  }

  #read(): void {
    this.#setText(this.state.text, {});
  }

  #setText(text: string, more: Partial<DocumentState<K>>): void {
    this.#reading.stop();
    const read = readDocument(this.kind, text, this.file);
    // Keeps the identity of equal parts, so that a comment in the text renders nothing again.
    const document = read.ok ? replaceEqualDeep(this.state.document, read.value) : this.state.document;
    this.#set({
      ...more,
      text,
      document,
      isPlaceholder: !read.ok && this.state.isPlaceholder,
      problems: read.ok ? noProblems : read.problems,
      saving: 'idle',
      ...(this.follow(document) as Partial<DocumentState<K>>),
    });
    this.#keep();
    this.#pushSoon();
  }

  #forget(key: 'notice' | 'problem' | 'conflicts'): void {
    if (this.state[key] === undefined) return;
    const { [key]: _, ...rest } = this.state;
    this.store.setState(rest as unknown as State, true);
  }

  /** Keeps changes in the browser until the server has them, because the page may close at any moment. */
  #keep(): void {
    const { text } = this.state;
    const synced = this.#sending ?? this.#synced;
    if (text === synced && this.#sending === undefined) this.#backup.drop(this.id);
    else this.#backup.write(this.id, { text, synced });
  }

  #mergeFile(theirs: Base): void {
    const { base, text } = this.state;
    const merged = mergeDocuments(base.text, text, theirs.text);
    if (merged.conflicts.length > 0) {
      this.#set({ conflicts: { list: merged.conflicts, base: base.text, theirs } });
      return;
    }
    this.#set({ base: theirs });
    if (merged.text !== text) this.#takeIn(merged.text, 'merged');
  }

  #pushSoon(ms?: number): void {
    if (this.isClosed || this.#isSynced) this.#pushing.stop();
    else this.#pushing.stir(ms);
  }

  async #push(): Promise<void> {
    const { text, base } = this.state;
    if (this.#isSynced) return;
    this.#sending = text;
    try {
      const { version, made } = await this.server.putDraft(text, base.hash, this.#version);
      this.#version = version;
      this.#synced = text;
      this.#syncedBase = base.hash;
      this.#sending = undefined;
      this.#keep();
      if (this.state.reach !== 'ok') this.#set({ reach: 'ok' });
      if (!this.isClosed) this.show(made, text);
    } catch (error) {
      this.#sending = undefined;
      if (error instanceof ApiError && error.problem.type === 'revision-conflict') {
        // Behind this turn, since it takes one itself.
        setTimeout(() => void this.catchUp(), 0);
        return;
      }
      // A draft that the server rejects is not unsent. A draft sent after the session ended is sent again
      // after signing in.
      const isSignedOut = error instanceof ApiError && error.problem.type === 'not-signed-in';
      const isRefused = error instanceof ApiError && error.problem.status < 500 && !isSignedOut;
      this.#set(isRefused ? { problem: problemText(error) } : { reach: isSignedOut ? 'signedOut' : 'away' });
      if (!isRefused) this.#pushSoon(retryMs);
      return;
    }
    this.#pushSoon();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
