import { z } from 'zod';
import { Format } from './model-file.ts';
import { Label, LongText } from './names.ts';
import { DashboardFilter } from './filter-file.ts';

export const TimeUnit = z.enum(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute']);
export type TimeUnit = z.infer<typeof TimeUnit>;

/** Bears Vega-Lite's names (https://vega.github.io/vega-lite/docs/encoding.html); `measure` is ours: a measure of the model. */
const FieldEncoding = z.strictObject({
  field: z.string(),
  timeUnit: TimeUnit.optional(),
  bin: z
    .union([z.literal(true), z.strictObject({ step: z.number().positive().optional(), maxbins: z.number().int().min(2).max(500).optional() })])
    .optional(),
  sort: z.enum(['ascending', 'descending', '-value', 'value']).optional(),
  limit: z.number().int().min(1).max(500).optional(),
  scale: z.strictObject({ domain: z.tuple([z.number(), z.number()]).optional() }).optional(),
});
const MeasureEncoding = z.strictObject({
  measure: z.string(),
  scale: z.strictObject({ zero: z.boolean().optional() }).optional(),
  stack: z.union([z.enum(['zero', 'normalize']), z.literal(false)]).optional(),
  /** What is drawn in place of its values: added up so far, each one's part of all, or what changed since the one before. */
  show: z.enum(['running total', 'share of total', 'difference']).optional(),
  /** In place of the measure's own. */
  format: Format.optional(),
});
export const Encoding = z.union([FieldEncoding, MeasureEncoding]);
export type FieldEncoding = z.infer<typeof FieldEncoding>;
export type MeasureEncoding = z.infer<typeof MeasureEncoding>;
export type Encoding = FieldEncoding | MeasureEncoding;

const common = {
  title: Label.optional(),
  subtitle: Label.optional(),
  description: LongText.optional(),
  model: z.string().optional(),
  filters: z.array(DashboardFilter).max(30).optional(),
  at: z.tuple([z.number().int().min(0).max(23), z.number().int().min(0).max(10_000), z.number().int().min(1).max(24), z.number().int().min(1).max(200)]).optional(),
};

export const Tile = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('kpi'),
    ...common,
    value: MeasureEncoding,
    compare: z.enum(['previous period', 'previous year']).optional(),
    spark: FieldEncoding.optional(),
  }),
  z.strictObject({ kind: z.literal('bar'), ...common, x: Encoding, y: Encoding, color: FieldEncoding.optional() }),
  z.strictObject({ kind: z.literal('line'), ...common, x: FieldEncoding, y: MeasureEncoding, color: FieldEncoding.optional() }),
  z.strictObject({ kind: z.literal('area'), ...common, x: FieldEncoding, y: MeasureEncoding, color: FieldEncoding.optional() }),
  z.strictObject({ kind: z.literal('heatmap'), ...common, x: FieldEncoding, y: FieldEncoding, color: MeasureEncoding }),
  z.strictObject({ kind: z.literal('scatter'), ...common, x: FieldEncoding, y: FieldEncoding, color: FieldEncoding.optional() }),
  z.strictObject({
    kind: z.literal('table'),
    ...common,
    columns: z.array(z.string()).min(1).max(100).optional(),
    sort: z.strictObject({ field: z.string(), order: z.enum(['ascending', 'descending']).optional() }).optional(),
  }),
  z.strictObject({ kind: z.literal('text'), ...common, text: LongText }),
]);
export type Tile = z.infer<typeof Tile>;
export type TileKind = Tile['kind'];

/** A tile's place on the 24-column grid: column, row, columns wide, rows high. */
export type GridBox = NonNullable<Tile['at']>;
