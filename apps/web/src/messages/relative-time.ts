const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago a time was, in the largest unit that it fills: `3 hours ago`, `yesterday`. */
export function relativeTime(at: Date, now: Date, locale: string): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const [unit, length] = steps.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = unit === 'second' ? 0 : Math.floor(seconds / length);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit);
}
