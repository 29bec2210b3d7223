const unitsMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** A number and a unit, such as `5 minutes`. */
export const durationPattern = /^([1-9]\d{0,4}) (second|minute|hour|day)s?$/;

/**
 * Parses `30 seconds`, `5 minutes`, `1 hour`, `2 days` to milliseconds. The schema of the documents admits no
 * other text.
 * @throws RangeError for any other text
 */
export function durationMs(text: string): number {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  if (!unit) throw new RangeError(`${text} is not a duration.`);
  return Number(count) * unitsMs[unit as keyof typeof unitsMs];
}
