import { rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { TrashedFile } from '../../state/documents/trash.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { createFile } from './create-file.ts';
import { dashboardNotFound, explorePrefix } from './dashboard-id.ts';
import type { DocumentFile, DocumentRepository } from './document-repository.ts';
import { keepDataFolder } from './keep-data-folder.ts';

/** The files of dashboards, each with those of its translations. */
export class DashboardFiles {
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;

  constructor(store: WorkspaceStore, texts: DocumentRepository) {
    this.#store = store;
    this.#texts = texts;
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
    if (path.posix.normalize(file) !== file || id.includes('\\')) throw dashboardNotFound();
    return file;
  }

  documentOf(id: string): DocumentFile {
    const document = { kind: 'dashboard', file: this.fileOf(id), draftId: id } as const;
    return id.startsWith(explorePrefix) ? { ...document, isExploration: true } : document;
  }

  /** Returns the identity to which records about a dashboard refer. */
  documentId(id: string): Promise<string> {
    return this.#texts.ids.of('dashboard', this.fileOf(id));
  }

  /** Reads a dashboard's file, which comes first, and its translations. @throws ProblemError `not-found` */
  async read(id: string): Promise<readonly TrashedFile[]> {
    const { documents } = this.#store;
    if (!documents.dashboards.has(id)) throw dashboardNotFound();
    const translations = documents.translations.get(id)?.values() ?? [];
    const files = [this.fileOf(id), ...[...translations].map(({ file }) => file)];
    const read = await Promise.all(files.map(async file => ({ file, text: await this.#texts.onDisk(file) })));
    return read.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  }

  /** Creates new files, then runs `then`; all or nothing. */
  async create(files: readonly TrashedFile[], then?: () => Promise<void>): Promise<void> {
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

  /** Deletes a folder of dashboards and those around it, as long as they are empty. */
  async deleteEmpty(folder: string): Promise<void> {
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
}
