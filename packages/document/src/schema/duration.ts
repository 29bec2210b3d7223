import { z } from 'zod';

const unitsMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const pattern = /^([1-9]\d{0,4}) (second|minute|hour|day)s?$/;

/** A duration that is the same on every calendar. */
export const PlainDuration = z
  .string()
  .regex(pattern, { error: 'a duration such as `30 seconds` or `5 minutes`', abort: true });

/**
 * Parses `30 seconds`, `5 minutes`, `1 hour`, `2 days` to milliseconds. The schema of the documents admits no
 * other text.
 * @throws RangeError for any other text
 */
export function durationMs(text: string): number {
  const [, count, unit] = pattern.exec(text) ?? [];
  if (!unit) throw new RangeError(`${text} is not a duration.`);
  return Number(count) * unitsMs[unit as keyof typeof unitsMs];
}
