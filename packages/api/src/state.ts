import { CalendarTime, Comparison, FilterDefault, TimeUnit } from '@belvedere/document';
import { z } from 'zod';

const FieldName = z.string().min(1).max(200);

/** A condition on several fields at once: one brushed rectangle, one clicked mark. */
export const Box = z.record(FieldName, FilterDefault).refine(box => Object.keys(box).length <= 8, 'at most 8 fields');

const Edge = z.union([CalendarTime, z.number()]);
const TileAdjustment = z.strictObject({ timeUnit: TimeUnit.optional(), zoom: z.strictObject({ from: Edge, below: Edge }).optional(), color: FieldName.optional(), drill: z.array(Box).max(8).optional(), sort: z.strictObject({ by: FieldName, descending: z.boolean() }).optional(), without: z.array(FieldName).max(100).optional() });

/**
 * Everything a reader can change about a dashboard: which page, what its filters are set to (absent: the default; null: cleared), what its parameters stand for,
 * what is selected on which tile (any of its boxes), how single tiles are adjusted. The whole of it is in the page's address.
 */
export const DashboardState = z
  .strictObject({
    page: z.number().int().min(0).max(29),
    filters: z.record(FieldName, FilterDefault.nullable()).refine(filters => Object.keys(filters).length <= 60, 'at most 60 filters'),
    selections: z.record(z.string().max(64), z.array(Box).max(200)).refine(selections => Object.keys(selections).length <= 60, 'at most 60 tiles'),
    /** What the reader has changed about single tiles. */
    tiles: z.record(z.string().max(64), TileAdjustment).refine(tiles => Object.keys(tiles).length <= 60, 'at most 60 tiles').optional(),
    /** What is chosen for the dashboard's parameters; absent: its defaults. */
    parameters: z.record(z.string().max(64), z.union([z.string().max(200), z.number()])).refine(parameters => Object.keys(parameters).length <= 20, 'at most 20 parameters').optional(),
    /** In place of what the tiles compare with. */
    compare: z.union([Comparison, z.literal('nothing')]).optional(),
  })
  .meta({ id: 'DashboardState' });
export type DashboardState = z.infer<typeof DashboardState>;
