import { z } from 'zod';
import { Label } from './names.ts';

export const TimeZone = z.string().refine(isTimeZone, 'an IANA time zone such as `Europe/Berlin`');

/** `belvedere.yaml`: what holds for the whole workspace. Every line is optional. */
export const WorkspaceFile = z
  .strictObject({
    version: z.literal(1).optional(),
    title: Label.optional(),
    timezone: TimeZone.optional(),
    weekStart: z.enum(['monday', 'sunday', 'saturday']).optional(),
    locale: z.string().refine(isLocale, 'a language tag such as `en-GB`').optional(),
    currency: z.string().regex(/^[A-Z]{3}$/, 'a currency code such as `EUR`').optional(),
    theme: z.enum(['light', 'dark', 'auto']).optional(),
    colours: z.record(z.string(), z.record(z.string(), z.string().regex(/^#[0-9a-fA-F]{6}$/, 'a colour such as `#244FCA`'))).optional(),
  })
  .meta({ id: 'workspace', title: 'A Belvedere workspace' });
export type WorkspaceFile = z.infer<typeof WorkspaceFile>;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
