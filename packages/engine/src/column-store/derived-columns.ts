import type { DuckDBConnection } from '@duckdb/node-api';
import { addUnits, columnsRead, timeUnits, type Plan, type Value } from '@belvedere/query';
import { duckdb, writeSql } from '@belvedere/sql';
import { columnsOf } from '../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../import/sql-text.ts';
import { codeCount, singleValues, type EncodedField } from './encoded-column.ts';

/** How an expression follows from one column alone. */
export interface Derivation {
  /** The column of the `select` that gives that one. */
  readonly of: string;
  /** What the expression calls it. */
  readonly name: string;
  /** Of parts of times: the longest stretch within which they are the same. */
  readonly within?: (typeof timeUnits)[number] | undefined;
  /** Of parts of times that count a unit from 0 on, and begin anew after so many. */
  readonly cycle?: Cycle | undefined;
  /** The expression, as the column that is wanted, for each row of a table that has the named column; with the rows’ numbers. */
  readonly from: (table: string) => string;
}

export interface Cycle {
  readonly unit: 'hour' | 'minute';
  readonly count: number;
}

/** Calendar functions that give the same for every moment of a day, and those for every moment of less. */
const ofDays = new Set([
  'year',
  'quarter',
  'month',
  'week',
  'isoyear',
  'day',
  'isodow',
  'dayofyear',
  'days_in_month',
  'weekday_name',
  'month_name',
  'year_month',
  'year_quarter',
  'year_week',
  'is_weekend',
]);
const within = (name: string) =>
  ofDays.has(name) ? 'day' : name === 'hour' || name === 'minute' ? name : undefined;
const cycles = new Map<string, Cycle>([
  ['hour', { unit: 'hour', count: 24 }],
  ['minute', { unit: 'minute', count: 60 }],
]);

/**
 * What of a plan’s columns follows from which other.
 * @param numbering the plan’s column that numbers rows
 * @returns for each column, undefined where it stands for itself
 */
export function derivationsIn(
  plan: Plan,
  numbering: Plan['columns'][number],
): readonly (Derivation | undefined)[] {
  return plan.columns.map(column => {
    const { expression } = column;
    if (
      expression.kind !== 'model' ||
      expression.expression.kind === 'column' ||
      Object.keys(plan.joins).length > 0
    )
      return undefined;
    const [{ name } = { name: '' }, ...others] = columnsRead([expression]);
    const base = plan.columns.find(
      other =>
        other.expression.kind === 'model' &&
        other.expression.expression.kind === 'column' &&
        other.expression.expression.name === name,
    );
    if (!base || others.some(other => other.name !== name)) return undefined;
    const call = expression.expression;
    const isPart = call.kind === 'call' && call.args.length === 1 && call.args[0]!.kind === 'column';
    return {
      of: base.name,
      name,
      ...(isPart && { within: within(call.name), cycle: cycles.get(call.name) }),
      from: table => writeSql({ ...plan, columns: [column, numbering] }, duckdb, () => table, 'inline').text,
    };
  });
}

/**
 * The field of an expression that follows from another coded one: its codes are that one’s, each standing for what the expression makes of it. It takes
 * no bits of a row and no pass over them; the engine itself says what the few values are.
 * @returns undefined where a code of the other stands for more than one value of the expression, or its values are none that codes have
 */
export async function deriveColumns(
  connection: DuckDBConnection,
  select: string,
  base: EncodedField,
  wanted: { readonly key: string; readonly column: string; readonly derivation: Derivation },
  order: string,
): Promise<EncodedField | undefined> {
  const { derivation, key, column } = wanted;
  const values = valuesOf(base, derivation);
  if (!values) return undefined;
  const table = quoted(`values of ${column}`);
  await connection.run(
    `create or replace temp table ${table} as select ${quoted(derivation.of)} as ${quoted(derivation.name)} from (${select}) limit 0`,
  );
  const isText = base.type === 'text';
  const list = values
    .map(value => (value === null ? 'null' : isText ? text(String(value)) : String(value)))
    .join(', ');
  const type = isText ? 'varchar' : base.type === 'boolean' ? 'boolean' : 'bigint';
  await connection.run(
    `insert into ${table} select ${base.type === 'date' || base.type === 'time' ? 'epoch_ms(value)' : 'value'} from (select unnest([${list}]::${type}[]) as value)`,
  );
  const made = derivation.from(table);
  const [own] = columnsOf(await connection.run(`select ${quoted(column)} from (${made}) limit 0`));
  const cast = { boolean: '', text: '::varchar', integer: '::double', number: '::double' }[
    own!.type as string
  ];
  if (cast === undefined) return undefined;
  const rows = await rowsOf(
    connection,
    `select ${quoted(column)}${cast} from (${made}) order by ${quoted(order)}`,
  );
  const found = rows.map(([value]) => value as Value);
  const isSound = (value: Value) =>
    typeof value !== 'number' ||
    (own!.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value));
  return found.length === codeCount(base.codes) && found.every(isSound)
    ? { key, type: own!.type, codes: { kind: 'values', values: found } }
    : undefined;
}

/** A value for each code, which speaks for all that the code stands for. Fractions are left out: what a column keeps of them a double may not. */
function valuesOf(base: EncodedField, derivation: Derivation): readonly Value[] | undefined {
  const { codes, type } = base;
  if (!['integer', 'text', 'boolean', 'date', 'time'].includes(type)) return undefined;
  if (codes.kind !== 'times' || (type === 'date' && codes.unit === 'day')) return singleValues(base);
  const unit = timeUnits.find(candidate => candidate === codes.unit);
  if (!unit || !derivation.within || timeUnits.indexOf(unit) > timeUnits.indexOf(derivation.within))
    return undefined;
  return Array.from({ length: codeCount(codes) }, (_, code) =>
    code === codes.count ? null : addUnits(codes.unit, codes.from, code),
  );
}
