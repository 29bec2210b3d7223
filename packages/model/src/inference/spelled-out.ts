import { isNumeric, type ColumnProfile } from '../table.ts';

/** Abbreviations that mean one thing in a column's name, whatever its type. */
const always: Readonly<Record<string, string>> = {
  qty: 'quantity',
  amt: 'amount',
  dest: 'destination',
  tzone: 'time zone',
  abbr: 'abbreviation',
  mfr: 'manufacturer',
};
/** Abbreviations of what is measured. */
const ofNumbers: Readonly<Record<string, string>> = {
  temp: 'temperature',
  dewp: 'dew point',
  humid: 'humidity',
  precip: 'precipitation',
  visib: 'visibility',
  alt: 'altitude',
  elev: 'elevation',
  pct: 'percent',
  mag: 'magnitude',
};
const journeys: readonly (readonly [RegExp, string])[] = [
  [/\bdep(?= (?:delay|time|airport|hour|date)\b)/i, 'departure'],
  [/\barr(?= (?:delay|time|airport|hour|date)\b)/i, 'arrival'],
];

/** Numbers of milliseconds are written in minutes or hours. */
const inMilliseconds = [/\bmilliseconds$/i, 'duration'] as const;

/**
 * A label without the abbreviations of its column's name: `Dep delay` becomes `Departure delay`, and `Temp` of
 * numbers `Temperature`. Only whole words that mean one thing are replaced.
 */
export function spelledOut(label: string, { type }: Pick<ColumnProfile, 'type'>): string {
  const words = isNumeric(type) ? { ...always, ...ofNumbers } : always;
  const replaced = label.replace(/(?<![\p{L}\p{N}’'])\p{L}+(?![\p{L}\p{N}’'])/gu, word => {
    const key = word.toLowerCase();
    return Object.hasOwn(words, key) ? words[key]! : word;
  });
  const whole = [...journeys, ...(isNumeric(type) ? [inMilliseconds] : [])].reduce(
    (text, [pattern, word]) => text.replace(pattern, word),
    replaced,
  );
  return /^\p{Lu}/u.test(label) ? whole[0]!.toUpperCase() + whole.slice(1) : whole;
}
