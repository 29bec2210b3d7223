import { TableFile, TimeUnit } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

export const Column = z.object({
  name: z.string(),
  type: z.string(),
  nulls: z.number(),
  empties: z.number(),
  distinct: z.number(),
  isDistinctExact: z.boolean(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  /** The number format detected in the file: `percent`, `currency:USD`. */
  format: z.string().optional(),
  top: z.array(z.object({ value: z.string().nullable(), rows: z.number() })),
});

export const TableSummary = z
  .object({
    name: z.string(),
    source: z.string(),
    state: z.enum(['waiting', 'importing', 'ready', 'rejected', 'stopped']),
    percent: z.number().optional(),
    /** For a table of several files: the file being imported, counted from 1. */
    file: z.object({ number: z.number(), of: z.number() }).optional(),
    /** Its rows and columns are those of a part of its files, or of their bytes, until all of it is imported. */
    part: z.object({ unit: z.enum(['files', 'bytes']), count: z.number(), of: z.number() }).optional(),
    rows: z.number().optional(),
    columns: z.number().optional(),
    bytes: z.number(),
    /** The first files, by name. */
    files: z.array(z.string()),
    /** The number of all its files. */
    fileCount: z.number(),
    readAt: z.string().optional(),
    model: z.string().optional(),
    problem: z.object({ file: z.string(), line: z.number().optional(), message: z.string() }).optional(),
    rowsRejected: z.number().optional(),
    /** What its import left open: ambiguous columns, and columns that are text because of a few values. */
    openQuestions: z.number().optional(),
  })
  .meta({ id: 'Table' });
export type TableSummary = z.infer<typeof TableSummary>;

const NulledValues = z.object({ column: z.string(), values: z.number() });

/** The effect of import options on a table: rows, and values that do not fit. */
const ImportPreview = z
  .object({
    rowsKept: z.number(),
    rowsRejected: z.number(),
    nulled: z.array(NulledValues),
  })
  .meta({ id: 'ImportPreview' });
export const ImportOptions = TableFile.omit({ version: true, relationships: true });
export type ImportOptions = z.infer<typeof ImportOptions>;

/** A value that does not fit the type of its column's other values, with the location of its first cell if known. */
const Misfit = z.object({
  value: z.string(),
  /** How many cells have it; omitted for one. */
  count: z.number().optional(),
  file: z.string().optional(),
  line: z.number().optional(),
  /** For workbooks. */
  sheet: z.string().optional(),
  /** For workbooks, such as `B17`. */
  cell: z.string().optional(),
});
export type Misfit = z.infer<typeof Misfit>;

/** What the data leaves open: the order of day and month, or whether a comma is a decimal comma. */
const ImportQuestion = z.object({
  kind: z.enum(['date order', 'decimal mark']),
  columns: z.array(z.string()),
  example: z.string(),
});
export type ImportQuestion = z.infer<typeof ImportQuestion>;

export const TableDetail = TableSummary.extend({
  profile: z.array(Column),
  report: z
    .object({
      rowsRead: z.number(),
      rowsKept: z.number(),
      rowsRejected: z.number(),
      rejected: z.array(
        z.object({
          file: z.string(),
          line: z.number(),
          column: z.string().optional(),
          reason: z.string(),
          text: z.string().optional(),
        }),
      ),
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
      hasHeader: z.boolean().optional(),
      skippedLines: z.number().optional(),
      notes: z.array(z.string()),
      /** Values that a chosen import option turned into nulls. */
      nulled: z.array(NulledValues).optional(),
      /** Columns imported as text because of a few values, and the type that all other values fit. */
      nearly: z
        .array(
          z.object({
            column: z.string(),
            type: z.enum(['integer', 'number', 'date', 'time']),
            fits: z.number(),
            misfits: z.number(),
            first: z.array(Misfit),
          }),
        )
        .optional(),
      /** Questions that the data cannot answer. Such columns stay text until the user decides. */
      questions: z.array(ImportQuestion).optional(),
    })
    .optional(),
  /** The import options chosen by a user instead of detected ones. */
  importOptions: ImportOptions.optional(),
}).meta({ id: 'TableDetail' });
export type TableDetail = z.infer<typeof TableDetail>;

export const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * Measures of a table's rows over time, by column name: for each row, the value in each unit. `from` and `to`
 * are the beginnings of the first and last unit, in wall-clock milliseconds.
 */
export const Sparklines = z
  .object({
    unit: TimeUnit,
    from: z.number(),
    to: z.number(),
    of: z.record(z.string(), z.array(z.array(z.number().nullable()).readonly()).readonly()),
  })
  .readonly();
export type Sparklines = z.infer<typeof Sparklines>;

export const RowsPage = z
  .object({
    columns: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        type: z.string(),
        format: z.string().optional(),
        /** The link template of its values, with `{value}` as placeholder. */
        link: z.string().optional(),
      }),
    ),
    rows: z.array(z.array(Cell)),
    total: z.number(),
    totals: z.array(Cell).optional(),
    /** The columns of a table tile whose values name a row. */
    key: z.array(z.string()).optional(),
    sparklines: Sparklines.optional(),
  })
  .meta({ id: 'Rows' });
export type RowsPage = z.infer<typeof RowsPage>;

/** Tables of files, and their import. */
export const tableEndpoints = {
  listTables: endpoint({
    ...routes.listTables,
    access: { on: 'self' },
    summary: 'List the tables of the data folder, with their import status',
    response: z.object({
      tables: z.array(TableSummary),
      skippedFiles: z.array(z.object({ file: z.string(), reason: z.string() })),
    }),
  }),
  getTable: endpoint({
    ...routes.getTable,
    access: { on: 'source', level: 'explore', id: 'files' },
    summary: 'Get one table: its columns, their profiles and its import report',
    params: z.object({ table: z.string().max(100) }),
    response: TableDetail,
  }),
  getTableRows: endpoint({
    ...routes.getTableRows,
    access: { on: 'source', level: 'explore', id: 'files' },
    summary: 'Get the first rows of a table',
    params: z.object({ table: z.string().max(100) }),
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    response: RowsPage,
  }),
  appendRows: endpoint({
    ...routes.appendRows,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary:
      'Append rows to a table of one NDJSON file, or create it: one JSON object per line, all or none. ' +
      'With an `Idempotency-Key` header, a repeated request adds nothing',
    accepts: 'application/x-ndjson',
    params: z.object({ table: z.string().max(100) }),
    response: z.object({
      added: z.number(),
      /** Size of the table’s file. */
      bytes: z.number(),
    }),
  }),
  setImportOptions: endpoint({
    ...routes.setImportOptions,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Set a table’s import options, save them in `tables/`, and import its files again',
    params: z.object({ table: z.string().max(100) }),
    body: ImportOptions,
    response: z.object({ file: z.string() }),
  }),
  previewImportOptions: endpoint({
    ...routes.previewImportOptions,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Count the rows and values that a table would lose with other import options',
    params: z.object({ table: z.string().max(100) }),
    body: ImportOptions,
    response: ImportPreview,
  }),
  cancelImport: endpoint({
    ...routes.cancelImport,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Cancel a table’s import; a version imported before stays in use',
    params: z.object({ table: z.string().max(100) }),
    response: z.object({ stopped: z.boolean() }),
  }),
  retryImport: endpoint({
    ...routes.retryImport,
    access: { on: 'source', level: 'edit', id: 'files' },
    summary: 'Retry a cancelled or failed import',
    params: z.object({ table: z.string().max(100) }),
    response: z.object({ begun: z.boolean() }),
  }),
  getRejectedRows: endpoint({
    ...routes.getRejectedRows,
    access: { on: 'source', level: 'explore', id: 'files' },
    summary: 'Download a table’s rejected rows as CSV',
    params: z.object({ table: z.string().max(100) }),
    response: 'text/csv',
  }),
} as const;
