import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf } from '../sql-text.ts';

/**
 * The digits that a double holds, and the digits that fit a 128-bit integer or decimal with room for a sum.
 */
const [doubleDigits, maxExactDigits] = [17, 30];

/** The engine keeps a vector of 32 KiB for every column and expression of a statement, however few rows there are. */
const testsAtOnce = 2000;

interface NumbersAsWritten {
  /** Columns of codes: numbers with leading zeros. */
  readonly codes: readonly string[];
  /** For columns that a double would round: types that keep every digit. */
  readonly exact: ReadonlyMap<string, string>;
  /** Columns for which no numeric type keeps every digit. */
  readonly rounded: readonly string[];
}

/**
 * Classifies columns of numbers by their written form, because converting them too early loses leading zeros
 * and digits.
 * @param texts SQL for a table with the columns' texts
 */
export async function numbersAsWritten(
  connection: DuckDBConnection,
  texts: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<NumbersAsWritten> {
  const numbers = columns.filter(({ type }) => type === 'BIGINT' || type === 'DOUBLE');
  const aggregated = async (tests: readonly string[]) => {
    const found: unknown[] = [];
    for (let start = 0; start < tests.length; start += testsAtOnce) {
      const some = tests.slice(start, start + testsAtOnce);
      found.push(...(await rowsOf(connection, `select ${some.join(', ')} from ${texts}`))[0]!);
    }
    return found;
  };
  // For most columns of doubles, it is enough to check that all values are short.
  const doubles = numbers.filter(({ type }) => type === 'DOUBLE');
  const first = await aggregated([
    ...numbers.map(({ name }) => `bool_or(regexp_full_match(trim(${quoted(name)}), '0\\d+'))`),
    ...doubles.map(({ name }) => `max(length(${quoted(name)}))`),
  ]);
  const codes = numbers.filter((_, i) => first[i] === true).map(({ name }) => name);
  const long = doubles
    .filter(({ name }, i) => Number(first[numbers.length + i]) > doubleDigits && !codes.includes(name))
    .map(({ name }) => name);
  const facts = await aggregated(long.map(name => digitsOf(`trim(${quoted(name)})`)));
  const exact = new Map<string, string>();
  const rounded: string[] = [];
  for (const [i, name] of long.entries()) {
    const [areWhole, arePlain, areUnsigned, ...counts] = (
      facts[i] as { readonly items: readonly unknown[] }
    ).items.map(Number) as [number, number, number, number, number, number];
    const [whole, decimals, digits] = counts;
    if (!arePlain || digits <= doubleDigits) continue;
    if (areWhole) exact.set(name, areUnsigned ? 'UBIGINT' : whole <= maxExactDigits ? 'HUGEINT' : 'VARCHAR');
    else if (whole + decimals <= maxExactDigits) exact.set(name, `DECIMAL(38,${decimals})`);
    else rounded.push(name);
  }
  return { codes, exact, rounded };
}

/**
 * SQL for facts about a number column: whether all values are integers, whether all are in plain notation,
 * whether all fit an unsigned 64-bit integer, and the maximum number of digits before and after the point,
 * and of both.
 */
function digitsOf(value: string): string {
  const whole = `ltrim(regexp_extract(${value}, '^[-+]?(\\d*)', 1), '0')`;
  const decimals = `rtrim(regexp_extract(${value}, '[.](\\d*)$', 1), '0')`;
  const facts = [
    `bool_and(regexp_full_match(${value}, '[-+]?\\d+'))`,
    `bool_and(regexp_full_match(${value}, '[-+]?(\\d+[.]?\\d*|[.]\\d+)'))`,
    `count(${value}) = count(try_cast(${value} as ubigint))`,
    `max(length(${whole}))`,
    `max(length(${decimals}))`,
    `max(length(ltrim(${whole} || ${decimals}, '0')))`,
  ];
  return `[${facts.map(fact => `(${fact})::bigint`).join(', ')}]`;
}
