import { readDocument, writeDocument, type Dashboard, type DocumentProblem } from '@belvedere/document';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../problems.ts';
import { Bin, type BinnedDashboard } from '../records/bin.ts';
import { Drafts, type Draft } from '../records/drafts.ts';
import { Revisions, textHash, type Revision } from '../records/revisions.ts';
import type { StateDatabase } from '../records/state-database.ts';
import { createFile, replaceFile } from './create-file.ts';
import { assembleDashboard, readText } from './read-workspace.ts';
import type { Workspace, WorkspaceDashboard } from './workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** A draft is looked at under its dashboard's id with this before it. No file can have such an id. */
export const draftPrefix = 'draft:';
/** What somebody looks into a model with: a draft of no file, never saved as it is. */
export const explorePrefix = 'explore:';
/** And a text that was a dashboard's, under its number: `revision:12:ID`. */
const revisionId = /^revision:(\d+):(.+)$/;

/** A dashboard as text: what is on the disk, and what is being made of it. */
export interface DashboardText {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly hash: string;
  readonly draft?: Draft & { readonly baseHash: string };
}

/** Folders and a name: no dots, no way up. */
const idLook = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]{0,80}\/){0,6}[\p{L}\p{N}][\p{L}\p{N} _-]{0,80}$/u;

/** An id that a file can have. @throws ProblemError `request-invalid` */
export function checkedId(id: string): string {
  if (!idLook.test(id)) throw new ProblemError('request-invalid', 'A dashboard’s address is letters, digits, blanks, - and _, with / between folders.');
  return id;
}

export const schemaAddress = 'https://belvedere.example/schema/dashboard.json';

/**
 * The workspace's dashboards as files to change: every change is made on a base, whole or not at all, on the disk before it is
 * acknowledged, and every text that was a dashboard's is kept as a revision. Changes wait for one another.
 */
export class DashboardStore {
  readonly revisions: Revisions;
  readonly #drafts: Drafts;
  readonly #bin: Bin;
  readonly #store: WorkspaceStore;
  readonly #opened = new Map<string, { readonly workspace: Workspace; readonly text: string; readonly dashboard: WorkspaceDashboard }>();
  readonly #stop: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #noted: unknown;

  constructor(store: WorkspaceStore, state: StateDatabase) {
    this.#store = store;
    this.revisions = new Revisions(state);
    this.#drafts = new Drafts(state);
    this.#bin = new Bin(state);
    this.#stop = store.subscribe(event => event.kind === 'workspace' && this.#note());
    this.#note();
  }

  close(): void {
    this.#stop();
  }

  /** A dashboard, or what a draft makes of one. One whose file has errors is shown as it was when it had none. */
  find(id: string): WorkspaceDashboard | undefined {
    const { current } = this.#store;
    const [, number, was] = revisionId.exec(id) ?? [];
    if (was !== undefined) {
      const text = this.revisions.text(this.fileOf(was), Number(number))?.text;
      return text === undefined ? undefined : this.#assembled(id, this.fileOf(was), text);
    }
    if (!id.startsWith(draftPrefix)) {
      const found = current.dashboards.get(id);
      return found?.state === 'broken' ? (this.#asItWas(found) ?? found) : found;
    }
    const of = id.slice(draftPrefix.length);
    const draft = this.#drafts.of(of);
    if (!draft) return undefined;
    const known = this.#opened.get(id);
    if (known?.workspace === current && known.text === draft.text) return known.dashboard;
    const dashboard = this.#assembled(id, this.fileOf(of), draft.text);
    // What is being typed need not be whole at every moment; what it was a moment ago goes on.
    const before = known?.dashboard.document;
    const shown = dashboard.state === 'broken' && before ? { ...dashboard, state: 'ready' as const, document: before, title: before.title } : dashboard;
    if (this.#opened.size > 100) this.#opened.clear();
    this.#opened.set(id, { workspace: current, text: draft.text, dashboard: shown });
    return shown;
  }

  fileOf(id: string): string {
    return this.#store.documents.dashboards.get(id)?.file ?? `dashboards/${id}.yaml`;
  }

  /** @throws ProblemError `not-found` */
  async text(id: string): Promise<DashboardText> {
    const file = this.fileOf(id);
    const disk = await readText(path.join(this.#store.folders.root, file));
    if (!disk || !this.#store.documents.dashboards.has(id)) throw absent();
    if (readDocument('dashboard', disk.text, file).ok) this.revisions.noteOnDisk([[file, disk.text]]);
    const draft = this.#drafts.of(id);
    return { id, file, text: disk.text, hash: textHash(disk.text), ...(draft && { draft: { ...draft, baseHash: textHash(draft.base) } }) };
  }

  /** A new dashboard, never over one that is there. @throws ProblemError `revision-conflict` */
  create(id: string, document: Dashboard): Promise<Revision> {
    return this.#inTurn(() => this.#createText(id, writeDocument(document, schemaAddress), ''));
  }

  /**
   * Puts a text in place of the one whose hash is `base`; without one, as a new file.
   * @throws ProblemError `document-invalid` with every error, `revision-conflict` where the file on the disk is another by now
   */
  save(id: string, text: string, base: string | undefined, message: string): Promise<Revision> {
    return this.#inTurn(async () => {
      const file = this.fileOf(id);
      const read = readDocument('dashboard', text, file);
      if (!read.ok) throw new ProblemError('document-invalid', `${read.problems[0]!.message} (${file}, line ${read.problems[0]!.line})`, { errors: read.problems.map(plainProblem) });
      if (base === undefined) return this.#createText(id, text, message);
      const disk = await readText(path.join(this.#store.folders.root, file));
      if (disk?.text !== text) {
        if (!disk) throw new ProblemError('revision-conflict', `\`${file}\` is gone from the disk. Save it as a new file, or let it go.`);
        if (textHash(disk.text) !== base) throw new ProblemError('revision-conflict', `\`${file}\` was changed meanwhile, on the disk or in another window. Nothing is overwritten: bring both together first.`);
        this.revisions.noteOnDisk([[file, disk.text]]);
        await replaceFile(this.#store.folders.root, file.split('/'), text);
      }
      return this.#saved(id, file, text, message);
    });
  }

  /**
   * Keeps a text that is not saved.
   * @param base the hash of the text it was begun from, or last brought together with
   * @param after the draft's version that the change was made to; 0 for the first
   * @throws ProblemError `revision-conflict` where another window came first
   */
  async putDraft(id: string, text: string, base: string, after: number): Promise<Draft> {
    const file = this.fileOf(id);
    const before = this.#drafts.of(id);
    const baseText = id.startsWith(explorePrefix) ? '' : before && textHash(before.base) === base ? before.base : (this.revisions.textOf(file, base) ?? (await this.#onDisk(file, base)));
    if (baseText === undefined) throw new ProblemError('revision-conflict', 'What this draft was begun from is not known here any more. Load the page again; your text is kept there.');
    const draft = this.#drafts.put(id, text, baseText, after);
    if (!draft) throw new ProblemError('revision-conflict', 'This draft was changed in another window.');
    this.#store.tell({ kind: 'draft', dashboard: id, version: draft.version });
    return draft;
  }

  dropDraft(id: string): void {
    this.#drafts.drop(id);
    this.#opened.delete(draftPrefix + id);
    this.#store.tell({ kind: 'draft', dashboard: id, version: 0 });
  }

  /** Takes a dashboard away, into the bin, its texts in other languages with it. */
  remove(id: string): Promise<number> {
    return this.#inTurn(async () => {
      const files = await this.#filesOf(id);
      const number = this.#bin.put(id, this.#store.current.dashboards.get(id)?.title ?? id, files);
      for (const { file } of files) await unlink(path.join(this.#store.folders.root, file));
      this.dropDraft(id);
      await this.#store.refresh();
      return number;
    });
  }

  binned(): readonly BinnedDashboard[] {
    return this.#bin.all();
  }

  /** Brings a dashboard back out of the bin. @throws ProblemError `revision-conflict` where its place is taken */
  restore(number: number): Promise<string> {
    return this.#inTurn(async () => {
      const files = this.#bin.files(number);
      const dashboard = this.#bin.all().find(entry => entry.number === number)?.dashboard;
      if (!files || dashboard === undefined) throw new ProblemError('not-found', 'There is no such dashboard in the bin any more.');
      for (const { file, text } of files) await createFile(this.#store.folders.root, file.split('/'), text);
      this.#bin.forget(number);
      await this.#store.refresh();
      return dashboard;
    });
  }

  /** Gives a dashboard another id: another name, or another folder. Its history and its draft go with it. */
  move(id: string, to: string): Promise<void> {
    return this.#inTurn(async () => {
      const files = await this.#filesOf(id);
      const own = this.fileOf(id);
      for (const { file, text } of files) {
        const target = `dashboards/${to}${file === own ? '.yaml' : file.slice(`dashboards/${id}`.length)}`;
        await createFile(this.#store.folders.root, target.split('/'), text);
        this.revisions.rename(file, target);
      }
      this.#drafts.rename(id, to);
      for (const { file } of files) await unlink(path.join(this.#store.folders.root, file));
      await this.#store.refresh();
    });
  }

  async #createText(id: string, text: string, message: string): Promise<Revision> {
    const file = `dashboards/${id}.yaml`;
    await createFile(this.#store.folders.root, file.split('/'), text);
    return this.#saved(id, file, text, message);
  }

  async #saved(id: string, file: string, text: string, message: string): Promise<Revision> {
    const revision = this.revisions.add(file, text, 'saved', message);
    this.dropDraft(id);
    await this.#store.refresh();
    return revision;
  }

  async #filesOf(id: string) {
    const { documents, folders } = this.#store;
    if (!documents.dashboards.has(id)) throw absent();
    const files = [this.fileOf(id), ...[...(documents.translations.get(id)?.values() ?? [])].map(({ file }) => file)];
    const read = await Promise.all(files.map(async file => ({ file, text: (await readText(path.join(folders.root, file)))?.text })));
    return read.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  }

  async #onDisk(file: string, hash: string): Promise<string | undefined> {
    const disk = await readText(path.join(this.#store.folders.root, file));
    return disk && textHash(disk.text) === hash ? disk.text : undefined;
  }

  #assembled(id: string, file: string, text: string): WorkspaceDashboard {
    return assembleDashboard(id, { file, text, updated: new Date().toISOString(), read: readDocument('dashboard', text, file) }, undefined, this.#store.current);
  }

  /** The newest revision that can be read, with what is wrong with the file now. */
  #asItWas(broken: WorkspaceDashboard): WorkspaceDashboard | undefined {
    const file = this.fileOf(broken.id);
    const known = this.#opened.get(broken.id);
    if (known?.workspace === this.#store.current && known.text === broken.revision) return known.dashboard;
    for (const { number } of this.revisions.of(file, 20)) {
      const text = this.revisions.text(file, number)!.text;
      const was = this.#assembled(broken.id, file, text);
      if (!was.document) continue;
      const dashboard = { ...was, problems: broken.problems, ...(broken.updated && { updated: broken.updated }) };
      this.#opened.set(broken.id, { workspace: this.#store.current, text: broken.revision, dashboard });
      return dashboard;
    }
    return undefined;
  }

  /** What somebody else put on the disk is remembered too, once it is whole. */
  #note(): void {
    const { documents } = this.#store;
    if (documents.dashboards === this.#noted) return;
    this.#noted = documents.dashboards;
    this.revisions.noteOnDisk([...documents.dashboards.values()].filter(({ read }) => read.ok).map(({ file, text }) => [file, text]));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

function absent(): ProblemError {
  return new ProblemError('not-found', 'There is no such dashboard here, or it is not shared with you.');
}

export function plainProblem({ file, path: at, line, column, message, suggestion }: DocumentProblem) {
  return { file, path: at, line, column, message, ...(suggestion && { suggestion }) };
}
