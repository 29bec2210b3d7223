import {
  isNothingRenamed,
  labelFrom,
  Name,
  renamesBetween,
  writeDocument,
  type Renames,
} from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { ProblemError } from '../../http/problems.ts';
import type { Draft } from '../../state/documents/drafts.ts';
import { textHash, type Revision } from '../../state/documents/revisions.ts';
import type { DocumentFile, DocumentRepository, SaveNote } from './document-repository.ts';
import { profilesOfFiles, relatedInSource } from '../inference/table-profiles.ts';
import { assembleModelInSteps, schemaIn, type AssembledModel } from '../assemble-model.ts';
import { finishInTurns } from '../steps.ts';
import { followersOf } from './rename-references.ts';
import { inferredFile, parentOf, relatedTo } from './inferred-models.ts';
import { sourceTableOf } from '../sources/source.ts';
import { fileTableOf, type Workspace, type WorkspaceModel } from '../workspace.ts';
import type { WorkspaceStore } from '../workspace-store.ts';

/** A model as text: its file, or the file that its inferred model would have; and its draft. */
export interface ModelText {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** Undefined while there is no file. */
  readonly hash?: string;
  readonly draft?: Draft & { readonly baseHash?: string };
}

const nothingRenamed: Renames = { dimensions: {}, measures: {}, either: {} };
const draftIdOf = (name: string) => `model:${name}`;

/** The workspace's models as editable texts. An inferred model becomes a file when it is saved. */
export class ModelStore {
  readonly #store: WorkspaceStore;
  readonly #texts: DocumentRepository;

  constructor(store: WorkspaceStore, texts: DocumentRepository) {
    this.#store = store;
    this.#texts = texts;
  }

  /** @throws ProblemError `not-found` */
  async text(name: string): Promise<ModelText> {
    const document = this.#documentOf(name);
    const { file } = document;
    const disk = this.#store.documents.models.has(name) ? await this.#texts.read(document) : undefined;
    const text = disk ?? this.#guessed(name);
    if (text === undefined) throw notFound(name);
    const draft = await this.#texts.draft(document);
    const hash = disk === undefined ? {} : { hash: textHash(disk) };
    return {
      name,
      file,
      text,
      ...hash,
      ...(draft && { draft: { ...draft, ...(disk !== undefined && { baseHash: textHash(draft.base) }) } }),
    };
  }

  /** Takes an earlier model of this name out of use, whose file was deleted on disk. */
  async retireDeleted(name: string): Promise<void> {
    if (!this.#store.documents.models.has(name)) await this.#texts.ids.retire(this.fileOf(name));
  }

  /** @throws ProblemError as `DocumentRepository.save` */
  save(name: string, text: string, base: string | undefined, note: SaveNote): Promise<Revision> {
    return this.#texts.save(this.#documentOf(name), text, base, note);
  }

  /** Returns the names that a text changes in a model, and the dashboards that use them. */
  async renames(
    name: string,
    text: string,
  ): Promise<{ readonly renames: Renames; readonly dashboards: readonly string[] }> {
    const { file, text: was } = await this.text(name);
    const { reader } = this.#store;
    const [before, after] = [await reader.read('model', was, file), await reader.read('model', text, file)];
    const renames = before.ok && after.ok ? renamesBetween(before.value, after.value) : nothingRenamed;
    return {
      renames,
      dashboards: isNothingRenamed(renames)
        ? []
        : [...new Set(followersOf(this.#store, name, renames).map(({ dashboard }) => dashboard))],
    };
  }

  /** Renames references in dashboards. @returns the dashboards that could not be changed */
  async follow(name: string, renames: Renames): Promise<readonly string[]> {
    const followers = followersOf(this.#store, name, renames);
    if (followers.length === 0) return [];
    const renamed = Object.entries({ ...renames.measures, ...renames.dimensions })
      .map(([was, is]) => `${was} → ${is}`)
      .join(', ');
    const left = await this.#texts.rewrite(followers, `${name}: ${renamed}`.slice(0, 500));
    return [
      ...new Set(
        followers.filter(({ document }) => left.includes(document.file)).map(({ dashboard }) => dashboard),
      ),
    ];
  }

  /** @throws ProblemError as `DocumentRepository.putDraft`, `not-found` */
  putDraft(name: string, text: string, base: string | undefined, after: number): Promise<Draft> {
    const begun = base === undefined ? this.#guessed(name) : undefined;
    if (base === undefined && begun === undefined) throw notFound(name);
    return this.#texts.putDraft(this.#documentOf(name), text, base ?? '', after, begun);
  }

  dropDraft(name: string): Promise<void> {
    return this.#texts.dropDraft(this.#documentOf(name));
  }

  /** Newest first. */
  revisions(name: string, page?: Parameters<DocumentRepository['history']>[1]): Promise<Revision[]> {
    return this.#texts.history(this.#documentOf(name), page);
  }

  revision(name: string, number: number): Promise<(Revision & { readonly text: string }) | undefined> {
    return this.#texts.revision(this.fileOf(name), number);
  }

  /** @throws ProblemError `not-found` for an invalid model name */
  fileOf(name: string): string {
    return this.#documentOf(name).file;
  }

  /** Checks a text as this model, against the current tables. */
  async check(name: string, text: string): Promise<AssembledModel> {
    const file = this.fileOf(name);
    const read = await this.#store.reader.read('model', text, file);
    if (read.ok && read.value.sql !== undefined)
      this.#store.wantSql(read.value.source ?? 'files', read.value.sql);
    return finishInTurns(assembleModelInSteps(name, { file, read }, this.#store.current));
  }

  /** Returns the workspace with these models applied, for previews of unsaved models. */
  workspaceWith(...models: readonly Model[]): Workspace {
    const { current } = this.#store;
    return {
      ...current,
      models: new Map([
        ...current.models,
        ...models.map((model): [string, WorkspaceModel] => [
          model.name,
          { model, isGuessed: false, problems: [] },
        ]),
      ]),
    };
  }

  #documentOf(name: string): DocumentFile {
    if (!Name.safeParse(name).success) throw notFound(name);
    return {
      kind: 'model',
      file: this.#store.documents.models.get(name)?.file ?? `models/${name}.yaml`,
      draftId: draftIdOf(name),
    };
  }

  /** Returns the inferred model of a table as the text of its file. */
  #guessed(name: string): string | undefined {
    const { current } = this.#store;
    const known = current.models.get(name);
    if (!known?.isGuessed) return undefined;
    const { source, table } = known.model;
    const imported = source === 'files' ? fileTableOf(current, known.model)?.imported : undefined;
    const profile =
      source === 'files' ? imported?.profile : sourceTableOf(current.sources.get(source)!, table)?.profile;
    if (!profile) return undefined;
    const parent = imported && parentOf(imported, named => schemaIn(current.tables, named));
    const relationships = current.relationships.get(source) ?? [];
    const related = imported
      ? relatedTo(
          profile,
          relationships,
          profilesOfFiles(current.tables),
          called => schemaIn(current.tables, called)!,
          imported.parent?.table,
        )
      : relatedInSource(current.sources.get(source)!, profile, relationships);
    const file = inferredFile(profile, related, parent);
    return writeDocument(
      source === 'files' ? file : { ...file, label: labelFrom(table), source },
      'model',
      this.#documentOf(name).file,
    );
  }
}

function notFound(name: string): ProblemError {
  return new ProblemError('not-found', `Model \`${name}\` not found, or not shared with you.`);
}
