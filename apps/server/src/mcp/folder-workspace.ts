import { labelFrom, writeDiff, writeDocument, type DocumentProblem } from '@belvedere/document';
import type { Services } from '../services/create-services.ts';
import { checkWorkspace } from '../commands/check-workspace.ts';
import { notFound } from '../commands/not-found.ts';
import { queryWorkspace } from '../commands/query-workspace.ts';
import { warningLine } from '../commands/warning-line.ts';
import { renderDashboard } from '../commands/render-dashboard.ts';
import { refuseUnconfirmed, unconfirmedForCommands } from '../commands/unconfirmed-sources.ts';
import { withWorkspace, type FolderUse } from '../commands/with-workspace.ts';
import { Housekeeping } from '../operations/housekeeping.ts';
import { modelSummary } from '../presenters/present-model.ts';
import { ProblemError } from '../http/problems.ts';
import { openStateDatabase } from '../state/database/state-database.ts';
import { WallClock } from '../state/database/wall-clock.ts';
import { guardWrites } from '../workspace/documents/create-file.ts';
import { checkedId } from '../workspace/documents/dashboard-id.ts';
import { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import { DocumentTrash } from '../workspace/documents/document-trash.ts';
import { DocumentRepository } from '../workspace/documents/document-repository.ts';
import { ModelStore } from '../workspace/documents/model-store.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { fileTableOf } from '../workspace/workspace.ts';
import type { AssistedText, AssistedWorkspace, WrittenKind } from './assisted-workspace.ts';

/**
 * A folder for an assistant. Each call opens it, works on its current state and closes it, so that a browser
 * can have it between calls.
 *
 * @param pagesFolder the folder of the application's built pages, from which exports are drawn
 */
export function folderWorkspace(location: ResolvedWorkspace, pagesFolder: string): AssistedWorkspace {
  return {
    listModels: call =>
      withDocuments(location, call, async ({ store: { current } }) => {
        const models = [...current.models]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, found]) => {
            const rows = fileTableOf(current, found.model)?.imported?.profile.rows;
            const of = found.model.sql === undefined ? `the table \`${found.model.table}\`` : 'SQL';
            const source = found.model.source === 'files' ? '' : ` of \`${found.model.source}\``;
            const counted = rows === undefined ? '' : `, ${rows.toLocaleString('en')} rows`;
            const inferred = found.isGuessed ? ' (inferred from its columns)' : '';
            return `${name}: ${found.model.label || labelFrom(name)}, of ${of}${source}${counted}${inferred}`;
          });
        const waiting = [...current.sources.values()]
          .filter(({ unconfirmed }) => unconfirmed)
          .map(unconfirmedForCommands);
        return [...models, ...waiting];
      }),

    describeModel: (model, call) =>
      withDocuments(location, { ...call, models: () => [model] }, async ({ store: { current } }) => {
        refuseUnconfirmed(current, [model]);
        const found = current.models.get(model);
        if (!found) throw notFound('model', model, [...current.models.keys()]);
        return modelSummary(found);
      }),

    query: (query, { onProgress, signal }) => queryWorkspace(location, { ...query, signal }, onProgress),

    listDashboards: call =>
      withDocuments(location, call, async ({ store: { current } }) =>
        [...current.dashboards.values()].map(({ id, title, document, problems }) => ({
          id,
          title,
          problems: problems.length,
          ...(document && { pages: document.pages }),
        })),
      ),

    describeDashboard: (dashboard, call) =>
      withDocuments(location, call, async ({ store: { current } }) => {
        const found = current.dashboards.get(dashboard);
        if (!found) throw notFound('dashboard', dashboard, [...current.dashboards.keys()]);
        if (!found.document) throw new ProblemError('document-invalid', linesOf(found.problems));
        return found.document;
      }),

    readDocument: (kind, name, call) =>
      withDocuments(location, call, documents => readText(documents, kind, name)),

    checkDocument: (kind, name, text, call) =>
      withDocuments(location, call, documents => problemsOf(documents, kind, name, text)),

    checkAll: async (runs, { onProgress }) => {
      const { documents, problems, warnings } = await checkWorkspace(location, { runs, onProgress });
      return [
        ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
        ...warnings.map(warning => warningLine(warning)),
        `${documents} ${documents === 1 ? 'document' : 'documents'}, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
      ];
    },

    writeDocument: (kind, name, text, base, message, call) =>
      withDocuments(location, call, async documents => {
        const problems = await problemsOf(documents, kind, name, text);
        if (problems.length > 0)
          throw new ProblemError('document-invalid', `Nothing was written:\n${linesOf(problems)}`);
        const texts = kind === 'dashboard' ? documents.dashboards : documents.models;
        const before = base === undefined ? undefined : (await readText(documents, kind, name)).text;
        await texts.save(name, text, base, { message });
        const file = texts.fileOf(name);
        return { file, diff: writeDiff(file, before, text) };
      }),

    render: async ({ dashboard, page, tile, where, theme }, { onProgress, signal }) => {
      const pieces: Uint8Array[] = [];
      const request = {
        dashboard,
        format: 'png',
        theme,
        pagesFolder,
        signal,
        where,
        ...(page !== undefined && { page }),
        ...(tile !== undefined && { tile }),
      };
      await renderDashboard(
        location,
        request,
        async ({ body }) => {
          for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [body] : body)
            pieces.push(Buffer.from(piece));
        },
        onProgress,
      );
      return Buffer.concat(pieces);
    },
  };
}

/** A folder's services, with its documents as editable texts. */
interface FolderDocuments extends Services {
  readonly dashboards: DashboardStore;
  readonly models: ModelStore;
}

/** Like `withWorkspace`, with the folder's documents. */
function withDocuments<T>(
  location: ResolvedWorkspace,
  use: FolderUse,
  work: (documents: FolderDocuments) => Promise<T>,
): Promise<T> {
  return withWorkspace(location, use, async folder => {
    const state = await openStateDatabase(
      { folder: folder.store.folders.state, url: location.stateUrl },
      folder.hold.check,
    );
    const endGuard = guardWrites(location.root, folder.hold.check);
    const texts = new DocumentRepository(folder.store, state);
    const dashboards = new DashboardStore(folder.store, texts, state);
    const trash = new DocumentTrash(folder.store, texts, state);
    const housekeeping = new Housekeeping(await WallClock.start(state), [
      { name: 'trash', run: now => trash.prune(now) },
      { name: 'history', run: now => dashboards.prune(now) },
    ]);
    try {
      return await work({ ...folder, dashboards, models: new ModelStore(folder.store, texts) });
    } finally {
      await housekeeping.close();
      endGuard();
      await texts.close();
      await state.close();
    }
  });
}

/** Returns a document's text and hash; no hash if there is no file. @throws ProblemError `not-found` */
async function readText(
  { dashboards, models, store: { current } }: FolderDocuments,
  of: WrittenKind,
  name: string,
): Promise<AssistedText> {
  if (of === 'model') {
    if (!current.models.has(name)) throw notFound('model', name, [...current.models.keys()]);
    return models.text(name);
  }
  const found = current.dashboards.get(name);
  if (!found) throw notFound('dashboard', name, [...current.dashboards.keys()]);
  const file = `dashboards/${name.split('/').at(-1)!}.yaml`;
  return found.origin === 'overview' && found.document
    ? { file, text: writeDocument(found.document, 'dashboard', file) }
    : dashboards.text(name);
}

/**
 * @throws ProblemError for an invalid document name, and if the columns of the model's SQL cannot be
 * determined
 */
async function problemsOf(
  { dashboards, models }: FolderDocuments,
  of: WrittenKind,
  name: string,
  given: string,
): Promise<readonly DocumentProblem[]> {
  if (of === 'dashboard') {
    checkedId(name);
    return (await dashboards.check(name, given)).problems;
  }
  // The columns of SQL are queried from its source.
  const until = Date.now() + sqlKnownMs;
  let checked = await models.check(name, given);
  for (; checked.isImporting && Date.now() < until; checked = await models.check(name, given))
    await new Promise(resolve => setTimeout(resolve, 50));
  if (checked.isImporting)
    throw new ProblemError(
      'still-reading',
      `The columns of the SQL of \`${name}\` are not known after ${sqlKnownMs / 1000} seconds.`,
    );
  return checked.problems;
}

const sqlKnownMs = 60_000;

function linesOf(problems: readonly DocumentProblem[]): string {
  return problems
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    .join('\n');
}
