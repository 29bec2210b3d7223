import type { Expression } from '@belvedere/model';
import { isTemporal, type DataType } from '@belvedere/model';
import { binTolerance, edgeOf, nullSlot, outsideSlot, slotsOf, type Axis, type Plan, type PlanExpression, type Value } from '@belvedere/query';
import type { Dialect } from './dialect.ts';

/** A statement and the texts bound to its placeholders, in their order. Whatever a person typed is among the parameters, never in the text. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly string[];
}

/**
 * Says a plan in an engine's SQL. `tableName` gives a table's full, quoted name there.
 * @param texts `inline` writes texts as literals, for statements that take no parameters (`COPY`); everywhere else they are bound
 */
export function writeSql(plan: Plan, dialect: Dialect, tableName: (table: string) => string, texts: 'bound' | 'inline' = 'bound'): Statement {
  const parameters: string[] = [];
  const columns = plan.columns.map(column => `${write(column.expression)} as ${dialect.quote(column.name)}`);
  const joins = Object.entries(plan.joins).map(([name, join]) => {
    const on = join.on.map(({ column, equals }) => `${base}.${dialect.quote(column)} = ${dialect.quote(name)}.${dialect.quote(equals)}`);
    const keys = join.on.map(({ equals }) => dialect.quote(equals)).join(', ');
    const target = join.isKeyed ? tableName(join.table) : `(select * from (select *, count(*) over (partition by ${keys}) as ${dialect.quote(sameKeys)} from ${tableName(join.table)}) where ${dialect.quote(sameKeys)} = 1)`;
    return `left join ${target} as ${dialect.quote(name)} on ${on.join(' and ')}`;
  });
  const where = plan.where.map(write);
  const grouped = plan.groupBy ? Array.from({ length: plan.groupBy }, (_, i) => i + 1) : [];
  const order = plan.order.map(({ column, descending }) => `${dialect.quote(column)} ${descending ? 'desc' : 'asc'} nulls last`);
  const text = [
    `select ${columns.join(', ')}`,
    `from ${tableName(plan.table)} as ${base}`,
    ...joins,
    ...(where.length > 0 ? [`where ${where.join('\n  and ')}`] : []),
    ...(grouped.length > 0 ? [`group by ${grouped.join(', ')}`] : []),
    ...(order.length > 0 ? [`order by ${order.join(', ')}`] : []),
    ...(plan.limit === undefined ? [] : [`limit ${whole(plan.limit)}`]),
    ...(plan.offset ? [`offset ${whole(plan.offset)}`] : []),
  ].join('\n');
  return { text, parameters };

  function write(expression: PlanExpression): string {
    switch (expression.kind) {
      case 'model':
        return writeModel(expression.expression);
      case 'local':
        return dialect.local(write(expression.operand), plan.zone);
      case 'truncate':
        return dialect.truncate(expression.unit, write(expression.operand));
      case 'double':
        return dialect.double(write(expression.operand));
      case 'group': {
        const slots = expression.axes.map(({ axis, operand, type }) => writeSlot(axis, write(operand), type));
        const number = slots.reduce((sofar, slot, i) => `(${sofar}) * ${slotsOf(expression.axes[i]!.axis)} + ${slot}`);
        return `(${number})::INTEGER`;
      }
      case 'edge':
        return `${write(expression.operand)} ${expression.operator} ${isTemporal(expression.type) ? dialect.time(expression.value) : number(expression.value)}`;
      case 'oneOf': {
        const operand = write(expression.operand);
        const values = expression.values.filter(value => value !== null);
        const tests = [
          ...(values.length > 0 ? [`${operand} in (${values.map(value => literalOf(value, expression.type)).join(', ')})`] : []),
          ...(values.length < expression.values.length ? [`${operand} is null`] : []),
        ];
        return tests.length === 0 ? 'false' : `(${tests.join(' or ')})`;
      }
      case 'contains':
        return `contains(lower((${write(expression.operand)})::${dialect.castTypes.text}), lower(${bind(expression.text)}))`;
      case 'not':
        return `not coalesce(${write(expression.condition)}, false)`;
      case 'all':
        return expression.conditions.length === 0 ? 'true' : `(${expression.conditions.map(write).join(' and ')})`;
      case 'any':
        return expression.conditions.length === 0 ? 'false' : `(${expression.conditions.map(write).join(' or ')})`;
    }
  }

  function writeSlot(axis: Axis, operand: string, type: DataType): string {
    if (axis.kind === 'categories') {
      const position = dialect.positionIn(type === 'text' ? operand : `(${operand})::${dialect.castTypes.text}`, axis.values.map(value => (value === null ? 'null' : bind(textOf(value, type)))));
      const nowhere = axis.values.length;
      const nullPlace = axis.values.indexOf(null);
      const found = `coalesce(${position}, ${nowhere})`;
      return nullPlace >= 0 ? `case when ${operand} is null then ${nullPlace} else ${found} end` : found;
    }
    const last = axis.count - 1;
    const edge = (place: number) => (axis.kind === 'bins' ? number(edgeOf(axis, place)) : dialect.time(edgeOf(axis, place)));
    const place = axis.kind === 'bins' ? `floor((${operand} - ${number(axis.origin)}) / ${number(axis.step)} + ${number(binTolerance)})` : dialect.unitsBetween(axis.unit, dialect.time(axis.from), operand);
    // The range is tested on the value itself: that lets the engine skip blocks, and costs half of testing the place.
    return `case when ${operand} is null then ${nullSlot(axis)} when ${operand} >= ${edge(0)} and ${operand} < ${edge(axis.count)} then least(${last}, (${place})::INTEGER) else ${outsideSlot(axis)} end`;
  }

  /** How a value reads once the engine has cast it to text. */
  function textOf(value: Exclude<Value, null>, type: DataType): string {
    return isTemporal(type) && typeof value === 'number' ? (type === 'date' ? new Date(value).toISOString().slice(0, 10) : new Date(value).toISOString().slice(0, 19).replace('T', ' ')) : String(value);
  }

  function literalOf(value: Exclude<Value, null>, type: DataType): string {
    if (typeof value === 'number') return isTemporal(type) ? dialect.time(value) : number(value);
    if (typeof value === 'boolean') return String(value);
    return type === 'text' || type === 'boolean' ? bind(value) : `try_cast(${bind(value)} as ${type === 'integer' || type === 'number' ? dialect.castTypes.double : dialect.castTypes.timestamp})`;
  }

  function bind(text: string): string {
    if (texts === 'inline') return dialect.text(text);
    parameters.push(text);
    return `${dialect.placeholder(parameters.length)}::${dialect.castTypes.text}`;
  }

  function writeModel(expression: Expression): string {
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return value === null ? 'null' : typeof value === 'string' ? bind(value) : typeof value === 'number' ? number(value) : String(value);
      }
      case 'column':
        return `${expression.join ? dialect.quote(expression.join) : base}.${dialect.quote(expression.name)}`;
      case 'unary':
        return expression.operator === 'not' ? `(not ${writeModel(expression.operand)})` : `(- ${writeModel(expression.operand)})`;
      case 'binary': {
        const left = writeModel(expression.left);
        const right = writeModel(expression.right);
        // x / 0 is null on every engine.
        return expression.operator === '/' || expression.operator === '%' ? `(${left} ${expression.operator} nullif(${right}, 0))` : `(${left} ${expression.operator} ${right})`;
      }
      case 'in':
        return `(${writeModel(expression.operand)} ${expression.negated ? 'not in' : 'in'} (${expression.values.map(writeModel).join(', ')}))`;
      case 'isNull':
        return `(${writeModel(expression.operand)} is ${expression.negated ? 'not ' : ''}null)`;
      case 'case': {
        const branches = expression.branches.map(({ when, result }) => `when ${writeModel(when)} then ${writeModel(result)}`);
        return `case ${branches.join(' ')}${expression.otherwise ? ` else ${writeModel(expression.otherwise)}` : ''} end`;
      }
      case 'cast':
        return `try_cast(${writeModel(expression.operand)} as ${dialect.castTypes[expression.to]})`;
      case 'call': {
        const args = expression.args.map(writeModel);
        const special = dialect.functions[expression.name];
        const filter = expression.filter ? ` filter (where ${writeModel(expression.filter)})` : '';
        if (expression.name === 'count' && args.length === 0) return `count(*)${filter}`;
        return (special ? special(args) : `${expression.name}(${expression.distinct ? 'distinct ' : ''}${args.join(', ')})`) + filter;
      }
    }
  }
}

const base = 't';
/** How many rows of a joined table share a key; a name no column has. */
const sameKeys = 'belvedere same keys';

function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as SQL.`);
  // An exponent makes it a double and keeps every digit of it.
  return Number.isInteger(value) && Math.abs(value) < 2 ** 53 ? String(value) : `${value}${/e/.test(String(value)) ? '' : 'e0'}`;
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count of rows.`);
  return String(value);
}
