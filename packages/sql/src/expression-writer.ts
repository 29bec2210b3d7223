import {
  functions,
  isTemporal,
  partsOf,
  typeOf,
  type DataType,
  type Expression,
  type FunctionUnit,
} from '@belvedere/model';
import { columnsRead, parseCalendarTime, type PlanExpression } from '@belvedere/query';
import type { ColumnScope } from './column-scope.ts';
import type { Dialect, Type } from './dialect.ts';
import { definitionOf } from './function-macros.ts';
import { numberLiteral, type LiteralWriter } from './literal-writer.ts';

/** Writes the expressions of a model, with the same result on each engine. */
export class ExpressionWriter {
  readonly #dialect: Dialect;
  readonly #zone: string;
  readonly #literals: LiteralWriter;
  readonly #columns: ColumnScope;

  /** @param zone in which instants are read */
  constructor(dialect: Dialect, zone: string, literals: LiteralWriter, columns: ColumnScope) {
    this.#dialect = dialect;
    this.#zone = zone;
    this.#literals = literals;
    this.#columns = columns;
  }

  /** @throws Error for an attribute of a user that was not bound */
  write(expression: Expression): string {
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return value === null
          ? 'null'
          : typeof value === 'string'
            ? this.#literals.bind(value)
            : typeof value === 'number'
              ? numberLiteral(value)
              : this.#dialect.boolean(value);
      }
      case 'column':
        return this.#dialect.column(this.#columns.reference(expression), expression.type);
      case 'attribute':
        throw new Error(`:user.${expression.name} was not bound to a user.`);
      case 'unary':
        return expression.operator === 'not'
          ? this.#dialect.not(this.write(expression.operand))
          : `(0 - ${this.write(expression.operand)})`;
      case 'binary':
        return this.#writeBinary(expression);
      case 'in': {
        // Written as single comparisons, because engines differ in how `in` treats nulls.
        const tests = expression.values.map(value =>
          this.#writeBinary({ kind: 'binary', operator: '=', left: expression.operand, right: value }),
        );
        return expression.negated ? this.#dialect.not(this.#dialect.any(tests)) : this.#dialect.any(tests);
      }
      case 'isNull':
        return `(${this.write(expression.operand)} is ${expression.negated ? 'not ' : ''}null)`;
      case 'case': {
        const results = [
          ...expression.branches.map(({ result }) => result),
          ...(expression.otherwise ? [expression.otherwise] : []),
        ];
        const type = typeOf(expression);
        const branches = expression.branches.map(
          ({ when }, i) => `when ${this.write(when)} then ${this.#writeAs(results[i]!, type)}`,
        );
        return `case ${branches.join(' ')}${expression.otherwise ? ` else ${this.#writeAs(expression.otherwise, type)}` : ''} end`;
      }
      case 'cast': {
        const from = typeOf(expression.operand);
        if (from === 'null') return 'null';
        return this.#dialect.cast(
          this.#zoned(expression.operand, from),
          from === 'instant' ? 'time' : from,
          expression.to,
        );
      }
      case 'call':
        return this.#writeCall(expression);
    }
  }

  /**
   * Converts an instant to the plan's zone before any other use, so that filter, group and label use the same
   * zone.
   */
  #zoned(expression: Expression, type: Type): string {
    return type === 'instant'
      ? this.#dialect.local(this.write(expression), this.#zone)
      : this.write(expression);
  }

  /** Casts to a wider type, for engines that require equal types. */
  #writeAs(expression: Expression, type: Type): string {
    const own = typeOf(expression);
    if (own === type || own === 'null' || type === 'null') return this.write(expression);
    if (type === 'number') return this.#dialect.double(this.write(expression));
    if (type === 'time')
      return own === 'date'
        ? this.#dialect.cast(this.write(expression), 'date', 'timestamp')
        : this.write(expression);
    return this.write(expression);
  }

  #writeBinary(expression: Expression & { readonly kind: 'binary' }): string {
    const { operator, left, right } = expression;
    const [leftType, rightType] = [typeOf(left), typeOf(right)];
    switch (operator) {
      case 'and':
        return this.#dialect.all([this.write(left), this.write(right)]);
      case 'or':
        return this.#dialect.any([this.write(left), this.write(right)]);
      case '||':
        return this.#dialect.concatenate(
          asText(this.#dialect, this.#zoned(left, leftType), shown(leftType)),
          asText(this.#dialect, this.#zoned(right, rightType), shown(rightType)),
        );
      case '/':
        // Division is exact: integers give a fraction, and division by zero gives null.
        return `(${this.#dialect.double(this.write(left))} / nullif(${this.#dialect.double(this.write(right))}, 0))`;
      case '%':
      case '+':
      case '-':
      case '*': {
        const isExact = leftType !== 'number' && rightType !== 'number';
        const areWhole = leftType === 'integer' && rightType === 'integer';
        const [a, b] = areWhole
          ? [this.#widened(left), this.#widened(right)]
          : isExact
            ? [this.write(left), this.write(right)]
            : [this.#writeAs(left, 'number'), this.#writeAs(right, 'number')];
        return operator === '%' ? this.#dialect.remainder(a, b, areWhole) : `(${a} ${operator} ${b})`;
      }
      case 'like':
        return this.#dialect.like(this.write(left), this.write(right));
      default:
        return this.#writeComparison(operator, left, leftType, right, rightType);
    }
  }

  #widened(expression: Expression): string {
    const written = this.write(expression);
    return expression.kind !== 'literal' && expression.kind !== 'binary'
      ? this.#dialect.whole(written, expression.kind === 'column')
      : written;
  }

  #writeComparison(
    operator: string,
    left: Expression,
    leftType: Type,
    right: Expression,
    rightType: Type,
  ): string {
    if (isTemporal(leftType as DataType) || isTemporal(rightType as DataType))
      return `(${this.#momentOf(left, leftType)} ${operator} ${this.#momentOf(right, rightType)})`;
    if (leftType === 'text' && rightType === 'text' && operator !== '=' && operator !== '<>') {
      const areConstant = isConstant(left) && isConstant(right);
      const ordered = (side: Expression) => this.#dialect.ordered(this.write(side), areConstant);
      return `(${ordered(left)} ${operator} ${ordered(right)})`;
    }
    const type = leftType !== rightType && [leftType, rightType].includes('number') ? 'number' : leftType;
    return `(${this.#writeAs(left, type)} ${operator} ${this.#writeAs(right, type)})`;
  }

  /** A wall-clock time from a time, an instant, a date or a text that contains one. */
  #momentOf(expression: Expression, type: Type): string {
    if (type !== 'text') return wallClock(this.#dialect, this.#zoned(expression, type), type);
    const ms = expression.kind === 'literal' ? calendarTime(String(expression.value)) : undefined;
    return ms === undefined
      ? this.#dialect.cast(this.write(expression), 'text', 'timestamp')
      : this.#dialect.time(ms);
  }

  #writeCall(call: Expression & { readonly kind: 'call' }): string {
    const spec = functions[call.name];
    const derived = Object.hasOwn(this.#dialect.functions, call.name) ? undefined : definitionOf(call);
    if (derived) return `(${this.write(derived)})`;
    if (spec?.aggregate) return this.#writeAggregate(call);
    const types = call.args.map(typeOf);
    const widest = spec?.gives === 'same' ? typeOf(call) : undefined;
    const args = call.args.map((arg, i) => {
      const wanted = spec?.takes[Math.min(i, spec.takes.length - 1)];
      // A unit becomes part of the statement's text.
      if (wanted === 'unit') return '';
      if (wanted === 'time') return wallClock(this.#dialect, this.#zoned(arg, types[i]!), types[i]!);
      if (spec?.group === 'text' && wanted === 'any')
        return asText(this.#dialect, this.#zoned(arg, types[i]!), shown(types[i]!));
      const written = widest ? this.#writeAs(arg, widest) : this.write(arg);
      return widest === 'text' && (call.name === 'greatest' || call.name === 'least')
        ? this.#dialect.ordered(written, isConstant(call))
        : written;
    });
    // 0 and -0 are equal, but `atan2` distinguishes them, and not every engine preserves the sign.
    if (call.name === 'atan2')
      args.forEach((arg, i) => (args[i] = `case when ${arg} = 0 then 0 else ${arg} end`));
    const unit = call.args[0]?.kind === 'literal' ? (call.args[0].value as FunctionUnit) : 'day';
    if (call.name === 'date_trunc') return this.#dialect.truncate(unit, args[1]!);
    if (call.name === 'date_diff') return this.#dialect.unitsBetween(unit, args[1]!, args[2]!);
    if (call.name === 'date_add') return this.#dialect.add(unit, args[1]!, args[2]!);
    const written = this.#dialect.functions[call.name]?.(args, types) ?? `${call.name}(${args.join(', ')})`;
    const domain = domains[call.name]?.(args);
    return domain ? `case when ${domain} then ${written} end` : written;
  }

  #writeAggregate(call: Expression & { readonly kind: 'call' }): string {
    const type = call.args[0] ? typeOf(call.args[0]) : 'null';
    const isOrdered = type === 'text' && (call.name === 'min' || call.name === 'max');
    if (this.#columns.isNumbered && isQuantile(call)) return this.#writeQuantile(call);
    const value =
      call.args[0] &&
      (isOrdered ? this.#dialect.ordered(this.write(call.args[0])) : this.write(call.args[0]));
    const filter = call.filter && this.write(call.filter);
    const clause = filter && this.#dialect.hasFilterClause ? ` filter (where ${filter})` : '';
    const kept = filter && !clause ? `case when ${filter} then ${value ?? 1} end` : value;
    const rest = call.args.slice(1).map(arg => this.write(arg));
    if (call.distinct)
      return (
        (this.#dialect.functions['count distinct']?.([kept!], [type]) ?? `count(distinct ${kept})`) + clause
      );
    if (kept === undefined) return `${this.#dialect.functions['count']?.([], []) ?? 'count(*)'}${clause}`;
    return (
      (this.#dialect.functions[call.name]?.([kept, ...rest], [type]) ??
        `${call.name}(${[kept, ...rest].join(', ')})`) + clause
    );
  }

  /** Interpolates between the row at the rank and the next row, for engines without such an aggregate. */
  #writeQuantile(call: Call): string {
    const value = () =>
      call.filter
        ? `case when ${this.write(call.filter)} then ${this.write(call.args[0]!)} end`
        : this.write(call.args[0]!);
    const by = this.#columns.atTheTables(value);
    const { place, count } = this.#columns.numberBy(by, isConstant(call));
    return this.#dialect.quantileOfNumbered!(
      value(),
      call.args[1] ? this.write(call.args[1]) : '0.5',
      place,
      count,
    );
  }
}

/** Converts dates to their midnight, so that they compare with times. */
export function wallClock(dialect: Dialect, written: string, type: Type): string {
  return type === 'date' ? dialect.cast(written, 'date', 'timestamp') : written;
}

/** The value as text; texts stay as they are. */
export function asText(dialect: Dialect, written: string, type: Type): string {
  return type === 'text' || type === 'null' || type === 'other'
    ? written
    : dialect.cast(written, type, 'text');
}

function isConstant(expression: Expression): boolean {
  return columnsRead([{ kind: 'model', expression }]).length === 0;
}

type Call = Expression & { readonly kind: 'call' };

const isQuantile = (call: Call) => call.name === 'median' || call.name === 'quantile';

/** Whether an expression contains a median or another quantile. */
export function hasQuantile(expression: PlanExpression): boolean {
  const within = (part: Expression): boolean =>
    (part.kind === 'call' && isQuantile(part)) || partsOf(part).some(within);
  return expression.kind === 'model'
    ? within(expression.expression)
    : expression.kind === 'double' && hasQuantile(expression.operand);
}

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
