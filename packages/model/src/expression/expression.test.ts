import { describe, expect, test } from 'vitest';
import { checkExpression, type Scope } from './check-expression.ts';
import { ExpressionError } from './expression.ts';
import { parseExpression } from './parse-expression.ts';

const columns = { delay: 'integer', price: 'number', name: 'text', when: 'time', ok: 'boolean', nested: 'other' } as const;
const scope: Scope = { columnType: column => columns[column as keyof typeof columns], columnNames: () => Object.keys(columns) };
const check = (text: string) => checkExpression(parseExpression(text), scope);
const problem = (text: string) => {
  try {
    check(text);
    return 'no problem';
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return `${error.at}: ${error.message}`;
  }
};

describe('precedence', () => {
  test.each([
    ['1 + 2 * 3', '1 + (2 * 3)'],
    ['a or b and not c = 1', 'a or (b and (not (c = 1)))'],
    ['a - b - c', '(a - b) - c'],
    ['-a * b', '(-a) * b'],
    ["x || 'a' = 'b'", "(x || 'a') = 'b'"],
    ['a between 1 and 2 and b', '((a >= 1) and (a <= 2)) and b'],
    ['not a is null', 'not (a is null)'],
    ['a in (1, 2) or b', '(a in (1, 2)) or b'],
  ])('%s is %s', (text, grouped) => {
    const plain = (expression: unknown) => JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? undefined : value));
    expect(plain(parseExpression(text))).toBe(plain(parseExpression(grouped)));
  });
});

test.each([
  ['count(*)', 'integer', true],
  ['sum(delay) / count(*)', 'number', true],
  ['avg(case when delay < 15 then 1.0 else 0.0 end)', 'number', true],
  ['count(*) filter (where delay > 5 and ok)', 'integer', true],
  ['count(distinct name)', 'integer', true],
  ['extract(hour from "when")', 'integer', false],
  ["upper(left(name, 2)) || 'x'", 'text', false],
  ['delay + 1', 'integer', false],
  ['delay / 2', 'number', false],
  ['case delay when 1 then null else 2 end', 'integer', false],
  ['cast(name as date)', 'date', false],
  ['name::integer', 'integer', false],
  ['"when" >= \'2024-01-01\'', 'boolean', false],
  ['max("when")', 'time', true],
  ['coalesce(price, delay)', 'number', false],
])('%s gives %s', (text, type, isAggregate) => {
  expect(check(text)).toEqual({ type, isAggregate });
});

test.each([
  ['sum(dely)', '4: There is no column `dely`; did you mean `delay`?'],
  ['smu(delay)', '0: There is no function `smu`; did you mean `sum`?'],
  ['sum(name)', '0: `sum` needs a number, and this is text.'],
  ['sum(avg(delay))', '0: `sum` cannot go inside another aggregate.'],
  ['name = 1', '5: `=` cannot compare text with integer.'],
  ['delay +', '7: the end of the expression does not belong here.'],
  ['(delay', '6: `)` is missing before the end of the expression.'],
  ['delay delay', '6: `delay` does not belong here.'],
  ['delay ; drop', '6: `;` does not belong here.'],
  ['round(1, 2, 3)', '0: `round` takes 1 to 2 values, not 3.'],
  ["'open", "0: `'` does not belong here."],
  ['cast(delay as money)', '14: There is no type `money` to cast to'],
  ['lower(nested)', '0: `lower` needs a text, and this is a nested value.'],
  ['constructor(delay)', '0: There is no function `constructor`'],
])('%s: %s', (text, message) => {
  expect(problem(text)).toContain(message);
});

test('an expression nested without end is refused, not followed', () => {
  expect(problem(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toContain('nested too deep');
});
