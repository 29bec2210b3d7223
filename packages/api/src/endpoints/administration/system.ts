import { ResolvedCalendar, WorkspaceFile } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { ExternalSetting } from './external-settings.ts';

/** A query that runs or waits. It names documents and sources, never filters, values or statements. */
export const ListedQuery = z
  .object({
    id: z.string(),
    state: z.enum(['running', 'waiting']),
    kind: z.enum(['tile', 'dashboard', 'explore', 'model', 'sql', 'export']),
    user: z.object({ id: z.string(), name: z.string() }),
    source: z.string(),
    model: z.string().optional(),
    dashboard: z.object({ id: z.string(), title: z.string() }).optional(),
    /** The tile's title. */
    tile: z.string().optional(),
    since: z.string(),
    /** Absent while it waits. */
    startedAt: z.string().optional(),
    /** Rows that an export has read so far. */
    rows: z.number().optional(),
  })
  .meta({ id: 'ListedQuery' });
export type ListedQuery = z.infer<typeof ListedQuery>;

const problemKinds = [
  'saving',
  'state',
  'audit-log',
  'certificate',
  'clean-up',
  'import',
  'documents',
] as const;
const folderKinds = ['imports', 'caches', 'extracts', 'uploads', 'backups'] as const;

export const SystemReport = z
  .object({
    version: z.string(),
    mode: z.enum(['local', 'team']),
    startedAt: z.string(),
    /** The server's time. */
    at: z.string(),
    /** What needs attention; none if all is well. */
    problems: z.array(
      z.object({
        kind: z.enum(problemKinds),
        message: z.string(),
        /** The files with errors, or the tables that could not be imported. */
        names: z.array(z.string()).optional(),
      }),
    ),
    /** Settings of `belvedere.yaml` that are not used before an owner confirms them. */
    unconfirmed: z.array(ExternalSetting),
    state: z.object({ kind: z.enum(['sqlite', 'postgresql']), bytes: z.number().optional() }),
    storage: z.object({
      folders: z.array(z.object({ kind: z.enum(folderKinds), bytes: z.number() })),
      freeBytes: z.number().optional(),
      totalBytes: z.number().optional(),
    }),
    /** The server's own certificate. */
    certificate: z.object({ validUntil: z.string() }).optional(),
    running: z.number(),
    waiting: z.number(),
    executions: z.number(),
    cacheHits: z.number(),
    cacheBytes: z.number(),
    cacheLimitBytes: z.number(),
    restarts: z.number(),
    rssBytes: z.number(),
    queries: z.array(ListedQuery),
  })
  .meta({ id: 'SystemReport' });
export type SystemReport = z.infer<typeof SystemReport>;

export const TimeSettings = z
  .object({ timezone: z.string(), calendar: ResolvedCalendar })
  .meta({ id: 'TimeSettings' });
export type TimeSettings = z.infer<typeof TimeSettings>;

/** What is left out stays as it is. */
const ChangedTimeSettings = WorkspaceFile.pick({ timezone: true, weekStart: true, fiscalYearStart: true });
export type ChangedTimeSettings = z.infer<typeof ChangedTimeSettings>;

export const systemEndpoints = {
  putTimeSettings: endpoint({
    ...routes.putTimeSettings,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Set the workspace’s time zone and the start of its weeks and fiscal years, in `belvedere.yaml`',
    body: ChangedTimeSettings,
    response: TimeSettings,
  }),
  getSystem: endpoint({
    ...routes.getSystem,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Get the server’s health, storage and cache, and the running and waiting queries',
    response: SystemReport,
  }),
  cancelQuery: endpoint({
    ...routes.cancelQuery,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Cancel a running or waiting query',
    params: z.object({ query: z.string().max(100) }),
    response: z.object({}),
  }),
} as const;
