import { CalendarAnswer, CalendarTime, DashboardFile, Look } from '@belvedere/document';
import { z } from 'zod';
import { LevelName } from './access-names.ts';
import { DocumentError } from './document-error.ts';
import { ModelSummary } from './models.ts';
import { DashboardRecord } from './dashboard-records.ts';
import { DashboardState } from './state.ts';

export const DashboardSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    folder: z.string(),
    /** `saved` in a file, or generated from a table as an `overview`. */
    origin: z.enum(['saved', 'overview']),
    state: z.enum(['ready', 'reading', 'broken']),
    tiles: z.number(),
    models: z.array(z.string()),
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

/** The ID of a browser window, which the window generates itself. */
export const WindowId = z.string().regex(/^[0-9a-f]{24}$/);

/**
 * A window with an open document (a dashboard by its ID, a model as `model:NAME`) and the tile or entry
 * selected in it.
 */
export const PresentWindow = z.object({
  window: WindowId,
  document: z.string(),
  position: z.string().optional(),
  isEditing: z.boolean(),
  /** Whose window it is, in a workspace with accounts. */
  user: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type PresentWindow = z.infer<typeof PresentWindow>;

/** A named state of a dashboard. */
export const SavedView = z.object({
  dashboard: z.string(),
  name: z.string(),
  state: DashboardState,
  at: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

/** Per-user data: favourites, recent dashboards with their states, saved views. */
export const Me = z.object({
  favourites: z.array(z.string()),
  /** Most recent first; `state` holds the changes made there, if any. */
  recent: z.array(z.object({ dashboard: z.string(), state: DashboardState.optional() })),
  views: z.array(SavedView),
});
export type Me = z.infer<typeof Me>;

/**
 * An event note for all viewers of a dashboard: on a day, at a moment or, with `below`, from one moment until
 * before another.
 */
export const NewEventNote = z
  .strictObject({
    from: CalendarTime,
    below: CalendarTime.optional(),
    text: z.string().trim().min(1).max(300),
  })
  .refine(({ from, below }) => below === undefined || from < below, {
    error: 'The end must be after the start.',
    path: ['below'],
  });
export type NewEventNote = z.infer<typeof NewEventNote>;
export const EventNote = z
  .object({
    id: z.number().int(),
    from: z.string(),
    below: z.string().optional(),
    text: z.string(),
    at: z.string(),
    /** The name of the user who wrote it last; absent if unknown, and for guests. */
    author: z.string().optional(),
  })
  .meta({ id: 'EventNote' });
export type EventNote = z.infer<typeof EventNote>;

export const OpenDashboard = DashboardSummary.extend({
  document: DashboardFile.optional(),
  models: z.array(ModelSummary),
  timezone: z.string(),
  calendar: CalendarAnswer,
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

export const ExportFormat = z.enum(['png', 'svg', 'pdf', 'csv', 'xlsx', 'parquet', 'html']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/**
 * Rows of tables in PDFs and workbooks. `limited`, the default: rows that fit into the tile, and 10,000 rows
 * of
 * each table in a workbook. `all`: up to 2,000 rows of each table in a PDF, 1,048,575 in a workbook. CSV and
 * Parquet files always have all rows.
 */
export const ExportRows = z.enum(['limited', 'all']);
export type ExportRows = z.infer<typeof ExportRows>;

/** A table tile of a dashboard and its number of rows, for a decision before an export. */
export const CountedTable = z.object({ tile: z.string(), title: z.string(), rows: z.number() });
export type CountedTable = z.infer<typeof CountedTable>;

/** A field of the model that a figure uses. Only editors of dashboards see its expression. */
const ExplainedField = z.object({
  name: z.string(),
  label: z.string(),
  expression: z.string().optional(),
  description: z.string().optional(),
});

/** How a figure is calculated. */
export const Explanation = z
  .object({
    /** The query, in the model's terms. */
    question: z.string(),
    model: z.string(),
    /** The origin of the data. Only editors of dashboards see how Belvedere queries it. */
    source: z.string().optional(),
    measure: ExplainedField.optional(),
    dimensions: z.array(ExplainedField),
    /** Each filter in words, and its origin. */
    filters: z.array(
      z.object({
        text: z.string(),
        from: z.enum(['model', 'reader', 'dashboard', 'tile', 'selection', 'mark']),
        tile: z.string().optional(),
      }),
    ),
    notApplied: z.array(z.string()),
    /**
     * For a viewer whom row policies bind: those policies, and whether the viewer's attributes fit them.
     * `text` is the condition, if it reads only fields that the dashboard shows.
     */
    policies: z.array(z.object({ name: z.string(), text: z.string(), isFit: z.boolean() })).optional(),
    /** The model has policies, but the user sees every row because none of them applies, as for the owner. */
    isUnbound: z.boolean().optional(),
    value: z.union([z.number(), z.string(), z.null()]),
    /** The number of rows in the figure, of rows in the table, and of rows in the figure without a value. */
    rows: z.number(),
    rowsInTable: z.number(),
    nulls: z.number().optional(),
    joins: z.array(z.string()),
    zone: z.string(),
    dataTime: z.string().optional(),
    readAt: z.string().optional(),
    sql: z.string().optional(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

export const Revision = z
  .object({
    number: z.number(),
    at: z.string(),
    /** Saved in Belvedere, or changed on disk by another program. */
    origin: z.enum(['saved', 'disk']),
    message: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;
