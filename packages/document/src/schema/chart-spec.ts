import { z } from 'zod';
import { Annotation, Encoding, FieldEncoding, MeasureEncoding, Reference, Trend } from './encoding.ts';
import { CalendarTime, DashboardFilter, FilterControl, FilterDefault } from './filter-file.ts';
import { builtInShapes, mapFilePattern } from '../geographic-role.ts';
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
  /** The tiles whose selections filter this one: those listed, none (`false`), or all of them by default. */
  listens: z.union([z.literal(false), z.array(z.string()).min(1).max(60)]).optional(),
  /** Its marks have tooltips, drill-down and explanations, but cannot be selected. */
  selects: z.literal(false).optional(),
  /** The condition for showing the tile; always shown by default. */
  showIf: ShowIf.optional(),
  /** Another dashboard that the tile links to, with its selection. */
  opens: z.string().max(300).optional(),
  /**
   * The drill path below the tile's own field. Opening a mark shows the next field, filtered to that mark.
   */
  drill: z.array(z.string()).min(1).max(8).optional(),
};

/**
 * Small multiples, for kinds with x and y: one panel per value of a field. Scales are shared or `free` per
 * panel.
 */
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
/** Measures that a mark's tooltip adds to those drawn. */
const tooltip = { tooltip: z.array(MeasureEncoding).min(1).max(6).optional() };
const levels = (min: number, max: number) => z.array(FieldEncoding).min(min).max(max);

const ComboLayer = z.strictObject({
  mark: z.enum(['bar', 'line', 'area']),
  y: MeasureEncoding,
  axis: z.enum(['left', 'right']).optional(),
});

/** The name of an image file in the workspace's `images` folder. */
const ImageFile = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}\.(png|jpe?g|webp|gif|svg)$/iu,
    'a file in the folder `images`, such as `logo.png`',
  );

const Look = z.enum(['good', 'warn', 'bad', 'accent']);

/** A colour for a column's cells whose values meet a condition. */
const Highlight = z.strictObject({ field: z.string(), when: FilterDefault, look: Look });

/**
 * A coloured range of a gauge's scale. It begins where the band before it ends, the first at the scale's
 * beginning; the last may be open.
 */
const GaugeBand = z.strictObject({ below: orParameter(z.number()).optional(), look: Look });
const GaugeBands = z
  .array(GaugeBand)
  .min(1)
  .max(8)
  .refine(
    bands => bands.slice(0, -1).every(({ below }) => below !== undefined),
    'an end (`below`) for each band but the last',
  )
  .refine(bands => {
    const ends = bands.map(({ below }) => below).filter(below => typeof below === 'number');
    return ends.every((end, i) => i === 0 || end > ends[i - 1]!);
  }, 'bands in the order of their ends');

/**
 * The period that a figure is compared with: the one just before, the same a year earlier, or a fixed range.
 */
export const Comparison = z.union([
  z.enum(['previous period', 'previous year']),
  z
    .strictObject({ from: CalendarTime, below: CalendarTime })
    .refine(({ from, below }) => from < below, 'an end after the start'),
]);
export type Comparison = z.infer<typeof Comparison>;

/** The target of a figure or a gauge: a number, a parameter, or a measure over the same rows. */
const FigureTarget = z.union([orParameter(z.number()), MeasureEncoding]);

/** A tile as in its file, with parameter names in place of their values. */
export const TileFile = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('kpi'),
    ...common,
    value: MeasureEncoding,
    compare: Comparison.optional(),
    target: FigureTarget.optional(),
    spark: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('bar'),
    ...common,
    ...tooltip,
    ...multiples,
    ...guides,
    x: Encoding,
    y: Encoding,
    /** A field divides the bars; a measure shades them. */
    color: Encoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('line'),
    ...common,
    ...tooltip,
    ...multiples,
    ...guides,
    x: FieldEncoding,
    y: MeasureEncoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('area'),
    ...common,
    ...tooltip,
    ...multiples,
    ...guides,
    x: FieldEncoding,
    y: MeasureEncoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('combo'),
    ...common,
    ...tooltip,
    ...multiples,
    ...guides,
    x: FieldEncoding,
    layers: z.array(ComboLayer).min(2).max(4),
  }),
  z.strictObject({
    kind: z.literal('heatmap'),
    ...common,
    ...tooltip,
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
    /** Two fields draw a point per row; two measures draw a point per value of `detail`. */
    x: Encoding,
    y: Encoding,
    detail: FieldEncoding.optional(),
    size: MeasureEncoding.optional(),
    /** A field tells points apart; a measure shades points of measures. */
    color: Encoding.optional(),
    /** For points per row: at most six shapes. With the colour's own field, both encode the same values. */
    shape: FieldEncoding.optional(),
    /**
     * For points of measures: the field whose order connects them with a line; `sort: descending` reverses
     * it.
     */
    order: FieldEncoding.optional(),
    /** Points per row show fields in the tooltip; points of measures show further measures. */
    tooltip: z.array(Encoding).min(1).max(6).optional(),
  }),
  z.strictObject({
    kind: z.literal('calendar'),
    ...common,
    ...tooltip,
    x: FieldEncoding,
    color: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('boxplot'),
    ...common,
    ...multiples,
    x: FieldEncoding,
    y: z.strictObject({ field: z.string() }),
    /** The whiskers' ends: minimum and maximum, or the 5th and 95th percentile. */
    extent: z.enum(['min-max', '5-95']).optional(),
  }),
  z.strictObject({
    kind: z.literal('waterfall'),
    ...common,
    ...tooltip,
    ...multiples,
    x: FieldEncoding,
    y: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('candlestick'),
    ...common,
    ...tooltip,
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
    ...tooltip,
    color: FieldEncoding,
    theta: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('donut'),
    ...common,
    ...tooltip,
    color: FieldEncoding,
    theta: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('treemap'),
    ...common,
    ...tooltip,
    levels: levels(1, 3),
    size: MeasureEncoding,
    /** Shades the areas by a measure, instead of a hue for each outer one. */
    color: MeasureEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('sunburst'),
    ...common,
    ...tooltip,
    levels: levels(1, 3),
    size: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('sankey'),
    ...common,
    ...tooltip,
    levels: levels(2, 4),
    size: MeasureEncoding,
  }),
  z.strictObject({
    kind: z.literal('funnel'),
    ...common,
    ...tooltip,
    y: FieldEncoding.optional(),
    x: z.union([MeasureEncoding, z.array(MeasureEncoding).min(2).max(10)]),
  }),
  z.strictObject({
    kind: z.literal('gauge'),
    ...common,
    value: MeasureEncoding,
    target: FigureTarget.optional(),
    bands: GaugeBands.optional(),
    scale: z.strictObject({ domain: z.tuple([z.number(), z.number()]) }).optional(),
  }),
  z.strictObject({
    kind: z.literal('radar'),
    ...common,
    ...tooltip,
    x: FieldEncoding,
    y: MeasureEncoding,
    color: FieldEncoding.optional(),
  }),
  z.strictObject({
    kind: z.literal('map'),
    ...common,
    ...tooltip,
    /**
     * The shapes that a region's values name: countries by name or ISO code, states by name, letters or FIPS
     * code, counties by FIPS code, or a GeoJSON file of the folder `maps`.
     */
    shape: z.union([
      z.enum(builtInShapes),
      z.string().regex(mapFilePattern, 'a GeoJSON file in the folder `maps`, such as `districts.geojson`'),
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
    /** Columns that show their numbers as bars too. */
    bars: z.array(z.string()).max(20).optional(),
    /** Columns of numbers whose cells are shaded by value, as in a pivot. Highlights go before it. */
    heat: z.array(z.string()).max(20).optional(),
    /** Measures among the columns that show a sparkline along the model's time beside the number. */
    sparklines: z.array(z.string()).max(6).optional(),
    /** The number of columns that stay fixed while the others scroll; 1 by default. */
    pinned: z.number().int().min(0).max(10).optional(),
    highlights: z.array(Highlight).max(20).optional(),
  }),
  z.strictObject({
    kind: z.literal('pivot'),
    ...common,
    rows: levels(1, 3),
    columns: z.array(FieldEncoding).max(2).optional(),
    values: z.array(MeasureEncoding).min(1).max(6),
    /** Shades the cells of each measure by value. */
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

/** A tile with its parameters replaced by their values (`resolveDashboard`). */
export type Tile = Resolved<TileFile>;
export type TileKind = Tile['kind'];

/** A tile's box on the 24-column grid: column, row, width in columns, height in rows. */
export type GridBox = NonNullable<Tile['at']>;
