import { writeDocument, type DashboardFile, type Edit } from '@belvedere/document';
import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../problems.ts';
import { Belongings } from '../records/belongings.ts';
import { Bin, type BinnedDashboard } from '../records/bin.ts';
import { Notes } from '../records/notes.ts';
import type { Draft } from '../records/drafts.ts';
import { textHash, type Revision } from '../records/revisions.ts';
import type { StateDatabase } from '../records/state-database.ts';
import { createFile } from './create-file.ts';
import type { DocumentFile, DocumentTexts } from './document-texts.ts';
import { assembleDashboard } from './assemble-dashboard.ts';
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

/** The workspace's dashboards, and what drafts and earlier revisions make of them. */
export class DashboardStore {
  readonly texts: DocumentTexts;
  readonly belongings: Belongings;
  readonly notes: Notes;
  readonly #bin: Bin;
  readonly #store: WorkspaceStore;
  readonly #opened = new Map<string, { readonly workspace: Workspace; readonly text: string; readonly dashboard: WorkspaceDashboard }>();

  constructor(store: WorkspaceStore, texts: DocumentTexts, state: StateDatabase) {
    this.#store = store;
    this.texts = texts;
    this.#bin = new Bin(state);
    this.belongings = new Belongings(state);
    this.notes = new Notes(state);
    // A window drops what it looked into a model with when it leaves, unless it is closed.
    texts.drafts.dropOld(explorePrefix, new Date(Date.now() - 24 * 3600_000));
  }

  /** A dashboard, or what a draft makes of one. One whose file has errors is shown as it was when it had none. */
  find(id: string): WorkspaceDashboard | undefined {
    const { current } = this.#store;
    const [, number, was] = revisionId.exec(id) ?? [];
    if (was !== undefined) {
      const text = this.texts.revisions.text(this.fileOf(was), Number(number))?.text;
      return text === undefined ? undefined : this.#assembled(id, this.fileOf(was), text);
    }
    if (!id.startsWith(draftPrefix)) {
      const found = current.dashboards.get(id);
      return found?.state === 'broken' ? (this.#asItWas(found) ?? found) : found;
    }
    const of = id.slice(draftPrefix.length);
    const draft = this.texts.drafts.of(of);
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

  /** What a text would be as this dashboard, against the models as they are now. */
  async check(id: string, text: string): Promise<WorkspaceDashboard> {
    await this.#store.reader.read('dashboard', text, this.fileOf(id));
    return this.#assembled(id, this.fileOf(id), text);
  }

  fileOf(id: string): string {
    return this.#store.documents.dashboards.get(id)?.file ?? `dashboards/${id}.yaml`;
  }

  /** @throws ProblemError `not-found` */
  async text(id: string): Promise<DashboardText> {
    const file = this.fileOf(id);
    const text = await this.texts.read(this.#documentOf(id));
    if (text === undefined || !this.#store.documents.dashboards.has(id)) throw absent();
    const draft = this.texts.drafts.of(id);
    return { id, file, text, hash: textHash(text), ...(draft && { draft: { ...draft, baseHash: textHash(draft.base) } }) };
  }

  /** A new dashboard, never over one that is there. @throws ProblemError `revision-conflict` */
  async create(id: string, document: DashboardFile): Promise<Revision> {
    const revision = await this.texts.create(this.#documentOf(id), writeDocument(document, schemaAddress), '');
    // What was noted on one that had its name before, and is in the bin, did not happen on this one.
    this.notes.drop(id);
    return revision;
  }

  /** @throws ProblemError as `DocumentTexts.save` */
  save(id: string, text: string, base: string | undefined, message: string, draft?: number): Promise<Revision> {
    return this.texts.save(this.#documentOf(id), text, base, message, draft);
  }

  /** @throws ProblemError as `DocumentTexts.putDraft` */
  putDraft(id: string, text: string, base: string, after: number): Promise<Draft> {
    return this.texts.putDraft(this.#documentOf(id), text, base, after, id.startsWith(explorePrefix) ? '' : undefined);
  }

  dropDraft(id: string): void {
    this.texts.dropDraft(id);
    this.#opened.delete(draftPrefix + id);
  }

  /** Takes a dashboard away, into the bin, its texts in other languages with it. */
  remove(id: string): Promise<number> {
    return this.texts.inTurn(async () => {
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
    return this.texts.inTurn(async () => {
      const files = this.#bin.files(number);
      const dashboard = this.#bin.all().find(entry => entry.number === number)?.dashboard;
      if (!files || dashboard === undefined) throw new ProblemError('not-found', 'There is no such dashboard in the bin any more.');
      for (const { file, text } of files) await createFile(this.#store.folders.root, file.split('/'), text);
      this.#bin.forget(number);
      await this.#store.refresh();
      return dashboard;
    });
  }

  /** Gives a dashboard another id: another name, or another folder. Its history and its draft go with it, and what opens it still does. */
  move(id: string, to: string): Promise<void> {
    return this.#moveAll(new Map([[id, to]]));
  }

  /**
   * Gives a folder another name or place, with all that is in it and below it: all of it moves, or nothing does.
   * @returns how many dashboards were moved
   * @throws ProblemError `not-found` for a folder of none, `revision-conflict` where one's new place is taken
   */
  async moveFolder(from: string, to: string): Promise<number> {
    const ids = [...this.#store.documents.dashboards.keys()].filter(id => id.startsWith(`${from}/`));
    if (ids.length === 0) throw new ProblemError('not-found', `There is no folder \`${from}\` here.`);
    await this.#moveAll(new Map(ids.map(id => [id, `${to}${id.slice(from.length)}`])));
    return ids.length;
  }

  async #moveAll(moves: ReadonlyMap<string, string>): Promise<void> {
    const { root } = this.#store.folders;
    await this.texts.inTurn(async () => {
      const all = await Promise.all([...moves].map(async ([id, to]) => ({ id, to, files: await this.#filesOf(id) })));
      const taken = all.find(({ to }) => this.#store.documents.dashboards.has(to));
      if (taken) throw new ProblemError('revision-conflict', `There is a dashboard \`${taken.to}\` already. Choose another place for \`${taken.id}\`.`);
      for (const { id, to, files } of all) {
        const own = this.fileOf(id);
        for (const { file, text } of files) {
          const target = `dashboards/${to}${file === own ? '.yaml' : file.slice(`dashboards/${id}`.length)}`;
          await createFile(root, target.split('/'), text);
          this.texts.revisions.rename(file, target);
        }
        this.texts.drafts.rename(id, to);
        this.belongings.rename(id, to);
        this.notes.rename(id, to);
      }
      for (const { file } of all.flatMap(({ files }) => files)) await unlink(path.join(root, file));
      for (const { file } of all.flatMap(({ files }) => files)) await this.#tidy(path.dirname(file));
      await this.#store.refresh();
    });
    await this.#follow(moves);
  }

  /** Takes folders away that nothing is left in. */
  async #tidy(folder: string): Promise<void> {
    for (let empty = folder; empty !== 'dashboards' && empty.startsWith('dashboards/'); empty = path.dirname(empty)) {
      try {
        await rmdir(path.join(this.#store.folders.root, empty));
      } catch {
        return;
      }
    }
  }

  /** Tiles that open a dashboard that was moved open it where it is now. */
  async #follow(moves: ReadonlyMap<string, string>): Promise<void> {
    const changes = [...this.#store.documents.dashboards].flatMap(([id, { read }]) => {
      const edits = !read.ok ? [] : read.value.pages.flatMap((page, i) => Object.entries(page.tiles).flatMap(([tile, { opens }]): Edit[] => (opens !== undefined && moves.has(opens) ? [{ kind: 'set', path: ['pages', i, 'tiles', tile, 'opens'], value: moves.get(opens)! }] : [])));
      return edits.length > 0 ? [{ document: this.#documentOf(id), follow: (text: string) => this.#store.reader.edit(text, edits) }] : [];
    });
    // Of one that could not be changed, the tile says that there is nothing to open.
    if (changes.length > 0) await this.texts.rewrite(changes, '');
  }

  #documentOf(id: string): DocumentFile {
    return { kind: 'dashboard', file: this.fileOf(id), draftId: id };
  }

  async #filesOf(id: string) {
    const { documents } = this.#store;
    if (!documents.dashboards.has(id)) throw absent();
    const files = [this.fileOf(id), ...[...(documents.translations.get(id)?.values() ?? [])].map(({ file }) => file)];
    const read = await Promise.all(files.map(async file => ({ file, text: await this.texts.onDisk(file) })));
    return read.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  }

  #assembled(id: string, file: string, text: string): WorkspaceDashboard {
    return assembleDashboard(id, { file, text, updated: new Date().toISOString(), read: this.#store.reader.readHere('dashboard', text, file) }, undefined, this.#store.current);
  }

  /** The newest revision that can be read, with what is wrong with the file now. */
  #asItWas(broken: WorkspaceDashboard): WorkspaceDashboard | undefined {
    const file = this.fileOf(broken.id);
    const known = this.#opened.get(broken.id);
    if (known?.workspace === this.#store.current && known.text === broken.revision) return known.dashboard;
    for (const { number } of this.texts.revisions.of(file, 20)) {
      const text = this.texts.revisions.text(file, number)!.text;
      const was = this.#assembled(broken.id, file, text);
      if (!was.document) continue;
      const dashboard = { ...was, problems: broken.problems, ...(broken.updated && { updated: broken.updated }) };
      this.#opened.set(broken.id, { workspace: this.#store.current, text: broken.revision, dashboard });
      return dashboard;
    }
    return undefined;
  }
}

function absent(): ProblemError {
  return new ProblemError('not-found', 'There is no such dashboard here, or it is not shared with you.');
}
