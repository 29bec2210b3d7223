import type { DocumentOf } from '@belvedere/document';
import { ProblemError } from '../../http/problems.ts';
import { textHash, type Revision } from '../../state/documents/revisions.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { checkedId } from './dashboard-id.ts';
import type { DocumentFile, DocumentRepository, SaveNote } from './document-repository.ts';

/** Alerts and reports of a workspace, together. */
const maxDocuments = 1000;
const folders = { alert: 'alerts', report: 'reports' } as const;

/** @throws ProblemError `request-invalid` if there are as many alerts and reports as there can be */
export function requireRoom({ documents: { alerts, reports } }: WorkspaceStore): void {
  if (alerts.size + reports.size < maxDocuments) return;
  throw new ProblemError(
    'request-invalid',
    `This workspace has ${maxDocuments} alerts and reports already, the most there can be. Delete some first.`,
  );
}

/** The alerts or the reports of the workspace as editable texts. */
export class ScheduledDocumentStore<K extends 'alert' | 'report'> {
  readonly kind: K;
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;

  constructor(kind: K, store: WorkspaceStore, texts: DocumentRepository) {
    this.kind = kind;
    this.#store = store;
    this.#texts = texts;
  }

  /** @throws ProblemError `not-found` */
  async text(id: string): Promise<{ readonly file: string; readonly text: string; readonly hash: string }> {
    const document = this.#documentOf(id);
    const text = await this.#texts.read(document);
    if (text === undefined) throw this.#notFound();
    return { file: document.file, text, hash: textHash(text) };
  }

  /**
   * Replaces the text whose hash is `base`; without `base`, creates a file.
   * @throws ProblemError as `DocumentRepository.save`, or `request-invalid` if there are too many
   */
  async save(id: string, text: string, base: string | undefined, note: SaveNote): Promise<Revision> {
    if (base === undefined) requireRoom(this.#store);
    return this.#texts.save(this.#documentOf(id), text, base, note);
  }

  /** Returns what a text says. @throws ProblemError `document-invalid` with every error */
  async read(id: string, text: string): Promise<DocumentOf<K>> {
    return this.#texts.readValid(this.#documentOf(id), text) as Promise<DocumentOf<K>>;
  }

  /** The identity of a document, to which the records about it refer. */
  documentId(id: string): Promise<string> {
    return this.#texts.ids.of(this.kind, this.#documentOf(id).file);
  }

  #documentOf(id: string): DocumentFile & { readonly kind: K } {
    const { alerts, reports } = this.#store.documents;
    const known = (this.kind === 'alert' ? alerts : reports).get(id)?.file;
    return {
      kind: this.kind,
      file: known ?? `${folders[this.kind]}/${checkedId(id)}.yaml`,
      draftId: `${this.kind}:${id}`,
    };
  }

  #notFound(): ProblemError {
    return new ProblemError(
      'not-found',
      this.kind === 'alert' ? 'This alert no longer exists.' : 'This report no longer exists.',
    );
  }
}
