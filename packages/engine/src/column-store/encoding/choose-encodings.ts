import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { isNumeric, isTemporal, niceStep, type DataType } from '@belvedere/model';
import { addUnits, repeatOf, startOf, timeUnits, unitsBetween, type Value } from '@belvedere/query';
import { duckdb } from '@belvedere/sql';
import { columnsOf } from '../../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../../import/sql-text.ts';
import { maxCodes, type EncodedField, type Codes } from '../encoded-column.ts';
import { deriveColumns, type Cycle, type Derivation } from '../plan/derived-columns.ts';
import type { Coding, StoredNumber } from '../kernel/compile-pack.ts';
import { perfectHash } from '../kernel/perfect-hash.ts';

/** A field to encode: its column in the `select` that returns all fields, row by row. */
export interface WantedField {
  readonly key: string;
  readonly column: string;
  /**
   * For a column whose distinct values may have been stored at import: a query for them, empty if they were
   * not stored.
   */
  readonly kept?: string | undefined;
  /** For an expression that derives from another wanted field. */
  readonly derivation?: Derivation | undefined;
}

/** The column of `select` with the row numbers of the table. */
export const rowColumn = 'row number';

/** A field, the meaning of its codes, and how to compute a row's code from the engine's result. */
export interface CountedField {
  readonly kind: 'counted';
  readonly field: EncodedField;
  /** The SQL expression for the number that `coding` encodes. */
  readonly sql: string;
  readonly coding: Coding;
}

/** A field with codes of its own, or with the codes of the field it derives from. */
export type ChosenField =
  | CountedField
  | { readonly kind: 'derived'; readonly field: EncodedField; readonly of: CountedField };

/** The range of a column. */
interface Extent {
  readonly nulls: boolean;
  /**
   * Numbers as they are; times in milliseconds. Undefined for a column without values or with infinite ones.
   */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * Inspects each field of `select` and decides what its codes mean.
 * @returns the fields in the requested order; undefined for a field with too many values or of a type without
 * an order
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
    const extents = await extentsOf(connection, from, fields);
    rows = extents.rows;
    // Samples may use any rows. To return the first rows, the engine would collect all rows in order, which
    // takes longer than grouping a million.
    await connection.run('set preserve_insertion_order = false');
    for (const [i, field] of fields.entries()) await chooseWithin(field, extents.extents[i]);
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

/**
 * The hour or minute of a time, computed by the packing loop from the time itself, so that the engine returns
 * only the time.
 */
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

/**
 * Uses one query, which the engine answers from its statistics if the columns are a table's own. If a column
 * cannot be read, the others are queried without it.
 */
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
    // An infinite date is always the least or the greatest value.
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
        min: values[3 * i + 1],
        max: values[3 * i + 2],
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
  { nulls, min, max }: Extent,
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
    if (min === undefined || max === undefined || !Number.isSafeInteger(min) || !Number.isSafeInteger(max))
      return undefined;
    const count = max - min + 1;
    if (count < maxCodes) {
      const stored = storedAs.get(engineType);
      const number = stored
        ? { sql: name, stored, from: BigInt(min) }
        : { sql: `(${name} - (${min}))::bigint`, stored: 'i64' as const, from: 0n };
      return {
        kind: 'counted',
        field: { key, type, codes: { kind: 'integers', from: min, count, nulls } },
        sql: number.sql,
        coding: { kind: 'number', stored: number.stored, from: number.from, per: 1, none: none(count) },
      };
    }
  }
  if (isTemporal(type))
    return min === undefined || max === undefined ? undefined : byUnits(field, { nulls, min, max });
  if (type === 'other') return undefined;
  const known = await byKeptValues(connection, field);
  if (known) return known;
  // A column with few repeated values among this many rows is an identifier or a measurement. Counting all
  // its values would take long.
  const [early] = await numbersFrom(
    connection,
    `select count(distinct ${name})::double from (select ${name} ${from} limit 200000)`,
  );
  const byValue = early! < 50_000 ? await byDictionary(connection, from, field) : undefined;
  if (byValue) return byValue;
  return isNumeric(type) ? byBins(connection, from, field, { nulls, min, max }) : undefined;
}

/** In-memory number formats of the engine's types. Other types are cast to one of these in SQL. */
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

/** Units per millisecond: microseconds of a time, days of a date. */
const perMillisecond = new Map<DuckDBTypeId, number>([
  [DuckDBTypeId.TIMESTAMP, 1000],
  [DuckDBTypeId.TIMESTAMP_TZ, 1000],
  [DuckDBTypeId.DATE, 1 / 86_400_000],
]);

/** Encodes times by the finest unit that does not need too many codes. */
function byUnits(
  { key, column, type, engineType }: TypedField,
  { nulls, min, max }: Required<Extent> & { min: number; max: number },
): CountedField | undefined {
  const units = type === 'date' ? timeUnits.slice(timeUnits.indexOf('day')) : timeUnits;
  const unit = units.find(candidate => unitsBetween(candidate, startOf(candidate, min), max) + 1 < maxCodes);
  if (!unit) return undefined;
  const start = startOf(unit, min);
  const count = unitsBetween(unit, start, max) + 1;
  const field: EncodedField = { key, type, codes: { kind: 'times', unit, from: start, count, nulls } };
  const none = nulls ? count : undefined;
  const repeat = repeatOf(unit);
  const fine = perMillisecond.get(engineType);
  if (fine && 'ms' in repeat && (max - start) * fine < 2 ** 53)
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

/** Encodes texts whose distinct values were stored at import. */
async function byKeptValues(
  connection: DuckDBConnection,
  field: TypedField,
): Promise<CountedField | undefined> {
  if (!field.kept || field.engineType !== DuckDBTypeId.VARCHAR) return undefined;
  // Tables imported by earlier versions have no such list.
  const dictionary = await byValues(connection, field.kept, field).catch(() => undefined);
  return dictionary?.field.codes.kind === 'values' && dictionary.field.codes.values.length > 0
    ? dictionary
    : undefined;
}

/** Encodes texts, and numbers with few distinct values: each code is the index of a distinct value. */
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

/** @param query returns all distinct values, as `value` */
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
  // Numbers that a double cannot hold exactly would lose their identity.
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

/**
 * This many bins resolve any axis: a tile draws at most a few hundred positions, of a range a hundred times
 * larger at most.
 */
const maxBins = 20_000;

async function byBins(
  connection: DuckDBConnection,
  from: string,
  { key, column, type }: TypedField,
  { nulls, min, max }: Extent,
): Promise<CountedField | undefined> {
  const name = quoted(column);
  if (min === undefined || max === undefined || !Number.isFinite(max - min) || max === min) return undefined;
  // The step is a power of ten, so every readable axis step (1, 2 or 5 times a power of ten) is a multiple of
  // it.
  const step = 10 ** Math.ceil(Math.log10((max - min) / maxBins));
  const first = Math.floor(min / step);
  const origin = Number((first * step).toPrecision(15));
  const count = Math.floor(max / step) - first + 1;
  const bin = `floor((${name} - (${origin}e0)) / ${step}e0 + 1e-9)`
    .replaceAll('e0e0', 'e0')
    .replace(/(e-?\d+)e0/g, '$1');
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 3);
  const edge = (bitField: string) => `round(${origin} + (${bitField}) * ${step}::double, ${digits})`;
  // Checks that every value lies between the edges of its bin as axes and filters compute them. Rounding may
  // violate this.
  const [astray] = await numbersFrom(
    connection,
    `select count(*)::double ${from} where not (${name}::double >= ${edge(bin)} and ${name}::double < ${edge(`${bin} + 1`)})`,
  );
  if (astray !== 0 || niceStep(max - min, 40, type === 'integer') < step) return undefined;
  return {
    kind: 'counted',
    field: { key, type, codes: { kind: 'bins', origin, step, count, nulls } },
    sql: `${bin}::bigint`,
    coding: { kind: 'number', stored: 'i64', from: 0n, per: 1, none: nulls ? count : undefined },
  };
}

/** @returns undefined for each null */
async function numbersFrom(connection: DuckDBConnection, sql: string): Promise<(number | undefined)[]> {
  const [row] = await rowsOf(connection, sql);
  return row!.map(value => (value === null ? undefined : Number(value)));
}
