import { functions, type Expression } from '@belvedere/model';

/**
 * One aggregate of the rows, and how it merges from the aggregates of their groups. `sum` adds, `min` and
 * `max` compare. `none` cannot be merged (medians, distinct counts), so the engine computes it again.
 */
export interface Part {
  readonly aggregate: Expression;
  readonly merge: 'sum' | 'min' | 'max' | 'none';
}

/** A measure's value computed from parts: plain arithmetic with the same results in browser and server. */
export type PartsExpression =
  | { readonly kind: 'part'; readonly index: number }
  | { readonly kind: 'number'; readonly value: number | null }
  | { readonly kind: 'apply'; readonly operator: Operator; readonly args: readonly PartsExpression[] };
type Operator = keyof typeof operators;

export interface DecomposedMeasures {
  readonly parts: readonly Part[];
  /** One per measure, in order. */
  readonly values: readonly PartsExpression[];
}

/** Returns the same key for equal parts, regardless of their expressions' positions in the source text. */
export function partialKey({ aggregate, merge }: Part): string {
  return JSON.stringify(aggregate, (name, value: unknown) => (name === 'at' ? undefined : value)) + merge;
}

/**
 * Splits measures into mergeable aggregates and the arithmetic over them, so that ratios divide sums and
 * never add ratios. A measure with unsupported arithmetic becomes one part with `merge: 'none'`.
 */
export function decomposeMeasures(
  measures: readonly { readonly expression: Expression }[],
): DecomposedMeasures {
  const parts: Part[] = [];
  const keys = new Map<string, number>();
  const values = measures.map(measure => parted(measure.expression) ?? part(measure.expression, 'none'));
  return { parts, values };

  function part(aggregate: Expression, merge: Part['merge']): PartsExpression {
    const key = partialKey({ aggregate, merge });
    const index = keys.get(key) ?? parts.push({ aggregate, merge }) - 1;
    keys.set(key, index);
    return { kind: 'part', index };
  }

  function parted(expression: Expression): PartsExpression | undefined {
    switch (expression.kind) {
      case 'literal':
        return typeof expression.value === 'number' || expression.value === null
          ? { kind: 'number', value: expression.value }
          : undefined;
      case 'unary':
        return expression.operator === '-' ? apply('negate', [expression.operand]) : undefined;
      case 'binary':
        return expression.operator in operators
          ? apply(expression.operator as Operator, [expression.left, expression.right])
          : undefined;
      case 'call':
        if (functions[expression.name]?.aggregate) return aggregateParts(expression);
        return expression.name in operators ? apply(expression.name as Operator, expression.args) : undefined;
      default:
        return undefined;
    }
  }

  function apply(operator: Operator, args: readonly Expression[]): PartsExpression | undefined {
    const done = args.map(parted);
    return done.every(arg => arg !== undefined) ? { kind: 'apply', operator, args: done } : undefined;
  }

  function aggregateParts(call: Expression & { kind: 'call' }): PartsExpression {
    if (call.distinct) return part(call, 'none');
    switch (call.name) {
      case 'count':
        return part(call, 'sum');
      case 'sum':
        // A sum over no values is null, not 0. The count of values tells the two apart.
        return {
          kind: 'apply',
          operator: 'ifAny',
          args: [part(call, 'sum'), part({ ...call, name: 'count' }, 'sum')],
        };
      case 'avg':
        return {
          kind: 'apply',
          operator: '/',
          args: [part({ ...call, name: 'sum' }, 'sum'), part({ ...call, name: 'count' }, 'sum')],
        };
      case 'min':
      case 'max':
        return part(call, call.name);
      default:
        return part(call, 'none');
    }
  }
}

/** Whether a measure's values add up. Counts and sums do, averages and ratios do not. */
export function isAdditive(value: PartsExpression, merges: readonly Part['merge'][]): boolean {
  if (value.kind === 'part') return merges[value.index] === 'sum';
  return value.kind === 'apply' && value.operator === 'ifAny';
}

/**
 * Returns a function that computes the measure's value from one group's parts, with NaN for null throughout.
 */
export function evaluator(value: PartsExpression): (part: (index: number) => number) => number {
  switch (value.kind) {
    case 'part': {
      const { index } = value;
      return part => part(index);
    }
    case 'number': {
      const constant = value.value ?? Number.NaN;
      return () => constant;
    }
    case 'apply': {
      const operate = operators[value.operator];
      const args = value.args.map(evaluator);
      const [a, b] = args;
      if (args.length === 1) return part => operate(a!(part), Number.NaN);
      if (args.length === 2) return part => operate(a!(part), b!(part));
      return part => args.slice(1).reduce((sofar, arg) => operate(sofar, arg(part)), a!(part));
    }
  }
}

/** SQL's arithmetic with NaN for null: x/0 is null; `coalesce`, `greatest` and `least` skip nulls. */
const operators = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => (b === 0 ? Number.NaN : a / b),
  negate: (a: number, _: number) => -a,
  abs: (a: number, _: number) => Math.abs(a),
  sqrt: (a: number, _: number) => Math.sqrt(a),
  floor: (a: number, _: number) => Math.floor(a),
  ceil: (a: number, _: number) => Math.ceil(a),
  coalesce: (a: number, b: number) => (Number.isNaN(a) ? b : a),
  nullif: (a: number, b: number) => (a === b ? Number.NaN : a),
  greatest: (a: number, b: number) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  least: (a: number, b: number) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  ifAny: (sum: number, count: number) => (count === 0 ? Number.NaN : sum),
} as const;
