/** `30 seconds`, `5 minutes`, `1 hour`, `2 days` in milliseconds; the documents' schema lets nothing else through. */
export function durationMs(text: string): number {
  const [, count, unit] = /^(\d+) (second|minute|hour|day)/.exec(text) ?? [];
  if (!unit) throw new RangeError(`${text} is not a length of time.`);
  return Number(count) * { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }[unit as 'second'];
}
