import { ResolvedCalendar, DashboardFile, Look, PatchOperation } from '@belvedere/document';
import { z } from 'zod';
import { LevelName } from '../../access/access-names.ts';
import { DocumentError } from '../../problems/document-error.ts';
import { ModelSummary } from '../data/models.ts';
import { DashboardRecord } from './dashboard-records.ts';
import { endpoint } from '../../endpoint.ts';
import { NextCursor, pageParameters } from '../../paging.ts';
import { routes } from '../../routes.ts';
import { dashboardParams, Language } from './dashboard-params.ts';
import { DocumentText, Revision, SavedText } from './document-text.ts';
import { EventNote } from './event-notes.ts';

export const DashboardSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    folder: z.string(),
    /** `saved` in a file, or generated from a table as an `overview`. */
    origin: z.enum(['saved', 'overview']),
    state: z.enum(['ready', 'importing', 'broken']),
    tiles: z.number(),
    /** How many tiles cannot be shown, for users who may edit the dashboard. */
    tilesWithErrors: z.number().optional(),
    models: z.array(z.string()),
    /** Generated from a table that only describes or connects others; lists show it after the others. */
    isLookup: z.literal(true).optional(),
    /** Some of its figures are of a part of a table, until all of it is imported. */
    showsPart: z.literal(true).optional(),
    updated: z.string().optional(),
    revision: z.string(),
    /** What the caller may do with it. */
    level: LevelName,
    tags: z.array(z.string()).optional(),
    /** In team mode only. */
    record: DashboardRecord.optional(),
  })
  .meta({ id: 'DashboardSummary' });
export type DashboardSummary = z.infer<typeof DashboardSummary>;

/** The kinds of documents that can be in the trash. */
const TrashedKind = z.enum(['dashboard', 'model', 'alert', 'report']);

const DashboardList = z.object({
  dashboards: z.array(DashboardSummary),
  /** The folders of dashboards on which the caller has a level; '' is that of all dashboards. */
  folders: z.array(z.object({ path: z.string(), level: LevelName })),
  /** The workspace's colours. */
  look: Look,
  skippedFiles: z.array(z.object({ file: z.string(), reason: z.string() })),
});
export type DashboardList = z.infer<typeof DashboardList>;

export const OpenDashboard = DashboardSummary.extend({
  document: DashboardFile.optional(),
  models: z.array(ModelSummary),
  timezone: z.string(),
  calendar: ResolvedCalendar,
  /** Its colours: the workspace's, overridden by its own. */
  look: Look,
  /** Errors of the document: all of it unreadable (no document), or single tiles. */
  problems: z.array(DocumentError),
  brokenTiles: z.record(z.string(), z.string()),
  /** Sources of its tiles that wait for their owner's confirmation; only the owner sees them. */
  waitsFor: z.array(z.object({ source: z.string(), label: z.string() })),
  /** Event notes, in order; time charts draw them. */
  notes: z.array(EventNote),
  /** How many rows of a table the caller's exports may have; any number if absent. */
  exportRows: z.number().optional(),
  /** The other languages of its texts, and the texts that a language lacks. */
  languages: z.array(z.string()),
  untranslated: z.array(z.object({ file: z.string(), path: z.string() })),
}).meta({ id: 'Dashboard' });
export type OpenDashboard = z.infer<typeof OpenDashboard>;

/** Dashboards as documents: their texts, drafts, revisions and trash. */
export const dashboardEndpoints = {
  listDashboards: endpoint({
    ...routes.listDashboards,
    access: { on: 'self' },
    summary: 'List the workspace’s dashboards',
    query: z.object({
      language: Language,
      /** Search terms, all of which must occur in the title, folder, texts or fields. */
      search: z.string().max(200).optional(),
    }),
    response: DashboardList,
  }),
  getDashboard: endpoint({
    ...routes.getDashboard,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get a dashboard’s document and its models',
    params: dashboardParams,
    query: z.object({ language: Language }),
    response: OpenDashboard,
  }),
  saveDashboard: endpoint({
    ...routes.saveDashboard,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Save an unsaved dashboard, such as an overview, as a file',
    params: dashboardParams,
    body: z.strictObject({ document: DashboardFile }),
    response: DashboardSummary,
  }),
  patchDashboard: endpoint({
    ...routes.patchDashboard,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Change parts of a saved dashboard by a JSON Patch (RFC 6902): all operations or none',
    params: dashboardParams,
    query: z.object({ message: z.string().max(500).optional() }),
    replaces: 'part',
    accepts: 'application/json-patch+json',
    body: z.array(PatchOperation).min(1).max(100),
    response: z.object({
      number: z.number(),
      hash: z.string(),
      /** What changed in the text, as a unified diff; empty if nothing. */
      diff: z.string(),
    }),
  }),
  getDashboardText: endpoint({
    ...routes.getDashboardText,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Get a dashboard’s text: its file and its draft',
    params: dashboardParams,
    response: z.object({
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
    summary: 'Save a dashboard’s text: replaces the version in `If-Match`, or creates a file without it',
    params: dashboardParams,
    replaces: 'document',
    body: SavedText,
    response: z.object({ number: z.number(), hash: z.string() }),
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
    response: z.object({ version: z.number(), dashboard: OpenDashboard }),
  }),
  dropDraft: endpoint({
    ...routes.dropDraft,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Discard a draft',
    params: dashboardParams,
    response: z.object({}),
  }),
  listRevisions: endpoint({
    ...routes.listRevisions,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'List a dashboard’s revisions, newest first',
    params: dashboardParams,
    query: z.object(pageParameters(500, 200)),
    response: z.object({ revisions: z.array(Revision), nextCursor: NextCursor }),
  }),
  getRevision: endpoint({
    ...routes.getRevision,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Get one revision with its text',
    params: dashboardParams.extend({ number: z.coerce.number().int() }),
    response: Revision.extend({ text: z.string() }),
  }),
  removeDashboard: endpoint({
    ...routes.removeDashboard,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Move a dashboard to the trash',
    params: dashboardParams,
    response: z.object({ number: z.number() }),
  }),
  moveDashboard: endpoint({
    ...routes.moveDashboard,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Rename or move a dashboard with its history',
    params: dashboardParams,
    body: z.strictObject({ to: z.string().max(300) }),
    response: z.object({}),
  }),
  moveFolder: endpoint({
    ...routes.moveFolder,
    access: { on: 'self' },
    summary: 'Rename or move a folder of dashboards with its contents',
    body: z.strictObject({ from: z.string().max(300), to: z.string().max(300) }),
    response: z.object({ moved: z.number() }),
  }),
  listTrash: endpoint({
    ...routes.listTrash,
    access: { on: 'self' },
    summary: 'List the dashboards, models, alerts and reports in the trash that the caller may restore',
    response: z.object({
      documents: z.array(
        z.object({
          number: z.number(),
          kind: TrashedKind,
          /** Its ID, or a model's name. */
          name: z.string(),
          title: z.string(),
          at: z.string(),
        }),
      ),
      /** How many days documents stay in the trash. */
      keptDays: z.number(),
    }),
  }),
  restoreDocument: endpoint({
    ...routes.restoreDocument,
    access: { on: 'self' },
    summary: 'Restore a document from the trash',
    params: z.object({ number: z.coerce.number().int() }),
    response: z.object({ kind: TrashedKind, id: z.string() }),
  }),
  findMovedDashboard: endpoint({
    ...routes.findMovedDashboard,
    access: { on: 'self' },
    summary: 'The ID that a dashboard has now under which it is no longer found; none if it was not moved',
    params: z.object({ id: z.string().min(1).max(300) }),
    response: z.object({ id: z.string().optional() }),
  }),
  findTiles: endpoint({
    ...routes.findTiles,
    access: { on: 'self' },
    summary: 'Find tiles by the words of their titles, in all dashboards',
    query: z.object({ search: z.string().trim().min(1).max(200), language: Language }),
    response: z.object({
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
    query: z.object({
      theme: z.enum(['light', 'dark']).default('light'),
      /** How figures are written; by default as the workspace does. */
      locale: z.string().max(35).optional(),
    }),
    response: 'image/svg+xml',
  }),
} as const;
