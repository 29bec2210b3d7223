import {
  castTypes,
  ExpressionError,
  partsOf,
  type BinaryOperator,
  type CastType,
  type Expression,
} from './expression.ts';
import { didYouMean } from '@belvedere/document';
import { tokenize, tokenName, unexpected, type Token } from './tokenize.ts';

const maxDepth = 100;
/**
 * Limits of an expression. `1 + 1 + …` is as deep as it is long, and all code that processes it recurses to
 * the bottom.
 */
export const expressionLimits = { characters: 20_000, depth: 200, parts: 5_000 } as const;

/**
 * Parses the portable part of SQL's expression syntax: operators, `case`, `cast`, `in`, `between`, `like`,
 * `is null`, `extract(hour from t)`, calls with `distinct` and `filter (where …)`, and `:user.name` in
 * policies.
 *
 * @throws ExpressionError with the position of the first syntax error.
 */
export function parseExpression(text: string): Expression {
  if (text.length > expressionLimits.characters)
    throw new ExpressionError(
      'expression-invalid',
      `This expression is longer than ${expressionLimits.characters.toLocaleString('en')} characters.`,
    );
  const expression = new Parser(text).whole();
  refuseTooLarge(expression);
  return expression;
}

/** Reads tokens from left to right, and returns the expression that they make. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** @throws ExpressionError unless the whole text is one expression */
  whole(): Expression {
    const expression = this.#parse(0);
    if (this.#peek().kind !== 'end') throw unexpected(this.#peek());
    return expression;
  }

  #peek(): Token {
    return this.#tokens[this.#position]!;
  }

  #next(): Token {
    return this.#tokens[this.#position++]!;
  }

  #isWord(word: string, token = this.#peek()): boolean {
    return token.kind === 'name' && token.text.toLowerCase() === word;
  }

  #take(word: string): boolean {
    const token = this.#peek();
    if (!(token.kind === 'symbol' && token.text === word) && !this.#isWord(word)) return false;
    this.#position++;
    return true;
  }

  #expect(word: string): void {
    if (!this.#take(word))
      throw new ExpressionError(
        'expression-invalid',
        `\`${word}\` is missing before ${tokenName(this.#peek())}.`,
        this.#peek().at,
      );
  }

  /** Precedence climbing (Pratt, "Top down operator precedence", POPL 1973). */
  #parse(minimum: number): Expression {
    if (++this.#depth > maxDepth)
      throw new ExpressionError(
        'expression-invalid',
        'This expression is nested too deeply.',
        this.#peek().at,
      );
    let left = this.#prefix();
    for (;;) {
      const token = this.#peek();
      const word =
        token.kind === 'name' ? token.text.toLowerCase() : token.kind === 'symbol' ? token.text : '';
      if (
        comparisonLevel >= minimum &&
        (word === 'is' || word === 'in' || word === 'between' || word === 'not')
      ) {
        left = this.#postfix(left, word);
        continue;
      }
      if (word === '::') {
        this.#next();
        left = { kind: 'cast', operand: left, to: this.#castType() };
        continue;
      }
      const level = levels[word];
      if (level === undefined || level < minimum) break;
      this.#next();
      left = {
        kind: 'binary',
        operator: (word === '!=' ? '<>' : word) as BinaryOperator,
        left,
        right: this.#parse(level + 1),
        at: token.at,
      };
    }
    this.#depth--;
    return left;
  }

  #prefix(): Expression {
    const token = this.#next();
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'text') return { kind: 'literal', value: token.text };
    if (token.kind === 'quoted') return this.#columnOrJoin(token);
    if (token.kind === 'attribute')
      return { kind: 'attribute', name: token.text.slice('user.'.length), at: token.at };
    if (token.kind === 'symbol') {
      if (token.text === '(') {
        const inside = this.#parse(0);
        this.#expect(')');
        return inside;
      }
      if (token.text === '-') return { kind: 'unary', operator: '-', operand: this.#parse(levels['*']! + 1) };
      throw unexpected(token);
    }
    if (token.kind === 'end') throw unexpected(token);
    switch (token.text.toLowerCase()) {
      case 'not':
        return { kind: 'unary', operator: 'not', operand: this.#parse(comparisonLevel) };
      case 'null':
        return { kind: 'literal', value: null };
      case 'true':
        return { kind: 'literal', value: true };
      case 'false':
        return { kind: 'literal', value: false };
      case 'case':
        return this.#caseOf();
      case 'cast': {
        this.#expect('(');
        const operand = this.#parse(0);
        this.#expect('as');
        const to = this.#castType();
        this.#expect(')');
        return { kind: 'cast', operand, to };
      }
      case 'extract': {
        this.#expect('(');
        const part = this.#next();
        this.#expect('from');
        const operand = this.#parse(0);
        this.#expect(')');
        return { kind: 'call', name: part.text.toLowerCase(), args: [operand], at: part.at };
      }
    }
    return this.#peek().kind === 'symbol' && this.#peek().text === '('
      ? this.#call(token)
      : this.#columnOrJoin(token);
  }

  #columnOrJoin(token: Token): Expression {
    if (!this.#take('.')) return { kind: 'column', name: token.text, at: token.at };
    const column = this.#next();
    if (column.kind !== 'name' && column.kind !== 'quoted') throw unexpected(column);
    return { kind: 'column', join: token.text, name: column.text, at: token.at };
  }

  #call(token: Token): Expression {
    this.#expect('(');
    const name = token.text.toLowerCase();
    const distinct = this.#take('distinct');
    const args: Expression[] = [];
    if (name === 'count' && this.#take('*')) this.#expect(')');
    else if (!this.#take(')')) {
      do args.push(this.#parse(0));
      while (this.#take(','));
      this.#expect(')');
    }
    let filter: Expression | undefined;
    if (this.#take('filter')) {
      this.#expect('(');
      this.#expect('where');
      filter = this.#parse(0);
      this.#expect(')');
    }
    return {
      kind: 'call',
      name,
      args,
      at: token.at,
      ...(distinct && { distinct }),
      ...(filter && { filter }),
    };
  }

  #caseOf(): Expression {
    const subject = this.#isWord('when') ? undefined : this.#parse(0);
    const branches: { when: Expression; result: Expression }[] = [];
    while (this.#take('when')) {
      const when = this.#parse(0);
      this.#expect('then');
      branches.push({
        when: subject ? { kind: 'binary', operator: '=', left: subject, right: when } : when,
        result: this.#parse(0),
      });
    }
    if (branches.length === 0) throw unexpected(this.#peek());
    const otherwise = this.#take('else') ? this.#parse(0) : undefined;
    this.#expect('end');
    return { kind: 'case', branches, ...(otherwise && { otherwise }) };
  }

  #postfix(left: Expression, word: string): Expression {
    const token = this.#next();
    if (word === 'is') {
      const negated = this.#take('not');
      this.#expect('null');
      return { kind: 'isNull', operand: left, negated };
    }
    const negated = word === 'not';
    const what = negated ? this.#next().text.toLowerCase() : word;
    if (what === 'in') {
      this.#expect('(');
      const values: Expression[] = [];
      do values.push(this.#parse(0));
      while (this.#take(','));
      this.#expect(')');
      return { kind: 'in', operand: left, values, negated };
    }
    let test: Expression;
    if (what === 'between') {
      const low = this.#parse(levels['+']!);
      this.#expect('and');
      const high = this.#parse(levels['+']!);
      test = {
        kind: 'binary',
        operator: 'and',
        left: { kind: 'binary', operator: '>=', left, right: low },
        right: { kind: 'binary', operator: '<=', left, right: high },
      };
    } else if (what === 'like')
      test = { kind: 'binary', operator: 'like', left, right: this.#parse(levels['+']!) };
    else throw unexpected(token);
    return negated ? { kind: 'unary', operator: 'not', operand: test } : test;
  }

  #castType(): CastType {
    const token = this.#next();
    const name = token.text.toLowerCase();
    if (Object.hasOwn(castTypes, name)) return name as CastType;
    throw new ExpressionError(
      'expression-invalid',
      `Unknown type \`${token.text}\`${didYouMean(name, Object.keys(castTypes))}`,
      token.at,
    );
  }
}

/**
 * Rejects an expression that is too large once expanded: `between` and `case x when …` repeat the compared
 * expression. Traverses it without recursion.
 */
function refuseTooLarge(expression: Expression): void {
  const sizes = new Map<Expression, { readonly depth: number; readonly parts: number }>();
  const left = [expression];
  while (left.length > 0) {
    const next = left.at(-1)!;
    const unknown = sizes.has(next) ? [] : partsOf(next).filter(part => !sizes.has(part));
    left.push(...unknown);
    if (unknown.length > 0) continue;
    left.pop();
    const within = partsOf(next).map(part => sizes.get(part)!);
    const size = {
      depth: 1 + within.reduce((max, { depth }) => Math.max(max, depth), 0),
      parts: 1 + within.reduce((sum, { parts }) => sum + parts, 0),
    };
    if (size.depth > expressionLimits.depth)
      throw new ExpressionError(
        'expression-invalid',
        `This expression nests more than ${expressionLimits.depth} operations. Use \`in (…)\` for many alternatives, or compute a part of it in a column or measure of its own.`,
        'at' in next ? next.at : 0,
      );
    if (size.parts > expressionLimits.parts)
      throw new ExpressionError(
        'expression-invalid',
        `This expression has more than ${expressionLimits.parts.toLocaleString('en')} parts. Compute some of them in a column or measure of its own.`,
        'at' in next ? next.at : 0,
      );
    sizes.set(next, size);
  }
}

const comparisonLevel = 3;
const levels: Record<string, number> = {
  or: 1,
  and: 2,
  '=': 3,
  '<>': 3,
  '!=': 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  like: 3,
  '||': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
