import { CalendarAnswer, DashboardFile, FilterDefault, Look, TimeUnit } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { DocumentError } from './document-error.ts';
import {
  DashboardSummary,
  EventNote,
  Explanation,
  CountedTable,
  ExportFormat,
  ExportRows,
  Me,
  NewEventNote,
  OpenDashboard,
  PresentWindow,
  Revision,
  SavedView,
  WindowId,
} from './dashboards.ts';
import { CheckedModel, ModelPreview, ModelSummary } from './models.ts';
import {
  NewFileConnection,
  SavedConnection,
  SourceDetail,
  SourceSummary,
  TriedConnection,
} from './sources.ts';
import { Cell, Column, Reading, RowsPage, TableDetail, TableSummary } from './tables.ts';
import { LevelName, RoleName } from './access-names.ts';
import { accessRequestEndpoints } from './access-requests.ts';
import { accessTokenEndpoints } from './access-tokens.ts';
import { accountEndpoints } from './accounts.ts';
import { alertEndpoints } from './alerts.ts';
import { channelEndpoints } from './channels.ts';
import { commentEndpoints } from './comments.ts';
import { embedEndpoints } from './embed.ts';
import { dashboardRecordEndpoints } from './dashboard-records.ts';
import { jobEndpoints } from './jobs.ts';
import { linkEndpoints } from './links.ts';
import { relationshipEndpoints } from './relationships.ts';
import { reportEndpoints } from './reports.ts';
import { routes } from './routes.ts';
import { scheduledDocumentEndpoints } from './scheduled-documents.ts';
import { systemEndpoints } from './system.ts';
import { sharingEndpoints } from './sharing.ts';
import { signInEndpoints } from './sign-in.ts';
import { DashboardState } from './state.ts';
import { twoFactorEndpoints } from './two-factor.ts';

/** A two-letter language code (ISO 639-1). Texts use this language if a translation exists. */
const Language = z
  .string()
  .regex(/^[a-z]{2}$/)
  .optional();

export const Session = z
  .object({
    /** `local`: one person on this machine, without accounts. */
    mode: z.enum(['local', 'team']),
    user: z.object({ id: z.string(), name: z.string(), email: z.string().optional() }),
    role: RoleName,
    /** The user as whom an owner or admin views the workspace. */
    viewingAs: z.string().optional(),
    workspace: z.object({
      title: z.string(),
      isSample: z.boolean(),
      timezone: z.string(),
      calendar: CalendarAnswer,
    }),
    version: z.string(),
    /** The users as whom the owner can view. */
    people: z.array(z.string()),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

const dashboardParams = z.object({ id: z.string().max(300) });
const NamedDashboard = z.object({ id: z.string(), title: z.string() });
const noteParams = dashboardParams.extend({ note: z.coerce.number().int() });
const viewParams = dashboardParams.extend({ name: z.string().trim().min(1).max(200) });
const modelParams = z.object({ name: z.string().max(64) });
const uploadParams = z.object({ name: z.string().max(200) });
/** The size and hash of the whole file. Received bytes belong to this content only. */
const uploadedContent = {
  size: z.coerce.number().int().min(1),
  /** SHA-256, hexadecimal. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
};
const UploadState = z.object({ received: z.number(), isWhole: z.boolean() });
const Sort = z.strictObject({ by: z.string().max(200), descending: z.boolean().optional() });
const Condition = z.record(z.string().max(200), FilterDefault);
const exported = {
  format: ExportFormat,
  tile: z.string().max(64).optional(),
  locale: z.string().max(35).optional(),
  theme: z.enum(['light', 'dark']).default('light'),
  rows: ExportRows.default('limited'),
};
/** The width of an exported tile in pixels; by default its width on the page. */
const pictureWidth = (number: z.ZodNumber | z.ZodCoercedNumber) => number.int().min(120).max(4000).optional();
/** Limited in size like documents; reading the document checks the rest. */
const DocumentText = z.string().max(262_144);
/**
 * `draft`: the version of the draft that the save replaces and deletes. A draft of another version is kept.
 */
const SavedText = z.strictObject({
  text: DocumentText,
  base: z.string().max(64).optional(),
  message: z.string().max(500).optional(),
  draft: z.number().int().min(0).optional(),
});

/** All endpoints. The server mounts exactly these, and the client is generated from them. */
export const contract = {
  getSession: endpoint({
    ...routes.getSession,
    access: { on: 'self' },
    summary: 'Get the current user and server',
    answer: Session,
  }),
  listDashboards: endpoint({
    ...routes.listDashboards,
    access: { on: 'self' },
    summary: 'List the workspace’s dashboards',
    query: z.object({
      language: Language,
      /** Search terms, all of which must occur in the title, folder, texts or fields. */
      search: z.string().max(200).optional(),
    }),
    answer: z.object({
      dashboards: z.array(DashboardSummary),
      /** The folders of dashboards on which the caller has a level; '' is that of all dashboards. */
      folders: z.array(z.object({ path: z.string(), level: LevelName })),
      /** The workspace's colours. */
      look: Look,
      skippedFiles: z.array(z.object({ file: z.string(), reason: z.string() })),
    }),
  }),
  getDashboard: endpoint({
    ...routes.getDashboard,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get a dashboard’s document and its models',
    params: dashboardParams,
    query: z.object({ language: Language }),
    answer: OpenDashboard,
  }),
  saveDashboard: endpoint({
    ...routes.saveDashboard,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Save an unsaved dashboard, such as an overview, as a file',
    params: dashboardParams,
    body: z.strictObject({ document: DashboardFile }),
    answer: DashboardSummary,
  }),
  getDashboardText: endpoint({
    ...routes.getDashboardText,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Get a dashboard’s text: its file and its draft',
    params: dashboardParams,
    answer: z.object({
      id: z.string(),
      file: z.string(),
      text: z.string(),
      hash: z.string(),
      draft: z
        .object({
          text: z.string(),
          base: z.string(),
          baseHash: z.string(),
          version: z.number(),
          at: z.string(),
        })
        .optional(),
    }),
  }),
  saveDashboardText: endpoint({
    ...routes.saveDashboardText,
    access: { on: 'dashboard', level: 'edit' },
    summary:
      'Save a dashboard’s text: replaces the version whose hash is `base`, or creates a file if there is no `base`',
    params: dashboardParams,
    body: SavedText,
    answer: z.object({ number: z.number(), hash: z.string() }),
  }),
  putDraft: endpoint({
    ...routes.putDraft,
    access: { on: 'dashboard', level: 'edit' },
    summary:
      'Save a draft; query its tiles with the id `draft:ID`. `explore:MODEL` is a draft without a file, for exploring a model',
    params: dashboardParams,
    body: z.strictObject({
      text: DocumentText,
      /** The hash of the text that the draft is based on. */
      base: z.string().max(64),
      /** The draft's version that the change applies to; 0 for the first change. */
      after: z.number().int().min(0),
    }),
    answer: z.object({ version: z.number(), dashboard: OpenDashboard }),
  }),
  dropDraft: endpoint({
    ...routes.dropDraft,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Discard a draft',
    params: dashboardParams,
    answer: z.object({}),
  }),
  listRevisions: endpoint({
    ...routes.listRevisions,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'List a dashboard’s revisions, newest first',
    params: dashboardParams,
    answer: z.object({ revisions: z.array(Revision) }),
  }),
  getRevision: endpoint({
    ...routes.getRevision,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Get one revision with its text',
    params: dashboardParams.extend({ number: z.coerce.number().int() }),
    answer: Revision.extend({ text: z.string() }),
  }),
  removeDashboard: endpoint({
    ...routes.removeDashboard,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Move a dashboard to the trash, where it is kept for 30 days',
    params: dashboardParams,
    answer: z.object({ number: z.number() }),
  }),
  moveDashboard: endpoint({
    ...routes.moveDashboard,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Rename or move a dashboard with its history',
    params: dashboardParams,
    body: z.strictObject({ to: z.string().max(300) }),
    answer: z.object({}),
  }),
  moveFolder: endpoint({
    ...routes.moveFolder,
    access: { on: 'self' },
    summary: 'Rename or move a folder of dashboards with its contents',
    body: z.strictObject({ from: z.string().max(300), to: z.string().max(300) }),
    answer: z.object({ moved: z.number() }),
  }),
  listTrash: endpoint({
    ...routes.listTrash,
    access: { on: 'self' },
    summary: 'List the dashboards in the trash',
    answer: z.object({
      dashboards: z.array(
        z.object({ number: z.number(), dashboard: z.string(), title: z.string(), at: z.string() }),
      ),
    }),
  }),
  restoreDashboard: endpoint({
    ...routes.restoreDashboard,
    access: { on: 'self' },
    summary: 'Restore a dashboard from the trash',
    params: z.object({ number: z.coerce.number().int() }),
    answer: z.object({ id: z.string() }),
  }),
  findTiles: endpoint({
    ...routes.findTiles,
    access: { on: 'self' },
    summary: 'Find tiles by the words of their titles, in all dashboards',
    query: z.object({ search: z.string().trim().min(1).max(200), language: Language }),
    answer: z.object({
      tiles: z.array(
        z.object({
          dashboard: z.string(),
          dashboardTitle: z.string(),
          page: z.number(),
          tile: z.string(),
          title: z.string(),
        }),
      ),
      /** Whether there are more. */
      isCut: z.boolean(),
    }),
  }),
  getThumbnail: endpoint({
    ...routes.getThumbnail,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get a thumbnail of a dashboard’s first page',
    params: dashboardParams,
    query: z.object({ theme: z.enum(['light', 'dark']).default('light') }),
    answer: 'image/svg+xml',
  }),
  queryTiles: endpoint({
    ...routes.queryTiles,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Query several tiles for one state; streams each result as soon as it is ready',
    params: dashboardParams,
    body: z.strictObject({
      state: DashboardState,
      tiles: z.array(z.string().max(64)).max(60).optional(),
      scope: z.enum(['both', 'filtered']).default('both'),
    }),
    answer: 'application/vnd.belvedere.frames',
  }),
  getBrushIndex: endpoint({
    ...routes.getBrushIndex,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get the brush index: the other tiles’ totals for every step of the active tile’s axes',
    params: dashboardParams,
    body: z.strictObject({
      state: DashboardState,
      active: z.string().max(64),
      tiles: z.array(z.string().max(64)).max(60).optional(),
    }),
    answer: 'application/vnd.belvedere.frames',
  }),
  getTileRows: endpoint({
    ...routes.getTileRows,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get one page of a sorted table tile, or of the rows behind another tile or one of its marks',
    params: z.object({ id: z.string().max(300), tile: z.string().max(64) }),
    body: z.strictObject({
      state: DashboardState,
      mark: Condition.optional(),
      sort: Sort.optional(),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    answer: RowsPage,
  }),
  getFieldValues: endpoint({
    ...routes.getFieldValues,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Search a filter’s values, with row counts under the other filters',
    params: z.object({ id: z.string().max(300), field: z.string().max(200) }),
    body: z.strictObject({
      state: DashboardState,
      search: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(200).default(200),
    }),
    answer: z.object({
      values: z.array(z.object({ value: Cell, rows: z.number() })),
      isCut: z.boolean(),
      extent: z.object({ min: z.number(), max: z.number() }).optional(),
    }),
  }),
  getExport: endpoint({
    ...routes.getExport,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Export a dashboard, or one of its tiles, for a state and a language',
    params: dashboardParams,
    query: z.object({
      ...exported,
      state: z.string().max(60_000).optional(),
      width: pictureWidth(z.coerce.number()),
    }),
    answer: 'application/octet-stream',
  }),
  postExport: endpoint({
    ...routes.postExport,
    access: { on: 'dashboard', level: 'view' },
    summary: 'The same, for a state that is too long for a URL',
    params: dashboardParams,
    body: z.strictObject({ ...exported, state: DashboardState, width: pictureWidth(z.number()) }),
    answer: 'application/octet-stream',
  }),
  countExportRows: endpoint({
    ...routes.countExportRows,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Count the rows of a dashboard’s table tiles, or of one, before an export',
    params: dashboardParams,
    body: z.strictObject({
      state: DashboardState,
      tile: z.string().max(64).optional(),
      locale: z.string().max(35).optional(),
    }),
    answer: z.object({ tables: z.array(CountedTable) }),
  }),
  getImage: endpoint({
    ...routes.getImage,
    access: { on: 'self' },
    summary: 'Get an image from the workspace’s folder `images`',
    params: z.object({ file: z.string().max(160) }),
    answer: 'application/octet-stream',
  }),
  getMap: endpoint({
    ...routes.getMap,
    access: { on: 'self' },
    summary: 'Get a GeoJSON file from the workspace’s folder `maps`',
    params: z.object({ file: z.string().max(160) }),
    answer: 'application/octet-stream',
  }),
  listModels: endpoint({
    ...routes.listModels,
    access: { on: 'self' },
    summary: 'List the workspace’s models',
    answer: z.object({ models: z.array(ModelSummary) }),
  }),
  getModel: endpoint({
    ...routes.getModel,
    access: { on: 'model', level: 'explore' },
    summary: 'Get one model',
    params: modelParams,
    answer: ModelSummary,
  }),
  getModelText: endpoint({
    ...routes.getModelText,
    access: { on: 'model', level: 'edit' },
    summary: 'Get a model’s text: its file, or the text of the inferred model; and its draft',
    params: modelParams,
    answer: z.object({
      name: z.string(),
      file: z.string(),
      text: z.string(),
      /** Absent while there is no file. */
      hash: z.string().optional(),
      draft: z
        .object({
          text: z.string(),
          base: z.string(),
          baseHash: z.string().optional(),
          version: z.number(),
          at: z.string(),
        })
        .optional(),
      checked: CheckedModel,
    }),
  }),
  saveModelText: endpoint({
    ...routes.saveModelText,
    access: { on: 'model', level: 'edit' },
    summary:
      'Save a model’s text: replaces the version whose hash is `base`, or creates a file if there is no `base`',
    params: modelParams,
    body: SavedText.extend({
      /** Update references in dashboards to renamed dimensions and measures. */
      follow: z.boolean().optional(),
    }),
    answer: z.object({
      number: z.number(),
      hash: z.string(),
      checked: CheckedModel,
      /** Dashboards that could not be updated, and now refer to missing names. */
      left: z.array(NamedDashboard),
    }),
  }),
  findModelRenames: endpoint({
    ...routes.findModelRenames,
    access: { on: 'model', level: 'edit' },
    summary: 'List the names that a text changes in the saved model, and the dashboards that use them',
    params: modelParams,
    body: z.strictObject({ text: DocumentText }),
    answer: z.object({
      renames: z.array(
        z.object({ section: z.enum(['dimensions', 'measures']), from: z.string(), to: z.string() }),
      ),
      dashboards: z.array(NamedDashboard),
    }),
  }),
  putModelDraft: endpoint({
    ...routes.putModelDraft,
    access: { on: 'model', level: 'edit' },
    summary: 'Save a draft of a model, and get the model it describes',
    params: modelParams,
    body: z.strictObject({
      text: DocumentText,
      /** The hash of the text that the draft is based on; absent for a suggested model. */
      base: z.string().max(64).optional(),
      after: z.number().int().min(0),
    }),
    answer: z.object({ version: z.number(), checked: CheckedModel }),
  }),
  dropModelDraft: endpoint({
    ...routes.dropModelDraft,
    access: { on: 'model', level: 'edit' },
    summary: 'Discard a model’s draft',
    params: modelParams,
    answer: z.object({}),
  }),
  listModelRevisions: endpoint({
    ...routes.listModelRevisions,
    access: { on: 'model', level: 'edit' },
    summary: 'List a model’s revisions, newest first',
    params: modelParams,
    answer: z.object({ revisions: z.array(Revision) }),
  }),
  getModelRevision: endpoint({
    ...routes.getModelRevision,
    access: { on: 'model', level: 'edit' },
    summary: 'Get one revision with its text',
    params: modelParams.extend({ number: z.coerce.number().int() }),
    answer: Revision.extend({ text: z.string() }),
  }),
  previewModel: endpoint({
    ...routes.previewModel,
    access: { on: 'model', level: 'edit' },
    summary:
      'Preview a dimension, a measure, a join or the row policies of a model’s text with the current data',
    params: modelParams,
    body: z.strictObject({
      text: DocumentText,
      part: z.union([
        z.strictObject({ dimension: z.string().max(64) }),
        z.strictObject({ measure: z.string().max(64) }),
        z.strictObject({ join: z.string().max(64) }),
        z.strictObject({ readers: z.literal(true) }),
      ]),
    }),
    answer: ModelPreview,
  }),
  getModelProfile: endpoint({
    ...routes.getModelProfile,
    access: { on: 'model', level: 'explore' },
    summary: 'Get the profiles of a model’s fields that were counted at import',
    params: modelParams,
    answer: z.object({
      rows: z.number().optional(),
      fields: z.record(z.string(), Column),
      /** Fields of joined tables, as counted in these tables. */
      joined: z.record(z.string(), Column),
    }),
  }),
  getModelValues: endpoint({
    ...routes.getModelValues,
    access: { on: 'model', level: 'explore' },
    summary: 'Get the values of a model’s categories, the most frequent first, by which phrases name them',
    params: modelParams,
    answer: z.object({ fields: z.record(z.string(), z.array(z.string())) }),
  }),
  postQuery: endpoint({
    ...routes.postQuery,
    access: { on: 'model', level: 'explore' },
    summary:
      'Query a model by its dimensions and measures; returns JSON, or Arrow with `Accept: application/vnd.apache.arrow.stream`',
    params: modelParams,
    body: z.strictObject({
      dimensions: z
        .array(
          z.union([
            z.string().max(200),
            z.strictObject({ field: z.string().max(200), timeUnit: TimeUnit.optional() }),
          ]),
        )
        .max(20)
        .default([]),
      measures: z.array(z.string().max(64)).max(50).default([]),
      where: Condition.default({}),
      order: z.array(Sort).max(10).default([]),
      limit: z.number().int().min(1).max(50_000).default(1000),
      offset: z.number().int().min(0).default(0),
    }),
    answer: RowsPage,
  }),
  listTables: endpoint({
    ...routes.listTables,
    access: { on: 'self' },
    summary: 'List the tables of the data folder, with their import status',
    answer: z.object({
      tables: z.array(TableSummary),
      skippedFiles: z.array(z.object({ file: z.string(), reason: z.string() })),
    }),
  }),
  getTable: endpoint({
    ...routes.getTable,
    access: { on: 'source', level: 'explore', id: 'files' },
    summary: 'Get one table: its columns, their profiles and its import report',
    params: z.object({ table: z.string().max(100) }),
    answer: TableDetail,
  }),
  getTableRows: endpoint({
    ...routes.getTableRows,
    access: { on: 'source', level: 'explore', id: 'files' },
    summary: 'Get the first rows of a table',
    params: z.object({ table: z.string().max(100) }),
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answer: RowsPage,
  }),
  addSample: endpoint({
    ...routes.addSample,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Add the sample’s data, models and dashboards to an empty workspace',
    answer: z.object({}),
  }),
  setImportOptions: endpoint({
    ...routes.setImportOptions,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Set a table’s import options, save them in `tables/`, and import its files again',
    params: z.object({ table: z.string().max(100) }),
    body: Reading,
    answer: z.object({ file: z.string() }),
  }),
  cancelImport: endpoint({
    ...routes.cancelImport,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Cancel a table’s import; a version imported before stays in use',
    params: z.object({ table: z.string().max(100) }),
    answer: z.object({ stopped: z.boolean() }),
  }),
  retryImport: endpoint({
    ...routes.retryImport,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Retry a cancelled or failed import',
    params: z.object({ table: z.string().max(100) }),
    answer: z.object({ begun: z.boolean() }),
  }),
  getRejectedRows: endpoint({
    ...routes.getRejectedRows,
    access: { on: 'source', level: 'explore', id: 'files' },
    summary: 'Download a table’s rejected rows as CSV',
    params: z.object({ table: z.string().max(100) }),
    answer: 'text/csv',
  }),
  getUpload: endpoint({
    ...routes.getUpload,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Get how much of an upload has arrived, to resume it',
    params: uploadParams,
    query: z.object(uploadedContent),
    answer: UploadState,
  }),
  putUpload: endpoint({
    ...routes.putUpload,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Upload a piece of a data file as `application/octet-stream`; the last piece starts its import',
    params: uploadParams,
    query: z.object({
      ...uploadedContent,
      offset: z.coerce.number().int().min(0),
      /** Replaces a file of the same name. */
      replaces: z.stringbool().default(false),
    }),
    answer: UploadState,
  }),
  listSources: endpoint({
    ...routes.listSources,
    access: { on: 'self' },
    summary: 'List the databases, with their status',
    answer: z.object({ sources: z.array(SourceSummary) }),
  }),
  getSource: endpoint({
    ...routes.getSource,
    access: { on: 'source', level: 'explore' },
    summary: 'Get one database: its tables, their columns and schema changes',
    params: modelParams,
    answer: SourceDetail,
  }),
  getSchema: endpoint({
    ...routes.getSchema,
    access: { on: 'source', level: 'explore' },
    summary: 'Get the tables and columns of a source, which may be `files`',
    params: modelParams,
    answer: z.object({
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
    params: modelParams,
    body: z.strictObject({ sql: DocumentText, limit: z.number().int().min(1).max(10_000).default(1000) }),
    answer: z.object({
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
    params: modelParams,
    body: z.strictObject({
      sql: DocumentText,
      format: z.enum(['csv', 'xlsx', 'parquet']),
      locale: z.string().max(35).optional(),
    }),
    answer: 'application/octet-stream',
  }),
  testSource: endpoint({
    ...routes.testSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Test a connection without saving it',
    body: TriedConnection,
    answer: z.object({ server: z.string(), warnings: z.array(z.string()), tables: z.number() }),
  }),
  saveSource: endpoint({
    ...routes.saveSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Save and confirm a connection as a workspace file; the password is stored separately',
    params: z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/) }),
    body: SavedConnection,
    answer: SourceSummary,
  }),
  saveFileSource: endpoint({
    ...routes.saveFileSource,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Save and confirm a DuckDB or SQLite file as a source; its tables are imported',
    params: z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/) }),
    body: NewFileConnection,
    answer: SourceSummary,
  }),
  confirmSource: endpoint({
    ...routes.confirmSource,
    access: { on: 'workspace', role: 'admin' },
    summary:
      'Confirm a source: let it connect, send the secrets it names, or read a file outside the workspace',
    params: modelParams,
    body: z.strictObject({ /** The hash of the access shown to the owner. */ content: z.string().max(64) }),
    answer: SourceSummary,
  }),
  retrySource: endpoint({
    ...routes.retrySource,
    access: { on: 'source', level: 'edit' },
    summary: 'Retry a source now',
    params: modelParams,
    answer: SourceSummary,
  }),
  explainTile: endpoint({
    ...routes.explainTile,
    access: { on: 'dashboard', level: 'view' },
    summary:
      'Explain how a tile’s number is calculated: its query, the filters that apply and their origin, the SQL, the row counts',
    params: z.object({ id: z.string().max(300), tile: z.string().max(64) }),
    body: z.strictObject({
      state: DashboardState,
      mark: Condition.optional(),
      /** The locale of the explanation's texts. */
      locale: z.string().max(35).optional(),
    }),
    answer: Explanation,
  }),
  getMe: endpoint({
    ...routes.getMe,
    access: { on: 'self' },
    summary: 'Get the user’s favourites, recent dashboards and saved views',
    answer: Me,
  }),
  putFavourite: endpoint({
    ...routes.putFavourite,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Add a dashboard to the favourites, or remove it',
    params: dashboardParams,
    body: z.strictObject({ isFavourite: z.boolean() }),
    answer: z.object({}),
  }),
  putRecent: endpoint({
    ...routes.putRecent,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Record that a dashboard was viewed; with `state`, the state it was left in (null: the default)',
    params: dashboardParams,
    body: z.strictObject({ state: DashboardState.nullable().optional() }),
    answer: z.object({}),
  }),
  addEventNote: endpoint({
    ...routes.addEventNote,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Add an event note for a day or a time range, visible to everyone who sees the dashboard',
    params: dashboardParams,
    body: NewEventNote,
    answer: EventNote,
  }),
  updateEventNote: endpoint({
    ...routes.updateEventNote,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Change an event note',
    params: noteParams,
    body: NewEventNote,
    answer: EventNote,
  }),
  removeEventNote: endpoint({
    ...routes.removeEventNote,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Delete an event note',
    params: noteParams,
    answer: z.object({}),
  }),
  putView: endpoint({
    ...routes.putView,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Save a view: a state of a dashboard under a name; replaces a view of the same name',
    params: viewParams,
    body: z.strictObject({ state: DashboardState }),
    answer: SavedView,
  }),
  removeView: endpoint({
    ...routes.removeView,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Delete a saved view',
    params: viewParams,
    answer: z.object({}),
  }),
  putPresence: endpoint({
    ...routes.putPresence,
    access: { on: 'self' },
    summary:
      'Report which document a window has open, if any, and what is selected in it; returns who else has it open',
    params: z.object({ window: WindowId }),
    body: z.strictObject({
      document: z.string().max(320).optional(),
      position: z.string().max(200).optional(),
      isEditing: z.boolean().optional(),
    }),
    answer: z.object({ windows: z.array(PresentWindow) }),
  }),
  getEvents: endpoint({
    ...routes.getEvents,
    access: { on: 'self' },
    summary: 'Stream the workspace’s change events',
    query: z.object({ /** The window whose presence ends with the stream. */ window: WindowId.optional() }),
    answer: 'text/event-stream',
  }),
  validate: endpoint({
    ...routes.validate,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Check a document without saving it',
    body: z.strictObject({
      kind: z.enum([
        'access',
        'alert',
        'dashboard',
        'model',
        'report',
        'source',
        'table',
        'test',
        'translation',
        'workspace',
      ]),
      text: z.string().max(262_144),
    }),
    answer: z.object({ errors: z.array(DocumentError) }),
  }),
  listProblems: endpoint({
    ...routes.listProblems,
    access: { on: 'workspace', role: 'editor' },
    summary: 'List the problems of the documents that one may edit, as they stand with the data',
    answer: z.object({
      problems: z.array(
        z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() }),
      ),
    }),
  }),
  ...systemEndpoints,
  ...jobEndpoints,
  ...relationshipEndpoints,
  ...scheduledDocumentEndpoints,
  ...accountEndpoints,
  ...signInEndpoints,
  ...accessTokenEndpoints,
  ...linkEndpoints,
  ...commentEndpoints,
  ...embedEndpoints,
  ...channelEndpoints,
  ...twoFactorEndpoints,
  ...sharingEndpoints,
  ...dashboardRecordEndpoints,
  ...accessRequestEndpoints,
  ...alertEndpoints,
  ...reportEndpoints,
} as const;

export type Contract = typeof contract;

/** An event that the server sends on `GET /api/v1/events`. */
export type ServerEvent =
  | { readonly kind: 'workspace'; readonly revision: number }
  /** What the user may see or do has changed. */
  | { readonly kind: 'access' }
  /** The draft of a document (a dashboard's ID, or `model:NAME`) changed or, with version 0, was deleted. */
  | { readonly kind: 'draft'; readonly document: string; readonly version: number }
  /** All windows that have a document open, in the order of opening. */
  | { readonly kind: 'presence'; readonly document: string; readonly windows: readonly PresentWindow[] }
  /** The comments of a dashboard changed. */
  | { readonly kind: 'comments'; readonly dashboard: string }
  /** The state of an alert changed, or the alert itself. */
  | { readonly kind: 'alert'; readonly id: string }
  /** The event notes of a dashboard changed. */
  | { readonly kind: 'notes'; readonly dashboard: string }
  | { readonly kind: 'reading'; readonly table: string; readonly percent: number };
