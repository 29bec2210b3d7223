import { z } from 'zod';
import { CalendarTime } from './filter-file.ts';
import { Format } from './model-file.ts';
import { Label, orParameter, ParameterName, type Resolved } from './names.ts';

/** The dashboard's calendar defines where weeks and fiscal years begin. */
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

/** How a mark aggregates a column's values; named as in Vega-Lite. */
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

/**
 * How numbers map to lengths. `sqrt` and `symlog` support zero and negative values. `log` drops them, with a
 * note.
 */
const ScaleType = z.enum(['linear', 'log', 'sqrt', 'symlog']);
export type ScaleType = z.infer<typeof ScaleType>;

/** An axis, named as in Vega-Lite; `false` hides it. */
const Axis = z.union([
  z.literal(false),
  z.strictObject({
    title: Label.optional(),
    labels: z.boolean().optional(),
    grid: z.boolean().optional(),
    /** For numbers and times: the approximate number of ticks. */
    tickCount: z.number().int().min(1).max(40).optional(),
    /** The format of the axis' numbers, instead of the measure's or field's own. */
    format: Format.optional(),
  }),
]);
/** Whether the chart has a colour legend, and the legend's title. */
const Legend = z.union([z.literal(false), z.strictObject({ title: Label })]);

/**
 * Named as in Vega-Lite (https://vega.github.io/vega-lite/docs/encoding.html). `measure` is Belvedere's own:
 * a measure of the model.
 */
export const FieldEncoding = z.strictObject({
  field: z.string(),
  timeUnit: orParameter(TimeUnit).optional(),
  /**
   * For times: how to fill missing values. By default they stay missing, but additive measures are 0 there.
   */
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
  /**
   * The order of values: their own, by size (`-value`: largest first), by another measure or aggregate, or as
   * listed. Values that the list does not name follow it.
   */
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
  /** For `x` and `y`. */
  axis: Axis.optional(),
  /** For `color`. */
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
  /**
   * The table calculation drawn instead of the values: running total, share of the total, or change since the
   * previous value, also in percent of it.
   */
  show: z.enum(['running total', 'share of total', 'difference', 'percent change']).optional(),
  /** Instead of the measure's own format. */
  format: Format.optional(),
  /** For `x` and `y`. */
  axis: Axis.optional(),
  /** For `color`. */
  legend: z.literal(false).optional(),
};
/** A measure of the model, or an aggregate of a field: `{ field: delay, aggregate: median }`. */
export const MeasureEncoding = z.union([
  z.strictObject({ measure: z.string(), ...measured }),
  z.strictObject({ field: z.string().optional(), aggregate: Aggregate, ...measured }),
]);
export type MeasureEncoding = Resolved<z.infer<typeof MeasureEncoding>>;

export const Encoding = z.union([FieldEncoding, MeasureEncoding]);
export type Encoding = FieldEncoding | MeasureEncoding;

/**
 * A reference for the marks: a line at a value (or at their mean or median), or a band between two values.
 */
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
 * A text at a position of a chart, with a line to it. Each channel gives a value of its field or a number of
 * its measure. Fields alone refer to the mark with these values, which moves with selections. `color` refers
 * to the mark of one series, `row` and `column` to one panel.
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

/**
 * A trend of the marks: a straight line, a local regression (LOESS), or a trailing moving average over this
 * number of positions.
 */
export const Trend = z.union([
  z.enum(['linear', 'loess']),
  z.strictObject({ movingAverage: orParameter(z.number().int().min(2).max(400)) }),
]);
export type Trend = Resolved<z.infer<typeof Trend>>;
