import { definitionOf } from './function-macros.ts';
import {
  functions,
  isNumeric,
  isTemporal,
  partsOf,
  typeOf,
  type DataType,
  type Expression,
  type FunctionUnit,
  type Join,
  type JoinKey,
} from '@belvedere/model';
import {
  binTolerance,
  columnsRead,
  edgeOf,
  nullSlot,
  outsideSlot,
  parseCalendarTime,
  slotsOf,
  type Axis,
  type Plan,
  type PlanExpression,
  type Value,
} from '@belvedere/query';
import { beginningOf, unitsSince } from './calendar-units.ts';
import { customTable, type FunctionCall } from './custom/custom-query.ts';
import type { Dialect, Type } from './dialect.ts';

/**
 * A statement with the texts bound to its placeholders, in order, and the names and types of its columns.
 * User input is only in parameters, or in literals for engines without parameters.
 */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly string[];
  /** Omitted if the engine's own types apply. */
  readonly columns?: readonly { readonly name: string; readonly type: DataType }[];
  /**
   * The functions that custom SQL in this statement calls. Such a statement runs on separate connections and
   * leaves no session state behind.
   */
  readonly custom?: readonly FunctionCall[];
  /**
   * Set if the statement is generated from a plan alone. It contains no custom SQL, so its calls need no
   * check.
   */
  readonly isGenerated?: true;
}

/**
 * Writes a plan in an engine's SQL. `tableName` returns a table's full, quoted name.
 * @param texts `inline` writes texts as literals, for statements that take no parameters (`COPY`); otherwise
 * they are bound
 */
export function writeSql(
  plan: Plan,
  dialect: Dialect,
  tableName: (table: string) => string,
  texts: 'bound' | 'inline' = 'bound',
): Statement {
  return writeInto([], plan, dialect, tableName, texts);
}

/**
 * Writes the statement of a plan. A plan without columns selects its table's rows unchanged. Texts are added
 * to `parameters` in the order of their placeholders.
 */
function writeInto(
  parameters: string[],
  plan: Plan,
  dialect: Dialect,
  tableName: (table: string) => string,
  texts: 'bound' | 'inline',
): Statement {
  const aliases = new Map(
    plan.columns.map(({ name }, i) => [name, dialect.quote(dialect.alias?.(i) ?? name)]),
  );
  const isRows = plan.groupBy === undefined;
  const custom = plan.sql === undefined ? undefined : customTable(plan.sql, dialect.name);
  const from = custom?.text ?? tableName(plan.table);
  const origin = custom ? custom.calls && { custom: custom.calls } : ({ isGenerated: true } as const);
  const isNumbered =
    dialect.quantileOfNumbered !== undefined &&
    plan.columns.some(({ expression }) => hasQuantile(expression));
  /**
   * Where the current expression is written: inside the subquery with the tables, or around it if its rows
   * are numbered.
   */
  let stands: 'at the tables' | 'around' = isNumbered ? 'around' : 'at the tables';
  /**
   * The values that the outer query reads from the numbered rows, and the values by which the rows are
   * numbered.
   */
  const handedOn = new Map<string, string>();
  const numberedBy: { readonly value: string; readonly isConstant: boolean }[] = [];
  const written = plan.columns.map(({ expression, type }, i) => {
    // A row query returns a cell unchanged, even if it is NaN or infinite. Elsewhere such values are null.
    const plain =
      isRows && expression.kind === 'model' && expression.expression.kind === 'column' && type === 'number';
    const value = plain ? reference(expression.expression) : write(expression);
    const key = i < (plan.groupBy ?? 0) ? asKey(value, expression, type) : value;
    return type === 'text' ? dialect.ordered(key) : key;
  });
  const columns = plan.columns.map(({ name }, i) => `${written[i]} as ${aliases.get(name)}`);
  const grouped = plan.columns
    .slice(0, plan.groupBy ?? 0)
    .map(({ name }, i) => (dialect.alias ? aliases.get(name)! : String(i + 1)));
  const order = plan.order.map(({ column, descending }) =>
    dialect.order(
      aliases.get(column)!,
      descending,
      written[plan.columns.findIndex(({ name }) => name === column)]!,
    ),
  );
  const text = [
    `select ${columns.length > 0 ? columns.join(', ') : dialect.joins === 'flat' ? `${base}.*` : '*'}`,
    `from ${isNumbered ? `(${numberedRows()}) as ${base}` : rowsThatCount()}`,
    ...(grouped.length > 0 ? [`group by ${grouped.join(', ')}`] : []),
    ...(order.length > 0 ? [`order by ${order.join(', ')}`] : []),
    ...(plan.limit === undefined ? [] : [`limit ${whole(plan.limit)}`]),
    ...(plan.offset ? [`offset ${whole(plan.offset)}`] : []),
  ].join('\n');
  if (plan.countedAs !== undefined)
    return {
      text: `select count(*) as ${dialect.quote(plan.countedAs)}\nfrom (${text}) as ${base}`,
      parameters,
      columns: [{ name: plan.countedAs, type: 'integer' }],
      ...origin,
    };
  return { text, parameters, columns: plan.columns.map(({ name, type }) => ({ name, type })), ...origin };

  function rowsThatCount(): string {
    const tables = dialect.joins === 'flat' ? flatJoins() : nestedJoins();
    const where = plan.where.map(write);
    return tables + (where.length > 0 ? `\nwhere ${where.join('\n  and ')}` : '');
  }

  /**
   * The rows with their rank in the group, for each value with a quantile, and the group's number of those
   * values.
   */
  function numberedRows(): string {
    return atTheTables(() => {
      // A constant does not distinguish rows, and a bare number would be read as a column position.
      const keys = plan.columns
        .slice(0, plan.groupBy ?? 0)
        .flatMap(({ expression, type }) =>
          columnsRead([expression]).length > 0 ? [asKey(write(expression), expression, type)] : [],
        );
      const group = keys.length > 0 ? `partition by ${keys.join(', ')}` : '';
      const numbers = numberedBy.flatMap(({ value, isConstant }, i) => [
        `row_number() over (${group}${isConstant ? '' : ` order by ${value} desc`}) as ${numbered('place', i)}`,
        `count(${value}) over (${group}) as ${numbered('count', i)}`,
      ]);
      return `select ${[...[...handedOn].map(([column, name]) => `${column} as ${name}`), ...numbers].join(', ')} from ${rowsThatCount()}`;
    });
  }

  function atTheTables<T>(write: () => T): T {
    const stood = stands;
    stands = 'at the tables';
    try {
      return write();
    } finally {
      stands = stood;
    }
  }

  function numbered(what: 'place' | 'count', index: number): string {
    return dialect.quote(`belvedere_${what}_${index}`);
  }

  function flatJoins(): string {
    const joins = Object.entries(plan.joins).map(([name, join]) => {
      const on = join.on.map(key => {
        const [here, there] = [
          `${key.join === undefined ? base : dialect.quote(key.join)}.${dialect.quote(key.column)}`,
          `${dialect.quote(name)}.${dialect.quote(key.equals)}`,
        ];
        const exact = `${keyOf(here, key.type, key)} = ${keyOf(there, key.equalsType, key)}`;
        // The engine's `=` accepts more pairs than are equal, but it can use an index. So both conditions are
        // written.
        return key.isAlike ? `${here} = ${there} and ${exact}` : exact;
      });
      return `\nleft join ${joined(join)} as ${dialect.quote(name)} on ${on.join(' and ')}`;
    });
    return `${from} as ${base}${joins.join('')}`;
  }

  /** Each join around the table before it. Joined columns that are read get names of their own. */
  function nestedJoins(): string {
    const read = joinedColumns(plan);
    return Object.entries(plan.joins).reduce((inside, [name, join]) => {
      const keys = join.on.map(
        (key, i) =>
          `${keyOf(dialect.quote(key.equals), key.equalsType, key)} as ${dialect.quote(`${name} key ${i}`)}`,
      );
      const values = [...(read.get(name) ?? [])].map(
        column => `${dialect.quote(column)} as ${dialect.quote(`${name}.${column}`)}`,
      );
      const on = join.on.map(
        (key, i) =>
          `${keyOf(dialect.quote(key.join === undefined ? key.column : `${key.join}.${key.column}`), key.type, key)} = ${dialect.quote(`${name} key ${i}`)}`,
      );
      return `(select * from ${inside} global any left join (select ${[...keys, ...values].join(', ')} from ${joined(join)}) on ${on.join(' and ')})`;
    }, from);
  }

  /** The joined table, restricted to rows with a unique key: a join must never duplicate rows. */
  function joined(join: Join): string {
    if (join.isKeyed) return visibleRows(join);
    const keys = join.on.map(key => dialect.column(dialect.quote(key.equals), key.equalsType)).join(', ');
    const rows = () => `${visibleRows(join)} as ${base}`;
    return `(select * from ${rows()} where (${keys}) in (select ${keys} from ${rows()} group by ${keys} having count(*) = 1))`;
  }

  /**
   * The rows of a joined table that the user may see. Rewritten at each use, because its texts are bound each
   * time.
   */
  function visibleRows({ table, visible }: Join): string {
    if (!visible) return tableName(table);
    const where = [{ kind: 'model', expression: visible.where } as const];
    return `(${writeInto(parameters, { table, joins: visible.joins, zone: plan.zone, columns: [], where, order: [] }, dialect, tableName, texts).text})`;
  }

  function asKey(value: string, expression: PlanExpression, type: DataType): string {
    const isColumn = expression.kind === 'model' && expression.expression.kind === 'column';
    return dialect.grouped(
      value,
      type,
      isColumn ? 'a column' : columnsRead([expression]).length > 0 ? 'columns' : 'nothing',
    );
  }

  /** One side of a join condition; keys of different types are compared as text. */
  function keyOf(reference: string, type: DataType, key: JoinKey): string {
    const value = dialect.column(reference, type);
    return key.type === key.equalsType || (isNumeric(key.type) && isNumeric(key.equalsType))
      ? value
      : asText(value, type);
  }

  function write(expression: PlanExpression): string {
    switch (expression.kind) {
      case 'model':
        return writeModel(expression.expression);
      case 'local':
        return dialect.local(write(expression.operand), plan.zone);
      case 'truncate':
        return beginningOf(
          expression.unit,
          wallClock(write(expression.operand), typeOfPlan(expression.operand)),
          dialect,
        );
      case 'double':
        return dialect.double(write(expression.operand));
      case 'group': {
        const slots = expression.axes.map(({ axis, operand, type }) => writeSlot(axis, write(operand), type));
        return dialect.small(
          slots.reduce((sofar, slot, i) => `(${sofar}) * ${slotsOf(expression.axes[i]!.axis)} + ${slot}`),
        );
      }
      case 'edge': {
        const operand = wallClock(write(expression.operand), expression.type);
        return isTemporal(expression.type)
          ? `${operand} ${expression.operator} ${dialect.time(expression.value)}`
          : `${comparable(operand, expression.type)} ${expression.operator} ${number(expression.value)}`;
      }
      case 'oneOf': {
        const operand = wallClock(write(expression.operand), expression.type);
        const values = expression.values.filter(value => value !== null);
        const tests = [
          ...(values.length > 0
            ? [
                `${comparable(operand, expression.type)} in (${values.map(value => literalOf(value, expression.type)).join(', ')})`,
              ]
            : []),
          ...(values.length < expression.values.length ? [`${operand} is null`] : []),
        ];
        return tests.length === 0 ? dialect.boolean(false) : `(${tests.join(' or ')})`;
      }
      case 'contains':
        return dialect.containsAnyCase(
          asText(write(expression.operand), typeOfPlan(expression.operand)),
          bind(expression.text),
        );
      case 'not':
        return `not coalesce(${write(expression.condition)}, ${dialect.boolean(false)})`;
      case 'all':
        return expression.conditions.length === 0
          ? dialect.boolean(true)
          : `(${expression.conditions.map(write).join(' and ')})`;
      case 'any':
        return expression.conditions.length === 0
          ? dialect.boolean(false)
          : `(${expression.conditions.map(write).join(' or ')})`;
    }
  }

  function writeSlot(axis: Axis, written: string, type: DataType): string {
    const operand = wallClock(written, type);
    if (axis.kind === 'categories') {
      const position = dialect.positionIn(
        comparable(operand, type),
        axis.values.map(value => (value === null ? undefined : literalOf(value, type))),
        type,
      );
      const nowhere = axis.values.length;
      const nullPlace = axis.values.indexOf(null);
      const found = `coalesce(${position}, ${nowhere})`;
      return nullPlace >= 0 ? `case when ${operand} is null then ${nullPlace} else ${found} end` : found;
    }
    const last = axis.count - 1;
    const edge = (place: number) =>
      axis.kind === 'bins' ? number(edgeOf(axis, place)) : dialect.time(edgeOf(axis, place));
    const value = axis.kind === 'bins' ? comparable(operand, type) : operand;
    const place =
      axis.kind === 'bins'
        ? `floor((${value} - ${number(axis.origin)}) / ${number(axis.step)} + ${number(binTolerance)})`
        : unitsSince(axis.unit, dialect.time(axis.from), operand, dialect);
    // The range is tested on the value itself. This lets the engine skip blocks, and costs half of testing
    // the slot.
    return `case when ${operand} is null then ${nullSlot(axis)} when ${value} >= ${edge(0)} and ${value} < ${edge(axis.count)} then least(${last}, ${dialect.small(place)}) else ${outsideSlot(axis)} end`;
  }

  /** Converts dates to their midnight, so that they compare with times. */
  function wallClock(written: string, type: Type): string {
    return type === 'date' ? dialect.cast(written, 'date', 'timestamp') : written;
  }

  /** Exact numbers may have to be cast to doubles before they are compared with other numbers. */
  function comparable(written: string, type: Type): string {
    return type === 'decimal' || type === 'integer'
      ? dialect.comparesExact
        ? written
        : dialect.double(written)
      : written;
  }

  function literalOf(value: Exclude<Value, null>, type: DataType): string {
    if (typeof value === 'number') return isTemporal(type) ? dialect.time(value) : number(value);
    if (typeof value === 'boolean') return dialect.boolean(value);
    if (type === 'text' || type === 'other') return bind(value);
    if (type === 'boolean') return dialect.cast(bind(value), 'text', 'boolean');
    // Numbers that a double cannot hold exactly are texts, and are written unchanged.
    if (isNumeric(type) && /^-?\d+(\.\d+)?$/.test(value)) return value;
    return dialect.cast(bind(value), 'text', isNumeric(type) ? 'double' : 'timestamp');
  }

  function bind(text: string): string {
    if (texts === 'inline' || !dialect.placeholder) return dialect.text(text);
    parameters.push(text);
    return dialect.placeholder(parameters.length);
  }

  function asText(written: string, type: Type): string {
    return type === 'text' || type === 'null' || type === 'other'
      ? written
      : dialect.cast(written, type, 'text');
  }

  function reference(column: Expression & { readonly kind: 'column' }): string {
    if (dialect.joins === 'nested')
      return dialect.quote(column.join ? `${column.join}.${column.name}` : column.name);
    const there = `${column.join ? dialect.quote(column.join) : base}.${dialect.quote(column.name)}`;
    if (stands === 'at the tables') return there;
    const name = handedOn.get(there) ?? dialect.quote(`belvedere_column_${handedOn.size}`);
    handedOn.set(there, name);
    return `${base}.${name}`;
  }

  function typeOfPlan(expression: PlanExpression): Type {
    return expression.kind === 'model'
      ? typeOf(expression.expression)
      : expression.kind === 'local'
        ? 'time'
        : 'number';
  }

  function writeModel(expression: Expression): string {
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return value === null
          ? 'null'
          : typeof value === 'string'
            ? bind(value)
            : typeof value === 'number'
              ? number(value)
              : dialect.boolean(value);
      }
      case 'column':
        return dialect.column(reference(expression), expression.type);
      case 'attribute':
        throw new Error(`:user.${expression.name} was not bound to a user.`);
      case 'unary':
        return expression.operator === 'not'
          ? dialect.not(writeModel(expression.operand))
          : `(0 - ${writeModel(expression.operand)})`;
      case 'binary':
        return writeBinary(expression);
      case 'in': {
        // Written as single comparisons, because engines differ in how `in` treats nulls.
        const tests = expression.values.map(value =>
          writeBinary({ kind: 'binary', operator: '=', left: expression.operand, right: value }),
        );
        return expression.negated ? dialect.not(dialect.any(tests)) : dialect.any(tests);
      }
      case 'isNull':
        return `(${writeModel(expression.operand)} is ${expression.negated ? 'not ' : ''}null)`;
      case 'case': {
        const results = [
          ...expression.branches.map(({ result }) => result),
          ...(expression.otherwise ? [expression.otherwise] : []),
        ];
        const type = typeOf(expression);
        const branches = expression.branches.map(
          ({ when }, i) => `when ${writeModel(when)} then ${writeAs(results[i]!, type)}`,
        );
        return `case ${branches.join(' ')}${expression.otherwise ? ` else ${writeAs(expression.otherwise, type)}` : ''} end`;
      }
      case 'cast': {
        const from = typeOf(expression.operand);
        if (from === 'null') return 'null';
        return dialect.cast(
          zoned(expression.operand, from),
          from === 'instant' ? 'time' : from,
          expression.to,
        );
      }
      case 'call':
        return writeCall(expression);
    }
  }

  /**
   * Converts an instant to the plan's zone before any other use, so that filter, group and label use the same
   * zone.
   */
  function zoned(expression: Expression, type: Type): string {
    return type === 'instant' ? dialect.local(writeModel(expression), plan.zone) : writeModel(expression);
  }

  /** Casts to a wider type, for engines that require equal types. */
  function writeAs(expression: Expression, type: Type): string {
    const own = typeOf(expression);
    if (own === type || own === 'null' || type === 'null') return writeModel(expression);
    if (type === 'number') return dialect.double(writeModel(expression));
    if (type === 'time')
      return own === 'date'
        ? dialect.cast(writeModel(expression), 'date', 'timestamp')
        : writeModel(expression);
    return writeModel(expression);
  }

  function writeBinary(expression: Expression & { readonly kind: 'binary' }): string {
    const { operator, left, right } = expression;
    const [leftType, rightType] = [typeOf(left), typeOf(right)];
    switch (operator) {
      case 'and':
        return dialect.all([writeModel(left), writeModel(right)]);
      case 'or':
        return dialect.any([writeModel(left), writeModel(right)]);
      case '||':
        return dialect.concatenate(
          asText(zoned(left, leftType), shown(leftType)),
          asText(zoned(right, rightType), shown(rightType)),
        );
      case '/':
        // Division is exact: integers give a fraction, and division by zero gives null.
        return `(${dialect.double(writeModel(left))} / nullif(${dialect.double(writeModel(right))}, 0))`;
      case '%':
      case '+':
      case '-':
      case '*': {
        const isExact = leftType !== 'number' && rightType !== 'number';
        const areWhole = leftType === 'integer' && rightType === 'integer';
        const [a, b] = areWhole
          ? [widened(left), widened(right)]
          : isExact
            ? [writeModel(left), writeModel(right)]
            : [writeAs(left, 'number'), writeAs(right, 'number')];
        return operator === '%' ? dialect.remainder(a, b, areWhole) : `(${a} ${operator} ${b})`;
      }
      case 'like':
        return dialect.like(writeModel(left), writeModel(right));
      default:
        return writeComparison(operator, left, leftType, right, rightType);
    }
  }

  function widened(expression: Expression): string {
    const written = writeModel(expression);
    return expression.kind !== 'literal' && expression.kind !== 'binary'
      ? dialect.whole(written, expression.kind === 'column')
      : written;
  }

  function writeComparison(
    operator: string,
    left: Expression,
    leftType: Type,
    right: Expression,
    rightType: Type,
  ): string {
    if (isTemporal(leftType as DataType) || isTemporal(rightType as DataType))
      return `(${momentOf(left, leftType)} ${operator} ${momentOf(right, rightType)})`;
    if (leftType === 'text' && rightType === 'text' && operator !== '=' && operator !== '<>') {
      const areConstant = isConstant(left) && isConstant(right);
      return `(${dialect.ordered(writeModel(left), areConstant)} ${operator} ${dialect.ordered(writeModel(right), areConstant)})`;
    }
    const type = leftType !== rightType && [leftType, rightType].includes('number') ? 'number' : leftType;
    return `(${writeAs(left, type)} ${operator} ${writeAs(right, type)})`;
  }

  function isConstant(expression: Expression): boolean {
    return columnsRead([{ kind: 'model', expression }]).length === 0;
  }

  /** A wall-clock time from a time, an instant, a date or a text that contains one. */
  function momentOf(expression: Expression, type: Type): string {
    if (type !== 'text') return wallClock(zoned(expression, type), type);
    const ms = expression.kind === 'literal' ? calendarTime(String(expression.value)) : undefined;
    return ms === undefined ? dialect.cast(writeModel(expression), 'text', 'timestamp') : dialect.time(ms);
  }

  function writeCall(call: Expression & { readonly kind: 'call' }): string {
    const spec = functions[call.name];
    const derived = Object.hasOwn(dialect.functions, call.name) ? undefined : definitionOf(call);
    if (derived) return `(${writeModel(derived)})`;
    if (spec?.aggregate) return writeAggregate(call);
    const types = call.args.map(typeOf);
    const widest = spec?.gives === 'same' ? typeOf(call) : undefined;
    const args = call.args.map((arg, i) => {
      const wanted = spec?.takes[Math.min(i, spec.takes.length - 1)];
      // A unit becomes part of the statement's text.
      if (wanted === 'unit') return '';
      if (wanted === 'time') return wallClock(zoned(arg, types[i]!), types[i]!);
      if (spec?.group === 'text' && wanted === 'any') return asText(zoned(arg, types[i]!), shown(types[i]!));
      const written = widest ? writeAs(arg, widest) : writeModel(arg);
      return widest === 'text' && (call.name === 'greatest' || call.name === 'least')
        ? dialect.ordered(written, isConstant(call))
        : written;
    });
    // 0 and -0 are equal, but `atan2` distinguishes them, and not every engine preserves the sign.
    if (call.name === 'atan2')
      args.forEach((arg, i) => (args[i] = `case when ${arg} = 0 then 0 else ${arg} end`));
    const unit = call.args[0]?.kind === 'literal' ? (call.args[0].value as FunctionUnit) : 'day';
    if (call.name === 'date_trunc') return dialect.truncate(unit, args[1]!);
    if (call.name === 'date_diff') return dialect.unitsBetween(unit, args[1]!, args[2]!);
    if (call.name === 'date_add') return dialect.add(unit, args[1]!, args[2]!);
    const written = dialect.functions[call.name]?.(args, types) ?? `${call.name}(${args.join(', ')})`;
    const domain = domains[call.name]?.(args);
    return domain ? `case when ${domain} then ${written} end` : written;
  }

  function writeAggregate(call: Expression & { readonly kind: 'call' }): string {
    const type = call.args[0] ? typeOf(call.args[0]) : 'null';
    const isOrdered = type === 'text' && (call.name === 'min' || call.name === 'max');
    if (isNumbered && isQuantile(call)) return writeQuantile(call);
    const value =
      call.args[0] && (isOrdered ? dialect.ordered(writeModel(call.args[0])) : writeModel(call.args[0]));
    const filter = call.filter && writeModel(call.filter);
    const clause = filter && dialect.hasFilterClause ? ` filter (where ${filter})` : '';
    const kept = filter && !clause ? `case when ${filter} then ${value ?? 1} end` : value;
    const rest = call.args.slice(1).map(writeModel);
    if (call.distinct)
      return (dialect.functions['count distinct']?.([kept!], [type]) ?? `count(distinct ${kept})`) + clause;
    if (kept === undefined) return `${dialect.functions['count']?.([], []) ?? 'count(*)'}${clause}`;
    return (
      (dialect.functions[call.name]?.([kept, ...rest], [type]) ??
        `${call.name}(${[kept, ...rest].join(', ')})`) + clause
    );
  }

  /** Interpolates between the row at the rank and the next row, for engines without such an aggregate. */
  function writeQuantile(call: Call): string {
    const value = () =>
      call.filter
        ? `case when ${writeModel(call.filter)} then ${writeModel(call.args[0]!)} end`
        : writeModel(call.args[0]!);
    const by = atTheTables(value);
    if (!numberedBy.some(other => other.value === by))
      numberedBy.push({ value: by, isConstant: isConstant(call) });
    const [place, count] = (['place', 'count'] as const).map(
      what =>
        `${base}.${numbered(
          what,
          numberedBy.findIndex(other => other.value === by),
        )}`,
    );
    return dialect.quantileOfNumbered!(
      value(),
      call.args[1] ? writeModel(call.args[1]) : '0.5',
      place!,
      count!,
    );
  }
}

type Call = Expression & { readonly kind: 'call' };

const isQuantile = (call: Call) => call.name === 'median' || call.name === 'quantile';

function hasQuantile(expression: PlanExpression): boolean {
  const within = (part: Expression): boolean =>
    (part.kind === 'call' && isQuantile(part)) || partsOf(part).some(within);
  return expression.kind === 'model'
    ? within(expression.expression)
    : expression.kind === 'double' && hasQuantile(expression.operand);
}

const base = 't';

/** The domain of each function. Outside of it the result is null instead of an error or an infinity. */
const domains: Readonly<Record<string, (args: readonly string[]) => string>> = {
  ln: ([value]) => `${value} > 0`,
  log10: ([value]) => `${value} > 0`,
  log2: ([value]) => `${value} > 0`,
  sqrt: ([value]) => `${value} >= 0`,
  asin: ([value]) => `${value} between -1 and 1`,
  acos: ([value]) => `${value} between -1 and 1`,
  exp: ([value]) => `${value} < 709.7`,
  power: ([value, exponent]) =>
    `(${value} > 0 or ${value} = 0 and ${exponent} >= 0 or ${value} < 0 and ${exponent} = floor(${exponent}))`,
};

const shown = (type: Type): Type => (type === 'instant' ? 'time' : type);

/** The date or time that a text contains, in milliseconds; undefined if it contains none. */
function calendarTime(text: string): number | undefined {
  try {
    return parseCalendarTime(text.trim().replace(' ', 'T'));
  } catch {
    return undefined;
  }
}

/** The columns of each join that a plan reads, including columns from which other joins start. */
function joinedColumns(plan: Plan): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const keys = Object.values(plan.joins).flatMap(({ on }) =>
    on.map(({ join, column }) => ({ join, name: column })),
  );
  for (const { join, name } of [
    ...columnsRead([...plan.columns.map(column => column.expression), ...plan.where]),
    ...keys,
  ]) {
    if (join) found.set(join, (found.get(join) ?? new Set()).add(name));
  }
  return found;
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as SQL.`);
  // The exponent makes the literal a double and keeps every digit.
  return Number.isInteger(value) && Math.abs(value) < 2 ** 53
    ? String(value)
    : `${value}${/e/.test(String(value)) ? '' : 'e0'}`;
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count of rows.`);
  return String(value);
}
