import type { DocumentKind, DocumentProblem } from '@belvedere/document';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import { DocumentIds, type DocumentIdKind } from '../../state/documents/document-ids.ts';
import { Drafts, type Draft } from '../../state/documents/drafts.ts';
import { Revisions, textHash, type Revision, type RevisionNote } from '../../state/documents/revisions.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { createFile, replaceFile } from './create-file.ts';
import { keepDataFolder } from './keep-data-folder.ts';
import { writeEditorSchemas } from './editor-schemas.ts';
import { readText, type Documents } from './read-documents.ts';
import type { WorkspaceStore } from '../workspace-store.ts';

/** A document that is, or would be, a file of the workspace. */
export interface DocumentFile {
  readonly kind: DocumentKind & DocumentIdKind;
  readonly file: string;
  /** How events name its draft: a dashboard's ID, or `model:NAME`. */
  readonly draftId: string;
  /** An exploration of a model: a dashboard that is only ever a draft. */
  readonly isExploration?: true;
}

/** What is said of a text that is saved, beside the text. */
export interface SaveNote extends RevisionNote {
  /** The version of the draft that is saved and therefore deleted; newer drafts of the document stay. */
  readonly draft?: number | undefined;
}

/**
 * Saves the workspace's documents. Every change has a base, is atomic, and is on disk before it is
 * acknowledged. Every text of a document is kept as a revision. Changes run one after another.
 */
export class DocumentRepository {
  readonly revisions: Revisions;
  readonly drafts: Drafts;
  readonly ids: DocumentIds;
  readonly #store: WorkspaceStore;
  readonly #state: StateDatabase;
  readonly #stop: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #noted: unknown;

  constructor(store: WorkspaceStore, state: StateDatabase) {
    this.#store = store;
    this.revisions = new Revisions(state);
    this.drafts = new Drafts(state);
    this.ids = new DocumentIds(state);
    this.#state = state;
    this.#stop = store.subscribe(event => event.kind === 'workspace' && this.#note());
    this.#note();
  }

  /** Resolves when all started changes are complete. */
  async close(): Promise<void> {
    this.#stop();
    await this.#turn;
  }

  async onDisk(file: string): Promise<string | undefined> {
    return (await readText(path.join(this.#store.folders.root, file)))?.text;
  }

  /**
   * Returns a document's text on disk and records it as a revision if it is valid. Runs between changes,
   * never during one.
   */
  read(document: DocumentFile): Promise<string | undefined> {
    return this.inTurn(async () => {
      const { kind, file } = document;
      const text = await this.onDisk(file);
      if (text !== undefined && (await this.#store.reader.read(kind, text, file)).ok)
        // A document stays readable on a full disk. Its revision is recorded when it is next read.
        await this.#noteOnDisk([{ ...document, text }]).catch(ignoreUnavailable);
      return text;
    });
  }

  /** Returns a document's revisions, newest first, including all earlier changes and reads. */
  history({ file }: Pick<DocumentFile, 'file'>, page?: Parameters<Revisions['of']>[1]): Promise<Revision[]> {
    return this.inTurn(async () => {
      const id = await this.ids.find(file);
      return id === undefined ? [] : this.revisions.of(id, page);
    });
  }

  /** Returns one revision of a document with its text. */
  async revision(file: string, number: number): Promise<(Revision & { readonly text: string }) | undefined> {
    const id = await this.ids.find(file);
    return id === undefined ? undefined : this.revisions.text(id, number);
  }

  async draft(document: DocumentFile): Promise<Draft | undefined> {
    const id = await this.ids.find(pathOf(document));
    return id === undefined ? undefined : this.drafts.of(id);
  }

  /** Creates a file; never replaces one. @throws ProblemError `document-invalid`, `revision-conflict` */
  create(document: DocumentFile, text: string, note: SaveNote): Promise<Revision> {
    return this.inTurn(() => this.#create(document, text, note));
  }

  /**
   * Replaces the text whose hash is `base`; without `base`, creates a file.
   * @throws ProblemError `document-invalid` with every error, `revision-conflict` if the file on disk has
   * changed meanwhile
   */
  save(document: DocumentFile, text: string, base: string | undefined, note: SaveNote): Promise<Revision> {
    return this.inTurn(async () => {
      const { file } = document;
      await this.readValid(document, text);
      if (base === undefined) return this.#create(document, text, note);
      const disk = await this.onDisk(file);
      if (disk !== text) {
        if (disk === undefined)
          throw new ProblemError(
            'revision-conflict',
            `\`${file}\` was deleted from the disk. Save it as a new file, or discard it.`,
          );
        if (textHash(disk) !== base) throw changedMeanwhile(file, textHash(disk));
        await this.#noteOnDisk([{ ...document, text: disk }]);
        await replaceFile(this.#store.folders.root, file.split('/'), text);
      }
      return this.#saved(document, text, note);
    });
  }

  /** Returns what a text says. @throws ProblemError `document-invalid` with every error */
  async readValid({ kind, file }: Pick<DocumentFile, 'kind' | 'file'>, text: string): Promise<unknown> {
    const read = await this.#store.reader.read(kind, text, file);
    if (read.ok) return read.value;
    const [first] = read.problems;
    throw new ProblemError('document-invalid', `${first!.message} (${file}, line ${first!.line})`, {
      errors: read.problems.map(plainProblem),
    });
  }

  /**
   * Changes several documents, each from its current text, then reads the workspace once. Files that cannot
   * be written stay unchanged, as do other users' drafts.
   * @returns the unchanged files
   */
  rewrite(
    changes: readonly {
      readonly document: DocumentFile;
      readonly follow: (text: string) => string | Promise<string>;
    }[],
    message: string,
  ): Promise<readonly string[]> {
    return this.inTurn(async () => {
      const left: string[] = [];
      for (const { document, follow } of changes) {
        const { kind, file } = document;
        try {
          const disk = await this.onDisk(file);
          const text = disk === undefined ? undefined : await follow(disk);
          if (text === undefined || text === disk) continue;
          await this.#noteOnDisk([{ ...document, text: disk! }]);
          await replaceFile(this.#store.folders.root, file.split('/'), text);
          await this.revisions.add(await this.ids.of(kind, file), text, 'saved', { message });
        } catch {
          left.push(file);
        }
      }
      await this.#store.refresh();
      return left;
    });
  }

  /**
   * Saves a draft.
   * @param base the hash of the text it is based on, or was last merged with
   * @param after the version that was changed; 0 for the first
   * @param begun the base text of a draft without a file
   * @throws ProblemError `revision-conflict` if another window changed it first
   */
  async putDraft(
    document: DocumentFile,
    text: string,
    base: string,
    after: number,
    begun?: string,
  ): Promise<Draft> {
    const { kind, file, draftId } = document;
    const id = await this.ids.of(document.isExploration ? 'exploration' : kind, pathOf(document));
    const before = await this.drafts.of(id);
    const baseText =
      before && (textHash(before.base) === base || before.base === begun)
        ? before.base
        : (begun ?? (await this.revisions.textOf(id, base)) ?? (await this.#onDiskAs(file, base)));
    if (baseText === undefined)
      throw new ProblemError(
        'revision-conflict',
        'The version this draft is based on is no longer available. Reload the page; your text is kept.',
      );
    // Parses the draft now, so that its viewers find it in the cache.
    await this.#store.reader.read(kind, text, file);
    const draft = await this.drafts.put(id, text, baseText, after);
    if (!draft) throw new ProblemError('revision-conflict', 'This draft was changed in another window.');
    this.#store.tell({ kind: 'draft', document: draftId, version: draft.version });
    return draft;
  }

  async dropDraft(document: DocumentFile): Promise<void> {
    const id = await this.ids.find(pathOf(document));
    if (id !== undefined) await (document.isExploration ? this.ids.delete(id) : this.drafts.drop(id));
    this.#store.tell({ kind: 'draft', document: document.draftId, version: 0 });
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #create(document: DocumentFile, text: string, note: SaveNote): Promise<Revision> {
    const { root } = this.#store.folders;
    await keepDataFolder(this.#store.folders);
    await createFile(root, document.file.split('/'), text);
    await writeEditorSchemas(root);
    return this.#saved(document, text, note);
  }

  async #saved(document: DocumentFile, text: string, { draft, ...note }: SaveNote): Promise<Revision> {
    const id = await this.ids.of(document.kind, document.file);
    const revision = await this.revisions.add(id, text, 'saved', note);
    const kept = await this.drafts.of(id);
    // Another user's draft is merged when it is next opened.
    if (!kept || kept.version === draft || kept.text === text) await this.dropDraft(document);
    await this.#store.refresh();
    return revision;
  }

  /** Records the texts on disk that are new, all or none of them. */
  async #noteOnDisk(texts: readonly ReadText[]): Promise<void> {
    const news: ReadText[] = [];
    for (const one of texts) {
      const id = await this.ids.find(one.file);
      if (id === undefined || !(await this.revisions.isLatest(id, one.text))) news.push(one);
    }
    // A transaction needs room on the disk, also if it changes nothing.
    if (news.length === 0) return;
    await this.#state.transaction(async () => {
      for (const { kind, file, text } of news)
        await this.revisions.add(await this.ids.of(kind, file), text, 'disk');
    });
  }

  /**
   * Records valid texts that other programs wrote to disk. A text just read may be one that is being saved
   * here, or one from before a save or a removal. Therefore this runs between changes and compares the disk,
   * the last read and the known revisions.
   */
  #note(): void {
    const { documents } = this.#store;
    if (documents === this.#noted) return;
    this.#noted = documents;
    void this.inTurn(async () => {
      const latest = await this.revisions.latestHashes();
      const news = wholeTexts(documents).filter(({ file, text }) => latest.get(file) !== textHash(text));
      if (news.length === 0) return;
      const isStillRead = ({ file, text }: ReadText) =>
        wholeTexts(this.#store.documents).some(now => now.file === file && now.text === text);
      const isUnknown = async ({ file, text }: ReadText) => {
        const id = await this.ids.find(file);
        return id === undefined || (await this.revisions.textOf(id, textHash(text))) === undefined;
      };
      const isNew = async (one: ReadText) =>
        (await this.onDisk(one.file)) === one.text || ((await isUnknown(one)) && isStillRead(one));
      const found = await Promise.all(news.map(async one => ((await isNew(one)) ? [one] : [])));
      await this.#noteOnDisk(found.flat());
    }).catch(() => {});
  }

  async #onDiskAs(file: string, hash: string): Promise<string | undefined> {
    const disk = await this.onDisk(file);
    return disk !== undefined && textHash(disk) === hash ? disk : undefined;
  }
}

/** Says that a file is no longer what was read, with the version that it has now. */
export function changedMeanwhile(file: string, version: string): ProblemError {
  return new ProblemError(
    'revision-conflict',
    `\`${file}\` changed in the meantime, on the disk or in another window. Nothing was overwritten. Merge the changes first.`,
    { version },
  );
}

/** @throws the error, unless the state database cannot be written at the moment */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof ProblemError && error.type === 'state-unavailable')) throw error;
}

interface ReadText {
  readonly kind: DocumentKind & DocumentIdKind;
  readonly file: string;
  readonly text: string;
}

function wholeTexts({ dashboards, models }: Documents): readonly ReadText[] {
  return [
    ...[...dashboards.values()].map(one => ({ ...one, kind: 'dashboard' as const })),
    ...[...models.values()].map(one => ({ ...one, kind: 'model' as const })),
  ].filter(({ read }) => read.ok);
}

/** Returns the path that identifies a document. An exploration has no file, only a name. */
function pathOf({ isExploration, draftId, file }: DocumentFile): string {
  return isExploration ? draftId : file;
}

export function plainProblem({ file, path: at, line, column, message, suggestion }: DocumentProblem) {
  return { file, path: at, line, column, message, ...(suggestion && { suggestion }) };
}
