import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { forms, regExps, zoneOffsets, type DateOrder, type Form, type Part } from './date-forms.ts';
import type { ImportQuestion, NulledValues } from '../report.ts';
import { isOneOf, quoted, rowsOf, text } from '../sql-text.ts';
import { noValues } from './number-formats.ts';

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
  const none = (value: string) => isOneOf(`trim(${value})`, ['', ...nulls]);
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

const maxFitting = ({ locals, instants }: Fit) => Math.max(locals, instants);
const isOrdered = (form: Form, order: DateOrder | undefined) =>
  order === undefined ||
  form.order === undefined ||
  form.order === order ||
  (form.order === 'year first' && !form.isLastResort);

/** The format that most values match; `ambiguous` if two orders match and give different dates. */
function bestOf({ fits, ambiguous }: Fits): Fit | 'ambiguous' | undefined {
  const best = fits.reduce<Fit | undefined>((one, fit) => {
    if (
      maxFitting(fit) === 0 ||
      (one &&
        (maxFitting(fit) < maxFitting(one) ||
          (maxFitting(fit) === maxFitting(one) && !(one.form.isLastResort && !fit.form.isLastResort))))
    )
      return one;
    return fit;
  }, undefined);
  if (best?.form.order === undefined || ambiguous === undefined) return best;
  const alike = fits.filter(
    fit => !fit.form.isLastResort && fit.form.order && maxFitting(fit) === maxFitting(best),
  );
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
        .filter(fit => isKnown || early.filled === 0 || maxFitting(fit) === early.filled)
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
    const values = fits.filled - maxFitting(best);
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
        maxFitting(fit) > 0 &&
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
