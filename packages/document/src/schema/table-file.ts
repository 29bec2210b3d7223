import { z } from 'zod';
import { JoinRangeFile } from './join-range.ts';

export const encodings = [
  'UTF-8',
  'UTF-16 LE',
  'UTF-16 BE',
  'Windows-1252',
  'Latin-1',
  'Mac Roman',
  'Windows-1250',
  'Windows-1251',
  'Shift_JIS',
  'GB18030',
] as const;
export const readTypes = [
  'text',
  'integer',
  'decimal',
  'number',
  'boolean',
  'date',
  'time',
  'duration',
] as const;

/** Whether no part of a pattern leads out of the data folder. */
function isFilePattern(files: string): boolean {
  return (
    !/^[/\\]|^[A-Za-z]:|\\|\0/.test(files) &&
    files.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  );
}

/**
 * A decision about how this table refers to another, or to itself. Without one, Belvedere decides from the
 * database's keys, names and values.
 */
export const RelationshipFile = z.strictObject({
  table: z.string().min(1).max(300),
  /** This table's columns, each with the column of `table` that it equals, as in a model's joins. */
  on: z
    .record(z.string().max(300), z.string().max(300))
    .refine(on => Object.keys(on).length > 0 && Object.keys(on).length <= 8, 'between one and eight columns'),
  /** For tables with several versions of a row: a column of this table, and the range of `table` it lies in. */
  between: JoinRangeFile.optional(),
  /** `false`: never used, even if it is found again. */
  use: z.boolean().optional(),
});
export type RelationshipFile = z.infer<typeof RelationshipFile>;

/**
 * `tables/NAME.yaml`: import options of a table's files, instead of detected ones, and its relationships that
 * were decided by hand. Every line is optional. `tables/SOURCE/NAME.yaml` has the relationships of a database's
 * table.
 */
export const TableFile = z
  .strictObject({
    version: z.literal(1),
    /**
     * The table's files in the data folder: `matches_*.csv`. `separate`: files that would form one table of
     * this name are a table each.
     */
    files: z
      .string()
      .min(1)
      .max(300)
      .refine(isFilePattern, 'file names relative to the data folder, such as `matches_*.csv`, or `separate`')
      .optional(),
    encoding: z.enum(encodings).optional(),
    delimiter: z.string().min(1).max(1).optional(),
    /** Whether the first line (after skipped lines) contains the column names. */
    header: z.boolean().optional(),
    /** The number of lines above the header. */
    skip: z.number().int().min(0).max(10_000).optional(),
    decimal: z.enum(['.', ',']).optional(),
    dates: z.enum(['day first', 'month first', 'year first']).optional(),
    /** Texts that mean null, in addition to empty text. */
    nulls: z.array(z.string().max(50)).max(50).optional(),
    /** How to import nested objects: as columns of their own, or as JSON text. */
    nested: z.enum(['columns', 'text']).optional(),
    columns: z.record(z.string().max(300), z.enum(readTypes)).optional(),
    /** Relationships to other tables that were decided by hand. */
    relationships: z.array(RelationshipFile).max(200).optional(),
  })
  .meta({ title: 'How Belvedere reads a table' });
export type TableFile = z.infer<typeof TableFile>;
