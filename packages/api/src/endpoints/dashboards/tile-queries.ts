import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { DashboardState } from '../../address/state.ts';
import { dashboardParams } from './dashboard-params.ts';
import { Condition, Sort } from '../data/row-queries.ts';
import { Cell, RowsPage } from '../data/tables.ts';

/** A field of the model that a figure uses. Only editors of dashboards see its expression. */
const ExplainedField = z.object({
  name: z.string(),
  label: z.string(),
  expression: z.string().optional(),
  description: z.string().optional(),
});

/** How a figure is calculated. */
export const Explanation = z
  .object({
    /** The query, in the model's terms. */
    question: z.string(),
    model: z.string(),
    /** The origin of the data. Only editors of dashboards see how Belvedere queries it. */
    source: z.string().optional(),
    measure: ExplainedField.optional(),
    dimensions: z.array(ExplainedField),
    /** Each filter in words, and its origin. */
    filters: z.array(
      z.object({
        text: z.string(),
        from: z.enum(['model', 'viewer', 'dashboard', 'tile', 'selection', 'mark']),
        tile: z.string().optional(),
      }),
    ),
    notApplied: z.array(z.string()),
    /**
     * For a viewer whom row policies bind: those policies, and whether the viewer's attributes fit them.
     * `text` is the condition, if it reads only fields that the dashboard shows.
     */
    policies: z.array(z.object({ name: z.string(), text: z.string(), isFit: z.boolean() })).optional(),
    /** The model has policies, but the user sees every row because none of them applies, as for the owner. */
    isUnbound: z.boolean().optional(),
    value: z.union([z.number(), z.string(), z.null()]),
    /** The number of rows in the figure, of rows in the table, and of rows in the figure without a value. */
    rows: z.number(),
    rowsInTable: z.number(),
    nulls: z.number().optional(),
    joins: z.array(z.string()),
    zone: z.string(),
    dataTime: z.string().optional(),
    readAt: z.string().optional(),
    sql: z.string().optional(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/** What the tiles of a dashboard show. */
export const tileQueryEndpoints = {
  queryTiles: endpoint({
    ...routes.queryTiles,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Query several tiles for one state; streams each result as soon as it is ready',
    params: dashboardParams,
    body: z.strictObject({
      state: DashboardState,
      tiles: z.array(z.string().max(64)).max(60).optional(),
      scope: z.enum(['both', 'filtered']).default('both'),
    }),
    response: 'application/vnd.belvedere.frames',
  }),
  getBrushIndex: endpoint({
    ...routes.getBrushIndex,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get the brush index: the other tiles’ totals for every step of the active tile’s axes',
    params: dashboardParams,
    body: z.strictObject({
      state: DashboardState,
      active: z.string().max(64),
      tiles: z.array(z.string().max(64)).max(60).optional(),
    }),
    response: 'application/vnd.belvedere.frames',
  }),
  getTileRows: endpoint({
    ...routes.getTileRows,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Get one page of a sorted table tile, or of the rows behind another tile or one of its marks',
    params: z.object({ id: z.string().max(300), tile: z.string().max(64) }),
    body: z.strictObject({
      state: DashboardState,
      mark: Condition.optional(),
      /** Only the rows of a table tile with these values, as named by `key`. */
      row: Condition.optional(),
      sort: Sort.optional(),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    response: RowsPage,
  }),
  getFieldValues: endpoint({
    ...routes.getFieldValues,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Search a filter’s values, with row counts under the other filters',
    params: z.object({ id: z.string().max(300), field: z.string().max(200) }),
    body: z.strictObject({
      state: DashboardState,
      search: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(200).default(200),
    }),
    response: z.object({
      values: z.array(z.object({ value: Cell, rows: z.number() })),
      isCut: z.boolean(),
      extent: z.object({ min: z.number(), max: z.number() }).optional(),
    }),
  }),
  explainTile: endpoint({
    ...routes.explainTile,
    access: { on: 'dashboard', level: 'view' },
    summary:
      'Explain how a tile’s number is calculated: its query, the filters that apply and their origin, the SQL, the row counts',
    params: z.object({ id: z.string().max(300), tile: z.string().max(64) }),
    body: z.strictObject({
      state: DashboardState,
      mark: Condition.optional(),
      /** The locale of the explanation's texts. */
      locale: z.string().max(35).optional(),
    }),
    response: Explanation,
  }),
} as const;
