import { withSchemaLineFor, type Edit } from '@belvedere/document';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import { dashboardAt } from '../../state/documents/document-ids.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import type { DashboardFiles } from './dashboard-files.ts';
import type { DocumentRepository } from './document-repository.ts';

/** The table of which this is the ID of the overview; undefined for other IDs. */
function tableOfOverview(id: string): string | undefined {
  return /^overview\/(.+)$/.exec(id)?.[1];
}

/** A file of a dashboard that gets another ID. */
interface MovedFile {
  readonly kind: 'dashboard' | 'translation';
  readonly from: string;
  readonly file: string;
  /** As written to the new path. */
  readonly text: string;
}

/** Gives dashboards other IDs, by renaming or moving them. Their histories, drafts and links to them are kept. */
export class DashboardMoves {
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;
  readonly #files: DashboardFiles;
  readonly #state: StateDatabase;

  constructor(store: WorkspaceStore, texts: DocumentRepository, files: DashboardFiles, state: StateDatabase) {
    this.#store = store;
    this.#texts = texts;
    this.#files = files;
    this.#state = state;
  }

  /** @throws ProblemError `not-found`, `revision-conflict` if the target path is taken */
  move(id: string, to: string): Promise<void> {
    return this.#moveAll(new Map([[id, to]]));
  }

  /**
   * Renames or moves a folder with everything in it, all or nothing.
   * @returns the number of moved dashboards
   * @throws ProblemError `not-found` for an empty folder, `revision-conflict` if a target path is taken
   */
  async moveFolder(from: string, to: string): Promise<number> {
    const ids = [...this.#store.documents.dashboards.keys()].filter(id => id.startsWith(`${from}/`));
    if (ids.length === 0) throw new ProblemError('not-found', `Folder \`${from}\` not found.`);
    await this.#moveAll(new Map(ids.map(id => [id, `${to}${id.slice(from.length)}`])));
    return ids.length;
  }

  /**
   * Returns the ID that a dashboard has now under which it is no longer found: it was moved, or was the overview
   * of a table and has been saved.
   */
  async currentId(id: string): Promise<string | undefined> {
    const { dashboards } = this.#store.current;
    const table = tableOfOverview(id);
    if (table === undefined) {
      const path = await this.#texts.ids.movedFrom(this.#files.fileOf(id));
      return path === undefined ? undefined : dashboardAt(path);
    }
    const saved = [...dashboards.values()].filter(({ origin }) => origin === 'saved');
    const found =
      saved.find(dashboard => dashboard.id === table) ??
      saved.find(({ document }) => document?.model === table);
    return found?.id;
  }

  async #moveAll(moves: ReadonlyMap<string, string>): Promise<void> {
    const { root } = this.#store.folders;
    await this.#texts.inTurn(async () => {
      const moved = (await Promise.all([...moves].map(([id, to]) => this.#movedFiles(id, to)))).flat();
      this.#refuseTaken(moves);
      await this.#files.create(moved, () =>
        this.#state.transaction(async () => {
          for (const one of moved) await this.#moveRecords(one);
        }),
      );
      for (const { from } of moved) await unlink(path.join(root, from));
      for (const { from } of moved) await this.#files.deleteEmpty(path.dirname(from));
      await this.#store.refresh();
    });
    await this.#updateLinks(moves);
  }

  async #movedFiles(id: string, to: string): Promise<readonly MovedFile[]> {
    const main = this.#files.fileOf(id);
    return (await this.#files.read(id)).map(({ file: from, text }) => {
      const ending = from === main ? '.yaml' : from.slice(`dashboards/${id}`.length);
      const file = `dashboards/${to}${ending}`;
      return {
        kind: from === main ? 'dashboard' : 'translation',
        from,
        file,
        text: withSchemaLineFor(file, text),
      };
    });
  }

  #refuseTaken(moves: ReadonlyMap<string, string>): void {
    for (const [id, to] of moves)
      if (this.#store.documents.dashboards.has(to))
        throw new ProblemError(
          'revision-conflict',
          `A dashboard \`${to}\` already exists. Choose another name or folder for \`${id}\`.`,
        );
  }

  async #moveRecords({ kind, from, file, text }: MovedFile): Promise<void> {
    const { ids, drafts, revisions } = this.#texts;
    await ids.move(from, file);
    const documentId = await ids.of(kind, file);
    await drafts.rewrite(documentId, draft => withSchemaLineFor(file, draft));
    if (!(await revisions.isLatest(documentId, text))) await revisions.add(documentId, text, 'saved');
  }

  /** Updates tiles that link to moved dashboards. */
  async #updateLinks(moves: ReadonlyMap<string, string>): Promise<void> {
    const changes = [...this.#store.documents.dashboards].flatMap(([id, { read }]) => {
      const edits = !read.ok
        ? []
        : read.value.pages.flatMap((page, i) =>
            Object.entries(page.tiles).flatMap(([tile, { opens }]): Edit[] =>
              opens !== undefined && moves.has(opens)
                ? [{ kind: 'set', path: ['pages', i, 'tiles', tile, 'opens'], value: moves.get(opens)! }]
                : [],
            ),
          );
      const follow = (text: string) => this.#store.reader.edit(text, edits);
      return edits.length > 0 ? [{ document: this.#files.documentOf(id), follow }] : [];
    });
    // Tiles of dashboards that could not be changed report a missing target.
    if (changes.length > 0) await this.#texts.rewrite(changes, '');
  }
}
