import type { DataType, JoinRange } from '@belvedere/model';
import type { Dialect } from './dialect.ts';
import { wallClock } from './expression-writer.ts';

/**
 * Writes times of a range join so that they compare: instants with each other as they are, otherwise the
 * clock's time in the plan's zone.
 */
export function comparableTimes(dialect: Dialect, zone: string, { type, begin, end }: JoinRange) {
  const areInstants = [type, begin.type, end.type].every(one => one === 'instant');
  return (reference: string, of: DataType): string =>
    of === 'instant' && !areInstants ? dialect.local(reference, zone) : wallClock(dialect, reference, of);
}

/** The times at which a row's range begins and ends, as SQL. */
export interface WrittenRange {
  readonly begin: string;
  readonly end: string;
}

/** Whether a time lies in a range: its end is not included, and null if it is open. */
export function isWithin(time: string, { begin, end }: WrittenRange): string {
  return `${begin} <= ${time} and (${end} is null or ${time} < ${end})`;
}

/** Whether a row has a range at all: others are never joined. */
export const isRange = ({ begin, end }: WrittenRange) =>
  `${begin} is not null and (${end} is null or ${begin} < ${end})`;

/**
 * Selects the keys whose ranges do not overlap: at most one range of such a key includes a time. Sorted by
 * their begin, ranges overlap only if two neighbours do.
 * @param rows the joined table with its alias
 */
export function keysWithoutOverlap(
  dialect: Dialect,
  rows: string,
  keys: readonly string[],
  range: WrittenRange,
): string {
  const named = keys.map((_, i) => dialect.quote(`key ${i}`));
  const [end, next] = [dialect.quote('range end'), dialect.quote('next begin')];
  const neighbours = [
    ...keys.map((key, i) => `${key} as ${named[i]}`),
    `${range.end} as ${end}`,
    `lead(${range.begin}) over (partition by ${keys.join(', ')} order by ${range.begin}) as ${next}`,
  ];
  const isOverlapping = `${next} is not null and (${end} is null or ${next} < ${end})`;
  const sorted = `(select ${neighbours.join(', ')} from ${rows} where ${isRange(range)}) as neighbours`;
  const overlapping = `max(case when ${isOverlapping} then 1 else 0 end)`;
  return `select ${named.join(', ')} from ${sorted} group by ${named.join(', ')} having ${overlapping} = 0`;
}

/**
 * The same for ClickHouse, whose old versions have no window functions: for each key the sorted begins and ends
 * of its ranges, in seconds. They are lists in a text, since a left join makes arrays an error.
 */
export function rangesOfKeys(
  rows: string,
  keys: readonly { readonly value: string; readonly name: string }[],
  range: WrittenRange,
  names: WrittenRange,
): string {
  const gathered = [
    ...keys.map(({ value, name }) => `${value} as ${name}`),
    `groupArray(assumeNotNull(${range.begin})) as range_begins`,
    `groupArray(assumeNotNull(ifNull(${range.end}, ${openEnd}))) as range_ends`,
    'arraySort(range_begins) as begins',
    'arraySort((range_end, range_begin) -> range_begin, range_ends, range_begins) as ends',
  ];
  const sorted = `select ${gathered.join(', ')} from ${rows} where ${isRange(range)} group by ${keys.map(({ name }) => name).join(', ')}`;
  const listed = [
    ...keys.map(({ name }) => name),
    `arrayStringConcat(arrayMap(range_begin -> toString(range_begin), begins), ',') as ${names.begin}`,
    `arrayStringConcat(arrayMap(range_end -> toString(range_end), ends), ',') as ${names.end}`,
  ];
  const overlaps =
    'arrayExists((range_end, next_begin) -> next_begin < range_end, arrayPopBack(ends), arrayPopFront(begins))';
  return `select ${listed.join(', ')} from (${sorted}) where ${overlaps} = 0`;
}

/** The last second that its times can have. */
const openEnd = `toUInt32(${2 ** 32 - 1})`;

/** The begin of the range that includes a time, of those that `rangesOfKeys` selects; null if none does. */
export function beginOfRange(seconds: string, { begin, end }: WrittenRange): string {
  const list = (text: string) =>
    `arrayMap(item -> toUInt32OrZero(item), splitByChar(',', ifNull(${text}, '')))`;
  // Old versions do not find columns inside a lambda, so the time is one of its lists.
  const condition = 'ifNull(range_begin <= seconds and seconds < range_end, 0)';
  const lists = [list(begin), list(end), `replicate(${seconds}, ${list(begin)})`];
  const includes = `(range_begin, range_end, seconds) -> ${condition}, ${lists.join(', ')}`;
  return `if(arrayExists(${includes}), arrayFirst(${includes}), NULL)`;
}
