import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ProblemError } from '../../http/problems.ts';
import { storageProblem } from '../../operations/storage-problem.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import {
  Trash,
  type TrashedDocument,
  type TrashedFile,
  type TrashedKind,
} from '../../state/documents/trash.ts';
import { retentionOf } from '../retention.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { mayWrite, syncedFolder } from './create-file.ts';
import { DashboardFiles } from './dashboard-files.ts';
import type { DocumentRepository } from './document-repository.ts';
import { requireRoom } from './scheduled-document-store.ts';

/** A document that is moved to the trash. */
interface RemovedDocument {
  readonly title: string;
  /** Its own file first, then those of its translations. */
  readonly files: readonly TrashedFile[];
  /** How events name its draft. */
  readonly draftId: string;
}

/** Moves dashboards, models, alerts and reports to the trash and back. */
export class DocumentTrash {
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;
  readonly #files: DashboardFiles;
  readonly #state: StateDatabase;
  readonly #records: Trash;

  constructor(store: WorkspaceStore, texts: DocumentRepository, state: StateDatabase) {
    this.#store = store;
    this.#texts = texts;
    this.#files = new DashboardFiles(store, texts);
    this.#state = state;
    this.#records = new Trash(state);
  }

  /** Newest first. */
  all(): Promise<readonly TrashedDocument[]> {
    return this.#records.all();
  }

  /** Returns the text of a document in the trash. */
  async text(number: number): Promise<string | undefined> {
    return (await this.#records.find(number))?.files[0]?.text;
  }

  /**
   * Moves a document to the trash, a dashboard with its translations, with its users' data, so that another one
   * may take its name.
   * @returns its number in the trash
   * @throws ProblemError `not-found`, `state-unavailable`
   */
  remove(kind: TrashedKind, name: string): Promise<number> {
    return this.#texts.inTurn(async () => {
      const { root } = this.#store.folders;
      mayWrite(root);
      const removed = await this.#read(kind, name);
      const { files, draftId } = removed;
      const number = await this.#record(kind, name, removed);
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
      this.#store.tell({ kind: 'draft', document: draftId, version: 0 });
      await this.#store.refresh();
      return number;
    });
  }

  /**
   * Restores a document from the trash, with all of its records.
   * @throws ProblemError `not-found`, or `revision-conflict` if its path is taken
   */
  restore(number: number): Promise<TrashedDocument> {
    return this.#texts.inTurn(async () => {
      const found = await this.#records.find(number);
      if (!found) throw new ProblemError('not-found', 'This is no longer in the trash.');
      if (found.kind === 'alert' || found.kind === 'report') requireRoom(this.#store);
      await this.#files.create(found.files, () => this.#takeOut(number));
      await this.#store.refresh();
      return found;
    });
  }

  /**
   * Must be called before the workspace is read. Takes documents out of the trash whose files are all
   * unchanged, since a crash interrupted their removal or restoring.
   */
  recover(): Promise<void> {
    return this.#texts.inTurn(async () => {
      const recovered = new Set<string>();
      for (const { number } of await this.#records.all()) {
        const { files = [] } = (await this.#records.find(number)) ?? {};
        const texts = await Promise.all(files.map(({ file }) => this.#texts.onDisk(file)));
        const main = files[0]?.file;
        if (main === undefined || recovered.has(main) || files.some(({ text }, i) => text !== texts[i]))
          continue;
        recovered.add(main);
        await this.#takeOut(number);
      }
    });
  }

  /** Deletes the documents that have been in the trash for too long. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    const retention = retentionOf(this.#store.current, now);
    if (!retention) return;
    for (const { documentId } of await this.#records.deletedBefore(retention.trashFrom)) {
      await this.#texts.ids.delete(documentId);
      await turn();
    }
  }

  /** Reads what is moved to the trash. @throws ProblemError `not-found` */
  async #read(kind: TrashedKind, name: string): Promise<RemovedDocument> {
    const { current, documents } = this.#store;
    if (kind === 'dashboard') {
      const files = await this.#files.read(name);
      return { title: current.dashboards.get(name)?.title ?? name, files: some(files, kind), draftId: name };
    }
    const known = { model: documents.models, alert: documents.alerts, report: documents.reports }[kind];
    const file = known.get(name)?.file;
    const text = file === undefined ? undefined : await this.#texts.onDisk(file);
    const files = file === undefined || text === undefined ? [] : [{ file, text }];
    const title = {
      model: current.models.get(name)?.model.label,
      alert: current.alerts.get(name)?.document?.title,
      report: current.reports.get(name)?.document?.title,
    }[kind];
    return { title: title ?? name, files: some(files, kind), draftId: `${kind}:${name}` };
  }

  #record(kind: TrashedKind, name: string, { title, files }: RemovedDocument): Promise<number> {
    const { file } = files[0]!;
    return this.#state.transaction(async () => {
      const documentId = await this.#texts.ids.of(kind, file);
      const number = await this.#records.put({ documentId, name, title, files });
      await this.#texts.ids.retire(file);
      return number;
    });
  }

  /** Takes a document out of the trash, with all records about it. */
  #takeOut(number: number): Promise<void> {
    return this.#state.transaction(async () => {
      const found = await this.#records.find(number);
      const file = found?.files[0]?.file;
      if (!found || file === undefined) return;
      await this.#texts.ids.restore(found.documentId, file);
      await this.#records.forget(number);
    });
  }
}

/** @throws ProblemError `not-found` if there are none */
function some(files: readonly TrashedFile[], kind: TrashedKind): readonly TrashedFile[] {
  if (files.length > 0) return files;
  throw new ProblemError('not-found', `This ${kind} does not exist, or was not shared with you.`);
}
