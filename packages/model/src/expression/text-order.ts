import { partsOf, type Expression } from './expression.ts';

type Column = Extract<Expression, { kind: 'column' }>;

const orders: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const extremes: ReadonlySet<string> = new Set(['min', 'max']);

/**
 * The text columns that an expression compares by order, or takes the least or greatest value of. If their
 * texts are numbers, the result is that of texts: `'9' > '10'`.
 * @param expression with the types of its columns
 */
export function columnsOrderedAsText(expression: Expression): Column[] {
  const operands =
    expression.kind === 'binary' && orders.has(expression.operator)
      ? [expression.left, expression.right]
      : expression.kind === 'call' && extremes.has(expression.name)
        ? expression.args
        : [];
  const columns = operands.filter(
    (operand): operand is Column => operand.kind === 'column' && operand.type === 'text',
  );
  return [...columns, ...partsOf(expression).flatMap(columnsOrderedAsText)];
}
