import { didYouMean } from '@belvedere/document';
import { isNumeric, isTemporal, type DataType } from '../table.ts';
import { castTypes, ExpressionError, partsOf, type Expression } from './expression.ts';
import { functions } from './functions.ts';

/** What the names in an expression stand for. */
export interface Scope {
  /** The type of a column, or undefined where there is none. */
  readonly columnType: (name: string, join?: string) => DataType | undefined;
  /** The names that could have been meant, for suggestions. */
  readonly columnNames: (join?: string) => readonly string[];
}

export interface Checked {
  /** `null` alone has no type of its own. */
  readonly type: DataType | 'null';
  readonly isAggregate: boolean;
}

/**
 * Works out an expression's type.
 * @throws ExpressionError for an unknown column or function, a wrong type, an aggregate inside an aggregate.
 */
export function checkExpression(expression: Expression, scope: Scope): Checked {
  const parts = partsOf(expression).map(part => checkExpression(part, scope));
  const isAggregate = parts.some(part => part.isAggregate);
  const scalar = (type: Checked['type']): Checked => ({ type, isAggregate });
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      if (value === null) return scalar('null');
      return scalar(typeof value === 'boolean' ? 'boolean' : typeof value === 'string' ? 'text' : Number.isInteger(value) ? 'integer' : 'number');
    }
    case 'column': {
      const type = scope.columnType(expression.name, expression.join);
      if (type) return scalar(type);
      const full = expression.join ? `${expression.join}.${expression.name}` : expression.name;
      throw new ExpressionError('field-unknown', `There is no column \`${full}\`${didYouMean(expression.name, scope.columnNames(expression.join))}`, expression.at);
    }
    case 'unary':
      require(parts[0]!, expression.operator === 'not' ? 'boolean' : 'number', `\`${expression.operator}\``);
      return scalar(parts[0]!.type);
    case 'binary':
      return scalar(typeOfOperator(expression, parts[0]!, parts[1]!));
    case 'in':
    case 'isNull':
      return scalar('boolean');
    case 'cast':
      return scalar(castTypes[expression.to]);
    case 'case': {
      const whens = parts.slice(0, expression.branches.length * 2).filter((_, i) => i % 2 === 0);
      for (const when of whens) require(when, 'boolean', '`when`');
      const results = [...parts.slice(0, expression.branches.length * 2).filter((_, i) => i % 2 === 1), ...(expression.otherwise ? [parts.at(-1)!] : [])];
      return scalar(widest(results.map(result => result.type)));
    }
    case 'call': {
      const spec = Object.hasOwn(functions, expression.name) ? functions[expression.name] : undefined;
      if (!spec) throw new ExpressionError('function-unsupported', `There is no function \`${expression.name}\`${didYouMean(expression.name, Object.keys(functions))}`, expression.at);
      const least = spec.takes.length - (spec.optional === Infinity ? spec.takes.length - 1 : (spec.optional ?? 0));
      const most = spec.optional === Infinity ? Infinity : spec.takes.length;
      const { args } = expression;
      if (args.length < least || args.length > most) {
        const wanted = least === most ? String(least) : most === Infinity ? `${least} or more` : `${least} to ${most}`;
        throw new ExpressionError('expression-invalid', `\`${expression.name}\` takes ${wanted} values, not ${args.length}.`, expression.at);
      }
      args.forEach((_, i) => {
        const kind = spec.takes[Math.min(i, spec.takes.length - 1)]!;
        if (kind !== 'any') require(parts[i]!, kind, `\`${expression.name}\``, expression.at);
      });
      if (spec.aggregate && isAggregate) throw new ExpressionError('expression-invalid', `\`${expression.name}\` cannot go inside another aggregate.`, expression.at);
      const type = spec.gives === 'same' ? widest(parts.slice(0, args.length).map(part => part.type)) : spec.gives;
      return { type, isAggregate: isAggregate || spec.aggregate === true };
    }
  }
}

function typeOfOperator(expression: Expression & { kind: 'binary' }, left: Checked, right: Checked): Checked['type'] {
  const { operator, at } = expression;
  switch (operator) {
    case 'and':
    case 'or':
      require(left, 'boolean', `\`${operator}\``, at);
      require(right, 'boolean', `\`${operator}\``, at);
      return 'boolean';
    case '+': case '-': case '*': case '%': case '/':
      require(left, 'number', `\`${operator}\``, at);
      require(right, 'number', `\`${operator}\``, at);
      return operator !== '/' && left.type === 'integer' && right.type === 'integer' ? 'integer' : 'number';
    case '||':
      return 'text';
    case 'like':
      require(left, 'text', '`like`', at);
      return 'boolean';
    default:
      if (!comparable(left.type, right.type)) throw new ExpressionError('type-mismatch', `\`${operator}\` cannot compare ${left.type} with ${right.type}.`, at);
      return 'boolean';
  }
}

function comparable(a: Checked['type'], b: Checked['type']): boolean {
  if (a === 'null' || b === 'null' || a === b) return true;
  if (isTemporal(a as DataType) && b === 'text') return true;
  return (isNumeric(a as DataType) && isNumeric(b as DataType)) || (isTemporal(a as DataType) && isTemporal(b as DataType));
}

function require(checked: Checked, kind: 'number' | 'text' | 'boolean' | 'time', where: string, at = 0): void {
  const { type } = checked;
  if (type === 'null' || type === kind) return;
  if (kind === 'number' && isNumeric(type)) return;
  if (kind === 'time' && isTemporal(type)) return;
  throw new ExpressionError('type-mismatch', `${where} needs a ${kind}, and this is ${type === 'other' ? 'a nested value' : type}.`, at);
}

function widest(types: readonly Checked['type'][]): Checked['type'] {
  const known = types.filter(type => type !== 'null');
  if (known.length === 0) return 'null';
  return known.every(type => isNumeric(type)) && known.includes('number') ? 'number' : known[0]!;
}
