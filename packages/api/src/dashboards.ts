import { CalendarAnswer, CalendarTime, DashboardFile, Look } from '@belvedere/document';
import { z } from 'zod';
import { DocumentError } from './document-error.ts';
import { ModelSummary } from './models.ts';
import { DashboardState } from './state.ts';

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
export const WindowId = z.string().regex(/^[0-9a-f]{24}$/);

/** A window that has a document open: a dashboard by its id, a model as `model:NAME`; the tile or entry that is chosen in it. */
export const PresentWindow = z.object({
  window: WindowId,
  document: z.string(),
  position: z.string().optional(),
  isEditing: z.boolean(),
});
export type PresentWindow = z.infer<typeof PresentWindow>;

/** A state of a dashboard that somebody gave a name. */
export const SavedView = z.object({
  dashboard: z.string(),
  name: z.string(),
  state: DashboardState,
  at: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

/** What is one person's own: dashboards marked, those looked at last with how they were left, views. */
export const Me = z.object({
  favourites: z.array(z.string()),
  /** The last first; `state` is what was set there, where anything was. */
  recent: z.array(z.object({ dashboard: z.string(), state: DashboardState.optional() })),
  views: z.array(SavedView),
});
export type Me = z.infer<typeof Me>;

/** What happened, for everyone who sees a dashboard: on a day or a moment, or, with `below`, from it to before another. */
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
  })
  .meta({ id: 'EventNote' });
export type EventNote = z.infer<typeof EventNote>;

export const OpenDashboard = DashboardSummary.extend({
  document: DashboardFile.optional(),
  models: z.array(ModelSummary),
  timezone: z.string(),
  calendar: CalendarAnswer,
  /** Its colours: the workspace's, and its own. */
  look: Look,
  /** What is wrong with the document: all of it unreadable (no document), or single tiles. */
  problems: z.array(DocumentError),
  brokenTiles: z.record(z.string(), z.string()),
  /** Sources of its tiles that wait for their owner's confirmation; told to the owner alone. */
  waitsFor: z.array(z.object({ source: z.string(), label: z.string() })),
  /** What happened, in its order; drawn on charts of time. */
  notes: z.array(EventNote),
  /** The languages its texts are in beside its own, and the texts that one of them lacks. */
  languages: z.array(z.string()),
  untranslated: z.array(z.object({ file: z.string(), path: z.string() })),
}).meta({ id: 'Dashboard' });
export type OpenDashboard = z.infer<typeof OpenDashboard>;

export const ExportFormat = z.enum(['png', 'svg', 'pdf', 'csv', 'xlsx', 'parquet', 'html']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** What of a model a figure is of: how it is worked out, told to those who make dashboards, and what the model says of it. */
const ExplainedField = z.object({
  name: z.string(),
  label: z.string(),
  expression: z.string().optional(),
  description: z.string().optional(),
});

/** How a figure came to be. */
export const Explanation = z
  .object({
    /** What was asked, in the model's words. */
    question: z.string(),
    model: z.string(),
    /** Where the data is from; with how the engine is asked, told to those who make dashboards. */
    source: z.string().optional(),
    measure: ExplainedField.optional(),
    dimensions: z.array(ExplainedField),
    /** Each filter in words, and whose it is. */
    filters: z.array(
      z.object({
        text: z.string(),
        from: z.enum(['model', 'reader', 'dashboard', 'tile', 'selection', 'mark']),
        tile: z.string().optional(),
      }),
    ),
    notApplied: z.array(z.string()),
    /** Where it is seen as somebody whom row policies bind: those that do, their conditions where these are on nothing but fields the dashboard shows, and whether that person's attributes fit them. */
    policies: z.array(z.object({ name: z.string(), text: z.string(), isFit: z.boolean() })).optional(),
    /** There are policies, and none of them binds whoever asks: they see every row. */
    isUnbound: z.boolean().optional(),
    value: z.union([z.number(), z.string(), z.null()]),
    /** How many rows went in, of how many the table has, and how many of those had no value to add. */
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
    /** Saved here, or changed on the disk by something else. */
    origin: z.enum(['saved', 'disk']),
    message: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;
