import type { TableFile } from '@belvedere/document';
import type { TableProfile } from '@belvedere/model';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportQuestion } from '../report.ts';
import { isOneOf, quoted, rowsOf, text } from '../sql-text.ts';

/** The decimal separator. */
export type DecimalMark = '.' | ',';

/** Null tokens, in addition to empty cells. */
export const noValues = [
  'NA',
  'N/A',
  '#N/A',
  '#NULL!',
  'NULL',
  'null',
  'NaN',
  '-',
  '0000-00-00',
  '0000-00-00 00:00:00',
];

/** Currency signs that are not ISO codes; undefined for a sign of several currencies. */
const currencySigns: Readonly<Record<string, string | undefined>> = {
  US$: 'USD',
  $US: 'USD',
  CA$: 'CAD',
  $CA: 'CAD',
  $AU: 'AUD',
  '£GB': 'GBP',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  R$: 'BRL',
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₫': 'VND',
  '₪': 'ILS',
  zł: 'PLN',
  Kč: 'CZK',
  kr: undefined,
};
const currencyCodes = [
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'CHF',
  'CAD',
  'AUD',
  'NZD',
  'CNY',
  'HKD',
  'SGD',
  'INR',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'HUF',
  'RON',
  'TRY',
  'ILS',
  'ZAR',
  'BRL',
  'MXN',
  'KRW',
  'TWD',
  'THB',
  'AED',
  'SAR',
  'RUB',
  'UAH',
  'IDR',
  'MYR',
  'PHP',
  'VND',
];
const currency = `(?:${[...Object.keys(currencySigns), ...currencyCodes]
  .toSorted((a, b) => b.length - a.length)
  .map(sign => sign.replaceAll('$', '\\$'))
  .join('|')})`;

const sign = '[-+−]';
/** Suffixes for millions etc. Only amounts of money may have them, since they are ambiguous elsewhere. */
const short = '(?:K|k|M|m|Mn|mn|Mio|B|Bn|bn|T)';
/** A suffix that is not the start of a currency's name. */
const shortened = `\\d ?(${short})(?:\\P{L}|$)`;
const powers = { k: 3, m: 6, mn: 6, mio: 6, b: 9, bn: 9, t: 12 } as const;

/**
 * Digits with optional thousands separators: commas (with Indian grouping as well) or points, spaces, or
 * Swiss apostrophes.
 */
const digits: Readonly<Record<DecimalMark, string>> = {
  '.': `(?:\\d{1,3}(?:,\\d{2,3})*,\\d{3}|\\d{1,3}(?:[ '’]\\d{3})+|\\d+)(?:\\.\\d+)?|\\.\\d+`,
  ',': `(?:\\d{1,3}(?:\\.\\d{3})+|\\d{1,3}(?:[ '’]\\d{3})+|\\d+)(?:,\\d+)?|,\\d+`,
};

/**
 * A pattern for a whole cell: `1,234.50`, `-$5`, `5 €`, `12.5 %`, `$1.2M`, and accounting notation for
 * negative numbers: `(1.50)`, `1.50-`.
 */
function cell(decimal: DecimalMark): string {
  const amount = `(?:${digits[decimal]})(?: ?${short})?`;
  const unit = `(?: ?(?:${currency}|%))?`;
  return `${infinite}|(?:${sign} ?)?(?:${currency} ?)?(?:${sign} ?)?(?:${amount})${unit}|\\( ?(?:${currency} ?)?(?:${amount})${unit} ?\\)|(?:${currency} ?)?\\d[\\d.,]*[.,]\\d+${unit}-`;
}

/** Few survey questions have more answers to choose from. */
const maxSurveyAnswers = 20;

/** Infinity as programs write it. */
const infinite = `${sign}?(?:[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|∞)`;

/** Accounting notation for zero or no value: `$ -`. */
const nothing = `${currency} ?[-–—]|[-–—] ?${currency}`;

/** A column converted to numbers, and a display format that matches its original notation. */
export interface NumberFormats {
  readonly name: string;
  readonly format?: string;
}

interface ConvertedNumbers {
  readonly columns: readonly NumberFormats[];
  readonly notes: readonly string[];
  readonly questions: readonly ImportQuestion[];
}

interface Found {
  readonly name: string;
  readonly fits: Readonly<Record<DecimalMark, boolean>>;
  /** Its decimal separator, if its texts are unambiguous. */
  readonly decimal: DecimalMark | undefined;
  /** Whether its texts may be lists of answers: `1,3`. */
  readonly mayBeLists: boolean;
  readonly isPercent: boolean;
  /** The maximum number of decimals. */
  readonly decimals: number;
  readonly currencies: readonly string[];
  /** Its null tokens. */
  readonly without: readonly string[];
}

/**
 * Converts text columns of `main.data` to numbers if every value is a formatted number: with thousands
 * separators, a currency, a percent sign, a decimal comma, or parentheses for negative numbers. Percentages
 * become fractions of 1. Possible codes (leading zeros), lists, telephone numbers and columns with two
 * currencies stay text.
 * @param columns those that may be converted
 * @param separator the file's delimiter: if it is a comma, a comma inside of a number is more likely a
 * thousands separator
 * @returns the columns, notes on what was inferred, and questions about columns that stay text
 */
export async function convertNumbers(
  connection: DuckDBConnection,
  columns: readonly string[],
  separator: string | undefined,
  reading: Pick<TableFile, 'decimal' | 'nulls'> = {},
): Promise<ConvertedNumbers> {
  const nulls = reading.nulls ? [] : noValues;
  const possible = await whereFirstFits(connection, columns, nulls);
  const found: Found[] = [];
  for (const name of possible) {
    const one = await inspect(connection, name, separator, nulls);
    if (one) found.push(one);
  }
  const ofFile = await usualMark(
    connection,
    separator,
    found.map(({ decimal }) => decimal),
  );
  const converted: NumberFormats[] = [];
  const notes: string[] = [];
  const questions: ImportQuestion[] = [];
  for (const one of found) {
    const decimal = reading.decimal ?? (one.mayBeLists ? undefined : (one.decimal ?? ofFile));
    const name = quoted(one.name);
    if (decimal === undefined) {
      if (one.mayBeLists)
        notes.push(
          `The comma in “${one.name}” may be a list separator or a decimal comma, so it is imported as text. Set \`decimal\` to decide.`,
        );
      else
        questions.push({
          kind: 'decimal mark',
          columns: [one.name],
          example: await firstSeparated(connection, one.name),
        });
      continue;
    }
    if (!one.fits[decimal]) continue;
    const number = numberWritten(name, decimal);
    const [row] = await rowsOf(
      connection,
      `select bool_and(regexp_full_match(written, '-?\\d{1,18}')) from (select ${number} as written from data) where written is not null`,
    );
    const type = row![0] === true ? 'bigint' : 'double';
    await connection.run(`alter table data alter ${name} type ${type} using cast(${number} as ${type})`);
    const format = formatOf(one);
    converted.push({ name: one.name, ...(format !== undefined && { format }) });
    notes.push(...describeFormat(one, decimal));
  }
  return { columns: converted, notes, questions };
}

/**
 * The columns whose first value is such a number or a null token. For most text columns, no more rows have to
 * be read.
 */
async function whereFirstFits(
  connection: DuckDBConnection,
  columns: readonly string[],
  nulls: readonly string[],
): Promise<string[]> {
  const test = new RegExp(`^(?:${cell('.')}|${cell(',')}|${nothing})$`, 'u');
  const fits: string[] = [];
  for (let start = 0; start < columns.length; start += 50) {
    const some = columns.slice(start, start + 50);
    const [first] = await rowsOf(
      connection,
      `select ${some.map(name => `any_value(${plain(quoted(name))}) filter (where not ${isOneOf(plain(quoted(name)), ['', ...nulls])})`).join(', ')} from (select ${some.map(quoted).join(', ')} from data limit 10000)`,
    );
    fits.push(...some.filter((_, i) => first![i] === null || test.test(String(first![i]))));
  }
  return fits;
}

/** The first value of a column that has a separator. */
async function firstSeparated(connection: DuckDBConnection, column: string): Promise<string> {
  const value = plain(quoted(column));
  const [row] = await rowsOf(
    connection,
    `select left(${value}, 100) from data where regexp_matches(${value}, '[.,]') order by rowid limit 1`,
  );
  return String(row![0]);
}

/** Inspects a text column. Returns its facts if all values are numbers and some are formatted. */
async function inspect(
  connection: DuckDBConnection,
  column: string,
  separator: string | undefined,
  nulls: readonly string[],
): Promise<Found | undefined> {
  const values = `(select ${plain(quoted(column))} as value from data)`;
  const isNone = isOneOf('value', nulls);
  const where = (condition: string) => `count(*) filter (where ${condition})`;
  const fits = (decimal: DecimalMark) =>
    where(`regexp_full_match(value, ${text(`${cell(decimal)}|${nothing}`)})`);
  const has = (pattern: string) => where(`regexp_matches(value, ${text(pattern)})`);
  const counts = {
    filled: 'count(*)',
    point: fits('.'),
    comma: fits(','),
    plain: where(`regexp_full_match(value, '-?\\d+([.]\\d+)?')`),
    signed: where(`regexp_full_match(value, '[-+]?\\d+([.]\\d+)?')`),
    dialled: where(`regexp_full_match(value, '[+]\\d{6,}')`),
    infinite: where(`regexp_full_match(value, ${text(infinite)})`),
    points: has('[.]'),
    commas: has(','),
    percents: has('%'),
    paid: has(currency),
    short: has(shortened),
    brackets: has('^\\('),
    // A sign and a fraction make a coordinate or an amount, however many zeros it begins with.
    codes: where(`regexp_matches(value, '^[-+−]?0\\d') and not regexp_full_match(value, '[-+]\\d+[.]\\d+')`),
    spaces: has("\\d[ '’]\\d"),
    gaps: has("\\d[., '’]\\d"),
    decimals: has('[.,](\\d{1,2}|\\d{4,})(\\D|$)'),
    long: has('\\d{4}'),
    pairs: where(
      `regexp_full_match(value, '\\d{1,2},\\d{1,2}') and try_cast(split_part(value, ',', 1) as int) < try_cast(split_part(value, ',', 2) as int) and try_cast(split_part(value, ',', 2) as int) <= ${maxSurveyAnswers}`,
    ),
    lengths: 'count(distinct length(value))',
    places: `coalesce(max(length(regexp_extract(value, '[.,](\\d+)\\D*$', 1))), 0)`,
  };
  const [row] = await rowsOf(
    connection,
    `select ${Object.values(counts).join(', ')}, list(distinct nullif(regexp_extract(value, ${text(currency)}), '')), (select list(distinct value order by value) from ${values} where ${isNone}) from ${values} where value <> '' and not ${isNone}`,
  );
  const many = Object.fromEntries(Object.keys(counts).map((name, i) => [name, Number(row![i])])) as Record<
    keyof typeof counts,
    number
  >;
  const isAll = (count: number) => count === many.filled;
  const [currencies, without] = row!.slice(Object.keys(counts).length).map(listOf) as [string[], string[]];
  const all = { '.': isAll(many.point), ',': isAll(many.comma) };
  if (
    many.filled === 0 ||
    isAll(many.plain) ||
    isAll(many.infinite) ||
    (isAll(many.signed) && many.dialled > 0) ||
    many.codes > 0 ||
    isAll(many.brackets) ||
    (!all['.'] && !all[','])
  )
    return undefined;
  if (many.percents > 0 && (!isAll(many.percents) || many.paid > 0)) return undefined;
  if (many.short > 0 && many.paid === 0) return undefined;
  if (new Set(currencies.map(mark => currencySigns[mark] ?? mark)).size > 1) return undefined;
  // Telephone numbers, postal codes and lists of numbers have separators in all values or in irregular
  // positions, and no other mark of an amount.
  const isBare = many.percents === 0 && many.paid === 0 && many.decimals === 0;
  if (isBare && many.spaces > 0 && (isAll(many.gaps) || many.long > 0)) return undefined;
  if (isBare && separator === ',' && isAll(many.gaps) && many.filled > 1 && many.lengths === 1)
    return undefined;
  const mayBeLists =
    separator === ',' &&
    many.percents + many.paid + many.points === 0 &&
    many.commas > 0 &&
    many.pairs === many.commas;
  const decimal = (): Found['decimal'] => {
    if (!all['.'] || !all[',']) return all['.'] ? '.' : ',';
    if (many.points === 0 && many.commas === 0) return '.';
    // Amounts of money do not have three decimals, so this separator is a thousands separator.
    return many.paid > 0 ? (many.points > 0 ? ',' : '.') : undefined;
  };
  return {
    name: column,
    fits: all,
    decimal: decimal(),
    mayBeLists,
    isPercent: many.percents > 0,
    decimals: many.places,
    currencies,
    without,
  };
}

function listOf(value: unknown): string[] {
  return value === null || value === undefined
    ? []
    : (value as { readonly items: readonly unknown[] }).items.filter(item => item !== null).map(String);
}

/**
 * The decimal separator of columns that are ambiguous by themselves: that of the other columns, or the one
 * that is not the file's delimiter.
 */
async function usualMark(
  connection: DuckDBConnection,
  separator: string | undefined,
  others: readonly (DecimalMark | undefined)[],
): Promise<DecimalMark | undefined> {
  if (others.includes(',')) return ',';
  if (separator === undefined || separator.startsWith(',')) return '.';
  if (separator.startsWith(';')) return ',';
  const isPoint =
    others.includes('.') || (await rowsOf(connection, 'describe data')).some(([, type]) => type === 'DOUBLE');
  return isPoint ? '.' : undefined;
}

/** A cell's text without special spaces around it. */
function plain(column: string): string {
  return `trim(translate(${column}, '\u00A0\u202F\u2009\u2007', '    '))`;
}

/** SQL for a cell's number as text, in the engine's notation; null for other values such as null tokens. */
export function numberWritten(column: string, decimal: DecimalMark): string {
  const value = plain(column);
  const kept = `regexp_replace(${value}, '[^0-9.,]', '', 'g')`;
  const figures =
    decimal === '.' ? `replace(${kept}, ',', '')` : `replace(replace(${kept}, '.', ''), ',', '.')`;
  const power = Object.entries(powers)
    .map(([word, exponent]) => `when '${word}' then 'e${exponent}'`)
    .join(' ');
  return `case when regexp_full_match(${value}, ${text(nothing)}) then '0' when regexp_full_match(${value}, ${text(infinite)}) then concat(case when regexp_matches(${value}, '^[-−]') then '-' else '' end, 'inf') when regexp_full_match(${value}, ${text(cell(decimal))}) then concat(case when regexp_matches(${value}, '^[(]|[-−]') then '-' else '' end, ${figures}, case when contains(${value}, '%') then 'e-2' else case lower(regexp_extract(${value}, ${text(shortened)}, 1)) ${power} else '' end end) end`;
}

function formatOf({ isPercent, decimals, currencies: [mark] }: Found): string | undefined {
  if (isPercent) return decimals > 1 ? `.${Math.min(9, decimals)}%` : 'percent';
  const code = mark === undefined || Object.hasOwn(currencySigns, mark) ? currencySigns[mark ?? ''] : mark;
  return code === undefined ? undefined : `currency:${code}`;
}

function describeFormat(one: Found, decimal: DecimalMark): string[] {
  const { name, isPercent, currencies, without } = one;
  const code = formatOf(one)?.split(':')[1];
  const as = isPercent
    ? 'percentages'
    : currencies.length > 0
      ? `amounts of money${code ? ` (${code})` : ''}`
      : 'numbers';
  return [
    ...(decimal === ',' ? [`The comma in “${name}” is read as a decimal comma.`] : []),
    ...(decimal === '.' || as !== 'numbers' ? [`“${name}” is read as ${as}.`] : []),
    ...(without.length > 0
      ? [`${without.map(token => `“${token}”`).join(', ')} in “${name}” is imported as null.`]
      : []),
  ];
}

/** The columns that import options read as durations. */
export function declaredDurations(reading: TableFile | undefined): NumberFormats[] {
  return Object.entries(reading?.columns ?? {})
    .filter(([, type]) => type === 'duration')
    .map(([name]) => ({ name, format: 'duration' }));
}

/** A profile whose columns have the formats in which they were written. */
export function shownAsWritten(profile: TableProfile, written: readonly NumberFormats[]): TableProfile {
  const formats = new Map(written.map(({ name, format }) => [name, format]));
  return {
    ...profile,
    columns: profile.columns.map(column => ({
      ...column,
      ...(formats.get(column.name) !== undefined && { format: formats.get(column.name)! }),
    })),
  };
}
