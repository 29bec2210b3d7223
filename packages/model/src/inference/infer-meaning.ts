import * as words from './column-vocabulary.ts';
import { endsWith, mentions, withoutTail, wordsOf } from './column-vocabulary.ts';
import { isTemporal, type ColumnProfile } from '../table.ts';

export type Meaning =
  | 'time'
  | 'identifier'
  | 'category'
  | 'text'
  | 'latitude'
  | 'longitude'
  | 'amount'
  | 'level'
  | 'nested';

/**
 * What a column most probably says about a row. Numbers that name something are neither added up nor
 * averaged.
 */
export function meaningOf(column: ColumnProfile, rows: number): Meaning {
  const known = meanings.get(column);
  if (known?.rows === rows) return known.meaning;
  const meaning = inferMeaning(column, rows);
  meanings.set(column, { rows, meaning });
  return meaning;
}

/** A model and its overview ask for the same columns, of which a table may have ten thousand. */
const meanings = new WeakMap<ColumnProfile, { readonly rows: number; readonly meaning: Meaning }>();

function inferMeaning(column: ColumnProfile, rows: number): Meaning {
  const name = wordsOf(column.name);
  if (isTemporal(column.type)) return 'time';
  if (column.type === 'other') return 'nested';
  if (column.type === 'boolean') return 'category';
  if (column.type === 'text') return meaningOfText(column, name, rows - column.nulls);
  const place = placeOf(column, name) ?? (isNameless(name) ? placeOfNameless(column) : undefined);
  if (place) return place;
  if (column.format?.startsWith('duration') && isTimeOfEvent(name)) return 'identifier';
  // What is written as money or in percent measures something, however few values it has.
  if (column.format !== undefined && column.distinct > 1)
    return column.format.startsWith('currency') && !mentions(name, words.levels) ? 'amount' : 'level';
  const named = isWhole(column) ? meaningOfWhole(column, name, rows - column.nulls) : undefined;
  if (named) return named;
  if (column.distinct <= 1) return 'category';
  return mentions(name, words.amounts) && !mentions(name, words.levels) && !isCounter(column)
    ? 'amount'
    : 'level';
}

/** Whether numbers stay as they are but for a few percent: those of a meter that runs on, which never add up. */
export function isCounter({ distinct, min, max }: ColumnProfile): boolean {
  return distinct > 20 && Number(min) >= 10_000 && Number(max) < Number(min) * 1.05;
}

/** Whether a column's name says that its numbers name something: `Customer ID`, `PLZ`, `fiscal_year`. */
export function namesThings(column: string): boolean {
  const name = wordsOf(column);
  return isIdentifier(name) || isYear(name, true) || isCalendar(name);
}

function meaningOfText(column: ColumnProfile, name: string, filled: number): Meaning {
  if (column.distinct <= 1) return 'text';
  if (/\b(id|key|uuid|guid|hash|url|email|phone)$/.test(name) && column.distinct > 50) return 'identifier';
  if (words.isContact(name) || isProse(column) || isTimeOfDay(column)) return 'text';
  return column.distinct > Math.max(50, filled * 0.5) || column.distinct > 5000 ? 'text' : 'category';
}

/** More times of day than these are moments, not opening hours that rows share. */
const maxSharedTimes = 48;

/** Whether texts are times of day, as `11:38:36`: nobody compares the rows of one second with those of another. */
export function isTimeOfDay({ distinct, top }: ColumnProfile): boolean {
  const values = top.flatMap(({ value }) => value || []);
  return (
    distinct > maxSharedTimes &&
    values.length > 0 &&
    values.every(value =>
      /^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?$/i.test(value),
    )
  );
}

/** Whether a column numbers the rows of a file, as programs that write tables add one: it says nothing of them. */
export function numbersRows({ name, distinct, nulls }: ColumnProfile, rows: number): boolean {
  return (
    /^(?:row ?names?|unnamed(?: ?\d+)?|index level \d+)$/.test(wordsOf(name)) &&
    nulls === 0 &&
    distinct === rows
  );
}

/** Columns of files without a header are called `column01`. */
export const isNameless = (name: string) => /^(?:column|field|col|c) ?\d+$/.test(name);

/** Degrees that go around most of the globe, in a column without a name. */
function placeOfNameless(column: ColumnProfile): Meaning | undefined {
  if (column.type !== 'number' || column.distinct < 100) return undefined;
  const [min, max] = [Number(column.min), Number(column.max)];
  if (inside(column, -90, 90) && min < -30 && max > 55) return 'latitude';
  return inside(column, -180, 180) && min < -100 && max > 100 ? 'longitude' : undefined;
}

/** Whether a column's texts are sentences or lists: neither names anything. */
export function isProse(column: ColumnProfile): boolean {
  return isLong(column) || listsValues(column);
}

/** Sentences rather than names, by the values that are known. */
function isLong({ top }: ColumnProfile): boolean {
  const letters = top.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  return top.length > 0 && letters / top.length > 60;
}

/** Several values in one, such as `,us,nc,`. */
function listsValues({ top }: ColumnProfile): boolean {
  const lists = top.filter(({ value }) => /^[,;|]|\w[,;|]\w.*[,;|]\w/.test(value ?? ''));
  return top.length > 0 && lists.length > top.length / 2;
}

/** Coordinates in degrees are places; those of a grid in metres name them. */
function placeOf(column: ColumnProfile, name: string): Meaning | undefined {
  const bare = withoutTail(name, words.coordinateTails);
  // `long` is a word of its own, too: `long gun`, `how long`.
  const isLong = bare === 'long' || (bare.endsWith(' long') && column.type === 'number');
  const kind =
    endsWith(bare, words.latitudes) || name.startsWith('latitude ')
      ? 'latitude'
      : isLong || endsWith(bare, words.longitudes) || name.startsWith('longitude ')
        ? 'longitude'
        : undefined;
  if (!kind) return undefined;
  if (inside(column, kind === 'latitude' ? -90 : -180, kind === 'latitude' ? 90 : 360)) return kind;
  // Degrees times ten million, or metres of a grid.
  return /coord|latitude|longitude| e[67]$/.test(bare) ? 'identifier' : undefined;
}

function meaningOfWhole(column: ColumnProfile, name: string, filled: number): Meaning | undefined {
  const [min, max] = [column.min as number, column.max as number];
  const isMeasure = mentions(name, words.amounts) || mentions(name, words.levels);
  if (isYear(name, min >= 1000) && inside(column, isMeasure ? 1000 : 0, isMeasure ? 2200 : 9999))
    return 'category';
  const isKind = endsWith(name, words.kinds) || /\b(?:direction|status|mode|phase|stage) id$/.test(name);
  if (isKind && column.distinct > 1 && column.distinct <= 50 && column.distinct < filled / 4)
    return 'category';
  if (isCalendar(name) && isInCalendar(column, name, isMeasure)) return 'category';
  if (isIdentifier(name) || endsWith(name, words.references) || name === 'position') return 'identifier';
  if (endsWith(name, words.numberedThings) && min >= 1000) return 'identifier';
  if (isClockTime(column, name)) return 'category';
  if (column.type !== 'integer') return undefined;
  // Many whole numbers of unknown meaning are keys rather than amounts.
  if (isNameless(name) && column.distinct > 50) return 'identifier';
  if (inside(column, 1900, 2100) && column.distinct <= 201) return 'category';
  // Of many rows each has one of its own, out of hardly more than there are rows.
  if (column.distinct === filled && filled > 20 && min >= 0 && max - min < filled * (filled < 500 ? 1 : 3))
    return 'identifier';
  if (
    column.distinct <= 2 ||
    (column.distinct <= 7 && !mentions(name, words.amounts) && !mentions(name, words.means))
  )
    return 'category';
  // Milliseconds since 1970 are a moment, not an amount.
  return min > 6e11 && max < 4e12 ? 'identifier' : undefined;
}

function isIdentifier(name: string): boolean {
  const parts = name.split(' ');
  const [first, second] = parts as [string, string | undefined];
  if (name === 'index' || /^(?:c\d+|unnamed)\b/.test(name) || endsWith(name, words.identifiers)) return true;
  const joined = /^(\p{L}+?)s?(?:ids?|no|nr|nbr|num|number|code|key|[spf]k)$/u.exec(parts.at(-1)!);
  if (joined && words.things.words.has(joined[1]!)) return true;
  if (first === 'code' && second !== undefined) return words.leadingCodes.words.has(second);
  // `numero de cliente` names one; `numero de clientes` counts them.
  return (
    words.leadingIdentifiers.words.has(first) &&
    (first === 'id' || first === 'rownames' || !parts.at(-1)!.endsWith('s'))
  );
}

/**
 * Whether a name's whole numbers sort rows by something that people know by its number: years, months, hours,
 * classes, ratings.
 */
export function isKnownByNumber(column: string): boolean {
  const name = wordsOf(column);
  if (/(?:^| )(?:day|minute|second|day ?of ?(?:month|year))$/.test(name)) return false;
  return (
    isYear(name, true) || isCalendar(name) || endsWith(name, words.kinds) || endsWith(name, words.grades)
  );
}

/**
 * @param isLong whether its values may be years of four digits: then others may follow on the word, as in
 * `year of birth`
 */
function isYear(name: string, isLong: boolean): boolean {
  return (
    endsWith(withoutTail(name, words.calendarTails), words.years) ||
    (isLong && words.years.words.has(name.split(' ')[0]!) && !mentions(name, words.amounts))
  );
}

/** A name whose own word is a part of the calendar: `order month`, `day of week`, not `7 day avg`. */
function isCalendar(name: string): boolean {
  const bare = withoutTail(name.replace(/(?<=.) of \p{L}+$/u, ''), words.calendarTails);
  return [words.months, words.otherCalendar].some(part => endsWith(bare, part));
}

/** Months may be written with their years: 202401. */
function isInCalendar(column: ColumnProfile, name: string, isMeasure: boolean): boolean {
  // A German week, or a kilowatt.
  if (endsWith(name, { words: new Set(['kw']), endings: [] })) return inside(column, 1, 53);
  return (
    inside(column, 0, isMeasure ? 366 : 9999) ||
    (inside(column, 190_001, 210_053) && Number(column.max) % 100 <= 53)
  );
}

/** Times of day as 0 to 2359, of which no minutes are 60 or more. */
export function isClockTime(column: ColumnProfile, name: string): boolean {
  const parts = name.split(' ');
  if (!endsWith(name, words.clockTimes) || parts.some(part => words.durations.words.has(part))) return false;
  const known = [column.min, column.max, ...column.top.map(({ value }) => value ?? 0)].map(Number);
  return inside(column, 0, 2400) && Number(column.max) >= 1000 && known.every(time => time % 100 < 60);
}

/** Clock times of timetables run past 24:00, and so were read as durations. */
function isTimeOfEvent(name: string): boolean {
  const parts = name.split(' ');
  return endsWith(name, words.clockTimes) && parts.some(part => words.timedEvents.words.has(part));
}

/** Whole numbers, as far as its type or its ends tell. */
function isWhole({ type, min, max }: ColumnProfile): boolean {
  return type === 'integer' || (Number.isInteger(min) && Number.isInteger(max));
}

function inside(column: ColumnProfile, low: number, high: number): boolean {
  return Number(column.min) >= low && Number(column.max) <= high;
}
