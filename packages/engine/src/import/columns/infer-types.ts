import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { numbersAsWritten } from '../csv/numbers-as-written.ts';
import { isOneOf, quoted, rowsOf, text } from '../sql-text.ts';
import { noValues } from './number-formats.ts';

/** Column types inferred from all values of text columns. */
export interface InferredTypes {
  /** Columns that are not text, by name. */
  readonly types: ReadonlyMap<string, string>;
  /** Null tokens that occur in columns that are numbers, dates or booleans apart from these tokens. */
  readonly without: readonly string[];
  readonly codes: readonly string[];
  readonly exact: readonly string[];
  readonly rounded: readonly string[];
}

const number = '[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?|[-+]?(?i:inf|infinity)|(?i:nan)';
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const truth = ['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n'];
const probedRows = 20_000;
/** The engine keeps memory for every expression of a statement on every thread, however few rows there are. */
const columnsAtOnce = 8;
/** The time of the engine's planner grows with the square of a statement's expressions. */
const numbersAtOnce = 100;

interface Kind {
  readonly type: 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP';
  /** SQL: whether a non-empty value is of this kind. */
  readonly fits: (value: string) => string;
}

const kinds: readonly Kind[] = [
  {
    type: 'BIGINT',
    fits: value =>
      `(regexp_full_match(${value}, '[-+]?[0-9]+') and try_cast(${value} as bigint) is not null)`,
  },
  { type: 'DOUBLE', fits: value => `regexp_full_match(${value}, ${text(number)})` },
  { type: 'BOOLEAN', fits: value => isOneOf(`lower(${value})`, truth) },
  {
    type: 'DATE',
    fits: value => `(regexp_full_match(${value}, '${day}') and try_cast(${value} as date) is not null)`,
  },
  {
    type: 'TIMESTAMP',
    fits: value =>
      `(regexp_full_match(${value}, '${day}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?') and try_cast(${value} as timestamp) is not null)`,
  },
];

/**
 * Infers the types of text columns. A column has a type if every value has it, except empty values and null
 * tokens. Columns without values are omitted.
 * @param table a table of texts, in which unquoted nulls are null
 */
export async function inferTypes(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  reading: Pick<TableFile, 'nulls' | 'dates'> = {},
): Promise<InferredTypes> {
  const tokens = reading.nulls ? [] : noValues;
  const areIso = reading.dates === undefined || reading.dates === 'year first';
  const possible = kinds.filter(({ type }) => areIso || (type !== 'DATE' && type !== 'TIMESTAMP'));
  const found = new Map<string, Kind['type']>();
  const without = new Set<string>();
  const [count] = await rowsOf(connection, `select count(*) from ${table}`);
  const isProbedWhole = Number(count![0]) <= probedRows;
  for (let start = 0; start < columns.length; start += columnsAtOnce) {
    const some = columns.slice(start, start + columnsAtOnce);
    // The first values already determine the kind of most columns.
    const probed = await fitting(
      connection,
      `(select ${some.map(quoted).join(', ')} from ${table} limit ${probedRows})`,
      some.map(name => [name, possible] as const),
      tokens,
    );
    const left = some
      .map((name, i) => ({ name, fitting: probed[i]! }))
      .filter(one => one.fitting.kinds.length > 0);
    const whole =
      isProbedWhole || left.length === 0
        ? left.map(one => one.fitting)
        : await fitting(
            connection,
            table,
            left.map(one => [one.name, one.fitting.kinds] as const),
            tokens,
          );
    for (const [i, { name }] of left.entries()) {
      const {
        kinds: [kind],
        filled,
        isOneWord,
      } = whole[i]!;
      if (!kind || filled === 0 || (kind.type === 'BOOLEAN' && isOneWord)) continue;
      found.set(name, kind.type);
      for (const token of whole[i]!.tokens) without.add(token);
    }
  }
  const numbers = [...found]
    .filter(([, type]) => type === 'BIGINT' || type === 'DOUBLE')
    .map(([name, type]) => ({ name, type: type as string }));
  const codes: string[] = [];
  const rounded: string[] = [];
  const exact = new Map<string, string>();
  for (let start = 0; start < numbers.length; start += numbersAtOnce) {
    const some = numbers.slice(start, start + numbersAtOnce);
    const cleaned = some.map(({ name }) => `${cleanedText(name, tokens)} as ${quoted(name)}`);
    const written = await numbersAsWritten(connection, `(select ${cleaned.join(', ')} from ${table})`, some);
    codes.push(...written.codes);
    rounded.push(...written.rounded);
    for (const [name, type] of written.exact) exact.set(name, type);
  }
  const types = new Map<string, string>([...found, ...exact]);
  for (const name of codes) types.delete(name);
  return {
    types,
    without: tokens.filter(token => without.has(token)),
    codes,
    exact: [...exact.keys()],
    rounded,
  };
}

/** SQL for a value in the form that its type expects; null tokens are null. */
export function cleanedText(name: string, tokens: readonly string[]): string {
  const value = `trim(${quoted(name)})`;
  if (tokens.length === 0) return `nullif(${value}, '')`;
  return `case when not ${isOneOf(value, ['', ...tokens])} then ${value} end`;
}

interface Fitting {
  readonly filled: number;
  readonly kinds: readonly Kind[];
  readonly tokens: readonly string[];
  readonly isOneWord: boolean;
}

async function fitting(
  connection: DuckDBConnection,
  table: string,
  columns: readonly (readonly [string, readonly Kind[]])[],
  tokens: readonly string[],
): Promise<Fitting[]> {
  const counts = columns.flatMap(([name, kindsOf], i) => {
    const value = `v${i}`;
    const words = kindsOf.some(({ type }) => type === 'BOOLEAN')
      ? `(min(lower(${value})) is not distinct from max(lower(${value})) and coalesce(min(lower(${value})) not in ('true', 'false'), true))`
      : 'false';
    // As bits, because `list(distinct)` creates hash tables for every column, however few rows there are.
    const position = `list_position([${tokens.map(text).join(', ')}], trim(${quoted(name)}))`;
    const used = tokens.length === 0 ? '0' : `bit_or(1 << coalesce(${position}, 0))`;
    return [
      `count(${value})`,
      ...kindsOf.map(({ fits }) => `bool_and(${fits(value)}) filter (where ${value} is not null)`),
      words,
      used,
    ];
  });
  const values = columns.map(([name], i) => `${cleanedText(name, tokens)} as v${i}`);
  const [row] = await rowsOf(
    connection,
    `select ${counts.join(', ')} from (select ${columns.map(([name]) => quoted(name)).join(', ')}, ${values.join(', ')} from ${table})`,
  );
  let at = 0;
  return columns.map(([, kindsOf]) => {
    const filled = Number(row![at++]);
    // Null if there are no values. Then every kind is still possible.
    const left = kindsOf.filter(() => row![at++] !== false);
    const isOneWord = row![at++] === true;
    const used = Number(row![at++] ?? 0);
    return { filled, kinds: left, tokens: tokens.filter((_, i) => used & (1 << (i + 1))), isOneWord };
  });
}
