const listed = (text: string) =>
  new Map(
    text.split('|').flatMap((names, i) =>
      names
        .trim()
        .split(/\s+/)
        .map(name => [name, i] as const),
    ),
  );

/** Names of weekdays from Monday on, and of months, in the languages of the interface. */
const weekdays = listed(
  'monday mon montag mo 星期一 周一|tuesday tue tues dienstag di 星期二 周二|wednesday wed mittwoch mi 星期三 周三|' +
    'thursday thu thur thurs donnerstag do 星期四 周四|friday fri freitag fr 星期五 周五|' +
    'saturday sat samstag sonnabend sa 星期六 周六|sunday sun sonntag so 星期日 星期天 周日',
);
const months = listed(
  'january jan januar 一月|february feb februar 二月|march mar märz mär mrz 三月|april apr 四月|may mai 五月|' +
    'june jun juni 六月|july jul juli 七月|august aug 八月|september sep sept 九月|october oct oktober okt 十月|' +
    'november nov 十一月|december dec dezember dez 十二月',
);
const placeIn = (names: ReadonlyMap<string, number>, value: unknown) =>
  typeof value === 'string' ? names.get(value.trim().toLowerCase().replace(/\.$/, '')) : undefined;

/** Fewer names, such as `May` and `June`, may be those of people. */
const minNames = 4;

/** Names of weekdays or months in the order of the calendar; undefined if there are others among them. */
export function calendarOrder(values: readonly string[]): readonly string[] | undefined {
  const names = [weekdays, months].find(all => values.every(value => placeIn(all, value) !== undefined));
  return names && values.length >= minNames
    ? values.toSorted((a, b) => placeIn(names, a)! - placeIn(names, b)!)
    : undefined;
}

/**
 * A dimension's order in a calendar whose weeks begin on another day than Monday. Lists of weekdays that begin
 * with Monday follow; any other order is meant as it is.
 * @param weekStart 0 for Monday
 */
export function inWeekOrder<T>(order: readonly T[], weekStart: number): readonly T[] {
  const places = order.map(value => placeIn(weekdays, value));
  const isFromMonday = places.every((place, i) => place !== undefined && (i === 0 || place > places[i - 1]!));
  if (!isFromMonday || order.length < minNames || weekStart === 0) return order;
  const first = places.findIndex(place => place! >= weekStart);
  return first < 0 ? order : [...order.slice(first), ...order.slice(0, first)];
}
