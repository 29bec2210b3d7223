import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportQuestion, NulledValues } from '../report.ts';
import { isOneOf, quoted, rowsOf } from '../sql-text.ts';
import { datesAsDeclared, missed } from './date-formats.ts';
import { secondsWritten } from './durations.ts';
import { noValues, numberWritten } from './number-formats.ts';

type ReadType = NonNullable<TableFile['columns']>[string];

export interface DeclaredTypes {
  readonly notes: readonly string[];
  readonly nulled?: NulledValues;
  /**
   * A question about the order of day and month, if a declared date column is ambiguous. The column stays
   * text.
   */
  readonly question?: ImportQuestion;
}

/** Converts a column to a declared type. Values that do not fit become null and are counted. */
export async function convertAsDeclared(
  connection: DuckDBConnection,
  name: string,
  type: ReadType,
  reading: TableFile,
): Promise<DeclaredTypes> {
  if (type === 'text') return { notes: [`“${name}” is text (set in the import options).`] };
  const { decimal } = reading;
  const written = numberWritten(quoted(name), decimal ?? '.');
  const plain =
    decimal === ','
      ? `replace(replace(trim(${quoted(name)}), '.', ''), ',', '.')`
      : `replace(trim(${quoted(name)}), ',', '')`;
  const number = (sqlType: string) => ({
    expression: `coalesce(try_cast(${written} as ${sqlType}), try_cast(${plain} as ${sqlType}))`,
    type: sqlType,
  });
  const conversions = {
    integer: () => number('bigint'),
    decimal: () => number('decimal(38, 10)'),
    number: () => number('double'),
    duration: () => ({ expression: secondsWritten(quoted(name)), type: 'double' }),
    boolean: () => ({
      expression: `case when lower(trim(${quoted(name)})) in ('true', 't', 'yes', 'y', '1') then true when lower(trim(${quoted(name)})) in ('false', 'f', 'no', 'n', '0') then false end`,
      type: 'boolean',
    }),
    date: () => datesAsDeclared(connection, name, 'date', reading),
    time: () => datesAsDeclared(connection, name, 'time', reading),
  } as const;
  const conversion = await conversions[type]();
  if ('kind' in conversion)
    return {
      notes: [`“${name}” is imported as text. Set \`dates\` to say which part is the day.`],
      question: conversion,
    };
  const { expression, type: sqlType } = conversion;
  const isNone = isOneOf(`trim(${quoted(name)})`, ['', ...(reading.nulls ? [] : noValues)]);
  const [row] = await rowsOf(
    connection,
    `select count(*) filter (where not ${isNone} and (${expression}) is null) from data`,
  );
  await connection.run(`alter table data alter ${quoted(name)} type ${sqlType} using ${expression}`);
  const values = Number(row![0]);
  return {
    notes: [`“${name}” is ${type} (set in the import options).`, ...missed(name, values)],
    ...(values > 0 && { nulled: { column: name, values } }),
  };
}

/** The notes, counts and questions of several converted columns. */
export interface DeclaredColumns {
  readonly notes: readonly string[];
  readonly nulled: readonly NulledValues[];
  readonly questions: readonly ImportQuestion[];
}

/** Converts text columns to the types that the import options declare for them, one after the other. */
export async function convertDeclared(
  connection: DuckDBConnection,
  names: readonly string[],
  reading: TableFile | undefined,
): Promise<DeclaredColumns> {
  const converted: DeclaredTypes[] = [];
  for (const name of names) {
    const type = reading?.columns?.[name];
    if (type) converted.push(await convertAsDeclared(connection, name, type, reading));
  }
  return {
    notes: converted.flatMap(({ notes }) => notes),
    nulled: converted.flatMap(({ nulled }) => nulled ?? []),
    questions: converted.flatMap(({ question }) => question ?? []),
  };
}

/** Converts the columns of an imported table to the declared types, whatever their inferred types. */
export async function applyDeclaredTypes(
  connection: DuckDBConnection,
  reading: TableFile,
): Promise<DeclaredTypes[]> {
  const known = new Map(
    (await rowsOf(connection, 'describe data')).map(([name, type]) => [String(name), String(type)]),
  );
  const decided: DeclaredTypes[] = [];
  for (const [name, type] of Object.entries(reading.columns ?? {})) {
    if (!known.has(name)) continue;
    if (known.get(name) !== 'VARCHAR')
      await connection.run(`alter table data alter ${quoted(name)} type varchar`);
    decided.push(await convertAsDeclared(connection, name, type, reading));
  }
  return decided;
}
