import { z } from 'zod';

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
export const readTypes = ['text', 'integer', 'decimal', 'number', 'boolean', 'date', 'time'] as const;

/** Whether no part of a pattern leads out of the data folder. */
function isFilePattern(files: string): boolean {
  return (
    !/^[/\\]|^[A-Za-z]:|\\|\0/.test(files) &&
    files.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  );
}

/**
 * `tables/NAME.yaml`: import options of a table's files, instead of detected ones. Every line is optional.
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
  })
  .meta({ title: 'How Belvedere reads a table' });
export type TableFile = z.infer<typeof TableFile>;
