import { FilterDefault } from '@belvedere/document';
import { z } from 'zod';
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
  /** Not offered in lists; what names it works as ever. */
  isHidden: z.boolean().optional(),
});
export type Field = z.infer<typeof Field>;

/** A model as readers may know it: names and labels, no expressions. */
export const ModelSummary = z
  .object({
    name: z.string(),
    label: z.string(),
    table: z.string(),
    time: z.string().optional(),
    dimensions: z.array(Field),
    measures: z.array(Field),
    isGuessed: z.boolean(),
    /** Dimensions from the coarsest to the finest. */
    hierarchies: z.array(z.array(z.string())).optional(),
    /** Conditions that hold wherever nothing else is said about their field. */
    filters: z.record(z.string(), FilterDefault).optional(),
  })
  .meta({ id: 'Model' });
export type ModelSummary = z.infer<typeof ModelSummary>;

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
      kind: z.literal('dimension'),
      type: z.string(),
      rows: z.number(),
      empty: z.number(),
      distinct: z.number(),
      min: Cell.optional(),
      max: Cell.optional(),
      /** The most frequent. */
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
      /** Of those, how many find their one row there. */ found: z.number(),
      rowsThere: z.number(),
      /** Keys that occur there more than once. */ repeated: z.array(
        z.object({ key: z.string(), rows: z.number() }),
      ),
    }),
    z.object({
      kind: z.literal('readers'),
      rows: z.number(),
      /** Of those, what each of the people whom tests name sees, and by which policies. */ readers: z.array(
        z.object({ name: z.string(), rows: z.number(), policies: z.array(z.string()) }),
      ),
    }),
  ])
  .meta({ id: 'ModelPreview' });
export type ModelPreview = z.infer<typeof ModelPreview>;
