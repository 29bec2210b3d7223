import path from 'node:path';

/** A column with the parts of the file names that differ between the files of a table. */
export interface FileNameColumn {
  readonly name: 'file_date' | 'file_month' | 'file_year' | 'file_number' | 'file_name';
  readonly type: 'date' | 'bigint' | 'varchar';
  /** One value per file, in the order of the files; dates and months as ISO dates. */
  readonly values: readonly string[];
}

interface Differing {
  readonly before: string;
  readonly values: readonly string[];
  readonly after: string;
}

/** A file's name without extensions: `matches_1968` for `matches_1968.csv.gz`. */
export function stemOf(file: string): string {
  const base = path.basename(file).replace(/\.(gz|zst)$/i, '');
  return base.slice(0, base.length - path.extname(base).length);
}

/** A key that is equal for names that differ only by numbers and dates. */
export function numberedName(file: string): string {
  return path
    .basename(file)
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\d+/g, '#');
}

/**
 * The common part of several names without surrounding punctuation: `matches` for `matches_1968` and
 * `matches_1969`. Empty if they have none.
 */
export function sharedName(names: readonly string[]): string {
  const { before, after } = datesIn(names) ?? differing(names);
  return [before, after]
    .map(part => part.replace(/^[-_. ]+|[-_. ]+$/g, ''))
    .filter(Boolean)
    .join('_');
}

/** A number after such a word is the index of an export's part and has no meaning in the data. */
const chunk =
  /(^|[^a-z])(part|chunk|piece|split|shard|batch|page|file|data|export|output?|block|segment|results?)[-_. ]?$/i;

/**
 * The column derived from the names of a table's files; undefined if the names only number parts. For files
 * in several folders, their paths are compared.
 */
export function nameColumn(files: readonly string[]): FileNameColumn | undefined {
  if (files.length < 2) return undefined;
  const names = files.map(file => path.join(path.dirname(file), stemOf(file)).split(path.sep).join('/'));
  const dates = datesIn(names);
  if (dates) return { name: dates.name, type: 'date', values: dates.values };
  const { before, values } = differing(names);
  if (values.every(value => /^(1[5-9]|20|21)\d\d$/.test(value)))
    return { name: 'file_year', type: 'bigint', values };
  const isNumber = values.every(value => /^\d{1,15}$/.test(value));
  if (isNumber && chunk.test(before)) return undefined;
  return isNumber
    ? { name: 'file_number', type: 'bigint', values }
    : { name: 'file_name', type: 'varchar', values };
}

/**
 * Splits names into a common start, a common end and the difference, cut at the start of a word or number.
 */
function differing(names: readonly string[]): Differing {
  const first = names[0]!;
  const isWithin = (name: string, at: number) =>
    at > 0 &&
    at < name.length &&
    (/\d\d/.test(name.slice(at - 1, at + 1)) || /\p{L}\p{L}/u.test(name.slice(at - 1, at + 1)));
  /**
   * The number of characters that are equal in all names; `at` returns the character at a distance from one
   * end.
   */
  const common = (max: number, at: (name: string, i: number) => string | undefined) => {
    let length = 0;
    while (length < max && names.every(name => at(name, length) === at(first, length))) length++;
    return length;
  };
  let before = common(Math.min(...names.map(name => name.length)), (name, i) => name[i]);
  while (names.some(name => isWithin(name, before))) before--;
  let after = common(Math.min(...names.map(name => name.length)) - before, (name, i) => name.at(-1 - i));
  while (after > 0 && names.some(name => isWithin(name, name.length - after))) after--;
  return {
    before: first.slice(0, before),
    values: names.map(name => name.slice(before, name.length - after)),
    after: first.slice(first.length - after),
  };
}

/**
 * Finds dates or months in names. Adjacent common numbers belong to them: in `2024-01-01` and `2024-02-01`,
 * the value is the whole date and not only the month.
 */
function datesIn(
  names: readonly string[],
): (Differing & { readonly name: 'file_date' | 'file_month' }) | undefined {
  const { before, values, after } = differing(names);
  // Each digit can match in one way only: otherwise a name of many digits would take exponential time.
  if (!values.every(value => /^\d+(?:[-_. ]\d+)*$/.test(value))) return undefined;
  const left = /(?:\d[-_. ]?)*$/.exec(before)![0];
  const right = /^(?:[-_. ]?\d)*/.exec(after)![0];
  const wide = values.map(value => left + value + right);
  const around = { before: before.slice(0, before.length - left.length), after: after.slice(right.length) };
  const dates = datesOf(wide);
  if (dates) return { ...around, name: 'file_date', values: dates };
  const months = monthsOf(wide);
  return months && { ...around, name: 'file_month', values: months };
}

const dateOrders = [
  /^(?<year>\d{4})(?<mark>[-_. ]?)(?<month>\d{2})\k<mark>(?<day>\d{2})$/,
  /^(?<month>\d{1,2})(?<mark>[-_.])(?<day>\d{1,2})\k<mark>(?<year>\d{4})$/,
  /^(?<day>\d{1,2})(?<mark>[-_.])(?<month>\d{1,2})\k<mark>(?<year>\d{4})$/,
];

/** The values as ISO dates, if all are dates in exactly one order. */
function datesOf(values: readonly string[]): string[] | undefined {
  const fitting = dateOrders
    .map(order => values.map(value => dayOf(order.exec(value)?.groups)))
    .filter(days => days.every(day => day !== undefined));
  return fitting.length === 1 ? (fitting[0] as string[]) : undefined;
}

function dayOf(groups: Readonly<Record<string, string>> | undefined): string | undefined {
  if (!groups) return undefined;
  const { year, month, day } = groups as { year: string; month: string; day: string };
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number(year) >= 1500 &&
    Number(year) < 2200 &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(iso)
    ? iso
    : undefined;
}

function monthsOf(values: readonly string[]): string[] | undefined {
  const found = [/^(?<year>\d{4})[-_. ]?(?<month>\d{2})$/, /^(?<month>\d{2})[-_. ](?<year>\d{4})$/].map(
    order => values.map(value => dayOf(withFirstDay(order.exec(value)?.groups))),
  );
  return found.find(days => days.every(day => day !== undefined)) as string[] | undefined;
}

function withFirstDay(
  groups: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  return groups && { ...groups, day: '01' };
}
