import { didYouMean } from '@belvedere/document';
import { isNumeric, isTemporal, type DataType } from '../table.ts';
import {
  castTypes,
  ExpressionError,
  mapParts,
  partsOf,
  type CastType,
  type Expression,
} from './expression.ts';
import { functions, functionUnits } from './functions.ts';

/** Resolves the names in an expression. */
export interface Scope {
  /** The type of a column, or undefined if it does not exist. */
  readonly columnType: (name: string, join?: string) => DataType | undefined;
  /** Known column names, for suggestions. */
  readonly columnNames: (join?: string) => readonly string[];
  /** Whether `:user.name` is allowed. Its value is not known yet, so it fits every type. */
  readonly hasAttributes?: boolean;
}

export interface Checked {
  /** A literal `null` has no type of its own. */
  readonly type: DataType | 'null';
  readonly isAggregate: boolean;
}

/** Adds the type to every column of an expression, so that it can be translated to SQL without its tables. */
export function withColumnTypes(expression: Expression, scope: Scope): Expression {
  if (expression.kind !== 'column') return mapParts(expression, part => withColumnTypes(part, scope));
  const type = scope.columnType(expression.name, expression.join);
  return type ? { ...expression, type } : expression;
}

/** The type of a checked expression that contains its columns' types. */
export function typeOf(expression: Expression): Checked['type'] {
  return checkExpression(expression, nowhere).type;
}
const nowhere: Scope = { columnType: () => undefined, columnNames: () => [] };

/**
 * Checks an expression and determines its type.
 * @throws ExpressionError for an unknown column or function, a wrong type, or an aggregate inside an
 *   aggregate.
 */
export function checkExpression(expression: Expression, scope: Scope): Checked {
  const parts = partsOf(expression).map(part => checkExpression(part, scope));
  const isAggregate = parts.some(part => part.isAggregate);
  const scalar = (type: Checked['type']): Checked => ({ type, isAggregate });
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      if (value === null) return scalar('null');
      return scalar(
        typeof value === 'boolean'
          ? 'boolean'
          : typeof value === 'string'
            ? 'text'
            : Number.isInteger(value)
              ? 'integer'
              : 'number',
      );
    }
    case 'attribute':
      if (!scope.hasAttributes)
        throw new ExpressionError(
          'expression-invalid',
          `\`:user.${expression.name}\` depends on the viewer. Use it only in the \`where\` of a policy.`,
          expression.at,
        );
      return scalar('null');
    case 'column': {
      const type = expression.type ?? scope.columnType(expression.name, expression.join);
      if (type) return scalar(type);
      const full = expression.join ? `${expression.join}.${expression.name}` : expression.name;
      throw new ExpressionError(
        'field-unknown',
        `There is no column \`${full}\`${didYouMean(expression.name, scope.columnNames(expression.join))}`,
        expression.at,
      );
    }
    case 'unary':
      require(parts[0]!, expression.operator === 'not' ? 'boolean' : 'number', `\`${expression.operator}\``);
      return scalar(parts[0]!.type);
    case 'binary':
      return scalar(typeOfOperator(expression, parts[0]!, parts[1]!));
    case 'in':
      for (const value of parts.slice(1)) {
        if (!comparable(parts[0]!.type, value.type))
          throw new ExpressionError(
            'type-mismatch',
            `\`in\` cannot compare ${parts[0]!.type} with ${value.type}.`,
          );
      }
      return scalar('boolean');
    case 'isNull':
      return scalar('boolean');
    case 'cast':
      if (!canCast(parts[0]!.type, expression.to))
        throw new ExpressionError('type-mismatch', `Cannot cast ${parts[0]!.type} to ${expression.to}.`);
      return scalar(castTypes[expression.to]);
    case 'case': {
      const whens = parts.slice(0, expression.branches.length * 2).filter((_, i) => i % 2 === 0);
      for (const when of whens) require(when, 'boolean', '`when`');
      const results = [
        ...parts.slice(0, expression.branches.length * 2).filter((_, i) => i % 2 === 1),
        ...(expression.otherwise ? [parts.at(-1)!] : []),
      ];
      return scalar(widest(results.map(result => result.type)));
    }
    case 'call':
      return checkCall(expression, parts);
  }
}

/** Checks the arguments of a function and determines the type of its result. */
function checkCall(expression: Expression & { kind: 'call' }, parts: readonly Checked[]): Checked {
  const isAggregate = parts.some(part => part.isAggregate);
  const spec = Object.hasOwn(functions, expression.name) ? functions[expression.name] : undefined;
  if (!spec)
    throw new ExpressionError(
      'function-unsupported',
      `There is no function \`${expression.name}\`${didYouMean(expression.name, Object.keys(functions))}`,
      expression.at,
    );
  const minArgs =
    spec.takes.length - (spec.optional === Infinity ? spec.takes.length - 1 : (spec.optional ?? 0));
  const maxArgs = spec.optional === Infinity ? Infinity : spec.takes.length;
  const { args } = expression;
  if (args.length < minArgs || args.length > maxArgs) {
    const wanted =
      minArgs === maxArgs
        ? String(minArgs)
        : maxArgs === Infinity
          ? `${minArgs} or more`
          : `${minArgs} to ${maxArgs}`;
    throw new ExpressionError(
      'expression-invalid',
      `\`${expression.name}\` takes ${wanted} arguments, not ${args.length}.`,
      expression.at,
    );
  }
  args.forEach((_, i) => {
    const kind = spec.takes[Math.min(i, spec.takes.length - 1)]!;
    if (kind === 'unit') requireUnit(args[i]!, expression);
    else if (kind !== 'any') require(parts[i]!, kind, `\`${expression.name}\``, expression.at);
    else if (parts[i]!.type === 'other' && expression.name !== 'count')
      throw new ExpressionError(
        'type-mismatch',
        `\`${expression.name}\` cannot take a nested value.`,
        expression.at,
      );
  });
  requireLiterals(expression);
  if (
    (expression.name === 'nullif' || expression.name === 'same') &&
    !comparable(parts[0]!.type, parts[1]!.type)
  )
    throw new ExpressionError(
      'type-mismatch',
      `\`${expression.name}\` cannot compare ${parts[0]!.type} with ${parts[1]!.type}.`,
      expression.at,
    );
  if (spec.aggregate && isAggregate)
    throw new ExpressionError(
      'expression-invalid',
      `\`${expression.name}\` cannot be nested inside another aggregate.`,
      expression.at,
    );
  const type =
    spec.gives === 'same'
      ? widest(
          parts
            .slice(expression.name === 'if' ? 1 : 0, expression.name === 'nullif' ? 1 : args.length)
            .map(part => part.type),
          expression.at,
        )
      : spec.gives;
  return { type, isAggregate: isAggregate || spec.aggregate === true };
}

function typeOfOperator(
  expression: Expression & { kind: 'binary' },
  left: Checked,
  right: Checked,
): Checked['type'] {
  const { operator, at } = expression;
  switch (operator) {
    case 'and':
    case 'or':
      require(left, 'boolean', `\`${operator}\``, at);
      require(right, 'boolean', `\`${operator}\``, at);
      return 'boolean';
    case '+':
    case '-':
    case '*':
    case '%':
    case '/':
      require(left, 'number', `\`${operator}\``, at);
      require(right, 'number', `\`${operator}\``, at);
      return operator === '/' ? 'number' : widest([left.type, right.type]);
    case '||':
      return 'text';
    case 'like':
      require(left, 'text', '`like`', at);
      return 'boolean';
    default:
      if (!comparable(left.type, right.type))
        throw new ExpressionError(
          'type-mismatch',
          `\`${operator}\` cannot compare ${left.type} with ${right.type}.`,
          at,
        );
      return 'boolean';
  }
}

function comparable(a: Checked['type'], b: Checked['type']): boolean {
  if (a === 'null' || b === 'null' || a === b) return true;
  if (isTemporal(a as DataType) && b === 'text') return true;
  return (
    (isNumeric(a as DataType) && isNumeric(b as DataType)) ||
    (isTemporal(a as DataType) && isTemporal(b as DataType))
  );
}

function require(
  checked: Checked,
  kind: 'number' | 'text' | 'boolean' | 'time',
  where: string,
  at = 0,
): void {
  const { type } = checked;
  if (type === 'null' || type === kind) return;
  if (kind === 'number' && isNumeric(type)) return;
  if (kind === 'time' && isTemporal(type)) return;
  throw new ExpressionError(
    'type-mismatch',
    `${where} needs a ${kind}, but this is ${type === 'other' ? 'a nested value' : type}.`,
    at,
  );
}

/**
 * The widest of these types, which all of them convert to.
 * @throws ExpressionError if there is none.
 */
function widest(types: readonly Checked['type'][], at = 0): Checked['type'] {
  const known = [...new Set(types.filter(type => type !== 'null'))];
  if (known.length === 0) return 'null';
  if (known.length === 1) return known[0]!;
  for (const order of [['number', 'decimal', 'integer'], ['instant'], ['time', 'date']] as const) {
    if (known.every(type => (order as readonly string[]).includes(type)))
      return order.find(type => known.includes(type))!;
  }
  throw new ExpressionError(
    'type-mismatch',
    `These values have different types: ${known.join(', ')}. Convert them with \`cast\`.`,
    at,
  );
}

const casts: Readonly<
  Record<'integer' | 'number' | 'decimal' | 'text' | 'date' | 'time' | 'boolean', readonly Checked['type'][]>
> = {
  integer: ['integer', 'decimal', 'number', 'text', 'boolean'],
  number: ['integer', 'decimal', 'number', 'text'],
  decimal: ['integer', 'decimal', 'number', 'text'],
  text: ['integer', 'decimal', 'number', 'text', 'boolean', 'date', 'time', 'instant'],
  date: ['date', 'time', 'instant', 'text'],
  time: ['date', 'time', 'instant', 'text'],
  boolean: ['boolean', 'integer', 'text'],
};

function canCast(from: Checked['type'], to: CastType): boolean {
  return from === 'null' || casts[castTypes[to]].includes(from);
}

/** Shares and units are part of the query, not of the data: engines require literals. */
function requireLiterals({ name, args, at }: Expression & { kind: 'call' }): void {
  const share = args[1];
  if (
    name !== 'quantile' ||
    (share?.kind === 'literal' && typeof share.value === 'number' && share.value >= 0 && share.value <= 1)
  )
    return;
  throw new ExpressionError(
    'expression-invalid',
    '`quantile` takes a number from 0 to 1, written as a literal.',
    at,
  );
}

function requireUnit(arg: Expression, { name, at }: Expression & { kind: 'call' }): void {
  const unit = arg.kind === 'literal' ? arg.value : undefined;
  if (typeof unit === 'string' && (functionUnits as readonly string[]).includes(unit)) return;
  throw new ExpressionError(
    'expression-invalid',
    `\`${name}\` takes a unit first, one of ${functionUnits.map(one => `'${one}'`).join(', ')}${typeof unit === 'string' ? didYouMean(unit, functionUnits) : '.'}`,
    at,
  );
}
