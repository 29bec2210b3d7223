import { z } from 'zod';
import { Annotation, Encoding, FieldEncoding, MeasureEncoding, Reference, Trend } from './encoding.ts';
import { CalendarTime, DashboardFilter, FilterControl, FilterDefault } from './filter-file.ts';
import { Label, LongText, orParameter, type Resolved } from './names.ts';
import { ShowIf } from './show-if.ts';

const common = {
  title: Label.optional(),
  subtitle: Label.optional(),
  description: LongText.optional(),
  model: z.string().optional(),
  filters: z.array(DashboardFilter).max(30).optional(),
  at: z
    .tuple([
      z.number().int().min(0).max(23),
      z.number().int().min(0).max(10_000),
      z.number().int().min(1).max(24),
      z.number().int().min(1).max(200),
    ])
    .optional(),
  /** Whose selections bind it: those of these tiles, or, `false`, nobody’s; everybody’s where it does not say. */
  listens: z.union([z.literal(false), z.array(z.string()).min(1).max(60)]).optional(),
  /** Its marks are looked at, opened and explained, but not selected. */
  selects: z.literal(false).optional(),
  /** When it is shown at all; always, where it does not say. */
  showIf: ShowIf.optional(),
  /** Another dashboard to go to with what is selected here. */
  opens: z.string().max(300).optional(),
  /** The fields below the one that is shown: opening a mark shows the next of them, of that mark alone. */
  drill: z.array(z.string()).min(1).max(8).optional(),
};

/** Kinds with x and y can be drawn once for each value of a field, side by side: all on one scale, or each on its own (`free`). */
const multiples = {
  row: FieldEncoding.optional(),
  column: FieldEncoding.optional(),
  scales: z.enum(['shared', 'free']).optional(),
};
const annotations = z.array(Annotation).min(1).max(20).optional();
const guides = {
  references: z.array(Reference).max(12).optional(),
  trend: Trend.optional(),
  labels: z.boolean().optional(),
  annotations,
};
/** What is told of a mark that is pointed at, beside what it shows. */
const told = { tooltip: z.array(MeasureEncoding).min(1).max(6).optional() };
const levels = (least: number, most: number) => z.array(FieldEncoding).min(least).max(most);

const ComboLayer = z.strictObject({
  mark: z.enum(['bar', 'line', 'area']),
  y: MeasureEncoding,
  axis: z.enum(['left', 'right']).optional(),
});

/** Where an image may come from: a file of the workspace's folder `images`. */
const ImageFile = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}\.(png|jpe?g|webp|gif|svg)$/iu,
    'a file in the folder `images`, such as `logo.png`',
  );

/** A colour for cells of a column whose value is so. */
const Highlight = z.strictObject({
  field: z.string(),
  when: FilterDefault,
  look: z.enum(['good', 'warn', 'bad', 'accent']),
});

/** What a figure is compared with: the time just before its own, the same a year before, or a time that is named. */
export const Comparison = z.union([
  z.enum(['previous period', 'previous year']),
  z
    .strictObject({ from: CalendarTime, below: CalendarTime })
    .refine(({ from, below }) => from < below, 'an end after the start'),
]);
export type Comparison = z.infer<typeof Comparison>;

/** A tile as its file has it: with parameters' names where their values will stand. */
export const TileFile = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('kpi'),
    ...common,
    value: MeasureEncoding,
    compare: Comparison.optional(),
    spark: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('bar'),
    ...common,
    ...told,
    ...multiples,
    ...guides,
    x: Encoding,
    y: Encoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('line'),
    ...common,
    ...told,
    ...multiples,
    ...guides,
    x: FieldEncoding,
    y: MeasureEncoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('area'),
    ...common,
    ...told,
    ...multiples,
    ...guides,
    x: FieldEncoding,
    y: MeasureEncoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('combo'),
    ...common,
    ...told,
    ...multiples,
    ...guides,
    x: FieldEncoding,
    layers: z.array(ComboLayer).min(2).max(4),
  }),
  z.strictObject({
    kind: z.literal('heatmap'),
    ...common,
    ...told,
    ...multiples,
    labels: z.boolean().optional(),
    annotations,
    x: FieldEncoding,
    y: FieldEncoding,
    color: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('scatter'),
    ...common,
    ...multiples,
    references: guides.references,
    annotations,
    trend: z.literal('linear').optional(),
    labels: z.boolean().optional(),
    /** Two fields: a point for each row. Two measures: one for each value of `detail`. */
    x: Encoding,
    y: Encoding,
    detail: FieldEncoding.optional(),
    size: MeasureEncoding.optional(),
    color: FieldEncoding.optional(),
    /** Of points for rows: at most six shapes; with the colour's own field both tell the same apart. */
    shape: FieldEncoding.optional(),
    /** Of points of measures, the field that they are of: a line goes through them in its order, `sort: descending` the other way. */
    order: FieldEncoding.optional(),
    /** Of points for rows their fields, of points of measures other measures. */
    tooltip: z.array(Encoding).min(1).max(6).optional(),
  }),
  z.strictObject({
    kind: z.literal('calendar'),
    ...common,
    ...told,
    x: FieldEncoding,
    color: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('boxplot'),
    ...common,
    ...multiples,
    x: FieldEncoding,
    y: z.strictObject({ field: z.string() }),
    /** Where the whiskers end: the smallest and largest, or so many of a hundred. */ extent: z
      .enum(['min-max', '5-95'])
      .optional(),
  }),
  z.strictObject({
    kind: z.literal('waterfall'),
    ...common,
    ...told,
    ...multiples,
    x: FieldEncoding,
    y: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('candlestick'),
    ...common,
    ...told,
    ...multiples,
    x: FieldEncoding,
    open: MeasureEncoding,
    high: MeasureEncoding,
    low: MeasureEncoding,
    close: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('pie'),
    ...common,
    ...told,
    color: FieldEncoding,
    theta: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('donut'),
    ...common,
    ...told,
    color: FieldEncoding,
    theta: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('treemap'),
    ...common,
    ...told,
    levels: levels(1, 3),
    size: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('sunburst'),
    ...common,
    ...told,
    levels: levels(1, 3),
    size: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('sankey'),
    ...common,
    ...told,
    levels: levels(2, 4),
    size: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('funnel'),
    ...common,
    ...told,
    y: FieldEncoding.optional(),
    x: z.union([MeasureEncoding, z.array(MeasureEncoding).min(2).max(10)]),
  }),
  z.strictObject({
    kind: z.literal('gauge'),
    ...common,
    value: MeasureEncoding,
    target: orParameter(z.number()).optional(),
    scale: z.strictObject({ domain: z.tuple([z.number(), z.number()]) }).optional(),
  }),
  z.strictObject({
    kind: z.literal('radar'),
    ...common,
    ...told,
    x: FieldEncoding,
    y: MeasureEncoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('map'),
    ...common,
    ...told,
    /** The shapes that a region's values name: countries by name or ISO code, states by name, letters or FIPS code, counties by FIPS code, or a GeoJSON file of the folder `maps`. */
    shape: z.union([
      z.enum(['countries', 'us-states', 'us-counties']),
      z
        .string()
        .regex(
          /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}\.(geo)?json$/u,
          'a GeoJSON file in the folder `maps`, such as `districts.geojson`',
        ),
    ]),
    region: FieldEncoding.optional(),
    longitude: FieldEncoding.optional(),
    latitude: FieldEncoding.optional(),
    color: MeasureEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('table'),
    ...common,
    columns: z.array(z.string()).min(1).max(100).optional(),
    sort: z
      .strictObject({ field: z.string(), order: z.enum(['ascending', 'descending']).optional() })
      .optional(),
    /** Columns whose numbers also stand as bars. */
    bars: z.array(z.string()).max(20).optional(),
    /** Measures among the columns whose course along the model's time stands beside the number. */
    sparklines: z.array(z.string()).max(6).optional(),
    /** How many columns stay where they are while the others are scrolled; the first, where nothing is said. */
    pinned: z.number().int().min(0).max(10).optional(),
    highlights: z.array(Highlight).max(20).optional(),
  }),
  z.strictObject({
    kind: z.literal('pivot'),
    ...common,
    rows: levels(1, 3),
    columns: z.array(FieldEncoding).max(2).optional(),
    values: z.array(MeasureEncoding).min(1).max(6),
    heat: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('text'), ...common, text: LongText }),
  z.strictObject({ kind: z.literal('image'), ...common, file: ImageFile, alt: Label }),
  z.strictObject({
    kind: z.literal('control'),
    ...common,
    field: z.string(),
    control: FilterControl.optional(),
  }),
]);
export type TileFile = z.infer<typeof TileFile>;

/** A tile as it is shown, its parameters' values in their places (`resolveDashboard`). */
export type Tile = Resolved<TileFile>;
export type TileKind = Tile['kind'];

/** A tile's place on the 24-column grid: column, row, columns wide, rows high. */
export type GridBox = NonNullable<Tile['at']>;
