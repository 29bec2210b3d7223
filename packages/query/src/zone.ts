/**
 * A time zone's offsets from UTC in seconds. `first` applies until the first change, then each change's own
 * offset. `at` is in seconds since 1970.
 */
export interface ZoneOffsets {
  readonly first: number;
  readonly changes: readonly { readonly at: number; readonly offset: number }[];
}

/** The span of time that databases can store as an instant in 32 bits. */
const begin = 0;
const end = 2 ** 31 - 1;
/** No zone has ever changed its offset twice within this many seconds. */
const stride = 4 * 86_400;

const dayMs = 86_400_000;

const known = new Map<string, ZoneOffsets>();

/** Returns every offset change of a zone from 1970 to 2038, for engines without a time-zone table. */
export function zoneOffsets(zone: string): ZoneOffsets {
  const found = known.get(zone);
  if (found) return found;
  const offsetAt = offsetsOf(zone);
  const changes: { at: number; offset: number }[] = [];
  const first = offsetAt(begin);
  for (let low = begin, before = first; low < end; low += stride) {
    const high = Math.min(end, low + stride);
    const after = offsetAt(high);
    if (after === before) continue;
    let [left, right] = [low, high];
    while (right - left > 1) {
      const middle = Math.floor((left + right) / 2);
      if (offsetAt(middle) === before) left = middle;
      else right = middle;
    }
    changes.push({ at: right, offset: after });
    before = after;
  }
  const offsets = { first, changes };
  known.set(zone, offsets);
  return offsets;
}

/**
 * Returns a zone's offset from UTC at a moment, ms.
 * @param ms since 1970
 */
export function offsetAt(zone: string, ms: number): number {
  const seconds = Math.floor(ms / 1000);
  if (seconds < begin || seconds >= end) return offsetsOf(zone)(seconds) * 1000;
  const { first, changes } = zoneOffsets(zone);
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.at <= seconds) low = middle + 1;
    else high = middle;
  }
  return (low === 0 ? first : changes[low - 1]!.offset) * 1000;
}

/** Whether a zone's clock shows the time of a moment twice, since it was put back. */
export function isRepeatedTime(zone: string, ms: number): boolean {
  const now = offsetAt(zone, ms);
  return [-dayMs, dayMs].some(away => {
    const other = offsetAt(zone, ms + away);
    return other !== now && offsetAt(zone, ms + now - other) === other;
  });
}

function offsetsOf(zone: string): (seconds: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return seconds => {
    const name = format.formatToParts(seconds * 1000).find(part => part.type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes, rest] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
    if (!sign) return 0;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest ?? 0));
  };
}
