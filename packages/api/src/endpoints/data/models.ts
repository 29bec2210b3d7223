import { FilterDefault, TimeUnit } from '@belvedere/document';
import { z } from 'zod';
import { LevelName } from '../../access/access-names.ts';
import { DocumentError } from '../../problems/document-error.ts';
import { Cell, Column, RowsPage } from './tables.ts';
import { endpoint } from '../../endpoint.ts';
import { NextCursor, pageParameters } from '../../paging.ts';
import { routes } from '../../routes.ts';
import { DocumentText, Revision, SavedText } from '../dashboards/document-text.ts';
import { Condition, Sort } from './row-queries.ts';

export const Field = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  format: z.string().optional(),
  unit: z.string().optional(),
  better: z.enum(['up', 'down']).optional(),
  description: z.string().optional(),
  /** What a dimension's values are, such as countries, as its model says. */
  role: z.string().optional(),
  /** Hidden from lists; references to it keep working. */
  isHidden: z.boolean().optional(),
});
export type Field = z.infer<typeof Field>;

/** A model as viewers may see it: names and labels, no expressions. */
export const ModelSummary = z
  .object({
    name: z.string(),
    label: z.string(),
    table: z.string(),
    time: z.string().optional(),
    dimensions: z.array(Field),
    measures: z.array(Field),
    isGuessed: z.boolean(),
    /** What the caller may do with it; absent in dashboards, which show what they show of it to anyone. */
    level: LevelName.optional(),
    /** Dimensions from the coarsest to the finest. */
    hierarchies: z.array(z.array(z.string())).optional(),
    /** Default conditions, for fields without any other condition. */
    filters: z.record(z.string(), FilterDefault).optional(),
  })
  .meta({ id: 'Model' });
export type ModelSummary = z.infer<typeof ModelSummary>;

/** A model's text checked against its tables: its errors and its valid parts. */
export const CheckedModel = z
  .object({
    problems: z.array(DocumentError),
    /** The import of its table is still running, so the check is incomplete. */
    isImporting: z.boolean(),
    /** The valid dimensions, each with its type. */
    dimensions: z.record(z.string(), z.string()),
    measures: z.record(z.string(), z.string()),
    /** The valid joins; `isKeyed` if no key of the joined table occurs twice. */
    joins: z.record(z.string(), z.object({ isKeyed: z.boolean() })),
    /** The columns of the SQL's result, for a model of SQL. */
    columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  })
  .meta({ id: 'CheckedModel' });
export type CheckedModel = z.infer<typeof CheckedModel>;

/** A preview of one part of a model with the current data. Times are wall-clock milliseconds. */
/** Columns of numbers that are ordered as texts. */
const numbersAsText = z.array(z.string()).optional();

export const ModelPreview = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('dimension'),
      type: z.string(),
      rows: z.number(),
      empty: z.number(),
      distinct: z.number(),
      min: Cell.optional(),
      max: Cell.optional(),
      /** The most frequent values. */
      values: z.array(z.object({ value: Cell, rows: z.number() })).optional(),
      histogram: z.array(z.object({ from: z.number(), below: z.number(), rows: z.number() })).optional(),
      numbersAsText,
    }),
    z.object({
      kind: z.literal('measure'),
      type: z.string(),
      value: Cell,
      timeSeries: z.array(z.object({ at: z.number(), value: z.number().nullable() })).optional(),
      numbersAsText,
    }),
    z.object({
      kind: z.literal('join'),
      rows: z.number(),
      /** The number of rows that match exactly one row of the joined table. */
      found: z.number(),
      rowsThere: z.number(),
      /** Keys that occur more than once in the joined table. */
      repeated: z.array(z.object({ key: z.string(), rows: z.number() })),
    }),
    z.object({
      kind: z.literal('users'),
      rows: z.number(),
      /** For each user that the tests name: the number of visible rows, and the policies that apply. */
      users: z.array(z.object({ name: z.string(), rows: z.number(), policies: z.array(z.string()) })),
    }),
    /** The part has errors, so there is nothing to preview. */
    z.object({ kind: z.literal('problems'), problems: z.array(DocumentError) }),
  ])
  .meta({ id: 'ModelPreview' });
export type ModelPreview = z.infer<typeof ModelPreview>;

const modelParams = z.object({ name: z.string().max(64) });
const NamedDashboard = z.object({ id: z.string(), title: z.string() });

/** Models: their texts, previews and queries. */
export const modelEndpoints = {
  listModels: endpoint({
    ...routes.listModels,
    access: { on: 'self' },
    summary: 'List the workspace’s models',
    response: z.object({ models: z.array(ModelSummary) }),
  }),
  getModel: endpoint({
    ...routes.getModel,
    access: { on: 'model', level: 'explore' },
    summary: 'Get one model',
    params: modelParams,
    response: ModelSummary,
  }),
  getModelText: endpoint({
    ...routes.getModelText,
    access: { on: 'model', level: 'edit' },
    summary: 'Get a model’s text: its file, or the text of the inferred model; and its draft',
    params: modelParams,
    response: z.object({
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
    summary: 'Save a model’s text: replaces the version in `If-Match`, or creates a file without it',
    replaces: 'document',
    params: modelParams,
    body: SavedText.extend({
      /** Update references in dashboards to renamed dimensions and measures. */
      follow: z.boolean().optional(),
    }),
    response: z.object({
      number: z.number(),
      hash: z.string(),
      checked: CheckedModel,
      /** Dashboards that could not be updated, and now refer to missing names. */
      left: z.array(NamedDashboard),
    }),
  }),
  findModelUses: endpoint({
    ...routes.findModelUses,
    access: { on: 'model', level: 'manage' },
    summary: 'List the dashboards that read a model, before it is deleted',
    params: modelParams,
    response: z.object({
      dashboards: z.array(z.object({ id: z.string(), title: z.string() })),
      /** How many further ones the caller does not see. */
      others: z.number(),
    }),
  }),
  removeModel: endpoint({
    ...routes.removeModel,
    access: { on: 'model', level: 'manage' },
    summary: 'Move a model to the trash',
    params: modelParams,
    response: z.object({ number: z.number() }),
  }),
  findModelRenames: endpoint({
    ...routes.findModelRenames,
    access: { on: 'model', level: 'edit' },
    summary: 'List the names that a text changes in the saved model, and the dashboards that use them',
    params: modelParams,
    body: z.strictObject({ text: DocumentText }),
    response: z.object({
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
    response: z.object({ version: z.number(), checked: CheckedModel }),
  }),
  dropModelDraft: endpoint({
    ...routes.dropModelDraft,
    access: { on: 'model', level: 'edit' },
    summary: 'Discard a model’s draft',
    params: modelParams,
    response: z.object({}),
  }),
  listModelRevisions: endpoint({
    ...routes.listModelRevisions,
    access: { on: 'model', level: 'edit' },
    summary: 'List a model’s revisions, newest first',
    params: modelParams,
    query: z.object(pageParameters(500, 200)),
    response: z.object({ revisions: z.array(Revision), nextCursor: NextCursor }),
  }),
  getModelRevision: endpoint({
    ...routes.getModelRevision,
    access: { on: 'model', level: 'edit' },
    summary: 'Get one revision with its text',
    params: modelParams.extend({ number: z.coerce.number().int() }),
    response: Revision.extend({ text: z.string() }),
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
        z.strictObject({ users: z.literal(true) }),
      ]),
    }),
    response: ModelPreview,
  }),
  getModelProfile: endpoint({
    ...routes.getModelProfile,
    access: { on: 'model', level: 'explore' },
    summary: 'Get the profiles of a model’s fields that were counted at import',
    params: modelParams,
    response: z.object({
      rows: z.number().optional(),
      fields: z.record(z.string(), Column),
      /** Fields of joined tables, as counted in these tables. */
      joined: z.record(z.string(), Column),
      /** What a chart of the model begins with: its primary measure over time, or by its best dimension. */
      initial: z
        .object({
          measure: z.string(),
          isTotal: z.boolean(),
          field: z.string().optional(),
          timeUnit: TimeUnit.optional(),
        })
        .optional(),
    }),
  }),
  getModelValues: endpoint({
    ...routes.getModelValues,
    access: { on: 'model', level: 'explore' },
    summary: 'Get the values of a model’s categories, the most frequent first, by which phrases name them',
    params: modelParams,
    response: z.object({ fields: z.record(z.string(), z.array(z.string())) }),
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
    response: RowsPage,
  }),
} as const;
