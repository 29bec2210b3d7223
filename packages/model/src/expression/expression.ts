import type { DataType } from '../table.ts';

/** A parsed expression. Plain data; `at` is the offset in its text, for messages. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'column'; readonly name: string; readonly join?: string; readonly at?: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly distinct?: boolean; readonly filter?: Expression; readonly at?: number }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-'; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression; readonly at?: number }
  | { readonly kind: 'in'; readonly operand: Expression; readonly values: readonly Expression[]; readonly negated: boolean }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'case'; readonly branches: readonly { readonly when: Expression; readonly result: Expression }[]; readonly otherwise?: Expression }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly to: CastType };

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '||' | '=' | '<>' | '<' | '<=' | '>' | '>=' | 'and' | 'or' | 'like';

export const castTypes = { integer: 'integer', bigint: 'integer', double: 'number', decimal: 'number', text: 'text', varchar: 'text', date: 'date', timestamp: 'time', boolean: 'boolean' } as const satisfies Record<string, DataType>;
export type CastType = keyof typeof castTypes;

/** Something wrong with an expression, and where in its text (offset from 0). Its pages are docs/errors/expression-invalid.md and field-unknown.md. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: 'expression-invalid' | 'field-unknown' | 'type-mismatch' | 'function-unsupported';
  readonly at: number;

  constructor(code: ExpressionError['code'], message: string, at = 0) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

/** Every expression directly inside this one. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'column':
      return [];
    case 'call':
      return expression.filter ? [...expression.args, expression.filter] : [...expression.args];
    case 'unary':
    case 'isNull':
    case 'cast':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'in':
      return [expression.operand, ...expression.values];
    case 'case':
      return [...expression.branches.flatMap(branch => [branch.when, branch.result]), ...(expression.otherwise ? [expression.otherwise] : [])];
  }
}
