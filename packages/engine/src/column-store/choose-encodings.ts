import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { isNumeric, isTemporal, niceStep, type DataType } from '@belvedere/model';
import { addUnits, repeatOf, startOf, timeUnits, unitsBetween, type Value } from '@belvedere/query';
import { duckdb } from '@belvedere/sql';
import { columnsOf } from '../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../import/sql-text.ts';
import { maxCodes, type EncodedField, type Codes } from './encoded-column.ts';
import { deriveColumns, type Cycle, type Derivation } from './derived-columns.ts';
import type { Coding, StoredNumber } from './kernel/compile-pack.ts';
import { perfectHash } from './kernel/perfect-hash.ts';

/** A field to be coded: its column in the `select` that gives all of them, row by row. */
export interface WantedField {
  readonly key: string;
  readonly column: string;
  /** A query for its values, where it is a column whose values may have been kept; it gives none where they have not. */
  readonly kept?: string | undefined;
  /** Where it is an expression of another field that is wanted. */
  readonly derivation?: Derivation | undefined;
}

/** The column of `select` that numbers the table's rows. */
export const rowColumn = 'row number';

/** A field, what its codes stand for, and how a row's follows from what the engine is asked for. */
export interface CountedField {
  readonly kind: 'counted';
  readonly field: EncodedField;
  /** Gives the number that `coding` is about. */
  readonly sql: string;
  readonly coding: Coding;
}

/** A field with codes of its own, or with those of another that it follows from. */
export type ChosenField =
  | CountedField
  | { readonly kind: 'derived'; readonly field: EncodedField; readonly of: CountedField };

/** What is known of all columns at a glance. */
interface Extent {
  readonly nulls: boolean;
  /** Of numbers, themselves; of times, milliseconds; undefined without values, or where they are not finite. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * Looks at each field of `select` and decides what its codes stand for.
 * @returns the fields in the order they were wanted, undefined for those codes cannot stand for: too many values, or of a kind that has no order
 */
export async function chooseEncodings(
  connection: DuckDBConnection,
  select: string,
  wanted: readonly WantedField[],
): Promise<{ rows: number; chosen: (ChosenField | undefined)[] }> {
  const from = `from (${select})`;
  const types = new Map(
    columnsOf(await connection.run(`select * ${from} limit 0`)).map(({ name, type, engineType }) => [
      name,
      { type, engineType: engineType.typeId },
    ]),
  );
  const typed = wanted.map(field => ({ ...field, ...types.get(field.column)! }));
  const chosen = new Map<WantedField, ChosenField | undefined>();
  let rows = 0;
  const chooseWithin = async (field: TypedField, extent: Extent | undefined) =>
    void chosen.set(field, extent && (await choose(connection, from, field, extent).catch(() => undefined)));
  const count = async (fields: readonly TypedField[]) => {
    const looked = await extentsOf(connection, from, fields);
    rows = looked.rows;
    // Where some rows are looked at any will do: to give the first, the engine would gather them in order, which takes longer than grouping a million.
    await connection.run('set preserve_insertion_order = false');
    for (const [i, field] of fields.entries()) await chooseWithin(field, looked.extents[i]);
    await connection.run('set preserve_insertion_order = true');
  };
  await count(typed.filter(field => !field.derivation));
  for (const field of typed) {
    const { derivation } = field;
    const base = derivation && typed.find(({ column }) => column === derivation.of)!;
    const of = base && chosen.get(base);
    if (!of || of.kind === 'derived') continue;
    const derived = await deriveColumns(
      connection,
      select,
      of.field,
      { ...field, derivation },
      rowColumn,
    ).catch(() => undefined);
    if (derived) chosen.set(field, { kind: 'derived', field: derived, of });
    else if (derivation.cycle && of.field.codes.kind === 'times')
      chosen.set(field, byCycle(field, derivation.cycle, base, of.field.codes));
  }
  const left = typed.filter(field => !chosen.has(field));
  if (left.length > 0) await count(left);
  return { rows, chosen: typed.map(field => chosen.get(field)) };
}

interface TypedField extends WantedField {
  readonly type: DataType;
  readonly engineType: DuckDBTypeId;
}

/** The hour of a time, or its minute, counted by our own loop: there is nothing to ask of the engine but the time. */
function byCycle(
  { key, column, type }: TypedField,
  { unit, count }: Cycle,
  base: TypedField,
  times: Extract<Codes, { kind: 'times' }>,
): CountedField {
  const { nulls } = times;
  const field: EncodedField = { key, type, codes: { kind: 'integers', from: 0, count, nulls } };
  const none = nulls ? count : undefined;
  const midnight = startOf('day', times.from);
  const repeat = repeatOf(unit);
  const isShort = (addUnits(times.unit, times.from, times.count) - midnight) * 1000 < 2 ** 53;
  if (base.engineType === DuckDBTypeId.TIMESTAMP && isShort && 'ms' in repeat)
    return {
      kind: 'counted',
      field,
      sql: quoted(base.column),
      coding: {
        kind: 'number',
        stored: 'i64',
        from: BigInt(midnight) * 1000n,
        per: repeat.ms * 1000,
        cycle: count,
        none,
      },
    };
  return {
    kind: 'counted',
    field,
    sql: `${quoted(column)}::bigint`,
    coding: { kind: 'number', stored: 'i64', from: 0n, per: 1, none },
  };
}

/** In one question, which the engine answers from its statistics where the columns are a table's own; where some column cannot be read at all, the others alone. */
async function extentsOf(
  connection: DuckDBConnection,
  from: string,
  fields: readonly TypedField[],
): Promise<{ rows: number; extents: (Extent | undefined)[] }> {
  const inner = fields.map(
    ({ column, type }, i) =>
      `count(${quoted(column)}) as n${i}${isNumeric(type) || isTemporal(type) ? `, min(${quoted(column)}) as least${i}, max(${quoted(column)}) as most${i}` : ''}`,
  );
  const outer = fields.map(({ type }, i) => {
    // Where there is an infinite date it is the least or the greatest.
    const bound = (name: string) =>
      isTemporal(type)
        ? `case when isfinite(${name}) then epoch_ms(${name}::timestamp)::double end`
        : isNumeric(type)
          ? `${name}::double`
          : 'null';
    return `n${i}::double, ${bound(`least${i}`)}, ${bound(`most${i}`)}`;
  });
  try {
    const [rows, ...values] = await numbersFrom(
      connection,
      `select ${['rows::double', ...outer].join(', ')} from (select ${['count(*) as rows', ...inner].join(', ')} ${from})`,
    );
    return {
      rows: rows!,
      extents: fields.map((_, i) => ({
        nulls: values[3 * i]! < rows!,
        least: values[3 * i + 1],
        most: values[3 * i + 2],
      })),
    };
  } catch (error) {
    if (fields.length === 0) throw error;
    const alone = [];
    for (const field of fields)
      alone.push(fields.length === 1 ? undefined : (await extentsOf(connection, from, [field])).extents[0]);
    return { rows: (await extentsOf(connection, from, [])).rows, extents: alone };
  }
}

async function choose(
  connection: DuckDBConnection,
  from: string,
  field: TypedField,
  { nulls, least, most }: Extent,
): Promise<CountedField | undefined> {
  const { key, column, type, engineType } = field;
  const name = quoted(column);
  const none = (code: number) => (nulls ? code : undefined);
  if (type === 'boolean')
    return {
      kind: 'counted',
      field: { key, type, codes: { kind: 'values', values: nulls ? [false, true, null] : [false, true] } },
      sql: name,
      coding: { kind: 'number', stored: 'u8', from: 0n, per: 1, none: none(2) },
    };
  if (type === 'integer') {
    if (
      least === undefined ||
      most === undefined ||
      !Number.isSafeInteger(least) ||
      !Number.isSafeInteger(most)
    )
      return undefined;
    const count = most - least + 1;
    if (count < maxCodes) {
      const stored = storedAs.get(engineType);
      const number = stored
        ? { sql: name, stored, from: BigInt(least) }
        : { sql: `(${name} - (${least}))::bigint`, stored: 'i64' as const, from: 0n };
      return {
        kind: 'counted',
        field: { key, type, codes: { kind: 'integers', from: least, count, nulls } },
        sql: number.sql,
        coding: { kind: 'number', stored: number.stored, from: number.from, per: 1, none: none(count) },
      };
    }
  }
  if (isTemporal(type))
    return least === undefined || most === undefined ? undefined : byUnits(field, { nulls, least, most });
  if (type === 'other') return undefined;
  const known = await byKeptValues(connection, field);
  if (known) return known;
  // A column that hardly ever repeats among so many rows is an identifier or a measurement: counting all its values would take long.
  const [early] = await numbersFrom(
    connection,
    `select count(distinct ${name})::double from (select ${name} ${from} limit 200000)`,
  );
  const byValue = early! < 50_000 ? await byDictionary(connection, from, field) : undefined;
  if (byValue) return byValue;
  return isNumeric(type) ? byBins(connection, from, field, { nulls, least, most }) : undefined;
}

/** What the engine's own numbers look like in its memory; it is asked to make others of the rest. */
const storedAs = new Map<DuckDBTypeId, StoredNumber>([
  [DuckDBTypeId.TINYINT, 'i8'],
  [DuckDBTypeId.SMALLINT, 'i16'],
  [DuckDBTypeId.INTEGER, 'i32'],
  [DuckDBTypeId.BIGINT, 'i64'],
  [DuckDBTypeId.UTINYINT, 'u8'],
  [DuckDBTypeId.USMALLINT, 'u16'],
  [DuckDBTypeId.UINTEGER, 'u32'],
  [DuckDBTypeId.UBIGINT, 'u64'],
]);

/** Microseconds of a time, days of a date: into how many of them a millisecond goes. */
const perMillisecond = new Map<DuckDBTypeId, number>([
  [DuckDBTypeId.TIMESTAMP, 1000],
  [DuckDBTypeId.TIMESTAMP_TZ, 1000],
  [DuckDBTypeId.DATE, 1 / 86_400_000],
]);

/** Times, by the finest unit of which there are not too many. */
function byUnits(
  { key, column, type, engineType }: TypedField,
  { nulls, least, most }: Required<Extent> & { least: number; most: number },
): CountedField | undefined {
  const units = type === 'date' ? timeUnits.slice(timeUnits.indexOf('day')) : timeUnits;
  const unit = units.find(
    candidate => unitsBetween(candidate, startOf(candidate, least), most) + 1 < maxCodes,
  );
  if (!unit) return undefined;
  const start = startOf(unit, least);
  const count = unitsBetween(unit, start, most) + 1;
  const field: EncodedField = { key, type, codes: { kind: 'times', unit, from: start, count, nulls } };
  const none = nulls ? count : undefined;
  const repeat = repeatOf(unit);
  const fine = perMillisecond.get(engineType);
  if (fine && 'ms' in repeat && (most - start) * fine < 2 ** 53)
    return {
      kind: 'counted',
      field,
      sql: quoted(column),
      coding: {
        kind: 'number',
        stored: type === 'date' ? 'i32' : 'i64',
        from: BigInt(start * fine),
        per: repeat.ms * fine,
        none,
      },
    };
  const begins = text(new Date(start).toISOString().slice(0, -1).replace('T', ' '));
  return {
    kind: 'counted',
    field,
    sql: `${duckdb.unitsBetween(unit, `timestamp ${begins}`, quoted(column))}::bigint`,
    coding: { kind: 'number', stored: 'i64', from: 0n, per: 1, none },
  };
}

/** Texts whose values were kept when the table was read. */
async function byKeptValues(
  connection: DuckDBConnection,
  field: TypedField,
): Promise<CountedField | undefined> {
  if (!field.kept || field.engineType !== DuckDBTypeId.VARCHAR) return undefined;
  // Tables that were read by earlier versions have no such list.
  const dictionary = await byValues(connection, field.kept, field).catch(() => undefined);
  return dictionary?.field.codes.kind === 'values' && dictionary.field.codes.values.length > 0
    ? dictionary
    : undefined;
}

/** Texts, and numbers of which there are few: the codes number the different values. */
function byDictionary(
  connection: DuckDBConnection,
  from: string,
  field: TypedField,
): Promise<CountedField | undefined> {
  return byValues(
    connection,
    `select ${quoted(field.column)} as value ${from} group by 1 limit ${maxCodes + 1}`,
    field,
  );
}

/** @param query for all different values, as `value` */
async function byValues(
  connection: DuckDBConnection,
  query: string,
  { key, column, type }: TypedField,
): Promise<CountedField | undefined> {
  const isText = type === 'text';
  const rows = await rowsOf(
    connection,
    `select value${isText ? '::varchar' : '::double'}, hash(value)::varchar from (${query}) order by value nulls last`,
  );
  if (rows.length > maxCodes) return undefined;
  const values = rows.map(([value]): Value =>
    value === null ? null : isText ? String(value) : Number(value),
  );
  // A number that a double cannot hold is not itself any more.
  if (
    !isText &&
    (new Set(values).size < values.length || values.some(value => value !== null && !Number.isFinite(value)))
  )
    return undefined;
  if (type === 'integer' && values.some(value => value !== null && !Number.isSafeInteger(value)))
    return undefined;
  const lookup = perfectHash(rows.map(([, hash]) => BigInt(String(hash))));
  return (
    lookup && {
      kind: 'counted',
      field: { key, type, codes: { kind: 'values', values } },
      sql: `hash(${quoted(column)})`,
      coding: { kind: 'hash', lookup },
    }
  );
}

/** So many bins resolve any axis there is: each tile draws at most a few hundred places of a range that a hundred times more may hold. */
const mostBins = 20_000;

async function byBins(
  connection: DuckDBConnection,
  from: string,
  { key, column, type }: TypedField,
  { nulls, least, most }: Extent,
): Promise<CountedField | undefined> {
  const name = quoted(column);
  if (least === undefined || most === undefined || !Number.isFinite(most - least) || most === least)
    return undefined;
  // Powers of ten: every readable step, 1, 2 or 5 of something, is a whole number of them.
  const step = 10 ** Math.ceil(Math.log10((most - least) / mostBins));
  const first = Math.floor(least / step);
  const origin = Number((first * step).toPrecision(15));
  const count = Math.floor(most / step) - first + 1;
  const bin = `floor((${name} - (${origin}e0)) / ${step}e0 + 1e-9)`
    .replaceAll('e0e0', 'e0')
    .replace(/(e-?\d+)e0/g, '$1');
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 3);
  const edge = (bitField: string) => `round(${origin} + (${bitField}) * ${step}::double, ${digits})`;
  // Every value must lie between the edges of its bin as an axis and a filter draw them; rounding may say otherwise.
  const [astray] = await numbersFrom(
    connection,
    `select count(*)::double ${from} where not (${name}::double >= ${edge(bin)} and ${name}::double < ${edge(`${bin} + 1`)})`,
  );
  if (astray !== 0 || niceStep(most - least, 40, type === 'integer') < step) return undefined;
  return {
    kind: 'counted',
    field: { key, type, codes: { kind: 'bins', origin, step, count, nulls } },
    sql: `${bin}::bigint`,
    coding: { kind: 'number', stored: 'i64', from: 0n, per: 1, none: nulls ? count : undefined },
  };
}

/** @returns undefined for null */
async function numbersFrom(connection: DuckDBConnection, sql: string): Promise<(number | undefined)[]> {
  const [row] = await rowsOf(connection, sql);
  return row!.map(value => (value === null ? undefined : Number(value)));
}
