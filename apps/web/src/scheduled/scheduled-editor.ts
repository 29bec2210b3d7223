import type { DocumentOf, Path } from '@belvedere/document';
import {
  DocumentEditor,
  type Backup,
  type DocumentServer,
  type DocumentState,
  type OpenedText,
} from '../editor/state/document-editor.ts';
import { dropLocalDraft, readLocalDraft, writeLocalDraft } from './local-draft.ts';

export type ScheduledKind = 'alert' | 'report';

/** How the texts of alerts or reports are read and saved. */
export interface ScheduledTexts {
  /** @throws ApiError */
  get(id: string): Promise<{ readonly file: string; readonly text: string; readonly hash: string }>;
  /** Without `base`, creates a file. @throws ApiError */
  save(id: string, text: string, base: string | undefined): Promise<{ readonly hash: string }>;
}

interface Opening<K extends ScheduledKind> {
  readonly kind: K;
  /** The document's ID; undefined for one without a file. */
  readonly id: string | undefined;
  /** The text of a document without a file. */
  readonly initial: { readonly text: string; readonly document: DocumentOf<K> };
  readonly texts: ScheduledTexts;
  /** Chooses the ID under which a new document is saved. */
  readonly nameOf: (document: DocumentOf<K>) => string;
}

/** Drafts of alerts and reports stay in the browser, and so need no other back-up. */
const noBackup: Backup = { read: () => undefined, write: () => {}, drop: () => {} };

/**
 * An alert or a report being edited by form and text. What was not saved stays in this browser. Once saved, a
 * new document has an ID.
 */
export class ScheduledEditor<K extends ScheduledKind> extends DocumentEditor<K, undefined, DocumentState<K>> {
  readonly #server: ScheduledServer<K>;

  static async open<K extends ScheduledKind>(opening: Opening<K>): Promise<ScheduledEditor<K>> {
    const server = new ScheduledServer(opening);
    const opened = await server.open();
    const editor = new ScheduledEditor(opening, server, opened);
    server.document = () => editor.state.document;
    editor.resume(opened);
    return editor;
  }

  private constructor({ kind, initial }: Opening<K>, server: ScheduledServer<K>, opened: OpenedText) {
    super({
      kind,
      id: server.draftId,
      server,
      backup: noBackup,
      opened,
      placeholder: initial.document,
      begin: state => state,
    });
    this.#server = server;
  }

  /** The document's ID; undefined until a new one has been saved. */
  get documentId(): string | undefined {
    return this.#server.id;
  }

  /** Whether the text differs from the file. */
  get isChanged(): boolean {
    const { text, base } = this.state;
    return base.hash === undefined || text !== base.text;
  }

  /** A thing of the document is chosen by its path, joined by dots. */
  override pathOf(selected: string): Path {
    return selected.split('.').map(step => (/^\d+$/.test(step) ? Number(step) : step));
  }

  override chooseAt(path: Path): void {
    this.select(path.join('.'));
  }

  protected override follow(): Partial<DocumentState<K>> {
    return {};
  }

  protected override show(): void {}

  protected override isNews(): boolean {
    return false;
  }
}

class ScheduledServer<K extends ScheduledKind> implements DocumentServer<undefined> {
  id: string | undefined;
  readonly draftId: string;
  document: () => DocumentOf<K>;
  readonly #opening: Opening<K>;

  constructor(opening: Opening<K>) {
    this.#opening = opening;
    this.id = opening.id;
    this.draftId = `${opening.kind}:${opening.id ?? 'new'}`;
    this.document = () => opening.initial.document;
  }

  async open(): Promise<OpenedText> {
    const { texts, kind, initial } = this.#opening;
    const opened =
      this.id === undefined ? { file: `${kind}s/new.yaml`, text: initial.text } : await texts.get(this.id);
    // A new document begins with what it is made for, not with what was left of another one.
    const draft = this.id === undefined ? undefined : readLocalDraft(this.draftId);
    return { ...opened, ...(draft && { draft }) };
  }

  async made(): Promise<undefined> {
    return undefined;
  }

  async putDraft(text: string, baseHash: string | undefined, after: number) {
    const base =
      this.id === undefined ? this.#opening.initial.text : (await this.#opening.texts.get(this.id)).text;
    writeLocalDraft(this.draftId, { text, base, baseHash, version: after + 1 });
    return { version: after + 1, made: undefined };
  }

  async dropDraft(): Promise<void> {
    dropLocalDraft(this.draftId);
  }

  async save(text: string, base: string | undefined) {
    const id = this.id ?? this.#opening.nameOf(this.document());
    const { hash } = await this.#opening.texts.save(id, text, base);
    dropLocalDraft(this.draftId);
    this.id = id;
    return { hash };
  }
}
