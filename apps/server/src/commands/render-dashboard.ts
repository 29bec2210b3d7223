import { ExportFormat, stateFromSearch, type DashboardState, type EventNote } from '@belvedere/api';
import { didYouMean } from '@belvedere/document';
import { owner } from '../access/caller.ts';
import type { Exported } from '../exports/export-dashboard.ts';
import { ExportWriter } from '../exports/formats/export-writer.ts';
import { ProblemError } from '../http/problems.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { EventNotes } from '../state/documents/event-notes.ts';
import { openStateDatabaseReadOnly } from '../state/database/state-database.ts';
import { modelsNamed } from '../workspace/workspace.ts';
import { exportFor, readState } from '../routes/dashboards/exports.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { notFound } from './not-found.ts';
import { parseConditions } from './parse-query-args.ts';
import { refuseUnconfirmed } from './unconfirmed-sources.ts';
import type { Progress } from './progress.ts';
import { withWorkspace } from './with-workspace.ts';

export interface RenderRequest {
  readonly dashboard: string;
  readonly format: string;
  readonly tile?: string;
  /** Page number from 1; defaults to the state's page. */
  readonly page?: number;
  /** Defaults to the workspace's locale. */
  readonly locale?: string;
  readonly theme: 'light' | 'dark';
  readonly pagesFolder: string;
  /** All rows of tables, instead of those that tiles show and 10,000 of each table in a workbook. */
  readonly allRows?: boolean;
  /** Filters and selections, as JSON or as in the page's URL. */
  readonly state?: string;
  /** Filters in the syntax of `belvedere ask`, in addition to those of the state. */
  readonly where?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Exports a dashboard to a file without a server: imports the needed data, draws, and ends.
 * @param write receives the file while its queries can still run, since long files are streamed
 * @throws ProblemError for an unknown dashboard, page, tile or format
 */
export async function renderDashboard(
  location: ResolvedWorkspace,
  request: RenderRequest,
  write: (exported: Exported) => Promise<void>,
  onProgress: (progress: Progress) => void = () => {},
): Promise<void> {
  const format = ExportFormat.safeParse(request.format);
  if (!format.success)
    throw new ProblemError(
      'request-invalid',
      `Unknown format \`${request.format}\`${didYouMean(request.format, ExportFormat.options) || `. Available: ${ExportFormat.options.join(', ')}.`}`,
    );
  const where = parseConditions(request.where ?? []);
  const state = stateToRender(request);
  const models = ({ dashboards }: Workspace) => {
    const found = dashboards.get(request.dashboard);
    return found?.document && found.state !== 'importing' ? modelsNamed(found.document) : undefined;
  };
  await withWorkspace(location, { models, onProgress }, async ({ store, queries }) => {
    const { dashboards } = store.current;
    const found = dashboards.get(request.dashboard);
    refuseUnconfirmed(
      store.current,
      found?.document ? modelsNamed(found.document) : [request.dashboard.replace(/^overview\//, '')],
    );
    if (!found) throw notFound('dashboard', request.dashboard, [...dashboards.keys()]);
    if (!found.document)
      throw new ProblemError(
        'document-invalid',
        found.problems
          .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
          .join('\n'),
      );
    const pages = found.document.pages.length;
    if (state.page >= pages)
      throw new ProblemError(
        'not-found',
        `\`${request.dashboard}\` has ${pages === 1 ? 'one page' : `${pages} pages`}: there is no page ${state.page + 1}.`,
      );
    const fields = new Set(
      modelsNamed(found.document).flatMap(name =>
        Object.keys(store.current.models.get(name)?.model.dimensions ?? {}),
      ),
    );
    for (const field of Object.keys(where))
      if (!fields.has(field))
        throw new ProblemError(
          'field-unknown',
          `\`${request.dashboard}\` has no field \`${field}\`${didYouMean(field, fields) || '.'}`,
        );
    const exporting = {
      store,
      queries,
      notesOf: () => notesIn(location, store.documents.dashboards.get(request.dashboard)?.file),
      pagesFolder: request.pagesFolder,
      writer: new ExportWriter(),
    };
    await write(
      await exportFor(
        owner,
        found,
        state,
        {
          format: format.data,
          theme: request.theme,
          locale: request.locale,
          tile: request.tile,
          rows: request.allRows ? 'all' : 'limited',
        },
        store.current,
        exporting,
        request.signal,
      ),
    );
  });
}

/** Returns the state that a dashboard is drawn in. @throws ProblemError if a part of it is invalid */
export function stateToRender({
  state: text,
  where = [],
  page,
}: Pick<RenderRequest, 'state' | 'where' | 'page'>): DashboardState {
  const state = text === undefined ? readState() : stateOf(text);
  return {
    ...state,
    filters: { ...state.filters, ...parseConditions(where) },
    ...(page !== undefined && { page: page - 1 }),
  };
}

/** Returns the event notes of the dashboard with a file; an overview without one has none. */
export async function notesIn(
  { state, stateUrl }: ResolvedWorkspace,
  file: string | undefined,
): Promise<EventNote[]> {
  const records =
    file === undefined ? undefined : await openStateDatabaseReadOnly({ folder: state, url: stateUrl });
  if (!records) return [];
  try {
    const documentId = await new DocumentIds(records).find(file!);
    return documentId === undefined ? [] : await new EventNotes(records).of(documentId);
  } finally {
    await records.close();
  }
}

/** @throws ProblemError also for text that contains anything else */
function stateOf(text: string): DashboardState {
  if (text.trimStart().startsWith('{')) return readState(text);
  const { state, isWhole } = stateFromSearch(
    Object.fromEntries(new URLSearchParams(text.slice(text.indexOf('?') + 1))),
  );
  if (!isWhole) throw new ProblemError('request-invalid', `Part of the \`state\` is invalid: ${text}`);
  return state;
}
