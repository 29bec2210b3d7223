import { calendarOrder } from './calendar-names.ts';
import type { ColumnProfile } from '../table.ts';

const below = /^(?:<|≤|under|below|less than|fewer than|up to|unter|bis)(?!\p{L})/iu;
const above =
  /^(?:>|≥|over|above|more than|at least|über|mehr als|ab)(?!\p{L})|\d\s*(?:\+|and (?:over|more|above|older)|or (?:more|over|above|older)|und (?:mehr|älter))/iu;
const range = /\d[\s\p{L}]*(?:-|–|—|\bto\b|\band\b|\bbis\b|\bund\b)[\s\p{Sc}]*\d/iu;
const number = /\d[\d,.' ]*/u;
const multiples: readonly (readonly [RegExp, number])[] = [
  [/^\s*(?:k\b|thousand|tausend)/iu, 1e3],
  [/^\s*(?:m\b|mio|million)/iu, 1e6],
  [/^\s*(?:b\b|bn\b|billion)/iu, 1e9],
];

/**
 * The values of a column in their order, where they are stretches of an amount in a survey
 * (`18-29`, `$150,000+`, `less than
 * 100,000`), which by how many have each, or by letter, stand anyhow. Of others there is one at most, such as
 * `Prefer not to say`, and last. Names of weekdays and months stand as in the calendar.
 */
export function inferOrder({
  type,
  top,
  distinct,
  isDistinctExact,
}: ColumnProfile): readonly string[] | undefined {
  const values = top.flatMap(({ value }) => value ?? []).filter(value => value !== '');
  if (
    type !== 'text' ||
    !isDistinctExact ||
    values.length < 3 ||
    top.filter(({ value }) => value !== null).length !== distinct
  )
    return undefined;
  const ofCalendar = calendarOrder(values);
  if (ofCalendar) return ofCalendar;
  if (values.filter(value => range.test(value) || below.test(value) || above.test(value)).length < 2)
    return undefined;
  const placed = values.map(value => ({ value, at: placeOf(value) }));
  const known = placed.flatMap(({ value, at }) => (at ? [{ value, at }] : []));
  if (placed.length - known.length > 1 || new Set(known.map(({ at }) => at.join())).size < known.length)
    return undefined;
  known.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  return [...known.map(({ value }) => value), ...placed.flatMap(({ value, at }) => (at ? [] : [value]))];
}

/** The first amount of a stretch, and whether it begins before or after that. */
function placeOf(value: string): readonly [number, number] | undefined {
  const found = number.exec(value);
  // What comes late in a text is no amount that it begins with.
  if (!found || found.index > 16) return undefined;
  const amount = Number(found[0].replace(/[^\d.]|\.(?=\d{3}\b)/g, ''));
  const behind = value.slice(found.index + found[0].length);
  const multiple = multiples.find(([word]) => word.test(behind))?.[1] ?? 1;
  return Number.isFinite(amount)
    ? [amount * multiple, below.test(value) ? -1 : above.test(value) ? 1 : 0]
    : undefined;
}
