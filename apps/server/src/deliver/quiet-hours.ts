import type { QuietHours } from '@belvedere/api';

const minuteMs = 60_000;
const dayMinutes = 1440;
/** Clocks are put forward by an hour at most, so that a longer step could miss a pause between quiet hours. */
const longestStep = 15;
/** A channel that is always quiet is asked again after this time. */
const longestMs = 8 * 86_400_000;

/**
 * Returns when the quiet hours around a moment end, in ms since 1970; undefined outside of them. Hours that end
 * before they begin, such as 22:00 to 07:00, go over midnight and count for the day on which they begin. Equal
 * hours are the whole day.
 */
export function quietUntil(quiet: QuietHours, now: number): number | undefined {
  if (!isQuiet(quiet, now)) return undefined;
  const first = Math.floor(now / minuteMs) * minuteMs + minuteMs;
  const last = first + longestMs;
  let time = first;
  while (time < last && isQuiet(quiet, time)) time += minuteMs * minutesAhead(quiet, time);
  // A clock that was put forward meanwhile has passed the end.
  while (time > first && !isQuiet(quiet, time - minuteMs)) time -= minuteMs;
  return time;
}

/** Returns the minutes to the next time of day at which quiet hours may end. */
function minutesAhead({ from, to, zone }: QuietHours, time: number): number {
  const { minute } = localTime(zone, time);
  const ends = [minutesOf(from), minutesOf(to), 0].map(end => (end - minute + dayMinutes - 1) % dayMinutes);
  return Math.min(longestStep, ...ends.map(end => end + 1));
}

function isQuiet({ from, to, zone, days }: QuietHours, time: number): boolean {
  const { day, minute } = localTime(zone, time);
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const isOn = (one: number) => days.includes(one);
  if (begin < end) return isOn(day) && minute >= begin && minute < end;
  const before = day === 1 ? 7 : day - 1;
  return (isOn(day) && minute >= begin) || (isOn(before) && minute < end);
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the weekday (Monday is 1) and the minute of the day in a zone. */
function localTime(zone: string, time: number): { readonly day: number; readonly minute: number } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return {
    day: weekdays.indexOf(parts['weekday']!) + 1,
    minute: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}
