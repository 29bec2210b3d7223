import { DashboardState, type ExportFormat } from '@belvedere/api';
import { Readable } from 'node:stream';
import { dashboardContext } from '../answers/dashboard-context.ts';
import type { Answers } from '../answers/answer-question.ts';
import { askerOf } from '../answers/asker.ts';
import { exportDashboard, type Exported } from '../exports/export-dashboard.ts';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { ExportWriter } from '../exports/export-writer.ts';
import { ProblemError } from '../problems.ts';
import type { DashboardStore } from '../workspace/dashboard-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { openedFor, spoken } from './dashboards.ts';
import type { Handlers } from './mount.ts';

interface Asked {
  readonly format: ExportFormat;
  readonly theme: 'light' | 'dark';
  readonly tile?: string | undefined;
  readonly locale?: string | undefined;
  readonly width?: number | undefined;
}

/** Dashboards and tiles as files. */
export function exportRoutes(store: WorkspaceStore, dashboards: DashboardStore, answers: Answers, pagesFolder: string): Pick<Handlers, 'getExport' | 'postExport'> {
  const writer = new ExportWriter();
  const exported = async (id: string, state: DashboardState, asked: Asked, caller: Caller, signal: AbortSignal) => {
    const dashboard = spoken(dashboards.find(id), (asked.locale ?? store.current.settings.locale)?.slice(0, 2));
    const locale = localeOf(asked.locale, store.current.settings.locale);
    const context = dashboardContext(dashboard, state, askerOf(store.current, dashboard?.document, caller, signal), answers, locale);
    return exportDashboard(context, { format: asked.format, locale, theme: asked.theme, root: store.folders.root, pagesFolder, opened: { ...openedFor(caller, dashboard!, store.current, dashboards.notes.of(id)), title: context.dashboard.title, document: context.dashboard }, ...(asked.tile !== undefined && { tile: asked.tile }), ...(asked.width !== undefined && { width: asked.width }) }, writer);
  };
  return {
    getExport: async ({ params, query, reply, caller, signal }) => sendExported(reply, await exported(params.id, stateOf(query.state), query, caller, signal)),
    postExport: async ({ params, body, reply, caller, signal }) => sendExported(reply, await exported(params.id, body.state, body, caller, signal)),
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
