import { didYouMean, labelFrom, type ModelFile } from '@belvedere/document';
import { checkExpression, withColumnTypes, type Scope } from './expression/check-expression.ts';
import { ExpressionError, type Expression } from './expression/expression.ts';
import { parseExpression } from './expression/parse-expression.ts';
import type { Dimension, Join, JoinKey, JoinRange, Measure, Model, Policy } from './model.ts';
import { isTemporal, type Column, type DataType, type TableSchema } from './table.ts';

/** An error in a model with respect to its table; `path` is its position in the file. */
export interface ModelProblem {
  readonly code: string;
  readonly path: readonly string[];
  readonly message: string;
}

/** A model's file with a table name; a model of SQL gets a name of its own. */
export type TableModelFile = ModelFile & { readonly table: string };

/**
 * Builds a model from its file: parses its expressions and checks them against the available tables. Invalid
 * parts are left out and all reported at once; the rest works.
 * @returns undefined as the model if its own table is missing.
 */
export function buildModel(
  name: string,
  file: TableModelFile,
  tables: readonly TableSchema[],
): { model?: Model; problems: readonly ModelProblem[] } {
  const problems: ModelProblem[] = [];
  const table = tables.find(candidate => candidate.name === file.table);
  if (!table) {
    const message = `There is no table \`${file.table}\`${didYouMean(
      file.table,
      tables.map(candidate => candidate.name),
    )}`;
    return { problems: [{ code: 'table-gone', path: ['table'], message }] };
  }
  const joined = new Map<string, TableSchema>();
  const joins: Record<string, Join> = {};
  for (const [joinName, join] of inOrder(file.joins ?? {}, table)) {
    const target = tables.find(candidate => candidate.name === join.table);
    const keys = Object.entries(join.on).map(([text, equals]) => ({
      text,
      equals,
      ...keyPlace(text, table, file.joins ?? {}),
    }));
    const ranged = rangePlace(join, table, file.joins ?? {});
    const missing = missingColumns(keys, ranged, join.table, target, from =>
      from === undefined ? table : joined.get(from),
    );
    if (!target)
      missing.push(
        `There is no table \`${join.table}\`${didYouMean(
          join.table,
          tables.map(candidate => candidate.name),
        )}`,
      );
    for (const message of missing)
      problems.push({ code: 'field-unknown', path: ['joins', joinName], message });
    if (!target || missing.length > 0) continue;
    const equal = new Set(keys.map(({ equals }) => equals));
    const isKeyed =
      [...equal].some(column => target.unique?.includes(column)) ||
      (target.uniqueTogether ?? []).some(columns => columns.every(column => equal.has(column)));
    const between = rangeBetween(ranged, table, joined, target);
    const timeless = between && timelessIn(between);
    if (timeless) {
      problems.push({ code: 'type-mismatch', path: ['joins', joinName, 'between'], message: timeless });
      continue;
    }
    if (!isKeyed && !between && target.unique && keys.length === 1) {
      const [{ equals } = { equals: '' }] = keys;
      const distinct = target.columns.find(column => column.name === equals)?.distinct;
      const figures =
        target.rows !== undefined && distinct !== undefined
          ? ` (${target.rows.toLocaleString('en')} rows have ${distinct.toLocaleString('en')} different values)`
          : '';
      const message = `\`${join.table}.${equals}\` is not unique${figures}. Rows whose key occurs more than once are not joined.`;
      problems.push({ code: 'field-unknown', path: ['joins', joinName], message });
    }
    joined.set(joinName, target);
    joins[joinName] = {
      table: join.table,
      on: keys.map(({ from, column, equals }) => ({
        ...(from !== undefined && { join: from }),
        ...keyBetween(
          columnIn(from === undefined ? table : joined.get(from)!, column),
          columnIn(target, equals),
        ),
      })),
      ...(between && { between }),
      isKeyed,
    };
  }

  const typesByTable = new Map<string, ReadonlyMap<string, DataType>>();
  const scope: Scope = {
    columnType: (column, join) => typesOf(join)?.get(column),
    columnNames: join => columnsOf(join)?.map(column => column.name) ?? [],
  };
  const dimensions: Record<string, Dimension> = {};
  for (const [dimensionName, spec] of Object.entries(file.dimensions ?? {})) {
    const path = ['dimensions', dimensionName];
    const expression =
      spec.expr === undefined
        ? columnExpression(spec.column ?? dimensionName, joined)
        : understood(spec.expr, path);
    const checked =
      expression && check(expression, spec.expr === undefined ? path : [...path, 'expr'], spec.expr);
    if (!checked) continue;
    if (checked.isAggregate) {
      problems.push({
        code: 'expression-invalid',
        path: [...path, 'expr'],
        message: `\`${dimensionName}\` contains an aggregate, so it is a measure, not a dimension.`,
      });
      continue;
    }
    dimensions[dimensionName] = {
      name: dimensionName,
      label: spec.label ?? labelFrom(spec.column ?? dimensionName),
      type: checked.type,
      expression: checked.expression,
      text: spec.expr ?? spec.column ?? dimensionName,
      ...(spec.format && { format: spec.format }),
      ...(spec.description && { description: spec.description }),
      ...(spec.role && { role: spec.role }),
      ...(spec.link && { link: spec.link }),
      ...(spec.sort && { sort: spec.sort }),
      ...(spec.hidden && { isHidden: true }),
    };
  }
  const measures: Record<string, Measure> = {};
  for (const [measureName, spec] of Object.entries(file.measures ?? {})) {
    const path = ['measures', measureName, 'expr'];
    const expression = understood(spec.expr, path);
    const checked = expression && check(expression, path, spec.expr);
    if (!checked) continue;
    if (!checked.isAggregate) {
      problems.push({
        code: 'expression-invalid',
        path,
        message: `\`${measureName}\` needs an aggregate such as \`sum(…)\` or \`count(*)\`.`,
      });
      continue;
    }
    measures[measureName] = {
      name: measureName,
      label: spec.label ?? labelFrom(measureName),
      type: checked.type,
      expression: checked.expression,
      text: spec.expr,
      ...(spec.format && { format: spec.format }),
      ...(spec.unit && { unit: spec.unit }),
      ...(spec.description && { description: spec.description }),
      ...(spec.better && { better: spec.better }),
      ...(spec.hidden && { isHidden: true }),
    };
  }
  // Every table can be counted, even if its file defines no measure.
  measures['rows'] ??= {
    name: 'rows',
    label: 'Rows',
    type: 'integer',
    format: 'integer',
    text: 'count(*)',
    expression: { kind: 'call', name: 'count', args: [] },
  };
  const watermark = file.watermark === undefined ? undefined : understood(file.watermark, ['watermark']);
  const marked = watermark && check(watermark, ['watermark'], file.watermark);
  if (marked && !marked.isAggregate)
    problems.push({
      code: 'expression-invalid',
      path: ['watermark'],
      message: `The watermark must be an aggregate such as \`max(${file.watermark})\`.`,
    });
  if (file.time && !dimensions[file.time]) {
    problems.push({
      code: 'field-unknown',
      path: ['time'],
      message: `There is no dimension \`${file.time}\`${didYouMean(file.time, Object.keys(dimensions))}`,
    });
  }
  const unknown = (path: readonly string[], name: string) =>
    problems.push({
      code: 'field-unknown',
      path,
      message: `There is no dimension \`${name}\`${didYouMean(name, Object.keys(dimensions))}`,
    });
  const hierarchies = Object.fromEntries(
    Object.entries(file.hierarchies ?? {}).flatMap(([hierarchy, levels]) => {
      const missing = levels.filter(level => !dimensions[level]);
      for (const level of missing) unknown(['hierarchies', hierarchy], level);
      return missing.length > 0 ? [] : [[hierarchy, levels] as const];
    }),
  );
  for (const field of Object.keys(file.filters ?? {}))
    if (!dimensions[field]) unknown(['filters', field], field);
  const filters = Object.fromEntries(
    Object.entries(file.filters ?? {}).filter(([field]) => dimensions[field]),
  );
  const policies = (file.policies ?? []).flatMap((policy, i) => policyOf(policy, ['policies', String(i)]));
  const more = {
    ...(Object.keys(hierarchies).length > 0 && { hierarchies }),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(file.policies && { policies }),
  };
  const time = file.time && dimensions[file.time] ? { time: file.time } : {};
  const mark = marked?.isAggregate
    ? { watermark: { type: marked.type, expression: marked.expression, text: file.watermark! } }
    : {};
  return {
    model: {
      name,
      label: file.label ?? labelFrom(name),
      source: file.source ?? 'files',
      table: file.table,
      ...(file.sql !== undefined && { sql: file.sql }),
      ...time,
      ...mark,
      joins,
      dimensions,
      measures,
      ...more,
    },
    problems,
  };

  /** An invalid policy admits no rows, so that the model stays protected. */
  function policyOf(
    { name: called, groups, where, hide = [] }: NonNullable<ModelFile['policies']>[number],
    path: readonly string[],
  ): Policy[] {
    const expression = understood(where, [...path, 'where']);
    const whole =
      expression && check(expression, [...path, 'where'], where, { ...scope, hasAttributes: true });
    const fields = [...Object.keys(dimensions), ...Object.keys(measures)];
    const unknownHere = hide.filter(field => !fields.includes(field));
    for (const field of unknownHere)
      problems.push({
        code: 'field-unknown',
        path: [...path, 'hide'],
        message: `There is no dimension or measure \`${field}\` to hide${didYouMean(field, fields)}`,
      });
    if (!whole || unknownHere.length > 0) return [];
    if (whole.isAggregate || (whole.type !== 'boolean' && expression.kind !== 'attribute')) {
      problems.push({
        code: 'type-mismatch',
        path: [...path, 'where'],
        message: whole.isAggregate
          ? 'A policy is a condition on one row, so it cannot contain an aggregate.'
          : `A policy must be a condition (true or false), but this is ${whole.type}.`,
      });
      return [];
    }
    return [{ name: called, ...(groups && { groups }), where: whole.expression, text: where, hides: hide }];
  }

  /** Cached for all columns of all expressions, because tables have up to thousands of columns. */
  function typesOf(join: string | undefined) {
    const key = join ?? '';
    const known = typesByTable.get(key);
    if (known) return known;
    const types = new Map(columnsOf(join)?.map(column => [column.name, column.type]));
    typesByTable.set(key, types);
    return types;
  }

  function columnsOf(join: string | undefined) {
    return (join === undefined ? table : joined.get(join))?.columns;
  }

  function understood(text: string, path: readonly string[]): Expression | undefined {
    try {
      return parseExpression(text);
    } catch (error) {
      report(error, path, text);
      return undefined;
    }
  }

  function check(expression: Expression, path: readonly string[], text?: string, within = scope) {
    try {
      const { type, isAggregate } = checkExpression(expression, within);
      return {
        expression: withColumnTypes(expression, scope),
        type: type === 'null' ? ('text' as DataType) : type,
        isAggregate,
      };
    } catch (error) {
      report(error, path, text);
      return undefined;
    }
  }

  function report(error: unknown, path: readonly string[], text: string | undefined): void {
    if (!(error instanceof ExpressionError)) throw error;
    const place = text === undefined ? '' : ` (at character ${error.at + 1} of \`${text}\`)`;
    problems.push({ code: error.code, path, message: `${error.message}${place}` });
  }
}

type JoinFiles = NonNullable<ModelFile['joins']>;

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

/** `iata` is a column of the table, `airport.city` a column of a join. */
function columnExpression(column: string, joins: ReadonlyMap<string, TableSchema>): Expression {
  const dot = column.indexOf('.');
  const join = column.slice(0, Math.max(0, dot));
  return joins.has(join)
    ? { kind: 'column', join, name: column.slice(dot + 1) }
    : { kind: 'column', name: column };
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

/** A column at which a join starts: of the model's table, or of another join. */
interface JoinStart {
  readonly text: string;
  readonly from?: string;
  readonly column: string;
}

/** The columns of a join that do not exist, in sentences. */
function missingColumns(
  keys: readonly (JoinStart & { readonly equals: string })[],
  ranged: ReturnType<typeof rangePlace>,
  called: string,
  target: TableSchema | undefined,
  tableOf: (from: string | undefined) => TableSchema | undefined,
): string[] {
  const compared = [
    ...keys.map(({ equals, ...start }) => ({ ...start, there: [equals] })),
    ...(ranged ? [{ ...ranged, there: ranged.ends }] : []),
  ];
  const missing = compared.flatMap(({ text, there, from, column }) => {
    const here = tableOf(from);
    return [
      ...(!here
        ? [`\`${text}\` starts at the join \`${from}\`, which depends on this one or is invalid itself.`]
        : hasColumn(here, column)
          ? []
          : [`\`${here.name}\` has no column \`${column}\`${didYouMean(column, columnNames(here))}`]),
      ...there.flatMap(name =>
        !target || hasColumn(target, name)
          ? []
          : [`\`${called}\` has no column \`${name}\`${didYouMean(name, columnNames(target))}`],
      ),
    ];
  });
  if (keys.length === 0)
    missing.push('A join needs a column in `on`. A range alone does not identify a row.');
  return missing;
}

/** The column of a join's range and where it starts, and the columns at which the range begins and ends. */
function rangePlace({ between }: JoinFiles[string], table: TableSchema, joins: JoinFiles) {
  const [range] = Object.entries(between ?? {});
  return range && { text: range[0], ends: range[1], ...keyPlace(range[0], table, joins) };
}

function rangeBetween(
  ranged: ReturnType<typeof rangePlace>,
  table: TableSchema,
  joined: ReadonlyMap<string, TableSchema>,
  there: TableSchema,
): JoinRange | undefined {
  if (!ranged) return undefined;
  const {
    from,
    column,
    ends: [begin, end],
  } = ranged;
  const here = from === undefined ? table : joined.get(from)!;
  const typed = (name: string) => ({ name, type: columnIn(there, name).type });
  const { type } = columnIn(here, column);
  return {
    ...(from !== undefined && { join: from }),
    column,
    type,
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

function columnNames(table: TableSchema): string[] {
  return table.columns.map(column => column.name);
}
