import { z } from 'zod';
import { PlainDuration } from './duration.ts';
import { FilterDefault } from './filter-file.ts';
import { Label, LongText, Name } from './names.ts';
import { Recipients, UserEmail } from './recipient-file.ts';
import { ScheduleFile } from './schedule-file.ts';
import { Locale } from './workspace-file.ts';

const Filters = z
  .record(Name, FilterDefault)
  .refine(filters => Object.keys(filters).length <= 30, 'at most 30 filters');

/** Recipients who get other filters. */
const Burst = z.strictObject({ to: Recipients.min(1), filters: Filters });

const ReportCondition = z
  .strictObject({
    /** The data's newest time is at most this old. The report waits a few hours for newer data. */
    fresh: PlainDuration.optional(),
    /** At least one tile has rows. */
    notEmpty: z.literal(true).optional(),
    /** The figure of a KPI tile. */
    tile: Name.optional(),
    above: z.number().optional(),
    below: z.number().optional(),
  })
  .refine(
    ({ tile, above, below }) => (tile === undefined) === (above === undefined && below === undefined),
    'a `tile` together with `above` or `below`',
  );

/** `reports/NAME.yaml`: a dashboard that is sent on a schedule. */
export const ReportFile = z
  .strictObject({
    version: z.literal(1),
    title: Label,
    description: LongText.optional(),
    /** With whose rights it runs, in team mode. */
    owner: UserEmail.optional(),
    dashboard: z.string().min(1).max(300),
    /** Pages by number, counted from 1; all by default. */
    pages: z.array(z.number().int().min(1).max(30)).min(1).max(30).optional(),
    /** On top of the dashboard's. Locked ones cannot be replaced. */
    filters: Filters.optional(),
    /** Values of the dashboard's parameters; the others have their defaults. */
    parameters: z
      .record(Name, z.union([z.string().max(200), z.number()]))
      .refine(parameters => Object.keys(parameters).length <= 20, 'at most 20 parameters')
      .optional(),
    schedule: ScheduleFile,
    /** Sends only if all of this holds. */
    onlyIf: ReportCondition.optional(),
    /** Attached files. */
    attach: z
      .array(z.enum(['pdf', 'xlsx', 'csv']))
      .max(3)
      .optional(),
    /** Pictures of the pages within the mail; true by default. */
    pictures: z.boolean().optional(),
    /** Whose rows are shown: those that each recipient may see, or the owner's. */
    rows: z.enum(['recipient', 'owner']).optional(),
    /** The owner by default. */
    to: Recipients.optional(),
    /** Recipients who get other filters. */
    each: z.array(Burst).max(200).optional(),
    /** The language of mails and files, and their number and date formats (BCP 47); the workspace's by default. */
    locale: Locale.optional(),
    paused: z.boolean().optional(),
  })
  .meta({ title: 'A Belvedere report' });
export type ReportFile = z.infer<typeof ReportFile>;
