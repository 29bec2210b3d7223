import { z } from 'zod';
import { FilterDefault } from './filter-file.ts';
import { mapFilePattern, regionRoles } from '../geographic-role.ts';
import { JoinRangeFile } from './join-range.ts';
import { isLinkTemplate } from './link-template.ts';
import { Label, LongText, Name } from './names.ts';
import { RefreshPolicy } from './source-file.ts';

const Expr = z.string().min(1).max(8192);
/**
 * `percent`, `number`, `integer`, `currency`, `currency:EUR`, `bytes`, `duration` (in seconds), `hour` (of the day), or
 * d3's
 * number specifiers such as `.1f`.
 */
export const Format = z
  .string()
  .regex(
    /^(percent|number|integer|currency(:[A-Z]{3})?|bytes|duration|hour|plain|[,]?\.\d[f%s]?)$/,
    'a format such as `.1f`, `percent`, `integer` or `currency:EUR`',
  );

const LinkTemplate = z
  .string()
  .max(2000)
  .refine(
    isLinkTemplate,
    'a URL that contains `{value}`, such as `https://example.org/{value}` or `mailto:{value}`',
  );

const DimensionRole = z.union([
  z.enum(['identifier', 'latitude', 'longitude', ...regionRoles]),
  z
    .string()
    .regex(
      mapFilePattern,
      '`identifier`, `latitude`, `longitude`, `country`, `us-state`, `us-county`, ' +
        'or a GeoJSON file in the folder `maps`, such as `districts.geojson`',
    ),
]);

export const DimensionFile = z.strictObject({
  label: Label.optional(),
  column: z.string().optional(),
  expr: Expr.optional(),
  description: LongText.optional(),
  format: Format.optional(),
  sort: z
    .array(z.union([z.string(), z.number()]))
    .max(1000)
    .optional(),
  /** What its values are: keys, degrees on a map, or the regions of a map. */
  role: DimensionRole.optional(),
  /** The link of a value in tables: a web, mail or dashboard address that contains `{value}`. */
  link: LinkTemplate.optional(),
  /** Hides the field from lists; references to it keep working. */
  hidden: z.boolean().optional(),
});
export type DimensionFile = z.infer<typeof DimensionFile>;

export const MeasureFile = z.strictObject({
  label: Label.optional(),
  expr: Expr,
  format: Format.optional(),
  unit: z.string().max(40).optional(),
  description: LongText.optional(),
  better: z.enum(['up', 'down']).optional(),
  hidden: z.boolean().optional(),
});
export type MeasureFile = z.infer<typeof MeasureFile>;

/**
 * A many-to-one join: this table's columns, each with the column of `table` it equals. Together those columns
 * identify one row there, or several with ranges that do not overlap.
 */
export const JoinFile = z.strictObject({
  table: z.string(),
  /** A source other than the model's, for a model that is an extract. */
  source: Name.optional(),
  on: z.record(z.string(), z.string()),
  /** For tables with several versions of a row: a column of this table, and the range of `table` it lies in. */
  between: JoinRangeFile.optional(),
  description: LongText.optional(),
});

/**
 * A row policy. A user whom several policies bind sees the rows that any of them admits; a user whom none
 * binds sees no rows.
 */
export const PolicyFile = z
  .strictObject({
    name: Label,
    /** The policy binds users in any of these groups. */
    groups: z.array(Label).min(1).max(200).optional(),
    everyone: z.literal(true).optional(),
    /** A condition on a row; `:user.NAME` is an attribute of the viewing user. */
    where: Expr,
    /** Dimensions and measures that are hidden from the users whom the policy binds. */
    hide: z.array(Name).min(1).max(1000).optional(),
  })
  .refine(policy => (policy.groups === undefined) !== (policy.everyone === undefined), {
    error: 'A policy needs either `groups` or `everyone: true`',
    path: ['name'],
  });
export type PolicyFile = z.infer<typeof PolicyFile>;

export const ModelFile = z
  .strictObject({
    version: z.literal(1),
    label: Label.optional(),
    description: LongText.optional(),
    /** `files`, or the name of a file in `sources/`. */
    source: Name.optional(),
    table: z.string().optional(),
    /** The source's own SQL instead of a table: one `select`. */
    sql: z
      .string()
      .min(1)
      .max(256 * 1024)
      .optional(),
    time: Name.optional(),
    /**
     * An aggregate that tells how new the data is, such as `max(loaded_at)`. While its value is unchanged,
     * cached results from a database stay valid.
     */
    watermark: Expr.optional(),
    /**
     * How often to copy the data beside the files. An extract spares a slow database and allows joins across
     * two.
     */
    extract: RefreshPolicy.optional(),
    joins: z.record(Name, JoinFile).optional(),
    dimensions: z.record(Name, DimensionFile).optional(),
    measures: z.record(Name, MeasureFile).optional(),
    /** Dimensions from the coarsest to the finest: drilling into a mark of one shows the next. */
    hierarchies: z.record(Name, z.array(Name).min(2).max(8)).optional(),
    /** Default conditions, for fields without any other condition. */
    filters: z.record(Name, FilterDefault).optional(),
    /** Row policies. Without any, every user who may see the model sees all its rows. */
    policies: z.array(PolicyFile).min(1).max(100).optional(),
  })
  .refine(model => (model.table === undefined) !== (model.sql === undefined), {
    error: 'A model needs either `table` or `sql`',
    path: ['table'],
  })
  .meta({ title: 'A Belvedere model' });
export type ModelFile = z.infer<typeof ModelFile>;
