import { CalendarTime, Comparison, FilterDefault, TimeUnit } from '@belvedere/document';
import { z } from 'zod';
import { stateBounds } from './state-bounds.ts';

const FieldName = z.string().min(1).max(stateBounds.fieldName);
const TileName = z.string().max(stateBounds.tileName);
const atMost = (most: number, what: string) =>
  [(record: object) => Object.keys(record).length <= most, `at most ${most} ${what}`] as const;

/** A condition on several fields at once: one brushed rectangle, one clicked mark. */
export const Box = z.record(FieldName, FilterDefault).refine(...atMost(stateBounds.fieldsOfBox, 'fields'));

const Edge = z.union([CalendarTime, z.number()]);
const TileAdjustment = z.strictObject({
  timeUnit: TimeUnit.optional(),
  zoom: z.strictObject({ from: Edge, below: Edge }).optional(),
  color: FieldName.optional(),
  drill: z.array(Box).max(stateBounds.opened).optional(),
  sort: z.strictObject({ by: FieldName, descending: z.boolean() }).optional(),
  without: z.array(FieldName).max(stateBounds.columns).optional(),
});

/**
 * Everything a reader can change about a dashboard: which page, what its filters are set to (absent: the default; null: cleared), what its parameters stand for,
 * what is selected on which tile (any of its boxes), how single tiles are adjusted. The whole of it is in the page's address.
 */
export const DashboardState = z
  .strictObject({
    page: z
      .number()
      .int()
      .min(0)
      .max(stateBounds.pages - 1),
    filters: z.record(FieldName, FilterDefault.nullable()).refine(...atMost(stateBounds.filters, 'filters')),
    selections: z
      .record(TileName, z.array(Box).max(stateBounds.boxes))
      .refine(...atMost(stateBounds.tiles, 'tiles')),
    /** What the reader has changed about single tiles. */
    tiles: z
      .record(TileName, TileAdjustment)
      .refine(...atMost(stateBounds.tiles, 'tiles'))
      .optional(),
    /** What is chosen for the dashboard's parameters; absent: its defaults. */
    parameters: z
      .record(
        z.string().max(stateBounds.parameterName),
        z.union([z.string().max(stateBounds.parameterText), z.number()]),
      )
      .refine(...atMost(stateBounds.parameters, 'parameters'))
      .optional(),
    /** In place of what the tiles compare with. */
    compare: z.union([Comparison, z.literal('nothing')]).optional(),
  })
  .meta({ id: 'DashboardState' });
export type DashboardState = z.infer<typeof DashboardState>;
