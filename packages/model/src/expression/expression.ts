import type { DataType } from '../table.ts';

/**
 * A parsed expression. Plain data; `at` is the offset in its text, for messages. A checked expression has its
 * columns' `type`.
 */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | {
      readonly kind: 'column';
      readonly name: string;
      readonly join?: string;
      readonly type?: DataType;
      readonly at?: number;
    }
  /**
   * An attribute of the viewing user, `:user.name`: only in policies, and replaced by its value before any
   * query runs.
   */
  | { readonly kind: 'attribute'; readonly name: string; readonly at?: number }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly distinct?: boolean;
      readonly filter?: Expression;
      readonly at?: number;
    }
  | { readonly kind: 'unary'; readonly operator: 'not' | '-'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at?: number;
    }
  | {
      readonly kind: 'in';
      readonly operand: Expression;
      readonly values: readonly Expression[];
      readonly negated: boolean;
    }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise?: Expression;
    }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly to: CastType };

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'
  | 'like';

export const castTypes = {
  integer: 'integer',
  bigint: 'integer',
  double: 'number',
  decimal: 'decimal',
  text: 'text',
  varchar: 'text',
  date: 'date',
  timestamp: 'time',
  boolean: 'boolean',
} as const satisfies Record<string, DataType>;
export type CastType = keyof typeof castTypes;

/**
 * An error in an expression, with its offset in the text (from 0). Its pages are
 * docs/errors/expression-invalid.md and field-unknown.md.
 */
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

/** The direct subexpressions of an expression. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'attribute':
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
      return [
        ...expression.branches.flatMap(branch => [branch.when, branch.result]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
  }
}

/** Returns the expression with `change` applied to its direct subexpressions. */
export function mapParts(expression: Expression, change: (part: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'attribute':
      return expression;
    case 'call':
      return {
        ...expression,
        args: expression.args.map(change),
        ...(expression.filter && { filter: change(expression.filter) }),
      };
    case 'unary':
    case 'isNull':
    case 'cast':
      return { ...expression, operand: change(expression.operand) };
    case 'binary':
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    case 'in':
      return { ...expression, operand: change(expression.operand), values: expression.values.map(change) };
    case 'case':
      return {
        ...expression,
        branches: expression.branches.map(({ when, result }) => ({
          when: change(when),
          result: change(result),
        })),
        ...(expression.otherwise && { otherwise: change(expression.otherwise) }),
      };
  }
}
