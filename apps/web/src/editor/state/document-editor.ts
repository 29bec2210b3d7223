import { ApiError } from '@belvedere/api';
import {
  editText,
  mergeDocuments,
  readDocument,
  type InlineSelect,
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

/** A text that is on the disk, and what names it; no name where there is no file yet. */
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
  /** What the text says; while it says nothing whole, what it said last. */
  readonly document: DocumentOf<K>;
  /** Why the text as it stands is no such document; empty where it is one. */
  readonly problems: readonly DocumentProblem[];
  readonly base: Base;
  readonly history: History;
  /** What is chosen of the document, by names that only its own editor knows. */
  readonly selected: readonly string[];
  readonly saving: 'idle' | 'saving' | 'saved';
  /** Why the draft as it stands could not be kept by the server yet, if it could not. */
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
  /** None while there is no file. */
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

/** A server that keeps one document and its draft; `Made` is what it makes of the text, to be shown. */
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
   * @param draft the version of the draft that goes with it; 0 where there is none
   * @param follow what else speaks of the document's names goes along with it
   * @returns `problem` where all is saved, and there is still something to say
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

/** What of an editor everything works with that is not about one kind of document. */
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
  settleConflicts(choose: (conflict: Conflict) => InlineSelect): void;
  pathOf(selected: string): Path | undefined;
  chooseAt(path: Path): void;
}

const noProblems: readonly DocumentProblem[] = [];

/** When a draft is kept after it was changed, and when what was typed is read. */
const keptAfter = { afterMs: 150, withinMs: 1000 };
const readAfter = { afterMs: 90, withinMs: 800 };
const retryMs = 2000;

/**
 * A document being edited. It owns the text; everything else follows from it. Each change is a named step
 * that can be undone, is kept as a
 * draft within a moment, and is brought together with what other windows and other programs make of the same
 * file. What the document is
 * about, and what is shown of it, is its own editor's business.
 */
export abstract class DocumentEditor<
  K extends DocumentKind,
  Made,
  State extends DocumentState<K>,
> implements EditedText {
  readonly kind: K;
  /** What its draft is kept under. */
  readonly id: string;
  readonly file: string;
  readonly store: StoreApi<State>;
  protected readonly server: DocumentServer<Made>;
  protected isClosed = false;
  readonly #backup: Backup;
  /** The text the server has, and the version of its draft; 0 where it has none. */
  #synced: string;
  #version: number;
  /** The file that the server's draft goes back to. */
  #syncedBase: string | undefined;
  /** On its way there. */
  #sending: string | undefined;
  readonly #pushing = new Debounce(() => void this.#inTurn(() => this.#push()), keptAfter);
  #turn: Promise<void> = Promise.resolve();
  readonly #reading = new Debounce(() => this.#read(), readAfter);
  /** The position of the last keystroke, and its run. */
  #typed: { readonly at: number; readonly run: number } | undefined;

  /**
   * @param fallback what is shown while neither the draft nor what it was begun from can be read
   * @param begin the rest of the state to begin with
   */
  constructor(
    kind: K,
    id: string,
    server: DocumentServer<Made>,
    backup: Backup,
    opened: OpenedText,
    fallback: DocumentOf<K>,
    begin: (state: DocumentState<K>) => State,
  ) {
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
    // A draft that was left half-typed is shown as what it was begun from.
    const begun = read.ok ? read : readDocument(kind, base.text, this.file);
    this.store = createStore<State>(() =>
      begin({
        text,
        document: begun.ok ? begun.value : fallback,
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

  /** Where a chosen thing stands in the text. */
  abstract pathOf(selected: string): Path | undefined;
  /** Chooses what a place in the text belongs to, if it belongs to anything that can be chosen. */
  abstract chooseAt(path: Path): void;
  /** Those edits whose things are in the text as it is by now. */
  protected stillThere(edits: readonly Edit[]): readonly Edit[] {
    return edits;
  }
  /** What else changes with the document. */
  protected abstract follow(document: DocumentOf<K>): Partial<State>;
  /** Shows what the server made of a text. */
  protected abstract show(made: Made, text: string): void;
  /** Whether what the server makes of the same text now is something else than what is shown. */
  protected abstract isNews(made: Made): boolean;

  /**
   * What was not kept when the page went away is taken in; what the file became since the draft was begun,
   * too.
   */
  protected resume({ hash, text }: OpenedText): void {
    const kept = this.#backup.read(this.id);
    if (kept && kept.text !== kept.synced)
      this.#takeIn(mergeDocuments(kept.synced, kept.text, this.state.text).text, 'recovered');
    if (hash !== this.state.base.hash) this.#mergeFile({ text, hash });
    this.#pushSoon();
  }

  /** The page may be gone the next moment: nothing waits any longer. */
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

  // ---- What a person does

  /**
   * Makes edits as one step. Nothing happens where they lead nowhere, or where the text is no YAML at the
   * moment.
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

  /**
   * Makes edits that follow from something else than a step, and stay whatever is undone. Nothing happens
   * where the text is no YAML at the moment.
   */
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
    // What it says is looked at once the fingers rest for a moment: the letters are there first.
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

  /**
   * Makes the text the file's. What was changed there meanwhile is brought together first; where it
   * conflicts, it is asked about.
   */
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
        // The file was taken away meanwhile: what is saved is a file again, since nothing is there to be
        // overwritten.
        if (opened instanceof ApiError && opened.problem.status === 404) isGone = true;
        else if (opened instanceof Error) return false;
        else {
          const { text: theirs, hash } = opened as OpenedText;
          if (hash === undefined) isGone = true;
          else if (readDocument(this.kind, theirs, this.file).ok) this.#mergeFile({ text: theirs, hash });
          // Just being written, most likely; one that stays broken is not saved over unseen.
          else await new Promise(resolve => setTimeout(resolve, 300));
        }
      }
    }
    return false;
  }

  /** Back to what is on the disk; a step like others, so that it can be undone. */
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

  /** What was chosen where both sides changed the same. */
  settleConflicts(choose: (conflict: Conflict) => InlineSelect): void {
    const { conflicts, text } = this.state;
    if (!conflicts) return;
    this.#forget('conflicts');
    this.#set({ base: conflicts.theirs });
    this.#takeIn(mergeDocuments(conflicts.base, text, conflicts.theirs.text, choose).text, 'merged');
    this.#pushSoon();
  }

  // ---- What happens elsewhere

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
      // A file that is just being written, or has errors, is waited for: it says nothing yet that could be
      // merged.
      if (opened.hash !== this.state.base.hash && readDocument(this.kind, opened.text, this.file).ok) {
        this.#mergeFile({ text: opened.text, hash: opened.hash });
        if (this.#version === 0 && this.state.text === opened.text) this.#synced = opened.text;
      }
      // Chosen in another window, or saved there: nothing is left to be asked.
      if (opened.hash === this.state.base.hash) this.#forget('conflicts');
      // What it is about changes too.
      const made = await this.server.made(this.#version > 0);
      if (this.isNews(made)) this.show(made, this.#synced);
    }).catch(() => {});
    this.#pushSoon();
  }

  // ---- How it goes

  /**
   * The server has the text; and where it has it as a draft, what that goes back to, so that what was asked
   * about the file is asked once.
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
    // A drag or a choice is whole; only what goes on letter by letter is waited for.
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

  /** What was typed since it was read last is read. */
  #readNow(): void {
    if (this.#reading.isWaiting) this.#read();
  }

  #read(): void {
    this.#setText(this.state.text, {});
  }

  #setText(text: string, more: Partial<DocumentState<K>>): void {
    this.#reading.stop();
    const read = readDocument(this.kind, text, this.file);
    // What says the same stays the same thing, so that nothing is drawn again for a comment, nor one part for
    // another.
    const document = read.ok ? replaceEqualDeep(this.state.document, read.value) : this.state.document;
    this.#set({
      ...more,
      text,
      document,
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

  /**
   * What the server has not got yet, or is just getting, waits in the browser: the page may be gone the next
   * moment.
   */
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
      // A draft that the server refuses is not one that it has not heard of.
      // Nor is one that was sent after the session ended: it is sent again after signing in.
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
