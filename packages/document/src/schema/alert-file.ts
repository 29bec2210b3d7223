import { z } from 'zod';
import { durationMs } from '../duration-ms.ts';
import { PlainDuration } from './duration.ts';
import { FilterDefault } from './filter-file.ts';
import { Label, LongText, Name } from './names.ts';
import { Recipients, UserEmail } from './recipient-file.ts';
import { Locale } from './workspace-file.ts';

const Filters = z
  .record(Name, FilterDefault)
  .refine(filters => Object.keys(filters).length <= 30, 'at most 30 filters');

/** A tile of a dashboard, as it looks with these filters. */
const WatchedTile = z.strictObject({
  dashboard: z.string().min(1).max(300),
  tile: Name,
  /** Needed if the tile shows several. */
  measure: z.string().min(1).max(200).optional(),
  filters: Filters.optional(),
});

/** A measure of a model. */
const WatchedMeasure = z.strictObject({
  model: Name,
  measure: z.string().min(1).max(200),
  filters: Filters.optional(),
  /** Looks at the newest complete period, instead of at one figure of all rows. */
  every: z.enum(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']).optional(),
  /** A dimension: each of its values has its own state. */
  by: Name.optional(),
});

const conditionKeys = ['above', 'below', 'outside', 'change', 'unusual', 'missing'] as const;

const Condition = z
  .strictObject({
    above: z.number().optional(),
    below: z.number().optional(),
    outside: z
      .tuple([z.number(), z.number()])
      .refine(([low, high]) => low <= high, 'the lower number first')
      .optional(),
    change: z
      .strictObject({
        /** A number, or a share of the earlier value such as `20%`. */
        by: z.union([
          z.number().positive(),
          z.string().regex(/^\d+(\.\d+)?%$/, 'a number, or a percentage such as `20%`'),
        ]),
        direction: z.enum(['up', 'down', 'either']).optional(),
        against: z.enum(['previous period', 'same weekday']).optional(),
      })
      .optional(),
    unusual: z
      .strictObject({
        /** How many typical deviations from the median; 4 by default. */
        deviations: z.number().min(1).max(20).optional(),
        /** Compares with the same weekdays or hours only. */
        by: z.enum(['weekday', 'hour', 'nothing']).optional(),
        direction: z.enum(['up', 'down', 'either']).optional(),
      })
      .optional(),
    /** The data's newest time is older than this. */
    missing: PlainDuration.optional(),
    /** Ends only once the value is below this (`above`), or above it (`below`). */
    clear: z.number().optional(),
  })
  .refine(
    condition => conditionKeys.filter(key => condition[key] !== undefined).length === 1,
    `exactly one of ${conditionKeys.join(', ')}`,
  )
  .refine(({ above, below, clear }) => clear === undefined || above !== undefined || below !== undefined, {
    path: ['clear'],
    error: 'only with `above` or `below`',
  })
  .refine(({ above, clear }) => above === undefined || clear === undefined || clear <= above, {
    path: ['clear'],
    error: 'not more than `above`',
  })
  .refine(({ below, clear }) => below === undefined || clear === undefined || clear >= below, {
    path: ['clear'],
    error: 'not less than `below`',
  });

/** The shortest time between two checks. */
const minCheckMs = 60_000;

const CheckInterval = PlainDuration.refine(text => durationMs(text) >= minCheckMs, 'at least `1 minute`');

/** `alerts/NAME.yaml`: when a figure leads to a message, and to whom it goes. */
export const AlertFile = z
  .strictObject({
    version: z.literal(1),
    title: Label,
    description: LongText.optional(),
    /** With whose rights it runs, in team mode. */
    owner: UserEmail.optional(),
    watch: z.union([WatchedTile, WatchedMeasure]),
    when: Condition,
    /** How often it is checked: when data changes by default. `missing` is also checked every minute. */
    check: z.union([z.literal('new data'), CheckInterval]).optional(),
    /** How long the condition must hold before the alert fires. */
    hold: PlainDuration.optional(),
    /** Repeats the message after this time, while it fires. */
    repeat: PlainDuration.optional(),
    /** What no data means: a state of its own, with a message (`notify`) or without (`ignore`), or like firing. */
    noData: z.enum(['notify', 'ignore', 'fire']).optional(),
    /** What a failed check means. */
    onError: z.enum(['notify', 'ignore', 'fire']).optional(),
    severity: z.enum(['info', 'warning', 'critical']).optional(),
    /** What to do when it fires. */
    runbook: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .optional(),
    /** The owner by default. */
    notify: Recipients.optional(),
    /** Whether a time chart that it watches shows when it fired; true by default. */
    marks: z.boolean().optional(),
    /** The language of its messages, and their number and date formats (BCP 47); the workspace's by default. */
    locale: Locale.optional(),
    paused: z.boolean().optional(),
  })
  .meta({ title: 'A Belvedere alert' });
export type AlertFile = z.infer<typeof AlertFile>;
