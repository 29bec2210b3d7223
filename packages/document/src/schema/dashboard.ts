import { z } from 'zod';
import { calendarKeys } from './calendar-file.ts';
import { TileFile } from './chart-spec.ts';
import { DashboardFilter, Duration } from './filter-file.ts';
import { durationMs } from '../duration-ms.ts';
import { PlainDuration } from './duration.ts';
import { Label, LongText, Name, type Resolved } from './names.ts';
import { Parameter } from './parameter.ts';
import { ThemeFile, ValueColours } from './theme-file.ts';
import { DashboardZone } from './workspace-file.ts';

export const Page = z.strictObject({
  title: Label,
  tiles: z
    .record(Name, TileFile)
    .refine(tiles => Object.keys(tiles).length <= 60, 'a page has at most 60 tiles'),
});
export type Page = Resolved<z.infer<typeof Page>>;

const Tags = z
  .array(z.string().trim().min(1).max(40))
  .max(12)
  .refine(
    tags => new Set(tags.map(tag => tag.toLowerCase())).size === tags.length,
    'each tag is written once',
  );

const [minRefreshMs, maxRefreshMs] = [5_000, 86_400_000];

/** How often an open page asks for newer data. */
const Refresh = z.strictObject({
  every: PlainDuration.refine(
    text => durationMs(text) >= minRefreshMs && durationMs(text) <= maxRefreshMs,
    'a duration from `5 seconds` to `1 day`',
  ),
});

/** `dashboards/NAME.yaml`, as in the file. */
export const DashboardFile = z
  .strictObject({
    version: z.literal(1),
    title: Label,
    description: LongText.optional(),
    tags: Tags.optional().meta({ description: 'words by which Home groups dashboards' }),
    model: Name.optional(),
    /** The zone of its times: by default the workspace's. */
    timezone: DashboardZone.optional(),
    ...calendarKeys,
    /** Marks the data as stale when its newest moment is older than this. */
    staleAfter: Duration.optional(),
    /** While a page shows the dashboard, results of databases are at most about this old. */
    refresh: Refresh.optional(),
    /** Overrides the workspace's theme. */
    theme: ThemeFile.optional(),
    colours: ValueColours.optional(),
    filters: z.array(DashboardFilter).max(30).optional(),
    /** Choices of the viewer beside filters: `:name` replaces a value, `{{ :name }}` a part of a text. */
    parameters: z
      .record(Name, Parameter)
      .refine(parameters => Object.keys(parameters).length <= 20, 'a dashboard has at most 20 parameters')
      .optional(),
    pages: z.array(Page).min(1).max(30),
  })
  .meta({ title: 'A Belvedere dashboard' });
export type DashboardFile = z.infer<typeof DashboardFile>;

/** A dashboard with its parameters replaced by their values, without hidden tiles (`resolveDashboard`). */
export type Dashboard = Resolved<DashboardFile>;
