import type { DuckDBConnection } from '@duckdb/node-api';
import { addUnits, columnsRead, timeUnits, type Plan, type Value } from '@belvedere/query';
import { duckdb, writeSql } from '@belvedere/sql';
import { columnsOf } from '../../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../../import/sql-text.ts';
import { codeCount, singleValues, type EncodedField } from '../encoded-column.ts';

/** How an expression derives from a single column. */
export interface Derivation {
  /** The column of the `select` that returns the base column. */
  readonly of: string;
  /** The name of the base column inside the expression. */
  readonly name: string;
  /** For time parts: the longest unit within which the part is constant. */
  readonly within?: (typeof timeUnits)[number] | undefined;
  /** For time parts that count a unit from 0 and wrap around. */
  readonly cycle?: Cycle | undefined;
  /**
   * SQL that evaluates the expression, under the name of the wanted column, for each row of a table with the
   * base column. It also returns the row numbers.
   */
  readonly from: (table: string) => string;
}

export interface Cycle {
  readonly unit: 'hour' | 'minute';
  readonly count: number;
}

/**
 * Calendar functions whose result is constant within a day. `within` also covers those that are constant
 * within an hour or minute.
 */
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
 * Finds the columns of a plan that derive from another column of it.
 * @param numbering the plan's column of row numbers
 * @returns for each column its derivation, undefined for an independent column
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
 * Creates the field of an expression that derives from an encoded field. It reuses the base field's codes,
 * and the engine evaluates the expression once per distinct value. So it needs no bits per row and no pass
 * over the rows.
 * @returns undefined if a code of the base field covers several values of the expression, or if codes cannot
 * represent its values
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
  const derived = derivation.from(table);
  const [own] = columnsOf(await connection.run(`select ${quoted(column)} from (${derived}) limit 0`));
  const cast = { boolean: '', text: '::varchar', integer: '::double', number: '::double' }[
    own!.type as string
  ];
  if (cast === undefined) return undefined;
  const rows = await rowsOf(
    connection,
    `select ${quoted(column)}${cast} from (${derived}) order by ${quoted(order)}`,
  );
  const found = rows.map(([value]) => value as Value);
  const isSound = (value: Value) =>
    typeof value !== 'number' ||
    (own!.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value));
  return found.length === codeCount(base.codes) && found.every(isSound)
    ? { key, type: own!.type, codes: { kind: 'values', values: found } }
    : undefined;
}

/**
 * One representative value per code. Fractions are excluded, because a double may not hold a stored fraction
 * exactly.
 */
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
