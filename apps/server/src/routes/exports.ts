import { DashboardState } from '@belvedere/api';
import { Readable } from 'node:stream';
import { dashboardContext } from '../answers/dashboard-context.ts';
import type { Answers } from '../answers/answer-question.ts';
import { askerOf } from '../answers/asker.ts';
import { exportDashboard, type Exported } from '../exports/export-dashboard.ts';
import type { FastifyReply } from 'fastify';
import { ExportWriter } from '../exports/export-writer.ts';
import { ProblemError } from '../problems.ts';
import type { DashboardStore } from '../workspace/dashboard-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { openedFor, spoken } from './dashboards.ts';
import type { Handlers } from './mount.ts';

/** Dashboards and tiles as files. */
export function exportRoutes(store: WorkspaceStore, dashboards: DashboardStore, answers: Answers, pagesFolder: string): Pick<Handlers, 'getExport'> {
  const writer = new ExportWriter();
  return {
    getExport: async ({ params, query, reply, caller, signal }) => {
      const dashboard = spoken(dashboards.find(params.id), (query.locale ?? store.current.settings.locale)?.slice(0, 2));
      const context = dashboardContext(dashboard, stateOf(query.state), askerOf(store.current, dashboard?.document, caller, signal), answers, localeOf(query.locale, store.current.settings.locale));
      return sendExported(reply, await exportDashboard(context, { format: query.format, locale: localeOf(query.locale, store.current.settings.locale), theme: query.theme, root: store.folders.root, pagesFolder, opened: { ...openedFor(caller, dashboard!, store.current, dashboards.notes.of(params.id)), title: context.dashboard.title, document: context.dashboard }, ...(query.tile !== undefined && { tile: query.tile }), ...(query.width !== undefined && { width: query.width }) }, writer));
    },
  };
}

/** A file to keep: by its plain name for old programs, the real one beside it (RFC 6266). */
export function sendExported(reply: FastifyReply, { name, type, body }: Exported): FastifyReply {
  reply.header('content-type', type).header('content-disposition', `attachment; filename="${name.replace(/[^\x20-\x7e]|"/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`).header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  return reply.send(typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body instanceof Readable ? body : Readable.from(body));
}

function stateOf(text: string | undefined): DashboardState {
  if (text === undefined) return { page: 0, filters: {}, selections: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProblemError('request-invalid', 'The `state` is no JSON.');
  }
  const read = DashboardState.safeParse(value);
  if (!read.success) throw new ProblemError('request-invalid', `The \`state\` is none of a dashboard: ${read.error.issues[0]?.message ?? ''}`);
  return read.data;
}

/** A language one can write numbers in; another where the asked one is none. */
export function localeOf(text: string | undefined, otherwise = 'en-US'): string {
  try {
    return Intl.getCanonicalLocales(text ?? otherwise)[0] ?? otherwise;
  } catch {
    return otherwise;
  }
}
