import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ProblemError } from '../../http/problems.ts';
import { storageProblem } from '../../operations/storage-problem.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { Trash, type TrashedDashboard, type TrashedFile } from '../../state/documents/trash.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { mayWrite, syncedFolder } from './create-file.ts';
import type { DashboardFiles } from './dashboard-files.ts';
import { dashboardNotFound } from './dashboard-id.ts';
import type { DocumentRepository } from './document-repository.ts';

/** Moves dashboards to the trash and back. */
export class DashboardTrash {
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;
  readonly #files: DashboardFiles;
  readonly #state: StateDatabase;
  readonly #records: Trash;
  readonly #onRemove: (id: string) => void;

  /** @param onRemove called after a dashboard was moved to the trash */
  constructor(
    store: WorkspaceStore,
    texts: DocumentRepository,
    files: DashboardFiles,
    state: StateDatabase,
    onRemove: (id: string) => void,
  ) {
    this.#store = store;
    this.#texts = texts;
    this.#files = files;
    this.#state = state;
    this.#records = new Trash(state);
    this.#onRemove = onRemove;
  }

  /** Newest first. */
  all(): Promise<readonly TrashedDashboard[]> {
    return this.#records.all();
  }

  /**
   * Moves a dashboard to the trash, with its translations and its users' data, so that another one may take
   * its ID.
   * @returns its number in the trash
   */
  remove(id: string): Promise<number> {
    return this.#texts.inTurn(async () => {
      const { root } = this.#store.folders;
      mayWrite(root);
      const files = await this.#files.read(id);
      if (files.length === 0) throw dashboardNotFound();
      const number = await this.#record(id, files);
      const deleted: TrashedFile[] = [];
      try {
        for (const one of files) {
          await unlink(path.join(root, one.file));
          deleted.push(one);
        }
        await syncedFolder(root, path.join(root, path.dirname(files[0]!.file)));
      } catch (error) {
        // If they cannot be restored, they stay in the trash.
        await this.#files.create(deleted);
        await this.#takeOut(number);
        throw storageProblem(error, `Could not remove \`${files[0]!.file}\``) ?? error;
      }
      this.#onRemove(id);
      this.#store.tell({ kind: 'draft', document: id, version: 0 });
      await this.#store.refresh();
      return number;
    });
  }

  /**
   * Restores a dashboard from the trash, with all of its records. @throws ProblemError `revision-conflict` if
   * its path is taken
   */
  restore(number: number): Promise<string> {
    return this.#texts.inTurn(async () => {
      const found = await this.#records.find(number);
      if (!found) throw new ProblemError('not-found', 'This dashboard is no longer in the trash.');
      await this.#files.create(found.files, () => this.#takeOut(number));
      await this.#store.refresh();
      return found.dashboard;
    });
  }

  /**
   * Must be called before the workspace is read. Takes dashboards out of the trash whose files are all
   * unchanged, since a crash interrupted their removal or restoring.
   */
  recover(): Promise<void> {
    return this.#texts.inTurn(async () => {
      const recovered = new Set<string>();
      for (const { number, dashboard } of await this.#records.all()) {
        const { files = [] } = (await this.#records.find(number)) ?? {};
        const texts = await Promise.all(files.map(({ file }) => this.#texts.onDisk(file)));
        if (recovered.has(dashboard) || files.length === 0 || files.some(({ text }, i) => text !== texts[i]))
          continue;
        recovered.add(dashboard);
        await this.#takeOut(number);
      }
    });
  }

  /** Deletes the dashboards that have been in the trash for too long. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    for (const { documentId } of await this.#records.expired(now)) {
      await this.#texts.ids.delete(documentId);
      await turn();
    }
  }

  #record(id: string, files: readonly TrashedFile[]): Promise<number> {
    const title = this.#store.current.dashboards.get(id)?.title ?? id;
    return this.#state.transaction(async () => {
      const number = await this.#records.put(await this.#files.documentId(id), id, title, files);
      await this.#texts.ids.retire(this.#files.fileOf(id));
      return number;
    });
  }

  /** Takes a dashboard out of the trash, with all records about it. */
  #takeOut(number: number): Promise<void> {
    return this.#state.transaction(async () => {
      const found = await this.#records.find(number);
      if (!found) return;
      const file = found.files[0]?.file ?? this.#files.fileOf(found.dashboard);
      await this.#texts.ids.restore(found.documentId, file);
      await this.#records.forget(number);
    });
  }
}
