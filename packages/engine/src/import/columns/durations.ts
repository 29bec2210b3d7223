import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { noValues, type NumberFormats } from './number-formats.ts';
import { isOneOf, quoted, rowsOf, text } from '../sql-text.ts';

/** A way to write durations. Its pattern matches a whole trimmed value. */
interface Form {
  readonly pattern: string;
  /** The meaning of the pattern's groups, in order. */
  readonly parts: readonly Part[];
  /** A pattern of values that cannot be times of day or other quantities. */
  readonly certain: string;
}
type Part = 'week' | 'day' | 'hour' | 'minute' | 'second';

const lengths: Readonly<Record<Part, number>> = {
  week: 604_800,
  day: 86_400,
  hour: 3600,
  minute: 60,
  second: 1,
};
const amount = '([0-9]+(?:[.,][0-9]+)?)';
const unit = (words: string) => `(?:${amount} ?(?:${words}))?`;

const forms: readonly Form[] = [
  {
    // 25:10:00, and `1 day 02:03:04` of databases and programs.
    pattern: '-?(?:([0-9]+) days?,? )?([0-9]+):([0-5][0-9]):([0-5][0-9](?:[.,][0-9]+)?)',
    parts: ['day', 'hour', 'minute', 'second'],
    // The end of a day, 24:00:00, is a time of day.
    certain: '-.*|.*day.*|24:.*[1-9].*|(?:2[5-9]|[3-9][0-9]|[0-9]{3,}):.*',
  },
  {
    // 1:32.456, as laps are timed. Without decimals, it may be hours and minutes.
    pattern: '-?([0-9]+):([0-5][0-9][.,][0-9]+)',
    parts: ['minute', 'second'],
    certain: '.*',
  },
  {
    // PT1H30M (ISO 8601)
    pattern:
      `-?[pP](?:${amount}[wW])?(?:${amount}[dD])?` +
      `(?:[tT](?:${amount}[hH])?(?:${amount}[mM])?(?:${amount}[sS])?)?`,
    parts: ['week', 'day', 'hour', 'minute', 'second'],
    certain: '.*[0-9].*',
  },
  {
    // 1h 30m, 2 hours 5 minutes
    pattern: [
      unit('d|days?|Tage?'),
      unit('h|hrs?|hours?|Std[.]?|Stunden?'),
      unit('m|mins?|minutes?|Min[.]?|Minuten?'),
      unit('s|secs?|seconds?|Sek[.]?|Sekunden?'),
    ].join(',? ?'),
    parts: ['day', 'hour', 'minute', 'second'],
    certain: '.*[0-9] ?[a-zA-Z]+[^0-9]*[0-9].*',
  },
];
const regExps = new Map(forms.map(form => [form, new RegExp(`^(?:${form.pattern})$`)]));

/** Names of columns whose clock times are durations: `duration`, `lap_time`, `Dauer`. */
export const namesOfDurations =
  /durat|dauer|dur[ée]e|duraci|duraç|elapsed|laufzeit|(?:up|down|run|lap|wait|travel)_?time|\b_?(?:dur|length)\b/i;

/**
 * Converts text columns of `main.data` that hold durations to seconds: `25:10:00`, `1 day 02:03:04`,
 * `1:32.456`, `PT1H30M`, `1h 30m`. Every value must match the same form. Clock times below 24 hours are times
 * of day and stay text, unless the name says otherwise; `1:30` may be hours or minutes and stays text.
 */
export async function convertDurations(
  connection: DuckDBConnection,
  columns: readonly string[],
  reading: Pick<TableFile, 'nulls'> = {},
): Promise<{ readonly columns: readonly NumberFormats[]; readonly notes: readonly string[] }> {
  const nulls = reading.nulls ? [] : noValues;
  const converted: NumberFormats[] = [];
  const notes: string[] = [];
  for (const [column, possible] of await formsOfFirst(connection, columns, nulls)) {
    const value = filledText(quoted(column), nulls);
    for (const form of possible) {
      const [row] = await rowsOf(
        connection,
        `select count(value),
          count(value) filter (where regexp_full_match(value, ${text(form.pattern)}) and regexp_matches(value, '[0-9]')),
          coalesce(bool_or(regexp_full_match(value, ${text(form.certain)})), false)
        from (select ${value} as value from data)`,
      );
      const [filled, fits] = [Number(row![0]), Number(row![1])];
      if (filled === 0 || fits < filled || !(row![2] === true || namesOfDurations.test(column))) continue;
      await toSeconds(connection, column, secondsOf(`trim(${quoted(column)})`, form));
      converted.push({ name: column, format: 'duration' });
      notes.push(`“${column}” is read as durations, in seconds.`);
      break;
    }
  }
  return { columns: converted, notes };
}

/** SQL for the seconds of a duration in any form; null for other texts. `1:30` is an hour and a half. */
export function secondsWritten(column: string): string {
  const value = `trim(${column})`;
  const isShort = `regexp_full_match(${value}, '-?[0-9]+:[0-5][0-9]')`;
  const full = `case when ${isShort} then ${value} || ':00' else ${value} end`;
  return `coalesce(${forms.map(form => secondsOf(full, form)).join(', ')}, try_cast(${value} as double))`;
}

function filledText(column: string, nulls: readonly string[]): string {
  const value = `trim(${column})`;
  return `case when not ${isOneOf(value, ['', ...nulls])} then ${value} end`;
}

function secondsOf(value: string, { pattern, parts }: Form): string {
  const seconds = parts.map(part => {
    const number = `try_cast(replace(struct_extract(found, '${part}'), ',', '.') as double)`;
    return `coalesce(${number}, 0) * ${lengths[part]}`;
  });
  const names = parts.map(part => `'${part}'`).join(', ');
  const found = `regexp_extract(${value}, ${text(`^(?:${pattern})$`)}, [${names}])`;
  const sum = `list_transform([${found}], lambda found: ${seconds.join(' + ')})[1]`;
  const fits = `regexp_full_match(${value}, ${text(pattern)}) and regexp_matches(${value}, '[0-9]')`;
  const sign = `case when starts_with(${value}, '-') then -1 else 1 end`;
  return `case when ${fits} then round(${sum}, 6) * ${sign} end`;
}

/** Whole seconds become integers. */
async function toSeconds(connection: DuckDBConnection, column: string, seconds: string): Promise<void> {
  const name = quoted(column);
  await connection.run(`alter table data alter ${name} type double using ${seconds}`);
  const isWhole = `${name} = trunc(${name}) and abs(${name}) <= ${Number.MAX_SAFE_INTEGER}`;
  const [row] = await rowsOf(connection, `select bool_and(${isWhole}) from data`);
  if (row![0] === true)
    await connection.run(`alter table data alter ${name} type bigint using ${name}::bigint`);
}

/** For each column, the forms that its first value matches. Most texts match none. */
async function formsOfFirst(
  connection: DuckDBConnection,
  columns: readonly string[],
  nulls: readonly string[],
): Promise<[string, readonly Form[]][]> {
  const possible: [string, readonly Form[]][] = [];
  for (let start = 0; start < columns.length; start += 50) {
    const some = columns.slice(start, start + 50);
    const values = some.map(name => `left(any_value(${filledText(quoted(name), nulls)}), 100)`);
    const [first] = await rowsOf(
      connection,
      `select ${values.join(', ')} from (select ${some.map(quoted).join(', ')} from data limit 10000)`,
    );
    for (const [i, column] of some.entries()) {
      const value = first![i];
      const found = value === null ? [] : forms.filter(form => regExps.get(form)!.test(String(value)));
      if (found.length > 0) possible.push([column, found]);
    }
  }
  return possible;
}
