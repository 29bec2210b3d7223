import { Host } from '@belvedere/document';
import { z } from 'zod';
import { SourceAccess } from './source-access.ts';
import { Cell } from './tables.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { DocumentText } from '../dashboards/document-text.ts';

export const SourceSummary = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(['postgres', 'mysql', 'clickhouse', 'duckdb', 'sqlite']),
    host: z.string().optional(),
    state: z.enum(['unconfirmed', 'paused', 'unchecked', 'connecting', 'ready', 'degraded', 'failed']),
    /** Why it is paused, if a reason was given. */
    pausedFor: z.string().optional(),
    since: z.string(),
    problem: z.object({ code: z.string(), message: z.string() }).optional(),
    /**
     * Only in the state `unconfirmed`: the access it needs, and the hash with which the owner confirms
     * exactly that.
     */
    unconfirmed: z.object({ access: SourceAccess, content: z.string() }).optional(),
    server: z.string().optional(),
    /** Warnings for the operator, such as a login with write permission. */
    warnings: z.array(z.string()),
    tables: z.number(),
    drift: z.array(z.string()),
  })
  .meta({ id: 'Source' });
export type SourceSummary = z.infer<typeof SourceSummary>;

export const SourceDetail = SourceSummary.extend({
  /** A server's connection as in its file, and the file's hash, for `If-Match`. */
  connection: z
    .object({
      host: z.string(),
      port: z.number().optional(),
      database: z.string(),
      user: z.string(),
      hasPassword: z.boolean(),
      hash: z.string(),
    })
    .optional(),
  /** The watermarks of models: how new the data is, and since when that value is known. */
  watermarks: z.array(
    z.object({
      model: z.string(),
      label: z.string(),
      expression: z.string(),
      value: Cell,
      type: z.string(),
      since: z.string(),
    }),
  ),
  tableList: z.array(
    z.object({
      name: z.string(),
      isView: z.boolean(),
      estimatedRows: z.number().optional(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      model: z.string().optional(),
      overview: z.string().optional(),
    }),
  ),
}).meta({ id: 'SourceDetail' });
export type SourceDetail = z.infer<typeof SourceDetail>;

/** A connection as a user enters it. The password is stored separately from the connection's file. */
export const NewConnection = z.strictObject({
  kind: z.enum(['postgres', 'mysql', 'clickhouse']),
  label: z.string().max(200).optional(),
  host: Host,
  port: z.number().int().min(1).max(65_535).optional(),
  database: z.string().min(1).max(300),
  user: z.string().min(1).max(300),
  password: z.string().max(500).default(''),
  tls: z.boolean().optional(),
});
export type NewConnection = z.input<typeof NewConnection>;

/** A database in a file of this machine. A relative path begins in the workspace. */
export const NewFileConnection = z.strictObject({
  kind: z.enum(['duckdb', 'sqlite']),
  label: z.string().max(200).optional(),
  path: z.string().trim().min(1).max(1000),
});
export type NewFileConnection = z.input<typeof NewFileConnection>;

/**
 * A connection to be tested. Without a password, it uses the one of the saved `source` if the connection is
 * the same.
 */
const TriedConnection = NewConnection.extend({ source: z.string().max(64).optional() });
const sourceParams = z.object({ name: z.string().max(64) });

/** Databases, and SQL on them. */
export const sourceEndpoints = {
  listSources: endpoint({
    ...routes.listSources,
    access: { on: 'self' },
    summary: 'List the databases, with their status',
    response: z.object({ sources: z.array(SourceSummary) }),
  }),
  getSource: endpoint({
    ...routes.getSource,
    access: { on: 'source', level: 'explore' },
    summary: 'Get one database: its tables, their columns and schema changes',
    params: sourceParams,
    response: SourceDetail,
  }),
  getSchema: endpoint({
    ...routes.getSchema,
    access: { on: 'source', level: 'explore' },
    summary: 'Get the tables and columns of a source, which may be `files`',
    params: sourceParams,
    response: z.object({
      tables: z.array(
        z.object({
          name: z.string(),
          rows: z.number().optional(),
          columns: z.array(z.object({ name: z.string(), type: z.string() })),
        }),
      ),
    }),
  }),
  runSql: endpoint({
    ...routes.runSql,
    access: { on: 'source', level: 'explore' },
    summary: 'Run a read-only SQL query and return its first rows. Disconnecting cancels it',
    params: sourceParams,
    body: z.strictObject({ sql: DocumentText, limit: z.number().int().min(1).max(10_000).default(1000) }),
    response: z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.array(z.array(Cell)),
      /** Whether there are more rows. */
      isCut: z.boolean(),
      ms: z.number(),
    }),
  }),
  exportSql: endpoint({
    ...routes.exportSql,
    access: { on: 'source', level: 'explore' },
    summary: 'Export the full result of a SQL query as a file, streamed. Disconnecting cancels it',
    params: sourceParams,
    body: z.strictObject({
      sql: DocumentText,
      format: z.enum(['csv', 'xlsx', 'parquet']),
      locale: z.string().max(35).optional(),
    }),
    response: 'application/octet-stream',
  }),
  testSource: endpoint({
    ...routes.testSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Test a connection without saving it',
    body: TriedConnection,
    response: z.object({ server: z.string(), warnings: z.array(z.string()), tables: z.number() }),
  }),
  saveSource: endpoint({
    ...routes.saveSource,
    access: { on: 'workspace', role: 'admin' },
    summary:
      'Save and confirm a connection as a workspace file, instead of the version in `If-Match`; the password is stored separately',
    params: z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/) }),
    replaces: 'document',
    body: NewConnection,
    response: SourceSummary,
  }),
  saveFileSource: endpoint({
    ...routes.saveFileSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Save and confirm a DuckDB or SQLite file as a source; its tables are imported',
    params: z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/) }),
    body: NewFileConnection,
    response: SourceSummary,
  }),
  confirmSource: endpoint({
    ...routes.confirmSource,
    access: { on: 'workspace', role: 'admin' },
    summary:
      'Confirm a source: let it connect, send the secrets it names, or read a file outside the workspace',
    params: sourceParams,
    body: z.strictObject({ /** The hash of the access shown to the owner. */ content: z.string().max(64) }),
    response: SourceSummary,
  }),
  pauseSource: endpoint({
    ...routes.pauseSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Pause a database, so that nothing is asked of it, or resume it',
    params: sourceParams,
    body: z.strictObject({ isPaused: z.boolean(), reason: z.string().trim().max(200).optional() }),
    response: SourceSummary,
  }),
  removeSource: endpoint({
    ...routes.removeSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Remove a source: delete its file and the password typed for it; the database does not change',
    params: sourceParams,
    response: z.object({}),
  }),
  retrySource: endpoint({
    ...routes.retrySource,
    access: { on: 'source', level: 'edit' },
    summary: 'Retry a source now',
    params: sourceParams,
    response: SourceSummary,
  }),
} as const;
