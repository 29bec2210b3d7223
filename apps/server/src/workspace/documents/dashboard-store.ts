import { writeDocument, type DashboardFile } from '@belvedere/document';
import type { EventNote } from '@belvedere/api';
import { UserPreferences } from '../../state/accounts/user-preferences.ts';
import { EventNotes } from '../../state/documents/event-notes.ts';
import type { Draft } from '../../state/documents/drafts.ts';
import { textHash, type Revision } from '../../state/documents/revisions.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { assembleDashboardInSteps } from '../assemble-dashboard.ts';
import { finishInTurns } from '../steps.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace.ts';
import { retentionOf } from '../retention.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { DashboardFiles } from './dashboard-files.ts';
import { dashboardNotFound, draftPrefix, explorePrefix, isPublished, revisionIn } from './dashboard-id.ts';
import { DashboardMoves } from './dashboard-moves.ts';
import type { DocumentRepository, SaveNote } from './document-repository.ts';
import { withVisibleProblems } from './visible-problems.ts';

/** A dashboard's text on disk and its draft. */
export interface DashboardText {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly hash: string;
  readonly draft?: Draft & { readonly baseHash: string };
}

/** A dashboard as it was last assembled from its draft, or from an earlier revision. */
interface AssembledText {
  readonly workspace: Workspace;
  readonly text: string;
  readonly dashboard: WorkspaceDashboard;
}

const dayMs = 24 * 3600_000;
/** How long the records of a document are kept whose file was deleted on disk and replaced by another one. */
const retiredDays = 30;
const maxAssembled = 100;

/** The workspace's dashboards, with their drafts and earlier revisions. */
export class DashboardStore {
  readonly texts: DocumentRepository;
  readonly preferences: UserPreferences;
  readonly notes: EventNotes;
  readonly moves: DashboardMoves;
  readonly #store: WorkspaceStore;
  readonly #files: DashboardFiles;
  readonly #assembledTexts = new Map<string, AssembledText>();

  constructor(store: WorkspaceStore, texts: DocumentRepository, state: StateDatabase) {
    this.#store = store;
    this.texts = texts;
    this.preferences = new UserPreferences(state);
    this.notes = new EventNotes(state);
    this.#files = new DashboardFiles(store, texts);
    this.moves = new DashboardMoves(store, texts, this.#files, state);
  }

  /**
   * Returns a dashboard or its draft. If its file has errors, its last valid revision is returned.
   * @param granted the models that a draft or revision may use, and that errors may name; by default all
   */
  async find(id: string, granted?: Workspace): Promise<WorkspaceDashboard | undefined> {
    const revision = revisionIn(id);
    if (revision) {
      const file = this.fileOf(revision.dashboard);
      const found = await this.texts.revision(file, revision.number);
      return found && (await this.#assembled(id, file, found.text, granted));
    }
    if (id.startsWith(draftPrefix)) return this.#findDraft(id, granted ?? this.#store.current);
    const found = this.#store.current.dashboards.get(id);
    const shown = found?.state === 'broken' ? ((await this.#lastValid(found)) ?? found) : found;
    return shown && granted?.whole ? withVisibleProblems(shown, this.#store.documents, granted) : shown;
  }

  /** Returns a draft. While it is invalid, its last valid version stays visible. */
  async #findDraft(id: string, workspace: Workspace): Promise<WorkspaceDashboard | undefined> {
    const of = id.slice(draftPrefix.length);
    const draft = await this.texts.draft(this.#files.documentOf(of));
    if (!draft) return undefined;
    const known = this.#assembledTexts.get(id);
    if (known?.workspace === workspace && known.text === draft.text) return known.dashboard;
    const assembled = await this.#assembled(id, this.fileOf(of), draft.text, workspace);
    const before = known?.dashboard.document;
    const dashboard =
      assembled.state === 'broken' && before
        ? { ...assembled, state: 'ready' as const, document: before, title: before.title }
        : assembled;
    if (this.#assembledTexts.size > maxAssembled) this.#assembledTexts.clear();
    this.#assembledTexts.set(id, { workspace, text: draft.text, dashboard });
    return dashboard;
  }

  /**
   * Returns a dashboard that has a file or a table and is visible to all users. Drafts and earlier revisions
   * are visible only to authors.
   */
  async findPublished(id: string): Promise<WorkspaceDashboard | undefined> {
    return isPublished(id) ? this.find(id) : undefined;
  }

  /** Returns the event notes of a dashboard. */
  async notesOf(id: string): Promise<EventNote[]> {
    const documentId = await this.texts.ids.find(this.fileOf(id));
    return documentId === undefined ? [] : this.notes.of(documentId);
  }

  /** Returns the identity to which records about a dashboard refer. */
  documentId(id: string): Promise<string> {
    return this.#files.documentId(id);
  }

  /** Checks a text as this dashboard, against the current models. */
  async check(id: string, text: string): Promise<WorkspaceDashboard> {
    return this.#assembled(id, this.fileOf(id), text);
  }

  /** Returns the file that a dashboard has, or would have. @throws ProblemError `not-found` */
  fileOf(id: string): string {
    return this.#files.fileOf(id);
  }

  /** @throws ProblemError `not-found` */
  async text(id: string): Promise<DashboardText> {
    const document = this.#files.documentOf(id);
    if (!this.#store.documents.dashboards.has(id)) throw dashboardNotFound();
    const text = await this.texts.read(document);
    if (text === undefined) throw dashboardNotFound();
    const draft = await this.texts.draft(document);
    return {
      id,
      file: document.file,
      text,
      hash: textHash(text),
      ...(draft && { draft: { ...draft, baseHash: textHash(draft.base) } }),
    };
  }

  /** Creates a dashboard; never replaces one. @throws ProblemError `revision-conflict` */
  async create(id: string, dashboard: DashboardFile, note: SaveNote): Promise<Revision> {
    await this.#retireEarlier(id);
    const document = this.#files.documentOf(id);
    return this.texts.create(document, writeDocument(dashboard, 'dashboard', document.file), note);
  }

  /** @throws ProblemError as `DocumentRepository.save` */
  async save(id: string, text: string, base: string | undefined, note: SaveNote): Promise<Revision> {
    if (base === undefined) await this.#retireEarlier(id);
    return this.texts.save(this.#files.documentOf(id), text, base, note);
  }

  /**
   * Takes an earlier dashboard with this ID out of use, whose file was deleted on disk, so that the new one
   * does not inherit its favourites and views. A draft of it stays: saving that restores the same dashboard.
   */
  async #retireEarlier(id: string): Promise<void> {
    if (!(await this.texts.draft(this.#files.documentOf(id)))) await this.retireDeleted(id);
  }

  /** As above, its draft included: it may be another user's. */
  async retireDeleted(id: string): Promise<void> {
    if (!this.#store.current.dashboards.has(id)) await this.texts.ids.retire(this.fileOf(id));
  }

  /** @throws ProblemError as `DocumentRepository.putDraft` */
  putDraft(id: string, text: string, base: string, after: number): Promise<Draft> {
    const original = id.startsWith(explorePrefix) ? '' : undefined;
    return this.texts.putDraft(this.#files.documentOf(id), text, base, after, original);
  }

  async dropDraft(id: string): Promise<void> {
    await this.texts.dropDraft(this.#files.documentOf(id));
    this.#assembledTexts.delete(draftPrefix + id);
  }

  /** Deletes expired data. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    // A window deletes its exploration when it leaves it, but not when it is closed.
    await this.texts.drafts.dropExplorations(new Date(now - dayMs));
    await this.texts.ids.deleteRetired(new Date(now - retiredDays * dayMs));
    const retention = retentionOf(this.#store.current, now);
    if (retention) await this.texts.revisions.prune(retention.historyFrom);
  }

  async #assembled(
    id: string,
    file: string,
    text: string,
    workspace = this.#store.current,
  ): Promise<WorkspaceDashboard> {
    const read = await this.#store.reader.read('dashboard', text, file);
    const found = { file, text, updated: new Date().toISOString(), read };
    return finishInTurns(assembleDashboardInSteps(id, found, undefined, workspace));
  }

  /** Returns the newest valid revision, with the current file's errors. */
  async #lastValid(broken: WorkspaceDashboard): Promise<WorkspaceDashboard | undefined> {
    const { id, revision: text, problems, updated } = broken;
    const workspace = this.#store.current;
    const known = this.#assembledTexts.get(id);
    if (known?.workspace === workspace && known.text === text) return known.dashboard;
    const file = this.fileOf(id);
    const documentId = await this.texts.ids.find(file);
    if (documentId === undefined) return undefined;
    for (const { number } of await this.texts.revisions.of(documentId, { limit: 20 })) {
      const revision = await this.texts.revisions.text(documentId, number);
      const valid = revision && (await this.#assembled(id, file, revision.text));
      if (!valid?.document) continue;
      const dashboard = { ...valid, problems, ...(updated && { updated }) };
      this.#assembledTexts.set(id, { workspace: this.#store.current, text, dashboard });
      return dashboard;
    }
    return undefined;
  }
}
