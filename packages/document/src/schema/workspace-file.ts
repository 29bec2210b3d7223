import { z } from 'zod';
import { calendarKeys } from './calendar-file.ts';
import { LimitsFile } from './limits-file.ts';
import { MailFile } from './mail-file.ts';
import { Label } from './names.ts';
import { SignInFile } from './sign-in-file.ts';
import { ThemeFile, ValueColours } from './theme-file.ts';
import { isTimeZone, viewersZone } from '../time-zone.ts';
import { WebhooksFile } from './webhooks-file.ts';

export const TimeZone = z.string().refine(isTimeZone, 'an IANA time zone such as `Europe/Berlin`');

/** The zone of a dashboard's times, or `viewer` for each viewer's own. */
export const DashboardZone = z
  .string()
  .refine(
    zone => zone === viewersZone || isTimeZone(zone),
    'an IANA time zone such as `Europe/Berlin`, or `viewer` for each viewer’s own',
  );

/** A language with its number and date formats (BCP 47). */
export const Locale = z.string().max(35).refine(isLocale, 'a language tag such as `de-CH`');

/** `belvedere.yaml`: settings of the whole workspace. Every line is optional. */
export const WorkspaceFile = z
  .strictObject({
    version: z.literal(1).optional(),
    title: Label.optional(),
    /**
     * Where the data files are: in the folder `data` only, or anywhere in the workspace (`.`). Read when the
     * workspace is opened.
     */
    data: z.enum(['.', 'data']).optional(),
    timezone: TimeZone.optional(),
    ...calendarKeys,
    /** The language and the number and date formats for viewers who have not chosen any (BCP 47). */
    locale: Locale.optional(),
    /** The currency of `currency` formats that do not name one (ISO 4217). */
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'a three-letter currency code such as `EUR`')
      .optional(),
    theme: ThemeFile.optional(),
    colours: ValueColours.optional(),
    limits: LimitsFile.optional(),
    signIn: SignInFile.optional(),
    mail: MailFile.optional(),
    webhooks: WebhooksFile.optional(),
  })
  .meta({ title: 'A Belvedere workspace' });
export type WorkspaceFile = z.infer<typeof WorkspaceFile>;

/** Replaces plain `currency` formats in any part of a document by the workspace's currency. */
export function inCurrency<T>(value: T, currency: string | undefined): T {
  if (currency === undefined || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(item => inCurrency<unknown>(item, currency)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'format' && inner === 'currency'
        ? `currency:${currency}`
        : inCurrency<unknown>(inner, currency),
    ]),
  ) as T;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
