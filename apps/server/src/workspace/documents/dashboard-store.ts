import { withSchemaLineFor, writeDocument, type DashboardFile, type Edit } from '@belvedere/document';
import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ProblemError } from '../../http/problems.ts';
import { UserPreferences } from '../../state/accounts/user-preferences.ts';
import { Trash, type TrashedDashboard, type TrashedFile } from '../../state/documents/trash.ts';
import { keptDetail, type EventNote } from '@belvedere/api';
import { EventNotes } from '../../state/documents/event-notes.ts';
import type { Draft } from '../../state/documents/drafts.ts';
import { textHash, type Revision } from '../../state/documents/revisions.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { storageProblem } from '../../operations/storage-problem.ts';
import { keepDataFolder } from './keep-data-folder.ts';
import { createFile, mayWrite, syncedFolder } from './create-file.ts';
import type { DocumentFile, DocumentRepository, SaveNote } from './document-repository.ts';
import { assembleDashboard } from '../assemble-dashboard.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace.ts';
import type { WorkspaceStore } from '../workspace-store.ts';

/** Prefix of a draft's ID. No file can have such an ID. */
export const draftPrefix = 'draft:';
/** Prefix of explorations of a model: drafts without a file, never saved as such. */
export const explorePrefix = 'explore:';
/** The ID of an earlier revision, with its number: `revision:12:ID`. */
const revisionId = /^revision:(\d+):(.+)$/;

/** A dashboard's text on disk and its draft. */
export interface DashboardText {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly hash: string;
  readonly draft?: Draft & { readonly baseHash: string };
}

/** Folders and a name, without dots, so that no path leads upwards. */
const idPattern = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]{0,80}\/){0,6}[\p{L}\p{N}][\p{L}\p{N} _-]{0,80}$/u;

const dayMs = 24 * 3600_000;
/** How long the records of a document are kept whose file was deleted on disk and replaced by another one. */
const retiredDays = 30;

/** Returns a valid ID. @throws ProblemError `request-invalid` */
export function checkedId(id: string): string {
  if (!idPattern.test(id))
    throw new ProblemError(
      'request-invalid',
      'A dashboard’s address can have letters, digits, spaces, - and _, with / between folders.',
    );
  return id;
}

/** The workspace's dashboards, with their drafts and earlier revisions. */
export class DashboardStore {
  readonly texts: DocumentRepository;
  readonly preferences: UserPreferences;
  readonly notes: EventNotes;
  readonly #trash: Trash;
  readonly #store: WorkspaceStore;
  readonly #state: StateDatabase;
  readonly #opened = new Map<
    string,
    { readonly workspace: Workspace; readonly text: string; readonly dashboard: WorkspaceDashboard }
  >();

  constructor(store: WorkspaceStore, texts: DocumentRepository, state: StateDatabase) {
    this.#store = store;
    this.texts = texts;
    this.#trash = new Trash(state);
    this.preferences = new UserPreferences(state);
    this.notes = new EventNotes(state);
    this.#state = state;
  }

  /**
   * Returns a dashboard or its draft. If its file has errors, its last valid revision is returned.
   * @param granted the models that a draft or revision may use, and that errors may name; by default all
   */
  async find(id: string, granted?: Workspace): Promise<WorkspaceDashboard | undefined> {
    const [, number, was] = revisionId.exec(id) ?? [];
    if (was !== undefined) {
      const revision = await this.texts.revision(this.fileOf(was), Number(number));
      return revision && this.#assembled(id, this.fileOf(was), revision.text, granted);
    }
    if (!id.startsWith(draftPrefix)) {
      const found = this.#store.current.dashboards.get(id);
      const shown = found?.state === 'broken' ? ((await this.#asItWas(found)) ?? found) : found;
      return shown && granted?.whole ? this.#problemsWithin(shown, granted) : shown;
    }
    const of = id.slice(draftPrefix.length);
    const draft = await this.texts.draft(this.#documentOf(of));
    if (!draft) return undefined;
    const current = granted ?? this.#store.current;
    const known = this.#opened.get(id);
    if (known?.workspace === current && known.text === draft.text) return known.dashboard;
    const dashboard = this.#assembled(id, this.fileOf(of), draft.text, current);
    // While a draft is invalid, its last valid version stays visible.
    const before = known?.dashboard.document;
    const shown =
      dashboard.state === 'broken' && before
        ? { ...dashboard, state: 'ready' as const, document: before, title: before.title }
        : dashboard;
    if (this.#opened.size > 100) this.#opened.clear();
    this.#opened.set(id, { workspace: current, text: draft.text, dashboard: shown });
    return shown;
  }

  /**
   * Returns a dashboard that has a file or a table and is visible to all users. Drafts and earlier revisions
   * are visible only to authors.
   */
  async findPublished(id: string): Promise<WorkspaceDashboard | undefined> {
    return id.startsWith(draftPrefix) || revisionId.test(id) ? undefined : this.find(id);
  }

  /** Returns the event notes of a dashboard. */
  async notesOf(id: string): Promise<EventNote[]> {
    const documentId = await this.texts.ids.find(this.fileOf(id));
    return documentId === undefined ? [] : this.notes.of(documentId);
  }

  /** Returns the identity to which records about a dashboard refer. */
  documentId(id: string): Promise<string> {
    return this.texts.ids.of('dashboard', this.fileOf(id));
  }

  /** Checks a text as this dashboard, against the current models. */
  async check(id: string, text: string): Promise<WorkspaceDashboard> {
    await this.#store.reader.read('dashboard', text, this.fileOf(id));
    return this.#assembled(id, this.fileOf(id), text);
  }

  /**
   * Returns the file that a dashboard has, or would have. What is shared is decided by IDs, so an ID must lead
   * to no other path than the one it spells.
   * @throws ProblemError `not-found`
   */
  fileOf(id: string): string {
    const known = this.#store.documents.dashboards.get(id)?.file;
    if (known !== undefined) return known;
    const file = `dashboards/${id}.yaml`;
    if (path.posix.normalize(file) !== file || id.includes('\\')) throw notFound();
    return file;
  }

  /** @throws ProblemError `not-found` */
  async text(id: string): Promise<DashboardText> {
    const file = this.fileOf(id);
    if (!this.#store.documents.dashboards.has(id)) throw notFound();
    const text = await this.texts.read(this.#documentOf(id));
    if (text === undefined) throw notFound();
    const draft = await this.texts.draft(this.#documentOf(id));
    return {
      id,
      file,
      text,
      hash: textHash(text),
      ...(draft && { draft: { ...draft, baseHash: textHash(draft.base) } }),
    };
  }

  /** Creates a dashboard; never replaces one. @throws ProblemError `revision-conflict` */
  async create(id: string, document: DashboardFile, note: SaveNote): Promise<Revision> {
    await this.#retireEarlier(id);
    const at = this.#documentOf(id);
    return this.texts.create(at, writeDocument(document, 'dashboard', at.file), note);
  }

  /** @throws ProblemError as `DocumentRepository.save` */
  async save(id: string, text: string, base: string | undefined, note: SaveNote): Promise<Revision> {
    if (base === undefined) await this.#retireEarlier(id);
    return this.texts.save(this.#documentOf(id), text, base, note);
  }

  /**
   * Takes an earlier dashboard with this ID out of use, whose file was deleted on disk, so that the new one
   * does not inherit its favourites and views. A draft of it stays: saving that restores the same dashboard.
   */
  async #retireEarlier(id: string): Promise<void> {
    if (!(await this.texts.draft(this.#documentOf(id)))) await this.retireDeleted(id);
  }

  /** As above, its draft included: it may be another user's. */
  async retireDeleted(id: string): Promise<void> {
    if (!this.#store.current.dashboards.has(id)) await this.texts.ids.retire(this.fileOf(id));
  }

  /** @throws ProblemError as `DocumentRepository.putDraft` */
  putDraft(id: string, text: string, base: string, after: number): Promise<Draft> {
    return this.texts.putDraft(
      this.#documentOf(id),
      text,
      base,
      after,
      id.startsWith(explorePrefix) ? '' : undefined,
    );
  }

  async dropDraft(id: string): Promise<void> {
    await this.texts.dropDraft(this.#documentOf(id));
    this.#opened.delete(draftPrefix + id);
  }

  /**
   * Moves a dashboard to the trash, with its translations and its users' data, so that another one may take
   * its ID.
   */
  remove(id: string): Promise<number> {
    return this.texts.inTurn(async () => {
      const { root } = this.#store.folders;
      mayWrite(root);
      const files = await this.#filesOf(id);
      if (files.length === 0) throw notFound();
      const title = this.#store.current.dashboards.get(id)?.title ?? id;
      const number = await this.#state.transaction(async () => {
        const trashed = await this.#trash.put(await this.documentId(id), id, title, files);
        await this.texts.ids.retire(this.fileOf(id));
        return trashed;
      });
      const gone: TrashedFile[] = [];
      try {
        for (const one of files) {
          await unlink(path.join(root, one.file));
          gone.push(one);
        }
        await syncedFolder(root, path.join(root, path.dirname(files[0]!.file)));
      } catch (error) {
        // If they cannot be restored, they stay in the trash.
        await this.#createAll(gone);
        await this.#undoRemove(number);
        throw storageProblem(error, `Could not remove \`${files[0]!.file}\``) ?? error;
      }
      this.#opened.delete(draftPrefix + id);
      this.#store.tell({ kind: 'draft', document: id, version: 0 });
      await this.#store.refresh();
      return number;
    });
  }

  trashed(): Promise<readonly TrashedDashboard[]> {
    return this.#trash.all();
  }

  /**
   * Restores a dashboard from the trash, with all of its records. @throws ProblemError `revision-conflict` if
   * its path is taken
   */
  restore(number: number): Promise<string> {
    return this.texts.inTurn(async () => {
      const found = await this.#trash.find(number);
      if (!found) throw new ProblemError('not-found', 'This dashboard is no longer in the trash.');
      await this.#createAll(found.files, () => this.#undoRemove(number));
      await this.#store.refresh();
      return found.dashboard;
    });
  }

  /**
   * Must be called before the workspace is read. Takes dashboards out of the trash whose files are all
   * unchanged, since a crash interrupted their removal or restoring.
   */
  recover(): Promise<void> {
    return this.texts.inTurn(async () => {
      const recovered = new Set<string>();
      for (const { number, dashboard } of await this.#trash.all()) {
        const { files = [] } = (await this.#trash.find(number)) ?? {};
        const texts = await Promise.all(files.map(({ file }) => this.texts.onDisk(file)));
        if (recovered.has(dashboard) || files.length === 0 || files.some(({ text }, i) => text !== texts[i]))
          continue;
        recovered.add(dashboard);
        await this.#undoRemove(number);
      }
    });
  }

  /** Deletes expired data. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    // A window deletes its exploration when it leaves it, but not when it is closed.
    await this.texts.drafts.dropExplorations(new Date(now - dayMs));
    for (const { documentId } of await this.#trash.expired(now)) {
      await this.texts.ids.delete(documentId);
      await turn();
    }
    await this.texts.ids.deleteRetired(new Date(now - retiredDays * dayMs));
    await this.texts.revisions.prune(now);
  }

  /** Takes a dashboard out of the trash, with all records about it. */
  #undoRemove(number: number): Promise<void> {
    return this.#state.transaction(async () => {
      const found = await this.#trash.find(number);
      if (!found) return;
      await this.texts.ids.restore(found.documentId, found.files[0]?.file ?? this.fileOf(found.dashboard));
      await this.#trash.forget(number);
    });
  }

  /**
   * Gives a dashboard another ID, by renaming or moving it. Its history, its draft and links to it are kept.
   */
  move(id: string, to: string): Promise<void> {
    return this.#moveAll(new Map([[id, to]]));
  }

  /**
   * Renames or moves a folder with everything in it, all or nothing.
   * @returns the number of moved dashboards
   * @throws ProblemError `not-found` for an empty folder, `revision-conflict` if a target path is taken
   */
  async moveFolder(from: string, to: string): Promise<number> {
    const ids = [...this.#store.documents.dashboards.keys()].filter(id => id.startsWith(`${from}/`));
    if (ids.length === 0) throw new ProblemError('not-found', `Folder \`${from}\` not found.`);
    await this.#moveAll(new Map(ids.map(id => [id, `${to}${id.slice(from.length)}`])));
    return ids.length;
  }

  async #moveAll(moves: ReadonlyMap<string, string>): Promise<void> {
    const { root } = this.#store.folders;
    await this.texts.inTurn(async () => {
      const all = await Promise.all(
        [...moves].map(async ([id, to]) => ({ id, to, files: await this.#filesOf(id) })),
      );
      const conflict = all.find(({ to }) => this.#store.documents.dashboards.has(to));
      if (conflict)
        throw new ProblemError(
          'revision-conflict',
          `A dashboard \`${conflict.to}\` already exists. Choose another name or folder for \`${conflict.id}\`.`,
        );
      const endOf = (id: string, file: string) =>
        file === this.fileOf(id) ? '.yaml' : file.slice(`dashboards/${id}`.length);
      const positionIn = (id: string, to: string) => (file: string) => `dashboards/${to}${endOf(id, file)}`;
      const copies = all.flatMap(({ id, to, files }) =>
        files.map(({ file, text }) => {
          const moved = positionIn(id, to)(file);
          return { file: moved, text: withSchemaLineFor(moved, text) };
        }),
      );
      await this.#createAll(copies, () =>
        this.#state.transaction(async () => {
          for (const { id, to, files } of all)
            for (const { file: from } of files) {
              const file = positionIn(id, to)(from);
              await this.texts.ids.move(from, file);
              const kind = from === this.fileOf(id) ? 'dashboard' : 'translation';
              const documentId = await this.texts.ids.of(kind, file);
              await this.texts.drafts.rewrite(documentId, text => withSchemaLineFor(file, text));
              const { text } = copies.find(copy => copy.file === file)!;
              if (!(await this.texts.revisions.isLatest(documentId, text)))
                await this.texts.revisions.add(documentId, text, 'saved');
            }
        }),
      );
      for (const { file } of all.flatMap(({ files }) => files)) await unlink(path.join(root, file));
      for (const { file } of all.flatMap(({ files }) => files)) await this.#tidy(path.dirname(file));
      await this.#store.refresh();
    });
    await this.#follow(moves);
  }

  /** Creates new files, then runs `then`; all or nothing. */
  async #createAll(files: readonly TrashedFile[], then?: () => Promise<void>): Promise<void> {
    const { root } = this.#store.folders;
    const created: string[] = [];
    await keepDataFolder(this.#store.folders);
    try {
      for (const { file, text } of files) {
        await createFile(root, file.split('/'), text);
        created.push(file);
      }
      await then?.();
    } catch (error) {
      for (const file of created) await unlink(path.join(root, file)).catch(() => {});
      throw error;
    }
  }

  /** Deletes empty folders. */
  async #tidy(folder: string): Promise<void> {
    for (
      let empty = folder;
      empty !== 'dashboards' && empty.startsWith('dashboards/');
      empty = path.dirname(empty)
    ) {
      try {
        await rmdir(path.join(this.#store.folders.root, empty));
      } catch {
        return;
      }
    }
  }

  /** Updates tiles that link to moved dashboards. */
  async #follow(moves: ReadonlyMap<string, string>): Promise<void> {
    const changes = [...this.#store.documents.dashboards].flatMap(([id, { read }]) => {
      const edits = !read.ok
        ? []
        : read.value.pages.flatMap((page, i) =>
            Object.entries(page.tiles).flatMap(([tile, { opens }]): Edit[] =>
              opens !== undefined && moves.has(opens)
                ? [{ kind: 'set', path: ['pages', i, 'tiles', tile, 'opens'], value: moves.get(opens)! }]
                : [],
            ),
          );
      return edits.length > 0
        ? [{ document: this.#documentOf(id), follow: (text: string) => this.#store.reader.edit(text, edits) }]
        : [];
    });
    // Tiles of dashboards that could not be changed report a missing target.
    if (changes.length > 0) await this.texts.rewrite(changes, '');
  }

  #documentOf(id: string): DocumentFile {
    const document = { kind: 'dashboard', file: this.fileOf(id), draftId: id } as const;
    return id.startsWith(explorePrefix) ? { ...document, isExploration: true } : document;
  }

  async #filesOf(id: string) {
    const { documents } = this.#store;
    if (!documents.dashboards.has(id)) throw notFound();
    const files = [
      this.fileOf(id),
      ...[...(documents.translations.get(id)?.values() ?? [])].map(({ file }) => file),
    ];
    const read = await Promise.all(files.map(async file => ({ file, text: await this.texts.onDisk(file) })));
    return read.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  }

  #assembled(id: string, file: string, text: string, workspace = this.#store.current): WorkspaceDashboard {
    return assembleDashboard(
      id,
      {
        file,
        text,
        updated: new Date().toISOString(),
        read: this.#store.reader.readHere('dashboard', text, file),
      },
      undefined,
      workspace,
    );
  }

  /** Returns a dashboard with its errors as they are among the models of `granted`: they name other models. */
  #problemsWithin(found: WorkspaceDashboard, granted: Workspace): WorkspaceDashboard {
    const { dashboards, translations } = this.#store.documents;
    const text = dashboards.get(found.id);
    if (!text || found.problems.length === 0) return found;
    const seen = assembleDashboard(found.id, text, translations.get(found.id), granted);
    const position = ({ file, path: at }: { readonly file: string; readonly path: string }) =>
      `${file} ${at}`;
    const visible = new Map(seen.problems.map(problem => [position(problem), problem]));
    return {
      ...found,
      problems: found.problems.map(({ suggestion: _, ...problem }) => ({
        ...(visible.get(position(problem)) ?? { ...problem, message: keptDetail }),
      })),
      brokenTiles: Object.fromEntries(
        Object.keys(found.brokenTiles).map(tile => [tile, seen.brokenTiles[tile] ?? keptDetail]),
      ),
    };
  }

  /** Returns the newest valid revision, with the current file's errors. */
  async #asItWas(broken: WorkspaceDashboard): Promise<WorkspaceDashboard | undefined> {
    const file = this.fileOf(broken.id);
    const known = this.#opened.get(broken.id);
    if (known?.workspace === this.#store.current && known.text === broken.revision) return known.dashboard;
    const documentId = await this.texts.ids.find(file);
    if (documentId === undefined) return undefined;
    for (const { number } of await this.texts.revisions.of(documentId, { limit: 20 })) {
      const revision = await this.texts.revisions.text(documentId, number);
      const was = revision && this.#assembled(broken.id, file, revision.text);
      if (!was?.document) continue;
      const dashboard = {
        ...was,
        problems: broken.problems,
        ...(broken.updated && { updated: broken.updated }),
      };
      this.#opened.set(broken.id, { workspace: this.#store.current, text: broken.revision, dashboard });
      return dashboard;
    }
    return undefined;
  }
}

function notFound(): ProblemError {
  return new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
}
