import { z } from 'zod';
import { calendarKeys } from './calendar-file.ts';
import { TileFile } from './chart-spec.ts';
import { DashboardFilter, Duration } from './filter-file.ts';
import { Label, LongText, Name, type Resolved } from './names.ts';
import { Parameter } from './parameter.ts';
import { ThemeFile, ValueColours } from './theme-file.ts';
import { TimeZone } from './workspace-file.ts';

export const Page = z.strictObject({
  title: Label,
  tiles: z
    .record(Name, TileFile)
    .refine(tiles => Object.keys(tiles).length <= 60, 'a page has at most 60 tiles'),
});
export type Page = Resolved<z.infer<typeof Page>>;

/** `dashboards/NAME.yaml`, as it is written. */
export const DashboardFile = z
  .strictObject({
    version: z.literal(1),
    title: Label,
    description: LongText.optional(),
    model: Name.optional(),
    timezone: TimeZone.optional(),
    ...calendarKeys,
    /** Older than this, the newest moment of the data is called stale. */
    staleAfter: Duration.optional(),
    /** Beside the workspace's. */
    theme: ThemeFile.optional(),
    colours: ValueColours.optional(),
    filters: z.array(DashboardFilter).max(30).optional(),
    /** What readers choose beside filters: `:name` stands for it wherever a value does, `{{ :name }}` within a text. */
    parameters: z
      .record(Name, Parameter)
      .refine(parameters => Object.keys(parameters).length <= 20, 'a dashboard has at most 20 parameters')
      .optional(),
    pages: z.array(Page).min(1).max(30),
  })
  .meta({ title: 'A Belvedere dashboard' });
export type DashboardFile = z.infer<typeof DashboardFile>;

/** A dashboard as it is shown: its parameters' values in their places, without the tiles that are not shown (`resolveDashboard`). */
export type Dashboard = Resolved<DashboardFile>;
