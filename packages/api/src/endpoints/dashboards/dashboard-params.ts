import { z } from 'zod';

/** The dashboard of an address. */
export const dashboardParams = z.object({ id: z.string().max(300) });

/** A two-letter language code (ISO 639-1). Texts use this language if a translation exists. */
export const Language = z
  .string()
  .regex(/^[a-z]{2}$/)
  .optional();
