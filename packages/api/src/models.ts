import { FilterDefault } from '@belvedere/document';
import { z } from 'zod';
import { LevelName } from './access-names.ts';
import { DocumentError } from './document-error.ts';
import { Cell } from './tables.ts';

export const Field = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  format: z.string().optional(),
  unit: z.string().optional(),
  better: z.enum(['up', 'down']).optional(),
  description: z.string().optional(),
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
    isReading: z.boolean(),
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
    }),
    z.object({
      kind: z.literal('measure'),
      type: z.string(),
      value: Cell,
      course: z.array(z.object({ at: z.number(), value: z.number().nullable() })).optional(),
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
      kind: z.literal('readers'),
      rows: z.number(),
      /** For each user that the tests name: the number of visible rows, and the policies that apply. */
      readers: z.array(z.object({ name: z.string(), rows: z.number(), policies: z.array(z.string()) })),
    }),
  ])
  .meta({ id: 'ModelPreview' });
export type ModelPreview = z.infer<typeof ModelPreview>;
