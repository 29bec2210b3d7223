import { z } from 'zod';
import { Label } from './names.ts';

export const TimeZone = z.string().refine(isTimeZone, 'an IANA time zone such as `Europe/Berlin`');

/** `belvedere.yaml`: what holds for the whole workspace. Every line is optional. */
export const WorkspaceFile = z
  .strictObject({
    version: z.literal(1).optional(),
    title: Label.optional(),
    timezone: TimeZone.optional(),
  })
  .meta({ title: 'A Belvedere workspace' });
export type WorkspaceFile = z.infer<typeof WorkspaceFile>;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
