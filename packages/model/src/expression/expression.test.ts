import { describe, expect, test } from 'vitest';
import { checkExpression, type Scope } from './check-expression.ts';
import { ExpressionError } from './expression.ts';
import { parseExpression } from './parse-expression.ts';

/** This thread's own work: other programs on the machine do not count. */
const cpuMs = () => process.threadCpuUsage().user / 1000;

const columns = {
  delay: 'integer',
  price: 'number',
  name: 'text',
  when: 'time',
  ok: 'boolean',
  nested: 'other',
} as const;
const scope: Scope = {
  columnType: column => columns[column as keyof typeof columns],
  columnNames: () => Object.keys(columns),
};
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
    const plain = (expression: unknown) =>
      JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? undefined : value));
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
  ['sum(name)', '0: `sum` needs a number, but this is text.'],
  ['sum(avg(delay))', '0: `sum` cannot be nested inside another aggregate.'],
  ['name = 1', '5: `=` cannot compare text with integer.'],
  ['delay +', '7: the end of the expression is unexpected here.'],
  ['(delay', '6: `)` is missing before the end of the expression.'],
  ['delay delay', '6: `delay` is unexpected here.'],
  ['delay ; drop', '6: `;` is unexpected here.'],
  ['round(1, 2, 3)', '0: `round` takes 1 to 2 arguments, not 3.'],
  ["'open", "0: `'` is unexpected here."],
  ['cast(delay as money)', '14: Unknown type `money`'],
  ['lower(nested)', '0: `lower` needs a text, but this is a nested value.'],
  ['constructor(delay)', '0: There is no function `constructor`'],
])('%s: %s', (text, message) => {
  expect(problem(text)).toContain(message);
});

test('an endlessly nested expression is refused, and not parsed', () => {
  expect(problem(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toContain('nested too deep');
});

describe('an expression', () => {
  const terms = (count: number, term: string, by: string) =>
    Array.from({ length: count }, () => term).join(by);
  const nested = (count: number, before: string, within: string, after: string) =>
    before.repeat(count) + within + after.repeat(count);

  test.each([
    ['2,000 terms', terms(2000, '1', ' + ')],
    ['2,000 conditions', terms(2000, 'a = 1', ' and ')],
    ['2,000 alternatives', terms(2000, 'a = 1', ' or ')],
    ['parentheses', nested(5000, '(', '1', ')')],
    ['calls in calls', nested(3000, 'abs(', 'a', ')')],
    ['cases in cases', nested(500, 'case when a = 1 then ', '1', ' end')],
    ['cases of cases', nested(60, 'case ', 'a', ' when 1 then 2 when 2 then 1 when 3 then 4 end')],
    ['nots', `${'not '.repeat(3000)}a = 1`],
    ['minus signs', `${'- '.repeat(3000)}1`],
    ['casts', `a${'::double'.repeat(3000)}`],
    ['betweens of betweens', `a${' between 1 and 2'.repeat(40)}`],
    ['concatenations', terms(3000, "'x'", ' || ')],
    ['values', `a in (${terms(6000, '1', ', ')})`],
    ['characters', `'${'x'.repeat(30_000)}'`],
  ])('with too many %s is refused with a message', (_, text) => {
    const began = cpuMs();
    expect(() => parseExpression(text)).toThrow(
      expect.objectContaining({
        code: 'expression-invalid',
        message: expect.stringMatching(
          /^This expression (is nested too deeply|is longer than|has more than|nests more than)/,
        ),
      }),
    );
    expect(cpuMs() - began).toBeLessThan(2000);
  });

  test('of 190 terms, or of 4,000 values, is allowed', () => {
    expect(parseExpression(terms(190, '1', ' + ')).kind).toBe('binary');
    expect(parseExpression(`a in (${terms(4000, '1', ', ')})`).kind).toBe('in');
  });

  const seed = Number(process.env['BELVEDERE_SEED']);
  test(`of random shape and size is parsed or refused with a message (seed ${seed})`, () => {
    let state = seed;
    const below = (n: number) => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return (state >> 8) % n;
    };
    const pieces: readonly ((text: string) => string)[] = [
      text => `(${text})`,
      text => `${text} + 1`,
      text => `1 - ${text}`,
      text => `abs(${text})`,
      text => `${text} and ok`,
      text => `ok or ${text}`,
      text => `not ${text}`,
      text => `- ${text}`,
      text => `${text}::double`,
      text => `cast(${text} as text)`,
      text => `case when ok then ${text} else 1 end`,
      text => `case ${text} when 1 then 2 when 2 then 3 end`,
      text => `${text} between 1 and 2`,
      text => `${text} in (1, 2, ${below(50)})`,
      text => `${text} is not null`,
      text => `coalesce(${text}, 1)`,
      text => `sum(${text}) filter (where ok)`,
      text => `${text} || name`,
      text => `sign(${text})`,
      text => `nullif(${text}, ${below(9)})`,
    ];
    for (let round = 0; round < 300; round++) {
      let text = ['delay', 'price', 'name', 'ok', '1', "'x'"][below(6)]!;
      const few = Array.from({ length: 1 + below(3) }, () => pieces[below(pieces.length)]!);
      for (let size = below(2) === 0 ? below(12) : below(400); size > 0 && text.length < 30_000; size--)
        text = few[below(few.length)]!(text);
      expect(problem(text)).toEqual(expect.any(String));
    }
  });
});
