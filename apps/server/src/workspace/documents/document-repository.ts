import type { DocumentKind, DocumentProblem } from '@belvedere/document';
import path from 'node:path';
import { ProblemError } from '../../problems.ts';
import { Drafts, type Draft } from '../../state/drafts.ts';
import { Revisions, textHash, type Revision } from '../../state/revisions.ts';
import type { StateDatabase } from '../../state/state-database.ts';
import { createFile, replaceFile } from './create-file.ts';
import { writeEditorSchemas } from './editor-schemas.ts';
import { readText, type Documents } from './read-documents.ts';
import type { WorkspaceStore } from '../workspace-store.ts';

/** A document that is a file of the workspace: its kind, its path, and its draft's key. */
export interface DocumentFile {
  readonly kind: DocumentKind;
  readonly file: string;
  /** A dashboard's ID, or `model:NAME`. */
  readonly draftId: string;
}

/**
 * Saves the workspace's documents. Every change has a base, is atomic, and is on disk before it is
 * acknowledged. Every text of a document is kept as a revision. Changes run one after another.
 */
export class DocumentRepository {
  readonly revisions: Revisions;
  readonly drafts: Drafts;
  readonly #store: WorkspaceStore;
  readonly #stop: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #noted: unknown;

  constructor(store: WorkspaceStore, state: StateDatabase) {
    this.#store = store;
    this.revisions = new Revisions(state);
    this.drafts = new Drafts(state);
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
  read({ kind, file }: DocumentFile): Promise<string | undefined> {
    return this.inTurn(async () => {
      const text = await this.onDisk(file);
      if (text !== undefined && (await this.#store.reader.read(kind, text, file)).ok)
        this.revisions.noteOnDisk([[file, text]]);
      return text;
    });
  }

  /** Returns a file's revisions, newest first, including all earlier changes and reads. */
  history(file: string): Promise<Revision[]> {
    return this.inTurn(async () => this.revisions.of(file));
  }

  /** Creates a file; never replaces one. @throws ProblemError `document-invalid`, `revision-conflict` */
  create(document: DocumentFile, text: string, message: string): Promise<Revision> {
    return this.inTurn(() => this.#create(document, text, message));
  }

  /**
   * Replaces the text whose hash is `base`; without `base`, creates a file.
   * @param draft the version of the draft that is saved and therefore deleted; newer drafts of the document
   * stay
   * @throws ProblemError `document-invalid` with every error, `revision-conflict` if the file on disk has
   * changed meanwhile
   */
  save(
    document: DocumentFile,
    text: string,
    base: string | undefined,
    message: string,
    draft?: number,
  ): Promise<Revision> {
    return this.inTurn(async () => {
      const { kind, file } = document;
      const read = await this.#store.reader.read(kind, text, file);
      if (!read.ok)
        throw new ProblemError(
          'document-invalid',
          `${read.problems[0]!.message} (${file}, line ${read.problems[0]!.line})`,
          { errors: read.problems.map(plainProblem) },
        );
      if (base === undefined) return this.#create(document, text, message, draft);
      const disk = await this.onDisk(file);
      if (disk !== text) {
        if (disk === undefined)
          throw new ProblemError(
            'revision-conflict',
            `\`${file}\` was deleted from the disk. Save it as a new file, or discard it.`,
          );
        if (textHash(disk) !== base)
          throw new ProblemError(
            'revision-conflict',
            `\`${file}\` changed in the meantime, on the disk or in another window. Nothing was overwritten. Merge the changes first.`,
          );
        this.revisions.noteOnDisk([[file, disk]]);
        await replaceFile(this.#store.folders.root, file.split('/'), text);
      }
      return this.#saved(document, text, message, draft);
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
      for (const {
        document: { file },
        follow,
      } of changes) {
        try {
          const disk = await this.onDisk(file);
          const text = disk === undefined ? undefined : await follow(disk);
          if (text === undefined || text === disk) continue;
          this.revisions.noteOnDisk([[file, disk!]]);
          await replaceFile(this.#store.folders.root, file.split('/'), text);
          this.revisions.add(file, text, 'saved', message);
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
    { kind, file, draftId }: DocumentFile,
    text: string,
    base: string,
    after: number,
    begun?: string,
  ): Promise<Draft> {
    const before = this.drafts.of(draftId);
    const baseText =
      before && (textHash(before.base) === base || before.base === begun)
        ? before.base
        : (begun ?? this.revisions.textOf(file, base) ?? (await this.#onDiskAs(file, base)));
    if (baseText === undefined)
      throw new ProblemError(
        'revision-conflict',
        'The version this draft is based on is no longer available. Reload the page; your text is kept.',
      );
    // Parses the draft now, so that its viewers find it in the cache.
    await this.#store.reader.read(kind, text, file);
    const draft = this.drafts.put(draftId, text, baseText, after);
    if (!draft) throw new ProblemError('revision-conflict', 'This draft was changed in another window.');
    this.#store.tell({ kind: 'draft', document: draftId, version: draft.version });
    return draft;
  }

  dropDraft(draftId: string): void {
    this.drafts.drop(draftId);
    this.#store.tell({ kind: 'draft', document: draftId, version: 0 });
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #create(document: DocumentFile, text: string, message: string, draft?: number): Promise<Revision> {
    const { root } = this.#store.folders;
    await createFile(root, document.file.split('/'), text);
    await writeEditorSchemas(root);
    return this.#saved(document, text, message, draft);
  }

  async #saved(
    { file, draftId }: DocumentFile,
    text: string,
    message: string,
    draft: number | undefined,
  ): Promise<Revision> {
    const revision = this.revisions.add(file, text, 'saved', message);
    const kept = this.drafts.of(draftId);
    // Another user's draft is merged when it is next opened.
    if (!kept || kept.version === draft || kept.text === text) this.dropDraft(draftId);
    await this.#store.refresh();
    return revision;
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
    const news = wholeTexts(documents).filter(({ file, text }) => !this.revisions.isLatest(file, text));
    if (news.length === 0) return;
    void this.inTurn(async () => {
      const isStillRead = ({ file, text }: ReadText) =>
        wholeTexts(this.#store.documents).some(now => now.file === file && now.text === text);
      const isUnknown = ({ file, text }: ReadText) =>
        this.revisions.textOf(file, textHash(text)) === undefined;
      const isNew = async (one: ReadText) =>
        (await this.onDisk(one.file)) === one.text || (isUnknown(one) && isStillRead(one));
      const found = await Promise.all(
        news.map(async one => ((await isNew(one)) ? [[one.file, one.text] as const] : [])),
      );
      this.revisions.noteOnDisk(found.flat());
    }).catch(() => {});
  }

  async #onDiskAs(file: string, hash: string): Promise<string | undefined> {
    const disk = await this.onDisk(file);
    return disk !== undefined && textHash(disk) === hash ? disk : undefined;
  }
}

interface ReadText {
  readonly file: string;
  readonly text: string;
}

function wholeTexts({ dashboards, models }: Documents): readonly ReadText[] {
  return [...dashboards.values(), ...models.values()].filter(({ read }) => read.ok);
}

export function plainProblem({ file, path: at, line, column, message, suggestion }: DocumentProblem) {
  return { file, path: at, line, column, message, ...(suggestion && { suggestion }) };
}
