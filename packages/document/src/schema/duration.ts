import { z } from 'zod';
import { durationPattern } from '../duration-ms.ts';

/** A duration that is the same on every calendar. */
export const PlainDuration = z
  .string()
  .regex(durationPattern, { error: 'a duration such as `30 seconds` or `5 minutes`', abort: true });
