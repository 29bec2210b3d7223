import { z } from 'zod';
import { CalendarTime } from './filter-file.ts';
import { Format } from './model-file.ts';
import { Label, orParameter, ParameterName, type Resolved } from './names.ts';

/** Weeks and fiscal years begin as the dashboard's calendar says. */
export const TimeUnit = z.enum([
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'fiscalYear',
  'fiscalQuarter',
]);
export type TimeUnit = z.infer<typeof TimeUnit>;

/** What of a column's values a mark stands for; Vega-Lite's names. */
export const Aggregate = z.enum([
  'count',
  'sum',
  'mean',
  'median',
  'min',
  'max',
  'distinct',
  'q1',
  'q3',
  'stdev',
  'variance',
]);
export type Aggregate = z.infer<typeof Aggregate>;

/** How numbers become lengths. `sqrt` and `symlog` bear zero and what is below it; `log` leaves such values out, and says so. */
const ScaleType = z.enum(['linear', 'log', 'sqrt', 'symlog']);
export type ScaleType = z.infer<typeof ScaleType>;

/** What stands along an axis, by Vega-Lite's names; `false`: nothing. */
const Axis = z.union([
  z.literal(false),
  z.strictObject({
    title: Label.optional(),
    labels: z.boolean().optional(),
    grid: z.boolean().optional(),
    /** Of numbers and times: about so many of them. */
    tickCount: z.number().int().min(1).max(40).optional(),
    /** Of the numbers along it, in place of the measure's or the field's own. */
    format: Format.optional(),
  }),
]);
/** Whether the names of the colours are there, and what stands before them. */
const Legend = z.union([z.literal(false), z.strictObject({ title: Label })]);

/** Bears Vega-Lite's names (https://vega.github.io/vega-lite/docs/encoding.html); `measure` is ours: a measure of the model. */
export const FieldEncoding = z.strictObject({
  field: z.string(),
  timeUnit: orParameter(TimeUnit).optional(),
  /** Of time: what stands where a measure has no value. Nothing without; what adds up is 0 there anyway. */
  gaps: z.enum(['zero', 'carry', 'interpolate']).optional(),
  bin: z
    .union([
      z.literal(true),
      z.strictObject({
        step: orParameter(z.number().positive()).optional(),
        maxbins: orParameter(z.number().int().min(2).max(500)).optional(),
      }),
    ])
    .optional(),
  /** By its own order, by size (`-value`: the largest first), by another measure or what an aggregate makes of another field, or as listed; what a list does not name comes after it. */
  sort: z
    .union([
      z.enum(['ascending', 'descending', '-value', 'value']),
      z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .min(1)
        .max(500),
      z.strictObject({ measure: z.string(), order: z.enum(['ascending', 'descending']).optional() }),
      z.strictObject({
        field: z.string().optional(),
        aggregate: Aggregate,
        order: z.enum(['ascending', 'descending']).optional(),
      }),
    ])
    .optional(),
  limit: orParameter(z.number().int().min(1).max(500)).optional(),
  scale: z
    .strictObject({ domain: z.tuple([z.number(), z.number()]).optional(), reverse: z.boolean().optional() })
    .optional(),
  /** Of `x` and `y`. */
  axis: Axis.optional(),
  /** Of `color`. */
  legend: Legend.optional(),
});
export type FieldEncoding = Resolved<z.infer<typeof FieldEncoding>>;

const measured = {
  scale: z
    .strictObject({
      zero: z.boolean().optional(),
      type: ScaleType.optional(),
      domain: z.tuple([z.number(), z.number()]).optional(),
    })
    .optional(),
  stack: z.union([z.enum(['zero', 'normalize', 'center']), z.literal(false)]).optional(),
  /** What is drawn in place of its values: added up so far, each one's part of all, or what changed since the one before. */
  show: z.enum(['running total', 'share of total', 'difference']).optional(),
  /** In place of the measure's own. */
  format: Format.optional(),
  /** Of `x` and `y`. */
  axis: Axis.optional(),
  /** Of `color`. */
  legend: z.literal(false).optional(),
};
/** A measure of the model, or what an aggregate makes of a field: `{ field: delay, aggregate: median }`. */
export const MeasureEncoding = z.union([
  z.strictObject({ measure: z.string(), ...measured }),
  z.strictObject({ field: z.string().optional(), aggregate: Aggregate, ...measured }),
]);
export type MeasureEncoding = Resolved<z.infer<typeof MeasureEncoding>>;

export const Encoding = z.union([FieldEncoding, MeasureEncoding]);
export type Encoding = FieldEncoding | MeasureEncoding;

/** Something to measure the marks by: a line at a value (or at their mean or median), or a band between two. */
export const Reference = z.strictObject({
  x: z
    .union([
      z.number(),
      CalendarTime,
      ParameterName,
      z.tuple([z.number(), z.number()]),
      z.tuple([CalendarTime, CalendarTime]),
    ])
    .optional(),
  y: z
    .union([z.number(), z.enum(['mean', 'median']), ParameterName, z.tuple([z.number(), z.number()])])
    .optional(),
  label: Label.optional(),
});
export type Reference = Resolved<z.infer<typeof Reference>>;

const PlaceOfMark = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);

/**
 * Words that stand at a place of a chart, with a line to it. Each channel says where, by a value of its field or a number of its measure:
 * fields alone mean the mark that they have, which moves with what is selected; `color` the mark of one series; `row` and `column` one panel.
 */
export const Annotation = z.strictObject({
  text: Label,
  x: PlaceOfMark.optional(),
  y: PlaceOfMark.optional(),
  detail: PlaceOfMark.optional(),
  color: PlaceOfMark.optional(),
  row: PlaceOfMark.optional(),
  column: PlaceOfMark.optional(),
});
export type Annotation = z.infer<typeof Annotation>;

/** The course of the marks: a straight line, a curve that follows its neighbourhood, or the mean of so many places up to each. */
export const Trend = z.union([
  z.enum(['linear', 'loess']),
  z.strictObject({ movingAverage: orParameter(z.number().int().min(2).max(400)) }),
]);
export type Trend = Resolved<z.infer<typeof Trend>>;
