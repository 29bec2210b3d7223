import {
  DashboardState,
  type EventNote,
  type ExportFormat,
  type ExportRows,
  type OpenDashboard,
} from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import { Readable } from 'node:stream';
import { dashboardContext, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import type { QueryService } from '../../queries/query-service.ts';
import { queryContextOf } from '../../queries/query-context.ts';
import { countExportRows, exportDashboard, type Exported } from '../../exports/export-dashboard.ts';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { ExportWriter } from '../../exports/formats/export-writer.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { maxExportedRows } from '../../access/export-limit.ts';
import { isOwnText, requireLevel } from '../../access/may.ts';
import { furtherRules } from '../../access/rules.ts';
import { asForbiddenError } from '../../access/row-policies.ts';
import { readJson } from '../../http/read-json.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Workspace, WorkspaceDashboard } from '../../workspace/workspace.ts';
import { foundFor, openedFor, localized } from '../../presenters/present-dashboard.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

interface Requested {
  readonly format: ExportFormat;
  readonly theme: 'light' | 'dark';
  readonly tile?: string | undefined;
  readonly locale?: string | undefined;
  readonly width?: number | undefined;
  readonly rows: ExportRows;
}

const pictures: ReadonlySet<ExportFormat> = new Set(['png', 'svg', 'pdf']);

/** The services and settings for exports. */
export interface Exporting {
  readonly store: WorkspaceStore;
  readonly queries: QueryService;
  readonly notesOf: (dashboard: string) => Promise<readonly EventNote[]>;
  readonly pagesFolder: string;
  readonly writer: ExportWriter;
}

/** Exports a dashboard or one of its tiles in a state, with the caller's permissions and language. */
export async function exportFor(
  caller: Caller,
  dashboard: WorkspaceDashboard | undefined,
  state: DashboardState,
  requested: Requested,
  workspace: Workspace,
  { store, queries, notesOf, pagesFolder, writer }: Exporting,
  signal?: AbortSignal,
): Promise<Exported> {
  const { settings } = workspace;
  const locale = localeOf(requested.locale, settings.locale);
  const language = (requested.locale ?? settings.locale)?.slice(0, 2);
  const isOffline = requested.format === 'html';
  const { context, opened } = await openForExport(
    { caller, dashboard, state, workspace, language, locale, isOffline, ...(signal && { signal }) },
    { queries, notesOf },
  );
  return exportDashboard(
    context,
    {
      format: requested.format,
      locale,
      theme: requested.theme,
      rows: requested.rows,
      root: store.folders.root,
      pagesFolder,
      opened,
      ...(requested.tile !== undefined && { tile: requested.tile }),
      ...(requested.width !== undefined && { width: requested.width }),
    },
    writer,
  );
}

interface OpeningForExport {
  readonly caller: Caller;
  readonly dashboard: WorkspaceDashboard | undefined;
  readonly state: DashboardState;
  readonly workspace: Workspace;
  readonly language: string | undefined;
  readonly locale: string;
  /** For a page that can be brushed without a server. */
  readonly isOffline: boolean;
  /** How many rows of a table the file may have; by default, as many as the caller may export. */
  readonly exportRows?: number;
  readonly signal?: AbortSignal;
}

/** Returns a dashboard in a state, as its caller may see it, to be queried and written to files. */
export async function openForExport(
  opening: OpeningForExport,
  { queries, notesOf }: Pick<Exporting, 'queries' | 'notesOf'>,
): Promise<{ readonly context: DashboardContext; readonly opened: OpenDashboard }> {
  const { caller, dashboard, state, workspace, language, locale, isOffline, signal } = opening;
  const said = localized(dashboard, language);
  const object = { kind: 'dashboard', id: said?.id ?? '' } as const;
  const { exportRows = maxExportedRows(caller, object, workspace.whole ?? workspace, said?.document) } =
    opening;
  // An offline page shows and hides tiles as its selections change, so it contains all of them.
  const shown =
    isOffline && said?.document ? { ...said, document: shownUnderAnySelection(said.document) } : said;
  const context = dashboardContext(
    shown,
    state,
    {
      ...queryContextOf(workspace, said?.document, caller, signal),
      isExport: true,
      ...(Number.isFinite(exportRows) && { exportRows }),
    },
    queries,
    locale,
  );
  const seen = openedFor(caller, said!, workspace, await notesOf(said!.id));
  const opened = {
    ...seen,
    title: context.dashboard.title,
    timezone: context.queryContext.zone,
    document: isOffline ? seen.document! : context.dashboard,
  };
  return { context, opened };
}

/** Makes tiles visible that appear only with some selections. */
function shownUnderAnySelection(document: DashboardFile): DashboardFile {
  const pages = document.pages.map(page => {
    const tiles = Object.entries(page.tiles).map(([id, { showIf, ...tile }]) => {
      const { selected: _, notSelected: __, ...others } = showIf ?? {};
      return [id, Object.keys(others).length > 0 ? { ...tile, showIf: others } : tile] as const;
    });
    return { ...page, tiles: Object.fromEntries(tiles) as typeof page.tiles };
  });
  return { ...document, pages };
}

/** Endpoints that export dashboards and tiles. */
export function exportRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  queries: QueryService,
  pagesFolder: string,
  note: NoteCall,
): Pick<Handlers, 'getExport' | 'postExport' | 'countExportRows'> {
  const exporting: Exporting = {
    store,
    queries,
    notesOf: id => dashboards.notesOf(id),
    pagesFolder,
    writer: new ExportWriter(),
  };
  const exported = async (
    id: string,
    state: DashboardState,
    requested: Requested,
    call: Pick<Call, 'caller' | 'granted' | 'signal' | 'request' | 'endUnless'>,
  ) => {
    const { caller, granted, signal, endUnless } = call;
    try {
      // Pictures show what the page shows; files of data can be searched for more.
      if (!pictures.has(requested.format)) {
        // Guests have no more than the level `view`.
        const requireData = (by: Caller) =>
          requireLevel(by, { kind: 'dashboard', id }, furtherRules.exportData.level, store.current);
        requireData(caller);
        endUnless(requireData);
      }
      const dashboard = await foundFor(caller, id, dashboards, granted());
      const workspace = isOwnText(id) ? granted() : store.current;
      const file = await exportFor(caller, dashboard, state, requested, workspace, exporting, signal);
      const tile = requested.tile === undefined ? '' : `, tile ${requested.tile}`;
      await note(call, 'data.export', `dashboard ${id}${tile}`, requested.format);
      return file;
    } catch (error) {
      throw asForbiddenError(error, caller);
    }
  };
  return {
    getExport: async ({ params, query, reply, ...call }) =>
      sendExported(reply, await exported(params.id, readState(query.state), query, call)),
    postExport: async ({ params, body, reply, ...call }) =>
      sendExported(reply, await exported(params.id, body.state, body, call)),
    countExportRows: async ({ params, body, caller, granted, signal }) => {
      const { settings } = store.current;
      const found = localized(
        await foundFor(caller, params.id, dashboards, granted()),
        (body.locale ?? settings.locale)?.slice(0, 2),
      );
      const locale = localeOf(body.locale, settings.locale);
      const workspace = isOwnText(params.id) ? granted() : store.current;
      const asking = queryContextOf(workspace, found?.document, caller, signal);
      try {
        const context = dashboardContext(found, body.state, asking, queries, locale);
        const object = { kind: 'dashboard', id: params.id } as const;
        const limit = maxExportedRows(caller, object, store.current, found?.document);
        return {
          tables: await countExportRows(context, body.tile, locale),
          ...(Number.isFinite(limit) && { limit }),
        };
      } catch (error) {
        throw asForbiddenError(error, caller);
      }
    },
  };
}

/**
 * The policy of a file that a user or the data determines: it runs no scripts under this origin, and no page
 * shows it in a frame.
 */
export const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/**
 * Sends a file as a download: with an ASCII name for old programs, and the real name beside it (RFC 6266).
 */
export function sendExported(reply: FastifyReply, { name, type, body }: Exported): FastifyReply {
  reply
    .header('content-type', type)
    .header(
      'content-disposition',
      `attachment; filename="${name.replace(/[^\x20-\x7e]|"/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .header('content-security-policy', sandboxPolicy);
  return reply.send(
    typeof body === 'string'
      ? body
      : body instanceof Uint8Array
        ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
        : body instanceof Readable
          ? body
          : Readable.from(body),
  );
}

/**
 * Parses a state sent as JSON text. Missing parts use the dashboard's defaults. @throws ProblemError if it is
 * invalid
 */
export function readState(text = '{}'): DashboardState {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (cause) {
    throw new ProblemError('request-invalid', `Invalid \`state\`: not JSON. ${(cause as Error).message}`, {
      cause,
    });
  }
  const read = DashboardState.safeParse(
    typeof value === 'object' && value !== null ? { page: 0, filters: {}, selections: {}, ...value } : value,
  );
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ProblemError(
      'request-invalid',
      `Invalid \`state\`: ${issue ? [...(issue.path.length > 0 ? [`\`${issue.path.join('.')}\``] : []), issue.message].join(', ') : ''}`,
    );
  }
  return read.data;
}

/** Returns the locale if numbers can be formatted in it, else the fallback. */
export function localeOf(text: string | undefined, otherwise = 'en-US'): string {
  try {
    return Intl.getCanonicalLocales(text ?? otherwise)[0] ?? otherwise;
  } catch {
    return otherwise;
  }
}
