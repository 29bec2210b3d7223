import type { ColumnProfile } from '../table.ts';

const states =
  `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC
District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS
Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS
Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico,
NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode
Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA
Washington, WV West Virginia, WI Wisconsin, WY Wyoming, PR Puerto Rico`
    .split(/,\s+/)
    .flatMap(entry => [entry.slice(0, 2), entry.slice(3)]);
const stateNames = new Set(states.map(keyOf));

/** Whether most of a column's known values are states of the USA, by name or letters. */
export function namesStates(column: ColumnProfile): boolean {
  return mostly(column, value => stateNames.has(keyOf(value)));
}

/** Whether most of a column's known values are countries, by English name or ISO code. */
export function namesCountries(column: ColumnProfile): boolean {
  const names = countryNames();
  return mostly(column, value => names.has(keyOf(value)) || /^[A-Z]{3}$/.test(value));
}

/** The shapes of a map that a column's values can be drawn on. */
export type RegionShape = 'countries' | 'us-states';

/**
 * The shapes that a column's values name, if they do. Letters such as `AA` and `JFK` are codes of many things,
 * so that they count only where the column's name says that they are places.
 */
export function regionShapeOf(column: ColumnProfile): RegionShape | undefined {
  if (column.type !== 'text') return undefined;
  const isSpelledOut = column.top.some(({ value }) => value !== null && value.length > 3);
  const saysSo = (words: RegExp) => isSpelledOut || words.test(column.name);
  if (saysSo(/countr|nation|\biso/i) && namesCountries(column)) return 'countries';
  if (saysSo(/state/i) && namesStates(column)) return 'us-states';
  return undefined;
}

let known: ReadonlySet<string> | undefined;

function countryNames(): ReadonlySet<string> {
  if (known) return known;
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = letters.flatMap(one =>
    letters.flatMap(other => {
      const name = english.of(one + other);
      return name === undefined ? [] : [one + other, name];
    }),
  );
  known = new Set(
    [...found, 'United States of America', 'Russian Federation', 'Turkey', 'Viet Nam'].map(keyOf),
  );
  return known;
}

function mostly({ top, min, max }: ColumnProfile, isOne: (value: string) => boolean): boolean {
  const values = [...top.map(({ value }) => value), min, max].filter(
    value => typeof value === 'string' && value !== '',
  ) as string[];
  return values.length > 0 && values.filter(isOne).length >= values.length * 0.7;
}

function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}
