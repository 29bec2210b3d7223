import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { DashboardState } from '../../address/state.ts';
import { dashboardParams } from './dashboard-params.ts';

export const ExportFormat = z.enum(['png', 'svg', 'pdf', 'csv', 'xlsx', 'parquet', 'html']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/**
 * Rows of tables in PDFs and workbooks. `limited`, the default: rows that fit into the tile, and 10,000 rows
 * of
 * each table in a workbook. `all`: up to 2,000 rows of each table in a PDF, 1,048,575 in a workbook. CSV and
 * Parquet files always have all rows.
 */
export const ExportRows = z.enum(['limited', 'all']);
export type ExportRows = z.infer<typeof ExportRows>;

/** A table tile of a dashboard and its number of rows, for a decision before an export. */
export const CountedTable = z.object({ tile: z.string(), title: z.string(), rows: z.number() });
export type CountedTable = z.infer<typeof CountedTable>;

const exported = {
  format: ExportFormat,
  tile: z.string().max(64).optional(),
  locale: z.string().max(35).optional(),
  theme: z.enum(['light', 'dark']).default('light'),
  rows: ExportRows.default('limited'),
};
/** The width of an exported tile in pixels; by default its width on the page. */
export const exportWidth = (number: z.ZodNumber | z.ZodCoercedNumber) =>
  number.int().min(120).max(4000).optional();

/** Dashboards and tiles as files. */
export const exportEndpoints = {
  getExport: endpoint({
    ...routes.getExport,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Export a dashboard, or one of its tiles, for a state and a language',
    params: dashboardParams,
    query: z.object({
      ...exported,
      state: z.string().max(60_000).optional(),
      width: exportWidth(z.coerce.number()),
    }),
    response: 'application/octet-stream',
  }),
  postExport: endpoint({
    ...routes.postExport,
    access: { on: 'dashboard', level: 'view' },
    summary: 'The same, for a state that is too long for a URL',
    params: dashboardParams,
    body: z.strictObject({ ...exported, state: DashboardState, width: exportWidth(z.number()) }),
    response: 'application/octet-stream',
  }),
  countExportRows: endpoint({
    ...routes.countExportRows,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Count the rows of a dashboard’s table tiles, or of one, before an export',
    params: dashboardParams,
    body: z.strictObject({
      state: DashboardState,
      tile: z.string().max(64).optional(),
      locale: z.string().max(35).optional(),
    }),
    response: z.object({
      tables: z.array(CountedTable),
      /** How many rows of a table the caller's exports may have; any number if absent. */
      limit: z.number().optional(),
    }),
  }),
} as const;
