import { editText, nameFrom, writeDocument, type ReportFile } from '@belvedere/document';
import type { ScheduledDocumentStore } from '../workspace/documents/scheduled-document-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';

/** Writes the texts of reports. */
export class ReportStore {
  readonly #store: WorkspaceStore;
  readonly #documents: ScheduledDocumentStore<'report'>;

  constructor(store: WorkspaceStore, documents: ScheduledDocumentStore<'report'>) {
    this.#store = store;
    this.#documents = documents;
  }

  documentId(id: string): Promise<string> {
    return this.#documents.documentId(id);
  }

  /**
   * Creates a report under a free name made of its title and its owner's name.
   * @throws ProblemError `request-invalid` if the workspace has too many
   */
  async create(document: ReportFile, by: string, message: string): Promise<string> {
    const { reports } = this.#store.current;
    const name = `subscriptions/${nameFrom(document.title)}-${nameFrom(by)}`.replaceAll('_', '-');
    let id = name;
    for (let n = 2; reports.has(id); n++) id = `${name}-${n}`;
    const text = writeDocument(document, 'report', `reports/${id}.yaml`);
    await this.#documents.save(id, text, undefined, { message });
    return id;
  }

  /** Pauses or resumes a report: one line of its text. */
  async setPaused(id: string, isPaused: boolean): Promise<void> {
    const { text, hash } = await this.#documents.text(id);
    const path = ['paused'];
    const edited = editText(text, [isPaused ? { kind: 'set', path, value: true } : { kind: 'remove', path }]);
    if (edited !== text)
      await this.#documents.save(id, edited, hash, { message: isPaused ? 'paused' : 'resumed' });
  }
}
