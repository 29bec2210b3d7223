import { DashboardFile, FilterDefault, Look, TableFile, TimeUnit } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { DashboardState } from './state.ts';

const Field = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  format: z.string().optional(),
  unit: z.string().optional(),
  better: z.enum(['up', 'down']).optional(),
  description: z.string().optional(),
  /** Not offered in lists; what names it works as ever. */
  isHidden: z.boolean().optional(),
});
export type Field = z.infer<typeof Field>;

/** A model as readers may know it: names and labels, no expressions. */
export const ModelSummary = z
  .object({
    name: z.string(), label: z.string(), table: z.string(), time: z.string().optional(), dimensions: z.array(Field), measures: z.array(Field), isGuessed: z.boolean(),
    /** Dimensions from the coarsest to the finest. */
    hierarchies: z.array(z.array(z.string())).optional(),
    /** Conditions that hold wherever nothing else is said about their field. */
    filters: z.record(z.string(), FilterDefault).optional(),
  })
  .meta({ id: 'Model' });
export type ModelSummary = z.infer<typeof ModelSummary>;

/** Two letters (ISO 639-1): texts are in it where there are such. */
const Language = z.string().regex(/^[a-z]{2}$/).optional();
const DocumentError = z.object({ file: z.string(), path: z.string(), line: z.number(), column: z.number(), message: z.string(), suggestion: z.string().optional() });
export type DocumentError = z.infer<typeof DocumentError>;

export const DashboardSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    folder: z.string(),
    /** `saved` in a file, or made from a table as an `overview`. */
    origin: z.enum(['saved', 'overview']),
    state: z.enum(['ready', 'reading', 'broken']),
    tiles: z.number(),
    models: z.array(z.string()),
    updated: z.string().optional(),
    revision: z.string(),
  })
  .meta({ id: 'DashboardSummary' });
export type DashboardSummary = z.infer<typeof DashboardSummary>;

/** A browser's window, by a name it has made up itself. */
const WindowId = z.string().regex(/^[0-9a-f]{24}$/);

/** A window that has a document open: a dashboard by its id, a model as `model:NAME`; the tile or entry that is chosen in it. */
export const PresentWindow = z.object({ window: WindowId, document: z.string(), place: z.string().optional(), isEditing: z.boolean() });
export type PresentWindow = z.infer<typeof PresentWindow>;

/** A state of a dashboard that somebody gave a name. */
export const SavedView = z.object({ dashboard: z.string(), name: z.string(), state: DashboardState, at: z.string() });
export type SavedView = z.infer<typeof SavedView>;

/** What is one person's own: dashboards marked, those looked at last with how they were left, views. */
export const Mine = z.object({
  favourites: z.array(z.string()),
  /** The last first; `state` is what was set there, where anything was. */
  recent: z.array(z.object({ dashboard: z.string(), state: DashboardState.optional() })),
  views: z.array(SavedView),
});
export type Mine = z.infer<typeof Mine>;
const viewParams = z.object({ id: z.string().max(300), name: z.string().trim().min(1).max(200) });

export const OpenDashboard = DashboardSummary.extend({
  document: DashboardFile.optional(),
  models: z.array(ModelSummary),
  timezone: z.string(),
  /** Its colours: the workspace's, and its own. */
  look: Look,
  /** What is wrong with the document: all of it unreadable (no document), or single tiles. */
  problems: z.array(DocumentError),
  brokenTiles: z.record(z.string(), z.string()),
  /** The languages its texts are in beside its own, and the texts that one of them lacks. */
  languages: z.array(z.string()),
  untranslated: z.array(z.object({ file: z.string(), path: z.string() })),
}).meta({ id: 'Dashboard' });
export type OpenDashboard = z.infer<typeof OpenDashboard>;

const Column = z.object({
  name: z.string(),
  type: z.string(),
  nulls: z.number(),
  empties: z.number(),
  distinct: z.number(),
  isDistinctExact: z.boolean(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  top: z.array(z.object({ value: z.string().nullable(), rows: z.number() })),
});

export const TableSummary = z
  .object({
    name: z.string(),
    source: z.string(),
    state: z.enum(['waiting', 'reading', 'ready', 'rejected']),
    percent: z.number().optional(),
    rows: z.number().optional(),
    columns: z.number().optional(),
    bytes: z.number(),
    files: z.array(z.string()),
    readAt: z.string().optional(),
    model: z.string().optional(),
    problem: z.object({ file: z.string(), line: z.number().optional(), message: z.string() }).optional(),
    rowsRejected: z.number().optional(),
  })
  .meta({ id: 'Table' });
export type TableSummary = z.infer<typeof TableSummary>;

const Reading = TableFile.omit({ version: true });
export type Reading = z.infer<typeof Reading>;

export const TableDetail = TableSummary.extend({
  profile: z.array(Column),
  report: z
    .object({
      rowsRead: z.number(),
      rowsKept: z.number(),
      rowsRejected: z.number(),
      rejected: z.array(z.object({ file: z.string(), line: z.number(), column: z.string().optional(), reason: z.string(), text: z.string().optional() })),
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
      hasHeader: z.boolean().optional(),
      skippedLines: z.number().optional(),
      notes: z.array(z.string()),
      /** What could not be told from the data: such columns stay text until somebody says. */
      questions: z.array(z.object({ kind: z.literal('date order'), columns: z.array(z.string()), example: z.string() })).optional(),
    })
    .optional(),
  /** What was decided about reading it, in place of guesses. */
  reading: Reading.optional(),
}).meta({ id: 'TableDetail' });
export type TableDetail = z.infer<typeof TableDetail>;

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const RowsPage = z
  .object({ columns: z.array(z.object({ name: z.string(), label: z.string(), type: z.string(), format: z.string().optional() })), rows: z.array(z.array(Cell)), total: z.number(), totals: z.array(Cell).optional() })
  .meta({ id: 'Rows' });
export type RowsPage = z.infer<typeof RowsPage>;

export const ExportFormat = z.enum(['png', 'svg', 'pdf', 'csv', 'xlsx', 'parquet', 'html']);
export type ExportFormat = z.infer<typeof ExportFormat>;

const Sort = z.strictObject({ by: z.string().max(200), descending: z.boolean().optional() });
const Condition = z.record(z.string().max(200), FilterDefault);

export const Session = z.object({ role: z.enum(['owner']), workspace: z.object({ title: z.string(), isSample: z.boolean() }), version: z.string() }).meta({ id: 'Session' });

export const SourceSummary = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(['postgres', 'mysql', 'clickhouse', 'duckdb', 'sqlite']),
    host: z.string().optional(),
    state: z.enum(['unchecked', 'connecting', 'ready', 'degraded', 'failed']),
    since: z.string(),
    problem: z.object({ code: z.string(), message: z.string() }).optional(),
    server: z.string().optional(),
    /** What should worry whoever runs it, such as a login that may write. */
    warnings: z.array(z.string()),
    tables: z.number(),
    drift: z.array(z.string()),
  })
  .meta({ id: 'Source' });
export type SourceSummary = z.infer<typeof SourceSummary>;

export const SourceDetail = SourceSummary.extend({
  tableList: z.array(z.object({ name: z.string(), isView: z.boolean(), estimatedRows: z.number().optional(), columns: z.array(z.object({ name: z.string(), type: z.string() })), model: z.string().optional(), overview: z.string().optional() })),
}).meta({ id: 'SourceDetail' });
export type SourceDetail = z.infer<typeof SourceDetail>;

/** A connection as somebody types it; the password is kept apart from the file that is made of it. */
export const NewConnection = z.strictObject({
  kind: z.enum(['postgres', 'mysql', 'clickhouse']),
  label: z.string().max(200).optional(),
  host: z.string().min(1).max(300),
  port: z.number().int().min(1).max(65_535).optional(),
  database: z.string().min(1).max(300),
  user: z.string().min(1).max(300),
  password: z.string().max(500).default(''),
  tls: z.boolean().optional(),
});
export type NewConnection = z.input<typeof NewConnection>;

/** How a figure came to be. */
export const Explanation = z
  .object({
    /** What was asked, in the model's words. */
    question: z.string(),
    model: z.string(),
    source: z.string(),
    measure: z.object({ name: z.string(), label: z.string(), expression: z.string() }).optional(),
    dimensions: z.array(z.object({ name: z.string(), label: z.string(), expression: z.string() })),
    /** Each filter in words, and whose it is. */
    filters: z.array(z.object({ text: z.string(), from: z.enum(['model', 'reader', 'dashboard', 'tile', 'selection', 'mark']), tile: z.string().optional() })),
    notApplied: z.array(z.string()),
    value: z.union([z.number(), z.string(), z.null()]),
    /** How many rows went in, of how many the table has, and how many of those had no value to add. */
    rows: z.number(),
    rowsInTable: z.number(),
    nulls: z.number().optional(),
    joins: z.array(z.string()),
    zone: z.string(),
    dataTime: z.string().optional(),
    readAt: z.string().optional(),
    sql: z.string(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/** What a model's text means against its tables: what is wrong with it, and what holds. */
export const CheckedModel = z
  .object({
    problems: z.array(DocumentError),
    /** Its table is still being read; nothing can be said yet. */
    isReading: z.boolean(),
    /** Those that hold, each with its type. */
    dimensions: z.record(z.string(), z.string()),
    measures: z.record(z.string(), z.string()),
    /** Those that hold; `isKeyed` where no key of the joined table occurs twice. */
    joins: z.record(z.string(), z.object({ isKeyed: z.boolean() })),
    /** What its SQL gives, where it is of SQL. */
    columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  })
  .meta({ id: 'CheckedModel' });
export type CheckedModel = z.infer<typeof CheckedModel>;

/** What one part of a model comes to with the data as it is. Times are wall-clock milliseconds. */
export const ModelPreview = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('dimension'), type: z.string(), rows: z.number(), empty: z.number(), distinct: z.number(), min: Cell.optional(), max: Cell.optional(),
      /** The most frequent. */
      values: z.array(z.object({ value: Cell, rows: z.number() })).optional(),
      histogram: z.array(z.object({ from: z.number(), below: z.number(), rows: z.number() })).optional(),
    }),
    z.object({ kind: z.literal('measure'), type: z.string(), value: Cell, course: z.array(z.object({ at: z.number(), value: z.number().nullable() })).optional() }),
    z.object({ kind: z.literal('join'), rows: z.number(), /** Of those, how many find their one row there. */ found: z.number(), rowsThere: z.number(), /** Keys that occur there more than once. */ repeated: z.array(z.object({ key: z.string(), rows: z.number() })) }),
  ])
  .meta({ id: 'ModelPreview' });
export type ModelPreview = z.infer<typeof ModelPreview>;

/** Every call there is. The server mounts these and no others; the client is made from them. */
const uploadParams = z.object({ name: z.string().max(200) });
const UploadState = z.object({ received: z.number(), isWhole: z.boolean() });
const dashboardParams = z.object({ id: z.string().max(300) });
const modelParams = z.object({ name: z.string().max(64) });
/** Bounded as documents are; anything else of it is the text's own business. */
const DocumentText = z.string().max(262_144);

/** `draft`: the version of the draft that is saved with it, and so is no draft any more; another one stays. */
const SavedText = z.strictObject({ text: DocumentText, base: z.string().max(64).optional(), message: z.string().max(500).optional(), draft: z.number().int().min(0).optional() });

export const Revision = z
  .object({
    number: z.number(),
    at: z.string(),
    /** Saved here, or changed on the disk by something else. */
    origin: z.enum(['saved', 'disk']),
    message: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const contract = {
  getSession: endpoint({ ...routes.getSession, summary: 'Who am I, and where', answer: Session }),
  listDashboards: endpoint({ ...routes.listDashboards, summary: 'The workspace’s dashboards', query: z.object({ language: Language, /** Words that are all in its title, folder, texts or fields. */ search: z.string().max(200).optional() }), answer: z.object({ dashboards: z.array(DashboardSummary), /** The workspace's colours. */ look: Look, leftOut: z.array(z.object({ file: z.string(), reason: z.string() })) }) }),
  getDashboard: endpoint({ ...routes.getDashboard, summary: 'A dashboard’s document and the models it reads', params: z.object({ id: z.string().max(300) }), query: z.object({ language: Language }), answer: OpenDashboard }),
  saveDashboard: endpoint({
    ...routes.saveDashboard,
    summary: 'Save a dashboard that is not saved yet, such as an overview, as a file',
    params: z.object({ id: z.string().max(300) }),
    body: z.strictObject({ document: DashboardFile }),
    answer: DashboardSummary,
  }),
  getText: endpoint({
    ...routes.getText,
    summary: 'A dashboard as text: its file, and the draft that is being made of it',
    params: dashboardParams,
    answer: z.object({ id: z.string(), file: z.string(), text: z.string(), hash: z.string(), draft: z.object({ text: z.string(), base: z.string(), baseHash: z.string(), version: z.number(), at: z.string() }).optional() }),
  }),
  saveText: endpoint({
    ...routes.saveText,
    summary: 'Save a dashboard’s text: in place of the one whose hash is `base`, or, without one, as a new file',
    params: dashboardParams,
    body: SavedText,
    answer: z.object({ number: z.number(), hash: z.string() }),
  }),
  putDraft: endpoint({
    ...routes.putDraft,
    summary: 'Keep a text that is not saved; its tiles are asked for under the id `draft:ID`. `explore:MODEL` is one of no file, to look into a model with',
    params: dashboardParams,
    body: z.strictObject({ text: DocumentText, /** The hash of the text it was begun from. */ base: z.string().max(64), /** The draft’s version that the change was made to; 0 for the first. */ after: z.number().int().min(0) }),
    answer: z.object({ version: z.number(), dashboard: OpenDashboard }),
  }),
  dropDraft: endpoint({ ...routes.dropDraft, summary: 'Throw a draft away', params: dashboardParams, answer: z.object({}) }),
  listRevisions: endpoint({ ...routes.listRevisions, summary: 'Every text that was this dashboard’s, the newest first', params: dashboardParams, answer: z.object({ revisions: z.array(Revision) }) }),
  getRevision: endpoint({ ...routes.getRevision, summary: 'One of them, with its text', params: dashboardParams.extend({ number: z.coerce.number().int() }), answer: Revision.extend({ text: z.string() }) }),
  removeDashboard: endpoint({ ...routes.removeDashboard, summary: 'Put a dashboard into the bin, for 30 days', params: dashboardParams, answer: z.object({ number: z.number() }) }),
  moveDashboard: endpoint({ ...routes.moveDashboard, summary: 'Give a dashboard another name or folder; its history goes with it', params: dashboardParams, body: z.strictObject({ to: z.string().max(300) }), answer: z.object({}) }),
  moveFolder: endpoint({ ...routes.moveFolder, summary: 'Give a folder of dashboards another name or place, with all that is in it', body: z.strictObject({ from: z.string().max(300), to: z.string().max(300) }), answer: z.object({ moved: z.number() }) }),
  listBin: endpoint({ ...routes.listBin, summary: 'The dashboards in the bin', answer: z.object({ dashboards: z.array(z.object({ number: z.number(), dashboard: z.string(), title: z.string(), at: z.string() })) }) }),
  restoreDashboard: endpoint({ ...routes.restoreDashboard, summary: 'Bring a dashboard back out of the bin', params: z.object({ number: z.coerce.number().int() }), answer: z.object({ id: z.string() }) }),
  getThumbnail: endpoint({ ...routes.getThumbnail, summary: 'A small picture of a dashboard’s first page', params: z.object({ id: z.string().max(300) }), query: z.object({ theme: z.enum(['light', 'dark']).default('light') }), answer: 'image/svg+xml' }),
  postAnswers: endpoint({
    ...routes.postAnswers,
    summary: 'The answers of many tiles for one state, each as soon as it is ready',
    params: z.object({ id: z.string().max(300) }),
    body: z.strictObject({ state: DashboardState, tiles: z.array(z.string().max(64)).max(60).optional(), scope: z.enum(['both', 'filtered']).default('both') }),
    answer: 'application/vnd.belvedere.frames',
  }),
  postIndex: endpoint({
    ...routes.postIndex,
    summary: 'The brush index: for an active tile, the others’ totals for every step of its axes',
    params: z.object({ id: z.string().max(300) }),
    body: z.strictObject({ state: DashboardState, active: z.string().max(64), tiles: z.array(z.string().max(64)).max(60).optional() }),
    answer: 'application/vnd.belvedere.frames',
  }),
  postTileRows: endpoint({
    ...routes.postTileRows,
    summary: 'One page of a table tile, sorted; or of the rows behind another tile, or behind one of its marks',
    params: z.object({ id: z.string().max(300), tile: z.string().max(64) }),
    body: z.strictObject({ state: DashboardState, mark: Condition.optional(), sort: Sort.optional(), offset: z.number().int().min(0).default(0), limit: z.number().int().min(1).max(500).default(100) }),
    answer: RowsPage,
  }),
  postFieldValues: endpoint({
    ...routes.postFieldValues,
    summary: 'A filter’s values with how many rows have them, searched and counted under the other filters',
    params: z.object({ id: z.string().max(300), field: z.string().max(200) }),
    body: z.strictObject({ state: DashboardState, search: z.string().max(200).optional(), limit: z.number().int().min(1).max(200).default(200) }),
    answer: z.object({ values: z.array(z.object({ value: Cell, rows: z.number() })), isCut: z.boolean(), extent: z.object({ min: z.number(), max: z.number() }).optional() }),
  }),
  getExport: endpoint({
    ...routes.getExport,
    summary: 'A dashboard, or one of its tiles, to take away: as it is seen in a state, in a language',
    params: z.object({ id: z.string().max(300) }),
    query: z.object({ format: ExportFormat, tile: z.string().max(64).optional(), state: z.string().max(60_000).optional(), locale: z.string().max(35).optional(), theme: z.enum(['light', 'dark']).default('light'), /** Of a tile’s picture, in pixels; as it lies on the page without. */ width: z.coerce.number().int().min(120).max(4000).optional() }),
    answer: 'application/octet-stream',
  }),
  getImage: endpoint({ ...routes.getImage, summary: 'A picture of the workspace’s folder `images`', params: z.object({ file: z.string().max(160) }), answer: 'application/octet-stream' }),
  getMap: endpoint({ ...routes.getMap, summary: 'A GeoJSON file of the workspace’s folder `maps`', params: z.object({ file: z.string().max(160) }), answer: 'application/octet-stream' }),
  listModels: endpoint({ ...routes.listModels, summary: 'The workspace’s models', answer: z.object({ models: z.array(ModelSummary) }) }),
  getModel: endpoint({ ...routes.getModel, summary: 'One model', params: z.object({ name: z.string().max(64) }), answer: ModelSummary }),
  getModelText: endpoint({
    ...routes.getModelText,
    summary: 'A model as text: its file, or what a file of what was guessed would say; and the draft that is being made of it',
    params: modelParams,
    answer: z.object({ name: z.string(), file: z.string(), text: z.string(), /** None while there is no file. */ hash: z.string().optional(), draft: z.object({ text: z.string(), base: z.string(), baseHash: z.string().optional(), version: z.number(), at: z.string() }).optional(), checked: CheckedModel }),
  }),
  saveModelText: endpoint({
    ...routes.saveModelText,
    summary: 'Save a model’s text: in place of the one whose hash is `base`, or, without one, as a new file',
    params: modelParams,
    body: SavedText,
    answer: z.object({ number: z.number(), hash: z.string(), checked: CheckedModel }),
  }),
  putModelDraft: endpoint({
    ...routes.putModelDraft,
    summary: 'Keep a model’s text that is not saved, and say what it means',
    params: modelParams,
    body: z.strictObject({ text: DocumentText, /** The hash of the text it was begun from; none where that was guessed. */ base: z.string().max(64).optional(), after: z.number().int().min(0) }),
    answer: z.object({ version: z.number(), checked: CheckedModel }),
  }),
  dropModelDraft: endpoint({ ...routes.dropModelDraft, summary: 'Throw a model’s draft away', params: modelParams, answer: z.object({}) }),
  listModelRevisions: endpoint({ ...routes.listModelRevisions, summary: 'Every text that was this model’s, the newest first', params: modelParams, answer: z.object({ revisions: z.array(Revision) }) }),
  getModelRevision: endpoint({ ...routes.getModelRevision, summary: 'One of them, with its text', params: modelParams.extend({ number: z.coerce.number().int() }), answer: Revision.extend({ text: z.string() }) }),
  previewModel: endpoint({
    ...routes.previewModel,
    summary: 'What a dimension, a measure or a join of a model’s text comes to with the data as it is',
    params: modelParams,
    body: z.strictObject({ text: DocumentText, part: z.union([z.strictObject({ dimension: z.string().max(64) }), z.strictObject({ measure: z.string().max(64) }), z.strictObject({ join: z.string().max(64) })]) }),
    answer: ModelPreview,
  }),
  getModelProfile: endpoint({
    ...routes.getModelProfile,
    summary: 'What is in a model’s fields, as far as it was counted when its table was read',
    params: z.object({ name: z.string().max(64) }),
    answer: z.object({ rows: z.number().optional(), fields: z.record(z.string(), Column) }),
  }),
  postQuery: endpoint({
    ...routes.postQuery,
    summary: 'Ask a model in its own words; JSON, or Arrow by `Accept: application/vnd.apache.arrow.stream`',
    params: z.object({ name: z.string().max(64) }),
    body: z.strictObject({
      dimensions: z.array(z.union([z.string().max(200), z.strictObject({ field: z.string().max(200), timeUnit: TimeUnit.optional() })])).max(20).default([]),
      measures: z.array(z.string().max(64)).max(50).default([]),
      where: Condition.default({}),
      order: z.array(Sort).max(10).default([]),
      limit: z.number().int().min(1).max(50_000).default(1000),
      offset: z.number().int().min(0).default(0),
    }),
    answer: RowsPage,
  }),
  listTables: endpoint({ ...routes.listTables, summary: 'The tables found in the data folder, and how reading them goes', answer: z.object({ tables: z.array(TableSummary), leftOut: z.array(z.object({ file: z.string(), reason: z.string() })) }) }),
  getTable: endpoint({ ...routes.getTable, summary: 'One table: its columns, what is in them, how it was read', params: z.object({ table: z.string().max(100) }), answer: TableDetail }),
  getTableRows: endpoint({ ...routes.getTableRows, summary: 'The first rows of a table', params: z.object({ table: z.string().max(100) }), query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }), answer: RowsPage }),
  saveReading: endpoint({ ...routes.saveReading, summary: 'Decide how a table’s files are read: kept as text in `tables/`, and the files read anew', params: z.object({ table: z.string().max(100) }), body: Reading, answer: z.object({ file: z.string() }) }),
  getRejectedRows: endpoint({ ...routes.getRejectedRows, summary: 'The rows of a table’s files that could not be read, as CSV', params: z.object({ table: z.string().max(100) }), answer: 'text/csv' }),
  getUpload: endpoint({ ...routes.getUpload, summary: 'How much of a file has arrived, to go on from there', params: uploadParams, query: z.object({ size: z.coerce.number().int().min(1) }), answer: UploadState }),
  putUpload: endpoint({
    ...routes.putUpload,
    summary: 'A piece of a file that is put among the data, as `application/octet-stream`; the last one makes it a table',
    params: uploadParams,
    query: z.object({ /** Of the whole file. */ size: z.coerce.number().int().min(1), offset: z.coerce.number().int().min(0), /** In place of the file of that name. */ replaces: z.stringbool().default(false) }),
    answer: UploadState,
  }),
  listSources: endpoint({ ...routes.listSources, summary: 'The databases beside the files, and how they are', answer: z.object({ sources: z.array(SourceSummary) }) }),
  getSource: endpoint({ ...routes.getSource, summary: 'One database: its tables, their columns, what changed in them', params: z.object({ name: z.string().max(64) }), answer: SourceDetail }),
  getSchema: endpoint({
    ...routes.getSchema,
    summary: 'The tables of a source, `files` among them, and their columns',
    params: z.object({ name: z.string().max(64) }),
    answer: z.object({ tables: z.array(z.object({ name: z.string(), rows: z.number().optional(), columns: z.array(z.object({ name: z.string(), type: z.string() })) })) }),
  }),
  runSql: endpoint({
    ...routes.runSql,
    summary: 'Somebody’s own SQL, read-only, for makers: the first rows of what it gives. Who leaves stops it',
    params: z.object({ name: z.string().max(64) }),
    body: z.strictObject({ sql: DocumentText, limit: z.number().int().min(1).max(10_000).default(1000) }),
    answer: z.object({ columns: z.array(z.object({ name: z.string(), type: z.string() })), rows: z.array(z.array(Cell)), /** There were more. */ isCut: z.boolean(), ms: z.number() }),
  }),
  testSource: endpoint({ ...routes.testSource, summary: 'Try a connection without saving it', body: NewConnection, answer: z.object({ server: z.string(), warnings: z.array(z.string()), tables: z.number() }) }),
  saveSource: endpoint({ ...routes.saveSource, summary: 'Save a connection as a file of the workspace; the password is kept apart from it', params: z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/) }), body: NewConnection, answer: SourceSummary }),
  retrySource: endpoint({ ...routes.retrySource, summary: 'Try a source again now', params: z.object({ name: z.string().max(64) }), answer: SourceSummary }),
  postExplain: endpoint({
    ...routes.postExplain,
    summary: 'How a tile’s figure came to be: what was asked, which filters bound it and whose they are, the SQL, the rows that went in',
    params: z.object({ id: z.string().max(300), tile: z.string().max(64) }),
    body: z.strictObject({ state: DashboardState, mark: Condition.optional() }),
    answer: Explanation,
  }),
  getMine: endpoint({ ...routes.getMine, summary: 'What is the asker’s own: favourites, what was looked at last, saved views', answer: Mine }),
  putFavourite: endpoint({ ...routes.putFavourite, summary: 'Mark a dashboard, or no longer', params: z.object({ id: z.string().max(300) }), body: z.strictObject({ isFavourite: z.boolean() }), answer: z.object({}) }),
  putRecent: endpoint({ ...routes.putRecent, summary: 'A dashboard was looked at; with `state`, how it was left (null: as its maker made it)', params: z.object({ id: z.string().max(300) }), body: z.strictObject({ state: DashboardState.nullable().optional() }), answer: z.object({}) }),
  putView: endpoint({ ...routes.putView, summary: 'Keep a state of a dashboard under a name, in place of the one of that name', params: viewParams, body: z.strictObject({ state: DashboardState }), answer: SavedView }),
  removeView: endpoint({ ...routes.removeView, summary: 'Keep a view no longer', params: viewParams, answer: z.object({}) }),
  putPresence: endpoint({
    ...routes.putPresence,
    summary: 'Where a window is: which document it has open, and what of it is chosen; nothing where it has none. Who else has it open is the answer',
    params: z.object({ window: WindowId }),
    body: z.strictObject({ document: z.string().max(320).optional(), place: z.string().max(200).optional(), isEditing: z.boolean().optional() }),
    answer: z.object({ windows: z.array(PresentWindow) }),
  }),
  getEvents: endpoint({ ...routes.getEvents, summary: 'What changes, as it changes', query: z.object({ /** Whose presence ends with the stream. */ window: WindowId.optional() }), answer: 'text/event-stream' }),
  validate: endpoint({
    ...routes.validate,
    summary: 'Check a document without saving it',
    body: z.strictObject({ kind: z.enum(['dashboard', 'model', 'source', 'table', 'translation', 'workspace']), text: z.string().max(262_144) }),
    answer: z.object({ errors: z.array(DocumentError) }),
  }),
  getSystem: endpoint({ ...routes.getSystem, summary: 'Running and waiting questions, cache, workers', answer: z.object({ running: z.number(), waiting: z.number(), executions: z.number(), cacheHits: z.number(), cacheBytes: z.number(), restarts: z.number(), rssBytes: z.number() }) }),
} as const;

export type Contract = typeof contract;

/** What a server says by itself on `GET /api/events`. */
export type ServerEvent =
  | { readonly kind: 'workspace'; readonly revision: number }
  /** The draft of a document (a dashboard's id, or `model:NAME`) was changed, or, version 0, is no more. */
  | { readonly kind: 'draft'; readonly document: string; readonly version: number }
  /** All windows that have a document open, in the order they came. */
  | { readonly kind: 'presence'; readonly document: string; readonly windows: readonly PresentWindow[] }
  | { readonly kind: 'reading'; readonly table: string; readonly percent: number };
