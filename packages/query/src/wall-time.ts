const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the wall-clock time of a zone at a moment (ms since 1970), as ms since 1970 on that clock. */
export function wallTimeIn(zone: string, moment: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(moment).map(part => [part.type, Number(part.value)]));
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) + (moment % 1000);
}
