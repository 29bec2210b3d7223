import { z } from 'zod';
import { isOneKind, maxSearchLength, maxValues } from '../filter-bounds.ts';

/** A duration: `90 days`, `6 months`, `1 year`, `2 fiscalQuarters`. */
export const Duration = z
  .string()
  .regex(
    /^[1-9]\d{0,4} (minute|hour|day|week|month|quarter|year|fiscalQuarter|fiscalYear)s?$/,
    'a duration such as `90 days` or `6 months`',
  );

/** Periods that end now, the current one included, or only complete ones: `7 days`, `7 complete days`. */
const LastPeriods = z
  .string()
  .regex(
    /^[1-9]\d{0,4} (complete )?(minute|hour|day|week|month|quarter|year|fiscalQuarter|fiscalYear)s?$/,
    'a duration such as `90 days` or `6 complete months`',
  );

/** A calendar time without a zone: `2024`, `2024-03`, `2024-03-09` or `2024-03-09T14:30`. */
export const CalendarTime = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2})?)?)?)?$/, 'a date such as `2024-03-09`')
  .refine(isOnCalendar, 'a valid date, such as `2024-03-09`');

function isOnCalendar(text: string): boolean {
  const ms = Date.parse(`${text}${'0000-01-01T00:00:00'.slice(text.length)}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** A condition on a field. */
export const FilterDefault = z
  .union([
    z.strictObject({ last: LastPeriods }).meta({
      description: 'a range that ends with the latest date in the data; `complete` leaves out its period',
    }),
    z.strictObject({
      this: z.enum(['day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear']),
    }),
    z
      .strictObject({
        from: z.union([CalendarTime, z.number()]).optional(),
        below: z.union([CalendarTime, z.number()]).optional(),
      })
      .refine(({ from, below }) => isOneKind(from, below), 'either two times or two numbers'),
    z.strictObject({
      oneOf: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .min(1)
        .max(maxValues),
    }),
    z
      .strictObject({
        noneOf: z
          .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
          .min(1)
          .max(maxValues),
      })
      .meta({ description: 'all except these' }),
    z.strictObject({ contains: z.string().min(1).max(maxSearchLength) }),
  ])
  .meta({ id: 'Condition' });
export type FilterDefault = z.infer<typeof FilterDefault>;

/** `select` takes one value, `multiSelect` several. */
export const FilterControl = z.enum(['dateRange', 'multiSelect', 'select', 'numberRange', 'search']);
export type FilterControl = z.infer<typeof FilterControl>;

export const DashboardFilter = z.strictObject({
  field: z.string(),
  label: z.string().min(1).max(200).optional(),
  control: FilterControl.optional(),
  default: FilterDefault.optional(),
  locked: z.boolean().optional(),
  hidden: z.boolean().optional(),
});
export type DashboardFilter = z.infer<typeof DashboardFilter>;
