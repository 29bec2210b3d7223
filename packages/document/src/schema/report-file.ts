import { z } from 'zod';
import { PlainDuration } from './duration.ts';
import { FilterDefault } from './filter-file.ts';
import { Label, LongText, Name } from './names.ts';
import { Recipients, UserEmail } from './recipient-file.ts';
import { ScheduleFile } from './schedule-file.ts';

const Filters = z
  .record(Name, FilterDefault)
  .refine(filters => Object.keys(filters).length <= 30, 'at most 30 filters');

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
    filters: Filters.optional(),
    schedule: ScheduleFile,
    /** Sends only if all of this holds. */
    onlyIf: z
      .strictObject({
        /** The dashboard's data is newer than this. */
        fresh: PlainDuration.optional(),
        /** At least one tile has data. */
        notEmpty: z.literal(true).optional(),
        /** The figure of a KPI tile. */
        tile: Name.optional(),
        above: z.number().optional(),
        below: z.number().optional(),
      })
      .optional(),
    /** Attached files. */
    attach: z
      .array(z.enum(['pdf', 'xlsx', 'csv']))
      .max(3)
      .optional(),
    /** Pictures of the pages within the mail; true by default. */
    pictures: z.boolean().optional(),
    /** Whose rows are shown: those that each recipient may see, or the owner's. */
    rows: z.enum(['recipient', 'owner']).optional(),
    to: Recipients.optional(),
    /** Recipients who get other filters. */
    each: z
      .array(z.strictObject({ to: Recipients.min(1), filters: Filters }))
      .max(200)
      .optional(),
    paused: z.boolean().optional(),
  })
  .meta({ title: 'A Belvedere report' });
export type ReportFile = z.infer<typeof ReportFile>;
