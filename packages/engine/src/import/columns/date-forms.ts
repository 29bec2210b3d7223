import type { TableFile } from '@belvedere/document';
import { text } from '../sql-text.ts';

/** The order of the parts of a numeric date. */
export type DateOrder = NonNullable<TableFile['dates']>;

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
export const zoneOffsets: Readonly<Record<string, string>> = {
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

export type Part =
  | 'year'
  | 'next year'
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
export interface Form {
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

function mapOf(entries: readonly (readonly string[])[]): string {
  const [keys, values] = [0, 1].map(i => `[${entries.map(entry => text(entry[i]!)).join(', ')}]`);
  return `map(${keys}, ${values})`;
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

export const forms: readonly Form[] = [
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
    // Taken as called by the year in which it ends, as most are. Where it begins is unknown here.
    says: 'fiscal years (1 January of the year that each ends in)',
    pattern: `fy[-/ ]?['’]?(${certainYear}|[0-9]{2})`,
    parts: ['year'],
    day: part => `(${yearNumber(part)}) || '-1-1'`,
  },
  {
    says: 'fiscal years (1 January of the year that each ends in)',
    pattern: `fy[-/ ]?['’]?(${certainYear}|[0-9]{2})[-/–](${certainYear}|[0-9]{2})`,
    parts: ['year', 'next year'],
    // Other second numbers are periods of the year, such as those of FY2023-01 to FY2023-12.
    day: part => {
      const years = `try_cast(${part('next year')} as int) - try_cast(${part('year')} as int)`;
      return `case when (${years} - 1) % 100 = 0 then (try_cast((${yearNumber(part)}) as int) + 1) || '-1-1' end`;
    },
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
export const regExps = new Map(forms.map(form => [form, new RegExp(`^(?:${form.pattern})$`, 'u')]));
