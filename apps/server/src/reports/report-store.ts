import { editText, nameFrom, writeDocument, type ReportFile } from '@belvedere/document';
import { ProblemError } from '../problems.ts';
import { textHash } from '../state/revisions.ts';
import type { DocumentFile, DocumentRepository } from '../workspace/documents/document-repository.ts';
import type { ScheduledDocument } from '../workspace/workspace.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';

/** Alerts and reports of a workspace, together. */
const mostDocuments = 1000;

/** Writes the texts of reports. */
export class ReportStore {
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;

  constructor(store: WorkspaceStore, texts: DocumentRepository) {
    this.#store = store;
    this.#texts = texts;
  }

  documentId({ file }: Pick<ScheduledDocument<ReportFile>, 'file'>): Promise<string> {
    return this.#texts.ids.of('report', file);
  }

  /**
   * Creates a report under a free name made of its title and its owner's name.
   * @throws ProblemError `request-invalid` if the workspace has too many
   */
  async create(document: ReportFile, by: string, message: string): Promise<string> {
    const { reports, alerts } = this.#store.current;
    if (reports.size + alerts.size >= mostDocuments)
      throw new ProblemError(
        'request-invalid',
        `This workspace has ${mostDocuments} alerts and reports already, the most there can be. Delete some first.`,
      );
    const name = `subscriptions/${nameFrom(document.title)}-${nameFrom(by)}`.replaceAll('_', '-');
    let id = name;
    for (let n = 2; reports.has(id); n++) id = `${name}-${n}`;
    const file = documentFile(id);
    await this.#texts.create(file, writeDocument(document, 'report', file.file), message);
    return id;
  }

  /** Pauses or resumes a report: one line of its text. */
  async setPaused(id: string, isPaused: boolean): Promise<void> {
    const file = documentFile(id, this.#store.current.reports.get(id)?.file);
    const text = await this.#texts.read(file);
    if (text === undefined) throw new ProblemError('not-found', 'This report was deleted.');
    const path = ['paused'];
    const edited = editText(text, [
      isPaused ? { kind: 'set', path, value: true } : { kind: 'remove', path },
    ]);
    if (edited !== text)
      await this.#texts.save(file, edited, textHash(text), isPaused ? 'paused' : 'resumed');
  }
}

function documentFile(id: string, file = `reports/${id}.yaml`): DocumentFile {
  return { kind: 'report', file, draftId: `report:${id}` };
}
