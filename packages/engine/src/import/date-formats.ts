import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportQuestion, NulledValues } from './report.ts';
import { quoted, rowsOf, text } from './sql-text.ts';
import { noValues } from './number-formats.ts';

type DateOrder = NonNullable<TableFile['dates']>;

/** English, German, French, Spanish, Portuguese, Italian and Dutch, in lower case and without accents. */
const monthNames: readonly string[] = [
  'jan january januar janner janv janvier ene enero janeiro gen gennaio januari',
  'feb february februar feber fev fevr fevrier febrero fevereiro febbraio februari',
  'mar march marz maerz mrz mars marzo marco mrt maart',
  'apr april avr avril abr abril aprile',
  'may mai mayo maio mag maggio mei',
  'jun june juni juin junio junho giu giugno',
  'jul july juli juil juill juillet julio julho lug luglio',
  'aug august aou aout ago agosto augustus',
  'sep sept september septembre septiembre setiembre set setembro settembre',
  'oct october okt oktober octobre octubre out outubro ott ottobre',
  'nov november novembre noviembre novembro',
  'dec december dez dezember decembre dic diciembre dezembro dicembre',
];

/** The zones of RFC 2822 and of Central Europe. Other abbreviations are ambiguous. */
const zoneOffsets: Readonly<Record<string, string>> = {
  z: '+00',
  ut: '+00',
  utc: '+00',
  gmt: '+00',
  cet: '+01',
  cest: '+02',
  mez: '+01',
  mesz: '+02',
  est: '-05',
  edt: '-04',
  cst: '-06',
  cdt: '-05',
  mst: '-07',
  mdt: '-06',
  pst: '-08',
  pdt: '-07',
};

/** Two-digit years from here on belong to the last century: 70 is 1970, 69 is 2069. */
const firstShortYear = '70';

type Part =
  | 'year'
  | 'month'
  | 'name'
  | 'day'
  | 'quarter'
  | 'week'
  | 'weekday'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'zone';

/** A date format. Its pattern matches a whole value in lower case, without accents. */
interface Form {
  readonly says: string;
  /** For numeric formats: their order of parts. Other orders may match the same values. */
  readonly order?: DateOrder;
  /** Formats with a leading two-digit year are used only if no other order matches. */
  readonly isLastResort?: boolean;
  readonly pattern: string;
  /** The meaning of the pattern's groups, in order. */
  readonly parts: readonly Part[];
  /** SQL for `year-month-day`, given SQL for the parts. */
  readonly day: (part: (name: Part) => string) => string;
}

const gap = '[-/.,_ ]{0,3}';
const weekday = '(?:[a-z]{2,10}[.,]{0,2} )?';
const name = '([a-z]{3,11})';
const of = '(?:(?:de|del|of) )?';
const dayNumber = '([0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?';
const year = "['’]?([0-9]{4}|[0-9]{2})";
const mark = '(?:[-/]|[.] ?)';
const clock =
  '([0-9]{1,2})(?:[:.h]([0-9]{2}))?(?:[:.]([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?: ?([ap])[. ]{0,2}m?[.]?)?(?: ?(?:uhr|h))?';
const zone = '(?: ?([a-z]{1,4}|(?:utc|gmt)?[-+][0-9]{2}:?(?:[0-9]{2})?)(?: ?[(][a-z ]+[)])?)?';
const clockParts = ['hour', 'minute', 'second', 'fraction', 'half', 'zone'] as const;
/** An optional time of day after the date. */
const time = `(?:(?:,? ?- ?|,? (?:at |um |om |a |as |alle )?|,|t|:)${clock}${zone})?`;

const yearNumber = (part: (name: Part) => string) => {
  const digits = part('year');
  return `case when length(${digits}) = 2 then case when ${digits} >= '${firstShortYear}' then '19' else '20' end else '' end || ${digits}`;
};
/** A map, because the engine keeps a vector of values for each word of a `case`. */
const numbersOfMonths = mapOf(
  monthNames.flatMap((names, i) => names.split(' ').map(name => [name, String(i + 1)])),
);
const monthNumber = (word: string) => `${numbersOfMonths}[${word}]`;
const numbered: Form['day'] = part =>
  `(${yearNumber(part)}) || '-' || ${part('month')} || '-' || ${part('day')}`;
const named: Form['day'] = part =>
  `(${yearNumber(part)}) || '-' || ${monthNumber(part('name'))} || '-' || ${part('day')}`;
const monthly: Form['day'] = part => `${part('year')} || '-' || ${part('month')} || '-1'`;
const quarterly: Form['day'] = part =>
  `(${yearNumber(part)}) || '-' || (try_cast(${part('quarter')} as int) * 3 - 2) || '-1'`;
/** The week of 4 January is the first (ISO 8601). In years without a week 53, the result is null. */
const weekly: Form['day'] = part => {
  const monday = `(date_trunc('week', try_cast(${part('year')} || '-01-04' as date)) + to_days(7 * (try_cast(${part('week')} as int) - 1)))`;
  return `case when isoyear(${monday}) = try_cast(${part('year')} as int) then strftime(${monday} + to_days(coalesce(try_cast(${part('weekday')} as int), 1) - 1), '%Y-%m-%d') end`;
};

/** A year that no four digits of a code are likely to be: T10023 is no quarter. */
const certainYear = '(?:1[5-9]|20)[0-9]{2}';

const forms: readonly Form[] = [
  {
    says: 'year first',
    order: 'year first',
    pattern: `([0-9]{4})${mark}([0-9]{1,2})${mark}([0-9]{1,2})${time}`,
    parts: ['year', 'month', 'day', ...clockParts],
    day: numbered,
  },
  {
    says: 'day first',
    order: 'day first',
    pattern: `([0-9]{1,2})${mark}([0-9]{1,2})${mark}${year}${time}`,
    parts: ['day', 'month', 'year', ...clockParts],
    day: numbered,
  },
  {
    says: 'month first',
    order: 'month first',
    pattern: `([0-9]{1,2})${mark}([0-9]{1,2})${mark}${year}${time}`,
    parts: ['month', 'day', 'year', ...clockParts],
    day: numbered,
  },
  {
    says: 'year first',
    order: 'year first',
    isLastResort: true,
    pattern: `([0-9]{2})${mark}([0-9]{1,2})${mark}([0-9]{1,2})${time}`,
    parts: ['year', 'month', 'day', ...clockParts],
    day: numbered,
  },
  {
    says: 'the day before the month’s name',
    pattern: `${weekday}${dayNumber}${gap}${of}${name}${gap}${of}${year}${time}`,
    parts: ['day', 'name', 'year', ...clockParts],
    day: named,
  },
  {
    says: 'the day after the month’s name',
    pattern: `${weekday}${name}${gap}${dayNumber}(?:[-/.,] ?| )${year}${time}`,
    parts: ['name', 'day', 'year', ...clockParts],
    day: named,
  },
  {
    says: 'the year before the month’s name',
    pattern: `${year}${gap}${name}${gap}${dayNumber}${time}`,
    parts: ['year', 'name', 'day', ...clockParts],
    day: named,
  },
  {
    says: 'the year last',
    pattern: `${weekday}${name} {1,2}${dayNumber} ${clock}${zone} ([0-9]{4})`,
    parts: ['name', 'day', ...clockParts, 'year'],
    day: named,
  },
  {
    // 2023年10月31日
    says: 'year, month and day',
    pattern: `([0-9]{4}) ?年 ?([0-9]{1,2}) ?月 ?([0-9]{1,2}) ?[日号]?${time}`,
    parts: ['year', 'month', 'day', ...clockParts],
    day: numbered,
  },
  {
    says: 'months (their first day)',
    pattern: '([0-9]{4}) ?年 ?([0-9]{1,2}) ?月',
    parts: ['year', 'month'],
    day: monthly,
  },
  {
    says: 'months (their first day)',
    pattern: '([0-9]{4})[-/](0[1-9]|1[0-2])',
    parts: ['year', 'month'],
    day: monthly,
  },
  {
    says: 'months (their first day)',
    pattern: '(0?[1-9]|1[0-2])[-/]((?:19|20)[0-9]{2})',
    parts: ['month', 'year'],
    day: monthly,
  },
  {
    // Jan-23 and Jan '23: spreadsheets write the day of a month before its name.
    says: 'months (their first day)',
    pattern: `${name}(?:[-/]| ?['’])([0-9]{2})`,
    parts: ['name', 'year'],
    day: part => `(${yearNumber(part)}) || '-' || ${monthNumber(part('name'))} || '-1'`,
  },
  {
    says: 'months (their first day)',
    pattern: `${name}(?:[-/.,]{1,2} ?| )${of}([0-9]{4})`,
    parts: ['name', 'year'],
    day: part => `${part('year')} || '-' || ${monthNumber(part('name'))} || '-1'`,
  },
  {
    says: 'quarters (their first day)',
    pattern: `(${certainYear})[-/ ]?[qt]([1-4])`,
    parts: ['year', 'quarter'],
    day: quarterly,
  },
  {
    says: 'quarters (their first day)',
    pattern: `[qt]([1-4])[-/ ]?['’]?(${certainYear})`,
    parts: ['quarter', 'year'],
    day: quarterly,
  },
  {
    // Without a separator, T101 and Q412 are codes.
    says: 'quarters (their first day)',
    pattern: "[qt]([1-4])(?:[-/ ]['’]?|['’])([0-9]{2})",
    parts: ['quarter', 'year'],
    day: quarterly,
  },
  {
    says: 'quarters (their first day)',
    pattern: `([1-4])q[-/ ]?['’]?(${certainYear}|[0-9]{2})`,
    parts: ['quarter', 'year'],
    day: quarterly,
  },
  {
    says: 'quarters (their first day)',
    pattern: `([1-4])t[-/ ]?['’]?(${certainYear})`,
    parts: ['quarter', 'year'],
    day: quarterly,
  },
  {
    says: 'weeks (their first day)',
    pattern: '([0-9]{4})[- ]?w([0-9]{1,2})',
    parts: ['year', 'week'],
    day: weekly,
  },
  {
    says: 'days of weeks',
    pattern: '([0-9]{4})-?w([0-9]{2})-?([1-7])',
    parts: ['year', 'week', 'weekday'],
    day: weekly,
  },
  {
    says: 'year, month and day together',
    pattern:
      '([0-9]{4})([0-9]{2})([0-9]{2})[t ]([0-9]{2}):?([0-9]{2})(?::?([0-9]{2}))?(z|[-+][0-9]{2}:?(?:[0-9]{2})?)?',
    parts: ['year', 'month', 'day', 'hour', 'minute', 'second', 'zone'],
    day: numbered,
  },
];
const regExps = new Map(forms.map(form => [form, new RegExp(`^(?:${form.pattern})$`, 'u')]));

/** Longer texts are not dates. */
const longest = 80;
const sampledRows = 10_000;
/** In columns with such names, `1.2.10` is not a date. */
const namesOfVersions = /version|release|build|revision|(^|[^a-z])ip($|[^a-z])/i;

/**
 * SQL that normalises a value for the patterns. Texts too long for a date become `?`, which matches no
 * pattern.
 */
function normalized(column: string): string {
  const value = `case when length(${column}) <= ${longest} then ${column} else '?' end`;
  return `lower(strip_accents(trim(translate(${value}, '\u00A0\u202F\u2009', '   '))))`;
}

const plain = (value: string) =>
  value
    .replace(/[\u00A0\u202F\u2009]/g, ' ')
    .trim()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();

interface Reading {
  /** The date and time as written, regardless of their zone. */
  readonly wall: string;
  /** `+01` etc.; empty without a written zone, null for an unknown zone. */
  readonly offset: string;
}

/** SQL for the date and offset in `found`, the struct of a form's matched parts. */
function readingOf(form: Form, found: string): Reading {
  const part = (one: Part) => (form.parts.includes(one) ? `struct_extract(${found}, '${one}')` : `''`);
  const hour = `try_cast(${part('hour')} as int)`;
  const hours = `case when ${part('half')} = '' then ${part('hour')} when ${hour} > 12 then null else (${hour} % 12 + case ${part('half')} when 'p' then 12 else 0 end)::varchar end`;
  const or = (one: Part, otherwise: string) =>
    `case ${part(one)} when '' then '${otherwise}' else ${part(one)} end`;
  const clockText = `case when ${part('hour')} = '' then '' when ${part('minute')} = '' and ${part('half')} = '' then null else ' ' || (${hours}) || ':' || ${or('minute', '00')} || ':' || ${or('second', '00')} || '.' || ${or('fraction', '0')} end`;
  const hasTime = form.parts.includes('hour');
  const day = `case when ${part('year')} <> '' then ${form.day(part)} end`;
  const zones = Object.entries(zoneOffsets)
    .map(([word, offset]) => `when '${word}' then '${offset}'`)
    .join(' ');
  return {
    wall: `try_cast((${day})${hasTime ? ` || (${clockText})` : ''} as timestamp)`,
    offset: form.parts.includes('zone')
      ? `case ${part('zone')} when '' then '' ${zones} else nullif(regexp_extract(${part('zone')}, '[-+][0-9].*'), '') end`
      : `''`,
  };
}

function found(form: Form, value: string): string {
  return `regexp_extract(${value}, ${text(`^(?:${form.pattern})$`)}, [${form.parts.map(part => `'${part}'`).join(', ')}])`;
}

/** SQL for an instant, given its wall-clock time and offset. */
const instantOf = ({ wall, offset }: Reading) =>
  `try_cast(${wall}::varchar || nullif(${offset}, '') as timestamptz)`;

export type DateType = 'date' | 'timestamp' | 'timestamptz';

/** SQL that converts a column's values from one format; values that do not match become null. */
function converted(column: string, form: Form, type: DateType, isZoneLeftOut = false): string {
  const reading = readingOf(form, 'found');
  const local = isZoneLeftOut
    ? `case when ${reading.offset} is not null then ${reading.wall} end`
    : `case when ${reading.offset} = '' then ${reading.wall} end`;
  // A lambda, so that the parts are matched once per value: `alter table` has no other way to name an
  // intermediate result.
  return `list_transform([${found(form, normalized(column))}], lambda found: ${type === 'timestamptz' ? instantOf(reading) : local})[1]::${type}`;
}

function mapOf(entries: readonly (readonly string[])[]): string {
  const [keys, values] = [0, 1].map(i => `[${entries.map(entry => text(entry[i]!)).join(', ')}]`);
  return `map(${keys}, ${values})`;
}

/** How many values of a column match a format. */
interface Fit {
  readonly form: Form;
  readonly locals: number;
  readonly instants: number;
  readonly areDays: boolean;
  readonly hasShortYears: boolean;
}

interface Fits {
  /** Values that are not empty or null tokens. */
  readonly filled: number;
  readonly fits: readonly Fit[];
  /** A value that is a valid but different date in day-first and month-first order. */
  readonly ambiguous: string | undefined;
  readonly without: readonly string[];
}

/** @param rows limits the number of rows; by default all are read */
async function fitsOf(
  connection: DuckDBConnection,
  column: string,
  candidates: readonly Form[],
  nulls: readonly string[],
  rows?: number,
): Promise<Fits> {
  const none = (value: string) => `trim(${value}) in (${['', ...nulls].map(text).join(', ')})`;
  const from = `(select ${quoted(column)} as written from data${rows === undefined ? '' : ` limit ${rows}`})`;
  const readings = candidates.map((form, i) => readingOf(form, `found_${i}`));
  const counts = candidates.flatMap((form, i) => [
    `count(wall_${i}) filter (where offset_${i} = '')`,
    `count(wall_${i}) filter (where offset_${i} <> '')`,
    `bool_and(wall_${i}::date::timestamp = wall_${i})`,
    form.parts.includes('year')
      ? `coalesce(bool_or(length(struct_extract(found_${i}, 'year')) = 2), false)`
      : 'false',
  ]);
  const [day, month] = (['day first', 'month first'] as const).map(order =>
    candidates.findIndex(form => form.order === order),
  );
  const example =
    day! >= 0 && month! >= 0 ? `any_value(written) filter (where wall_${day!} <> wall_${month!})` : 'null';
  const [row] = await rowsOf(
    connection,
    `
    with parts as (select written, ${candidates.map((form, i) => `${found(form, 'value')} as found_${i}`).join(', ')} from (select written, ${normalized('written')} as value from ${from} where not ${none('written')})),
      walls as (select *, ${readings.map(({ wall, offset }, i) => `${wall} as wall_${i}, ${offset} as offset_${i}`).join(', ')} from parts)
    select count(*), ${counts.join(', ')}, ${example}, (select list(distinct trim(written) order by trim(written)) from ${from} where ${none('written')} and trim(written) <> '') from walls`,
  );
  const without = row!.at(-1) as { readonly items: readonly unknown[] } | null;
  const ambiguous = row!.at(-2);
  return {
    filled: Number(row![0]),
    fits: candidates.map((form, i) => {
      const [locals, instants, areDays, hasShortYears] = row!.slice(1 + 4 * i, 5 + 4 * i);
      return {
        form,
        locals: Number(locals),
        instants: Number(instants),
        areDays: areDays === true,
        hasShortYears: hasShortYears === true,
      };
    }),
    ambiguous: ambiguous === null || ambiguous === undefined ? undefined : String(ambiguous),
    without: without?.items.map(String) ?? [],
  };
}

const most = ({ locals, instants }: Fit) => Math.max(locals, instants);
const isOrdered = (form: Form, order: DateOrder | undefined) =>
  order === undefined ||
  form.order === undefined ||
  form.order === order ||
  (form.order === 'year first' && !form.isLastResort);

/** The format that most values match; `ambiguous` if two orders match and give different dates. */
function bestOf({ fits, ambiguous }: Fits): Fit | 'ambiguous' | undefined {
  const best = fits.reduce<Fit | undefined>((one, fit) => {
    if (
      most(fit) === 0 ||
      (one &&
        (most(fit) < most(one) ||
          (most(fit) === most(one) && !(one.form.isLastResort && !fit.form.isLastResort))))
    )
      return one;
    return fit;
  }, undefined);
  if (best?.form.order === undefined || ambiguous === undefined) return best;
  const alike = fits.filter(fit => !fit.form.isLastResort && fit.form.order && most(fit) === most(best));
  return ['day first', 'month first'].every(order => alike.some(fit => fit.form.order === order))
    ? 'ambiguous'
    : best;
}

function typeOf(fit: Fit): DateType {
  return fit.instants > fit.locals ? 'timestamptz' : fit.areDays ? 'date' : 'timestamp';
}

export interface DateFormats {
  readonly notes: readonly string[];
  readonly nulled: readonly NulledValues[];
  readonly question?: ImportQuestion;
}

/**
 * Converts text columns of `main.data` to dates, timestamps or instants if every value of the column matches
 * one format. If the order of day and month is ambiguous, the column stays text and the report contains a
 * question about it.
 * @param mustBe columns declared as dates: values that do not match become null and are counted
 */
export async function convertDates(
  connection: DuckDBConnection,
  columns: readonly string[],
  reading: Pick<TableFile, 'dates' | 'nulls'> = {},
  mustBe: readonly string[] = [],
): Promise<DateFormats> {
  const nulls = reading.nulls ? [] : noValues;
  const notes: string[] = [];
  const nulled: NulledValues[] = [];
  const ambiguous: { readonly column: string; readonly example: string }[] = [];
  const known = reading.dates === undefined ? [] : columns.filter(column => mustBe.includes(column));
  const possible = await possibleForms(
    connection,
    columns.filter(column => !known.includes(column)),
    nulls,
  );
  for (const column of known) possible.push([column, await formsFound(connection, column)]);
  for (const [column, ofColumn] of possible) {
    const isKnown = known.includes(column);
    const candidates = ofColumn.filter(form => isOrdered(form, reading.dates));
    const early =
      candidates.length > 0 ? await fitsOf(connection, column, candidates, nulls, sampledRows) : undefined;
    const left =
      early?.fits
        .filter(fit => isKnown || early.filled === 0 || most(fit) === early.filled)
        .map(({ form }) => form) ?? [];
    if (left.length === 0) continue;
    const fits = await fitsOf(connection, column, left, nulls);
    const isWhole = (fit: Fit) => fit.locals === fits.filled || fit.instants === fits.filled;
    const whole = isKnown ? fits : { ...fits, fits: fits.fits.filter(isWhole) };
    const best = fits.filled === 0 ? undefined : bestOf(whole);
    if (best === undefined) continue;
    if (best === 'ambiguous') {
      ambiguous.push({ column, example: fits.ambiguous! });
      continue;
    }
    const type = typeOf(best);
    const expression = converted(quoted(column), best.form, type);
    await connection.run(`alter table data alter ${quoted(column)} type ${type} using ${expression}`);
    const values = fits.filled - most(best);
    notes.push(...describeFit(column, best, type, fits), ...missed(column, values));
    if (values > 0) nulled.push({ column, values });
  }
  const question =
    ambiguous.length > 0
      ? {
          question: {
            kind: 'date order' as const,
            columns: ambiguous.map(({ column }) => column),
            example: ambiguous[0]!.example,
          },
        }
      : {};
  return { notes, nulled, ...question };
}

/**
 * SQL that converts a text column to dates, whatever the format of each value. Undefined if the order of day
 * and month is ambiguous.
 */
export async function datesAsDeclared(
  connection: DuckDBConnection,
  column: string,
  type: 'date' | 'time',
  { dates, nulls: given }: Pick<TableFile, 'dates' | 'nulls'>,
): Promise<{ readonly expression: string; readonly type: DateType } | ImportQuestion> {
  const nulls = given ? [] : noValues;
  const candidates = (await formsFound(connection, column)).filter(form => isOrdered(form, dates));
  const fits =
    candidates.length === 0
      ? { filled: 0, fits: [], ambiguous: undefined, without: [] }
      : await fitsOf(connection, column, candidates, nulls);
  const best = bestOf(fits);
  if (best === 'ambiguous') return { kind: 'date order', columns: [column], example: fits.ambiguous! };
  const sqlType =
    type === 'date' ? 'date' : best && best.instants > best.locals ? 'timestamptz' : 'timestamp';
  const usable = [
    ...(best ? [best] : []),
    ...fits.fits.filter(
      fit =>
        fit !== best &&
        most(fit) > 0 &&
        (!fit.form.order || fit.form.order === 'year first') &&
        !fit.form.isLastResort,
    ),
  ];
  const expressions = usable.map(({ form }) => converted(quoted(column), form, sqlType, type === 'date'));
  return {
    expression: `coalesce(${[...expressions, `${numberAsDate(`trim(${quoted(column)})`)}::${sqlType}`].join(', ')})`,
    type: sqlType,
  };
}

/** SQL for texts that are dates as `20231031`, or seconds, milliseconds or microseconds since 1970. */
function numberAsDate(value: string): string {
  const number = `try_cast(${value} as double)`;
  return `case when regexp_full_match(${value}, '[0-9]{8}') then try_strptime(${value}, '%Y%m%d') when regexp_full_match(${value}, '[0-9]{9,16}([.][0-9]+)?') then make_timestamp(cast(${number} * case when ${number} < 1e11 then 1e6 when ${number} < 1e14 then 1e3 else 1 end as bigint)) end`;
}

/**
 * For each column, the formats that its first, least and greatest sampled values match. Most texts match
 * none, and no more rows have to be read.
 */
async function possibleForms(
  connection: DuckDBConnection,
  columns: readonly string[],
  nulls: readonly string[],
): Promise<[string, readonly Form[]][]> {
  const possible: [string, readonly Form[]][] = [];
  for (let start = 0; start < columns.length; start += 50) {
    const some = columns.slice(start, start + 50);
    const aggregates = some.flatMap(column =>
      ['any_value', 'min', 'max'].map(which => `left(${which}(${quoted(column)}), ${longest + 1})`),
    );
    const [row] = await rowsOf(
      connection,
      `select ${aggregates.join(', ')} from (select ${some.map(quoted).join(', ')} from data limit ${sampledRows})`,
    );
    for (const [i, column] of some.entries()) {
      const values = row!
        .slice(3 * i, 3 * i + 3)
        .filter(value => value !== null)
        .map(value => plain(String(value)))
        .filter(value => value !== '' && !nulls.some(token => plain(token) === value));
      // If the first rows of a column are empty, the whole column is checked.
      const tried =
        values.length === 0
          ? await formsFound(connection, column)
          : forms.filter(form => values.every(value => regExps.get(form)!.test(value)));
      const fit = tried.filter(form => !(form.order && namesOfVersions.test(column)));
      if (fit.length > 0) possible.push([column, fit]);
    }
  }
  return possible;
}

/** Whether a text resembles a date. */
export function mayBeDates(value: string): boolean {
  const plainValue = plain(value);
  return (
    value.length <= longest &&
    /\d/.test(value) &&
    forms.some(form => form.parts.includes('day') && regExps.get(form)!.test(plainValue))
  );
}

/**
 * The formats that any of a column's values match. Trying all formats in the engine would take much memory.
 */
async function formsFound(connection: DuckDBConnection, column: string): Promise<readonly Form[]> {
  const rows = await rowsOf(
    connection,
    `select distinct left(${quoted(column)}, ${longest + 1}) from data where ${quoted(column)} is not null limit ${sampledRows}`,
  );
  const values = rows.map(([value]) => plain(String(value)));
  return forms.filter(form => values.some(value => regExps.get(form)!.test(value)));
}

const kinds: Readonly<Record<DateType, string>> = {
  date: 'dates',
  timestamp: 'dates and times',
  timestamptz: 'moments in time',
};

function describeFit(
  column: string,
  { form, hasShortYears }: Fit,
  type: DateType,
  { without }: Fits,
): string[] {
  const isPeriod = !form.parts.includes('day');
  const isIso = form.order === 'year first' && !form.isLastResort;
  return [
    `“${column}” is read as ${isPeriod ? form.says : kinds[type]}${isPeriod || isIso ? '' : `, ${form.says}`}.`,
    ...(hasShortYears ? [`Two-digit years in “${column}” are read as 1970 to 2069.`] : []),
    ...(without.length > 0
      ? [`${without.map(token => `“${token}”`).join(', ')} in “${column}” is imported as null.`]
      : []),
  ];
}

/** A note on the number of values that a conversion lost. */
export function missed(column: string, count: number): string[] {
  return count === 0
    ? []
    : [
        `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'} of “${column}” could not be converted and ${count === 1 ? 'is' : 'are'} imported as null.`,
      ];
}
