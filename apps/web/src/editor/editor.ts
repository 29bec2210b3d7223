import { ApiError, type Client, type DashboardState, type OpenDashboard } from '@belvedere/api';
import { editText, mergeDocuments, readDocument, type Choice, type Conflict, type Dashboard, type DocumentProblem, type Edit } from '@belvedere/document';
import { replaceEqualDeep } from '@tanstack/react-query';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { DashboardLive } from '../live/dashboard-live.ts';
import { problemText } from '../data/problem-text.ts';
import { noHistory, record, redo, undo, type History } from './history.ts';
import { nextShown, type Shown } from './shown.ts';

/** A text that is on the disk, and what names it. */
export interface Base {
  readonly text: string;
  readonly hash: string;
}

/** Both sides changed the same: somebody has to choose. */
export interface Conflicts {
  readonly list: readonly Conflict[];
  readonly base: string;
  readonly theirs: Base;
}

export interface EditorState {
  readonly text: string;
  /** What the text says; while it says nothing whole, what it said last. */
  readonly document: Dashboard;
  /** Why the text as it stands is no dashboard; empty where it is one. */
  readonly problems: readonly DocumentProblem[];
  readonly base: Base;
  readonly history: History;
  readonly page: number;
  readonly selected: readonly string[];
  readonly shown: Shown;
  readonly saving: 'idle' | 'saving' | 'saved';
  /** The draft as it stands is not kept by the server yet, and this long it could not be. */
  readonly isAway: boolean;
  readonly conflicts?: Conflicts;
  /** What has just happened that nobody did here, in a word. */
  readonly notice?: 'merged' | 'other window' | 'recovered';
  readonly problem?: string;
}

/** A server that remembers drafts. */
export type EditingClient = Pick<Client, 'getText' | 'putDraft' | 'dropDraft' | 'saveText' | 'getDashboard' | 'postAnswers' | 'postIndex'>;

/** Where a draft waits while the server cannot be reached. */
export interface Backup {
  read(id: string): { readonly text: string; readonly synced: string } | undefined;
  write(id: string, backup: { readonly text: string; readonly synced: string }): void;
  drop(id: string): void;
}

const noProblems: readonly DocumentProblem[] = [];

/** A draft is kept so long after the last change, and no later than that after the first. */
const pushAfterMs = 150;
const pushWithinMs = 1000;
const retryMs = 2000;

/**
 * A dashboard being edited. It owns the text; everything else follows from it. Each change is a named step that can be undone, is kept as a
 * draft within a moment, and is brought together with what other windows and other programs make of the same file.
 */
export class Editor {
  readonly id: string;
  readonly file: string;
  readonly store: StoreApi<EditorState>;
  readonly #client: EditingClient;
  readonly #backup: Backup;
  /** The text the server has, and the version of its draft; 0 where it has none. */
  #synced: string;
  #version: number;
  /** What the dashboard that is shown was made of. */
  #made: { readonly text: string; readonly revision: string };
  /** On its way there. */
  #sending: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when there is something that the server has not got. */
  #changedAt: number | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** The frame in which what was typed is read. */
  #reading: number | undefined;
  /** Where somebody typed last, and in which run of it. */
  #typed: { readonly at: number; readonly run: number } | undefined;

  static async open(id: string, client: EditingClient, backup: Backup): Promise<Editor> {
    const opened = await client.getText({ params: { id } });
    const base: Base = opened.draft ? { text: opened.draft.base, hash: opened.draft.baseHash } : { text: opened.text, hash: opened.hash };
    const dashboard = await client.getDashboard({ params: { id: opened.draft ? `draft:${id}` : id }, query: {} });
    const editor = new Editor(id, opened.file, client, backup, { base, text: opened.draft?.text ?? opened.text, version: opened.draft?.version ?? 0, dashboard });
    const kept = backup.read(id);
    if (kept && kept.text !== kept.synced) editor.#takeIn(mergeDocuments(kept.synced, kept.text, editor.state.text).text, 'recovered');
    // The file may have changed since the draft was begun.
    if (opened.hash !== base.hash) editor.#mergeFile({ text: opened.text, hash: opened.hash });
    editor.#pushSoon();
    return editor;
  }

  constructor(id: string, file: string, client: EditingClient, backup: Backup, opened: { readonly base: Base; readonly text: string; readonly version: number; readonly dashboard: OpenDashboard }) {
    this.id = id;
    this.file = file;
    this.#client = client;
    this.#backup = backup;
    this.#synced = opened.text;
    this.#version = opened.version;
    this.#made = { text: opened.text, revision: opened.dashboard.revision };
    const read = readDocument('dashboard', opened.text, file);
    // A draft that was left half-typed is shown as what it was begun from.
    const begun = read.ok ? read : readDocument('dashboard', opened.base.text, file);
    const document = begun.ok ? begun.value : (opened.dashboard.document ?? { version: 1, title: id, pages: [{ title: id, tiles: {} }] });
    const live = new DashboardLive(client, opened.dashboard, { page: 0, filters: {}, selections: {} });
    this.store = createStore<EditorState>(() => ({ text: opened.text, document, problems: read.ok ? noProblems : read.problems, base: opened.base, history: noHistory, page: 0, selected: [], shown: { dashboard: opened.dashboard, live }, saving: 'idle', isAway: false }));
    this.#addTiles(opened.dashboard, live);
    void live.load();
  }

  get state(): EditorState {
    return this.store.getState();
  }

  /** The page may be gone the next moment: nothing waits any longer. */
  flush(): void {
    this.#readNow();
    clearTimeout(this.#timer);
    void this.#inTurn(() => this.#push());
  }

  close(): void {
    this.#readNow();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.state.shown.live.close();
    if (this.state.text !== this.#synced) void this.#push();
  }

  // ---- What a person does

  /** Makes edits as one step. Nothing happens where they lead nowhere, or where the text is no YAML at the moment. */
  apply(name: string, edits: readonly Edit[], joins?: string): boolean {
    this.#readNow();
    const { text } = this.state;
    try {
      const after = editText(text, edits);
      if (after !== text) this.#step(name, after, joins);
      return true;
    } catch {
      return false;
    }
  }

  /** The text as somebody has typed it. What is typed on from where the last was, on the same line, is one step with it. */
  type(name: string, text: string): void {
    const { text: before } = this.state;
    if (text === before) return;
    let from = 0;
    while (from < before.length && before[from] === text[from]) from++;
    const grown = Math.max(0, text.length - before.length);
    if (this.#typed === undefined || Math.abs(from - this.#typed.at) > 1 || text.slice(from, from + grown).includes('\n')) this.#typed = { at: from, run: (this.#typed?.run ?? 0) + 1 };
    this.#typed = { at: from + grown, run: this.#typed.run };
    // What it says is looked at in the next frame: the letter is there first.
    const { history } = this.state;
    this.store.setState({ text, history: record(history, { name, before, after: text, at: Date.now(), joins: `typing:${this.#typed.run}` }), saving: 'idle' });
    this.#forget('notice');
    this.#reading ??= requestAnimationFrame(() => this.#readNow());
  }

  undo(): void {
    this.#went(undo(this.state.history, this.state.text));
  }

  redo(): void {
    this.#went(redo(this.state.history, this.state.text));
  }

  select(...ids: readonly string[]): void {
    if (ids.join() !== this.state.selected.join()) this.store.setState({ selected: ids });
  }

  goTo(page: number): void {
    if (page === this.state.page) return;
    this.store.setState({ page, selected: [] });
    this.setState({ ...this.state.shown.live.state, page, selections: {} });
  }

  /** Filters as they are set while editing; they are not part of the document. */
  setState(state: DashboardState): void {
    const { live, dashboard } = this.state.shown;
    this.#addTiles(dashboard, live, state.page);
    live.setState(state);
  }

  /** Makes the text the file's. What was changed there meanwhile is brought together first; where it conflicts, it is asked about. */
  async save(message: string): Promise<boolean> {
    this.#readNow();
    await this.#turn;
    let isGone = false;
    for (let attempt = 0; attempt < 5; attempt++) {
      const { text, base, problems } = this.state;
      if (problems.length > 0 || this.state.conflicts) return false;
      this.store.setState({ saving: 'saving' });
      this.#forget('problem');
      try {
        const { hash } = await this.#client.saveText({ params: { id: this.id }, body: { text, ...(!isGone && { base: base.hash }), message } });
        this.#synced = text;
        this.#version = 0;
        this.#backup.drop(this.id);
        this.store.setState({ base: { text, hash }, saving: 'saved' });
        this.#show(await this.#client.getDashboard({ params: { id: this.id }, query: {} }), text);
        if (this.state.text !== text) this.#pushSoon();
        return true;
      } catch (error) {
        this.store.setState({ saving: 'idle' });
        this.store.setState({ problem: problemText(error) });
        if (!(error instanceof ApiError) || error.problem.type !== 'revision-conflict') return false;
        const opened = await this.#client.getText({ params: { id: this.id } }).catch((problem: unknown) => problem);
        // The file was taken away meanwhile: what is saved is a file again, since nothing is there to be overwritten.
        if (opened instanceof ApiError && opened.problem.status === 404) isGone = true;
        else if (opened instanceof Error) return false;
        else {
          const { text: theirs, hash } = opened as Awaited<ReturnType<EditingClient['getText']>>;
          if (readDocument('dashboard', theirs, this.file).ok) this.#mergeFile({ text: theirs, hash });
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
    clearTimeout(this.#timer);
    await this.#inTurn(async () => {
      await this.#client.dropDraft({ params: { id: this.id } });
      this.#version = 0;
      this.#synced = this.state.base.text;
      this.#backup.drop(this.id);
      this.#show(await this.#client.getDashboard({ params: { id: this.id }, query: {} }), this.#synced);
    }).catch(() => this.#pushSoon());
  }

  /** What was chosen where both sides changed the same. */
  settleConflicts(choose: (conflict: Conflict) => Choice): void {
    const { conflicts, text } = this.state;
    if (!conflicts) return;
    this.#forget('conflicts');
    this.store.setState({ base: conflicts.theirs });
    this.#takeIn(mergeDocuments(conflicts.base, text, conflicts.theirs.text, choose).text, 'merged');
    this.#pushSoon();
  }

  // ---- What happens elsewhere

  /** Something may have changed: the file, or the draft in another window. */
  async catchUp(): Promise<void> {
    this.#readNow();
    await this.#inTurn(async () => {
      const opened = await this.#client.getText({ params: { id: this.id } });
      const { draft } = opened;
      if (draft && draft.version !== this.#version) {
        const merged = mergeDocuments(this.#synced, this.state.text, draft.text).text;
        this.#synced = draft.text;
        this.#version = draft.version;
        this.store.setState({ base: { text: draft.base, hash: draft.baseHash } });
        if (merged !== this.state.text) this.#takeIn(merged, 'other window');
      } else if (!draft && this.#version > 0) {
        // Saved in another window, or thrown away there.
        const merged = mergeDocuments(this.#synced, this.state.text, opened.text).text;
        this.#synced = opened.text;
        this.#version = 0;
        this.store.setState({ base: { text: opened.text, hash: opened.hash } });
        if (merged !== this.state.text) this.#takeIn(merged, 'other window');
      }
      // A file that is just being written, or has errors, is waited for: it says nothing yet that could be merged.
      if (opened.hash !== this.state.base.hash && readDocument('dashboard', opened.text, this.file).ok) {
        this.#mergeFile({ text: opened.text, hash: opened.hash });
        if (this.#version === 0 && this.state.text === opened.text) this.#synced = opened.text;
      }
      // Its data and its models change too.
      const dashboard = await this.#client.getDashboard({ params: { id: this.#version > 0 ? `draft:${this.id}` : this.id }, query: {} });
      if (dashboard.id !== this.state.shown.dashboard.id || dashboard.revision !== this.#made.revision || dashboard.state !== this.state.shown.dashboard.state) this.#show(dashboard, this.#synced);
    }).catch(() => {});
    if (this.state.text !== this.#synced) this.#pushSoon();
  }

  // ---- How it goes

  #step(name: string, after: string, joins?: string): void {
    const { text: before, history } = this.state;
    this.#setText(after, { history: record(history, { name, before, after, at: Date.now(), ...(joins !== undefined && { joins }) }) });
    // A drag or a choice is whole; only what goes on letter by letter is waited for.
    if (joins === undefined) this.#pushSoon(0);
    this.#forget('notice');
  }

  #went(step: ReturnType<typeof undo>): void {
    if (step) this.#setText(step.text, { history: step.history });
  }

  /** A text that somebody else had a part in: no step of ours. */
  #takeIn(text: string, notice: EditorState['notice']): void {
    this.#setText(text, { ...(notice && { notice }) });
  }

  /** What was typed since it was read last is read. */
  #readNow(): void {
    if (this.#reading === undefined) return;
    this.#setText(this.state.text, {});
  }

  #setText(text: string, more: Partial<EditorState>): void {
    if (this.#reading !== undefined) cancelAnimationFrame(this.#reading);
    this.#reading = undefined;
    const read = readDocument('dashboard', text, this.file);
    const { document: before, page, selected } = this.state;
    // What says the same stays the same thing, so that nothing is drawn again for a comment, nor one tile for another.
    const document = read.ok ? replaceEqualDeep(before, read.value) : before;
    const at = Math.min(page, document.pages.length - 1);
    const tiles = document.pages[at]!.tiles;
    this.store.setState({ ...more, text, document, problems: read.ok ? noProblems : read.problems, page: at, saving: 'idle', ...(selected.some(id => !(id in tiles)) && { selected: selected.filter(id => id in tiles) }) });
    this.#keep();
    this.#pushSoon();
  }

  #forget(key: 'notice' | 'problem' | 'conflicts'): void {
    if (this.state[key] === undefined) return;
    const { [key]: _, ...rest } = this.state;
    this.store.setState(rest as EditorState, true);
  }

  /** What the server has not got yet, or is just getting, waits in the browser: the page may be gone the next moment. */
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
      this.store.setState({ conflicts: { list: merged.conflicts, base: base.text, theirs } });
      return;
    }
    this.store.setState({ base: theirs });
    if (merged.text !== text) this.#takeIn(merged.text, 'merged');
  }

  #pushSoon(ms = pushAfterMs): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.state.text === this.#synced) {
      this.#changedAt = undefined;
      return;
    }
    this.#changedAt ??= performance.now();
    const left = ms > pushAfterMs ? ms : Math.min(ms, Math.max(0, this.#changedAt + pushWithinMs - performance.now()));
    this.#timer = setTimeout(() => {
      this.#changedAt = undefined;
      void this.#inTurn(() => this.#push());
    }, left);
  }

  async #push(): Promise<void> {
    const { text, base } = this.state;
    if (text === this.#synced) return;
    this.#sending = text;
    try {
      const { version, dashboard } = await this.#client.putDraft({ params: { id: this.id }, body: { text, base: base.hash, after: this.#version } });
      this.#version = version;
      this.#synced = text;
      this.#sending = undefined;
      this.#keep();
      if (this.state.isAway) this.store.setState({ isAway: false });
      this.#show(dashboard, text);
    } catch (error) {
      this.#sending = undefined;
      if (error instanceof ApiError && error.problem.type === 'revision-conflict') {
        // Behind this turn, since it takes one itself.
        setTimeout(() => void this.catchUp(), 0);
        return;
      }
      // A draft that the server refuses is not one that it has not heard of.
      const isRefused = error instanceof ApiError && error.problem.status < 500;
      this.store.setState(isRefused ? { problem: problemText(error) } : { isAway: true });
      if (!isRefused) this.#pushSoon(retryMs);
      return;
    }
    this.#pushSoon();
  }

  /** Shows what the server made of the draft. */
  #show(dashboard: OpenDashboard, text: string): void {
    if (this.#isClosed) return;
    // The same words, and yet another revision: the data behind them is another.
    const isOtherData = this.#made.text === text && this.#made.revision !== dashboard.revision;
    this.#made = { text, revision: dashboard.revision };
    if (!dashboard.document) {
      this.store.setState({ shown: { ...this.state.shown, dashboard: { ...this.state.shown.dashboard, problems: dashboard.problems } } });
      return;
    }
    const { shown, page } = this.state;
    const next = nextShown(this.#client, shown, dashboard, page, isOtherData);
    if (next !== shown) this.store.setState({ shown: next });
  }

  #addTiles({ document }: OpenDashboard, live: DashboardLive, page = this.state.page): void {
    for (const id of Object.keys(document?.pages[page]?.tiles ?? {})) live.tile(id);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
