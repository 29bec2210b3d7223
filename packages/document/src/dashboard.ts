import { z } from 'zod';
import { Tile } from './chart-spec.ts';
import { DashboardFilter, Duration } from './filter-file.ts';
import { Label, LongText, Name } from './names.ts';
import { TimeZone } from './workspace-file.ts';

export const Page = z.strictObject({
  title: Label,
  tiles: z.record(Name, Tile).refine(tiles => Object.keys(tiles).length <= 60, 'a page has at most 60 tiles'),
});
export type Page = z.infer<typeof Page>;

export const Dashboard = z
  .strictObject({
    version: z.literal(1),
    title: Label,
    description: LongText.optional(),
    model: Name.optional(),
    timezone: TimeZone.optional(),
    /** Older than this, the newest moment of the data is called stale. */
    staleAfter: Duration.optional(),
    filters: z.array(DashboardFilter).max(30).optional(),
    pages: z.array(Page).min(1).max(30),
  })
  .meta({ title: 'A Belvedere dashboard' });
export type Dashboard = z.infer<typeof Dashboard>;
