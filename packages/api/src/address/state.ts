import { CalendarTime, Comparison, FilterDefault, TimeUnit, TimeZone } from '@belvedere/document';
import { z } from 'zod';
import { stateBounds } from './state-bounds.ts';

const FieldName = z.string().min(1).max(stateBounds.fieldName);
const TileName = z.string().max(stateBounds.tileName);
const atMost = (max: number, what: string) =>
  [(record: object) => Object.keys(record).length <= max, `at most ${max} ${what}`] as const;

/** A condition on several fields combined with AND: a brushed rectangle or a clicked mark. */
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
 * A viewer's changes to a dashboard: its page, filters (absent: the default; null: cleared), parameters,
 * selections per tile (rows in any of its boxes) and tile adjustments. The page's address contains the whole
 * state.
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
    /** The viewer's adjustments of single tiles. */
    tiles: z
      .record(TileName, TileAdjustment)
      .refine(...atMost(stateBounds.tiles, 'tiles'))
      .optional(),
    /** Parameter values; absent parameters have their defaults. */
    parameters: z
      .record(
        z.string().max(stateBounds.parameterName),
        z.union([z.string().max(stateBounds.parameterText), z.number()]),
      )
      .refine(...atMost(stateBounds.parameters, 'parameters'))
      .optional(),
    /** Overrides the comparison of the tiles. */
    compare: z.union([Comparison, z.literal('nothing')]).optional(),
    /** The zone of the times on a dashboard that leaves it to its viewers; others ignore it. */
    zone: TimeZone.optional(),
  })
  .meta({ id: 'DashboardState' });
export type DashboardState = z.infer<typeof DashboardState>;
