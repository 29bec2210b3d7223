import { didYouMean, type ModelFile } from '@belvedere/document';
import type { Join, JoinKey } from './model.ts';
import type { ModelProblem } from './model-problem.ts';
import type { Column, TableSchema } from './table.ts';

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
    const report = (message: string) =>
      problems.push({ code: 'field-unknown', path: ['joins', name], message });
    const target = tables.find(candidate => candidate.name === join.table);
    const keys = Object.entries(join.on).map(([text, equals]) => {
      const { from, column } = keyPlace(text, table, files);
      return { text, equals, from, column, here: from === undefined ? table : joined.get(from) };
    });
    const missing = keys.flatMap(key => missingColumns(key, join.table, target));
    if (!target) missing.push(noTable(join.table, tables));
    missing.forEach(report);
    if (!target || missing.length > 0) continue;
    joined.set(name, target);
    const isKeyed = hasUniqueKey(
      target,
      keys.map(({ equals }) => equals),
    );
    if (!isKeyed && target.unique && keys.length === 1) report(notUnique(target, keys[0]!.equals));
    joins[name] = {
      table: join.table,
      on: keys.map(({ from, column, equals, here }) => ({
        ...(from !== undefined && { join: from }),
        ...keyBetween(columnIn(here!, column), columnIn(target, equals)),
      })),
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

interface JoinFileKey {
  /** As in the file: a column, perhaps after the name of another join. */
  readonly text: string;
  readonly from: string | undefined;
  readonly column: string;
  /** The table of the column; undefined for an invalid join. */
  readonly here: TableSchema | undefined;
  /** The column of the joined table. */
  readonly equals: string;
}

/** The messages on columns that a key names and that its tables do not have. */
function missingColumns(
  { text, from, column, here, equals }: JoinFileKey,
  targetName: string,
  target: TableSchema | undefined,
): string[] {
  const missing: string[] = [];
  if (!here)
    missing.push(
      `\`${text}\` starts at the join \`${from}\`, which depends on this one or is invalid itself.`,
    );
  else if (!hasColumn(here, column)) missing.push(noColumn(here, column, here.name));
  if (target && !hasColumn(target, equals)) missing.push(noColumn(target, equals, targetName));
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
  const isFree = ({ on }: JoinFiles[string]) =>
    Object.keys(on).every(text => !rest.has(keyPlace(text, table, joins).from ?? ''));
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

function columnIn(table: TableSchema, name: string): Column {
  return table.columns.find(column => column.name === name)!;
}
