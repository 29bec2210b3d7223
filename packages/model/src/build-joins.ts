import { didYouMean, type ModelFile } from '@belvedere/document';
import type { Join, JoinKey, JoinRange } from './model.ts';
import type { ModelProblem } from './model-problem.ts';
import { isTemporal, type Column, type TableSchema } from './table.ts';

type JoinFiles = NonNullable<ModelFile['joins']>;

interface BuiltJoins {
  readonly joins: Readonly<Record<string, Join>>;
  /** The tables that are joined, by the names of their joins. */
  readonly joined: ReadonlyMap<string, TableSchema>;
  readonly problems: readonly ModelProblem[];
}

/** Builds the joins of a model, each after those that its keys depend on. Invalid joins are left out. */
export function buildJoins(files: JoinFiles, table: TableSchema, tables: readonly TableSchema[]): BuiltJoins {
  const joins: Record<string, Join> = {};
  const joined = new Map<string, TableSchema>();
  const problems: ModelProblem[] = [];
  for (const [name, join] of inOrder(files, table)) {
    const report = (message: string, code = 'field-unknown', at: readonly string[] = []) =>
      problems.push({ code, path: ['joins', name, ...at], message });
    const target = tables.find(candidate => candidate.name === join.table);
    const startOf = (text: string): JoinStart => {
      const { from, column } = keyPlace(text, table, files);
      return { text, from, column, here: from === undefined ? table : joined.get(from) };
    };
    const keys = Object.entries(join.on).map(([text, equals]) => ({ ...startOf(text), equals }));
    const [range] = Object.entries(join.between ?? {}).map(([text, ends]) => ({ ...startOf(text), ends }));
    const missing = [
      ...keys.flatMap(key => missingColumns(key, [key.equals], join.table, target)),
      ...(range ? missingColumns(range, range.ends, join.table, target) : []),
    ];
    if (keys.length === 0)
      missing.push('A join needs a column in `on`. A range alone does not identify a row.');
    if (!target) missing.push(noTable(join.table, tables));
    for (const message of missing) report(message);
    if (!target || missing.length > 0) continue;
    const between = range && rangeBetween(range, target);
    const timeless = between && timelessIn(between);
    if (timeless) {
      report(timeless, 'type-mismatch', ['between']);
      continue;
    }
    joined.set(name, target);
    const isKeyed = hasUniqueKey(
      target,
      keys.map(({ equals }) => equals),
    );
    if (!isKeyed && !between && target.unique && keys.length === 1)
      report(notUnique(target, keys[0]!.equals));
    joins[name] = {
      table: join.table,
      on: keys.map(({ from, column, equals, here }) => ({
        ...(from !== undefined && { join: from }),
        ...keyBetween(columnIn(here!, column), columnIn(target, equals)),
      })),
      ...(between && { between }),
      isKeyed,
    };
  }
  return { joins, joined, problems };
}

/** The message that there is no such table, with the closest name. */
export function noTable(name: string, tables: readonly TableSchema[]): string {
  return `There is no table \`${name}\`${didYouMean(
    name,
    tables.map(candidate => candidate.name),
  )}`;
}

/** A column at which a join starts: of the model's table, or of another join. */
interface JoinStart {
  /** As in the file: a column, perhaps after the name of another join. */
  readonly text: string;
  readonly from: string | undefined;
  readonly column: string;
  /** The table of the column; undefined for an invalid join. */
  readonly here: TableSchema | undefined;
}

/**
 * The messages on columns that a join compares and that its tables do not have.
 * @param compared the columns of the joined table
 */
function missingColumns(
  { text, from, column, here }: JoinStart,
  compared: readonly string[],
  targetName: string,
  target: TableSchema | undefined,
): string[] {
  const missing: string[] = [];
  if (!here)
    missing.push(
      `\`${text}\` starts at the join \`${from}\`, which depends on this one or is invalid itself.`,
    );
  else if (!hasColumn(here, column)) missing.push(noColumn(here, column, here.name));
  for (const name of compared)
    if (target && !hasColumn(target, name)) missing.push(noColumn(target, name, targetName));
  return missing;
}

function noColumn(table: TableSchema, column: string, name: string): string {
  const names = table.columns.map(candidate => candidate.name);
  return `\`${name}\` has no column \`${column}\`${didYouMean(column, names)}`;
}

/** Whether a table has at most one row for each value of these columns together. */
function hasUniqueKey({ unique, uniqueTogether = [] }: TableSchema, columns: readonly string[]): boolean {
  return (
    columns.some(column => unique?.includes(column)) ||
    uniqueTogether.some(together => together.every(column => columns.includes(column)))
  );
}

function notUnique(target: TableSchema, key: string): string {
  const distinct = target.columns.find(column => column.name === key)?.distinct;
  const figures =
    target.rows !== undefined && distinct !== undefined
      ? ` (${target.rows.toLocaleString('en')} rows have ${distinct.toLocaleString('en')} different values)`
      : '';
  return `\`${target.name}.${key}\` is not unique${figures}. Rows whose key occurs more than once are not joined.`;
}

/**
 * The table and column of a join's key: `customer.region` is a column of the join `customer`, unless the
 * model's own table has a column of that name.
 */
function keyPlace(
  text: string,
  table: TableSchema,
  joins: JoinFiles,
): { readonly from?: string; readonly column: string } {
  const dot = text.indexOf('.');
  const from = text.slice(0, Math.max(0, dot));
  return !hasColumn(table, text) && Object.hasOwn(joins, from)
    ? { from, column: text.slice(dot + 1) }
    : { column: text };
}

/** Sorts joins after those that contain their keys. Circular joins stay last, in their own order. */
function inOrder(joins: JoinFiles, table: TableSchema): [string, JoinFiles[string]][] {
  const rest = new Map(Object.entries(joins));
  const ordered: [string, JoinFiles[string]][] = [];
  const isFree = ({ on, between = {} }: JoinFiles[string]) =>
    [...Object.keys(on), ...Object.keys(between)].every(
      text => !rest.has(keyPlace(text, table, joins).from ?? ''),
    );
  for (
    let next = [...rest].filter(([, join]) => isFree(join));
    next.length > 0;
    next = [...rest].filter(([, join]) => isFree(join))
  ) {
    for (const [name, join] of next) {
      ordered.push([name, join]);
      rest.delete(name);
    }
  }
  return [...ordered, ...rest];
}

function hasColumn(table: TableSchema, name: string): boolean {
  return table.columns.some(column => column.name === name);
}

function keyBetween(here: Column, there: Column): JoinKey {
  const isAlike = here.collation !== undefined && here.collation === there.collation;
  return {
    column: here.name,
    type: here.type,
    equals: there.name,
    equalsType: there.type,
    ...(isAlike && { isAlike }),
  };
}

function rangeBetween(
  { from, column, here, ends: [begin, end] }: JoinStart & { readonly ends: readonly [string, string] },
  there: TableSchema,
): JoinRange {
  const typed = (name: string) => ({ name, type: columnIn(there, name).type });
  return {
    ...(from !== undefined && { join: from }),
    column,
    type: columnIn(here!, column).type,
    begin: typed(begin),
    end: typed(end),
  };
}

/** Why a range cannot be compared with its column, if one of the three is no date or time. */
function timelessIn({ column, type, begin, end }: JoinRange): string | undefined {
  const timeless = [{ name: column, type }, begin, end].find(one => !isTemporal(one.type));
  return timeless && `\`between\` compares dates and times, but \`${timeless.name}\` is ${timeless.type}.`;
}

function columnIn(table: TableSchema, name: string): Column {
  return table.columns.find(column => column.name === name)!;
}
