import {
  castTypes,
  ExpressionError,
  partsOf,
  type BinaryOperator,
  type CastType,
  type Expression,
} from './expression.ts';
import { didYouMean } from '@belvedere/document';

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'attribute' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

const tokenPattern =
  /\s+|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_]*)|:(user\.[\p{L}_][\p{L}\p{N}_]*)|(<>|!=|<=|>=|\|\||::|[-+*/%=<>(),.])/uy;
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
  const tokens = tokensOf(text);
  let position = 0;
  let depth = 0;
  const expression = parse(0);
  if (peek().kind !== 'end') throw unexpected(peek());
  refuseTooLarge(expression);
  return expression;

  function peek(): Token {
    return tokens[position]!;
  }
  function next(): Token {
    return tokens[position++]!;
  }
  function isWord(word: string, token = peek()): boolean {
    return token.kind === 'name' && token.text.toLowerCase() === word;
  }
  function take(word: string): boolean {
    const token = peek();
    if (!(token.kind === 'symbol' && token.text === word) && !isWord(word)) return false;
    position++;
    return true;
  }
  function expect(word: string): void {
    if (!take(word))
      throw new ExpressionError(
        'expression-invalid',
        `\`${word}\` is missing before ${named(peek())}.`,
        peek().at,
      );
  }

  /** Precedence climbing (Pratt, "Top down operator precedence", POPL 1973). */
  function parse(minimum: number): Expression {
    if (++depth > maxDepth)
      throw new ExpressionError('expression-invalid', 'This expression is nested too deeply.', peek().at);
    let left = prefix();
    for (;;) {
      const token = peek();
      const word =
        token.kind === 'name' ? token.text.toLowerCase() : token.kind === 'symbol' ? token.text : '';
      if (
        comparisonLevel >= minimum &&
        (word === 'is' || word === 'in' || word === 'between' || word === 'not')
      ) {
        left = postfix(left, word);
        continue;
      }
      if (word === '::') {
        next();
        left = { kind: 'cast', operand: left, to: castType() };
        continue;
      }
      const level = levels[word];
      if (level === undefined || level < minimum) break;
      next();
      left = {
        kind: 'binary',
        operator: (word === '!=' ? '<>' : word) as BinaryOperator,
        left,
        right: parse(level + 1),
        at: token.at,
      };
    }
    depth--;
    return left;
  }

  function prefix(): Expression {
    const token = next();
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'text') return { kind: 'literal', value: token.text };
    if (token.kind === 'quoted') return columnOrJoin(token);
    if (token.kind === 'attribute')
      return { kind: 'attribute', name: token.text.slice('user.'.length), at: token.at };
    if (token.kind === 'symbol') {
      if (token.text === '(') {
        const inside = parse(0);
        expect(')');
        return inside;
      }
      if (token.text === '-') return { kind: 'unary', operator: '-', operand: parse(levels['*']! + 1) };
      throw unexpected(token);
    }
    if (token.kind === 'end') throw unexpected(token);
    switch (token.text.toLowerCase()) {
      case 'not':
        return { kind: 'unary', operator: 'not', operand: parse(comparisonLevel) };
      case 'null':
        return { kind: 'literal', value: null };
      case 'true':
        return { kind: 'literal', value: true };
      case 'false':
        return { kind: 'literal', value: false };
      case 'case':
        return caseOf();
      case 'cast': {
        expect('(');
        const operand = parse(0);
        expect('as');
        const to = castType();
        expect(')');
        return { kind: 'cast', operand, to };
      }
      case 'extract': {
        expect('(');
        const part = next();
        expect('from');
        const operand = parse(0);
        expect(')');
        return { kind: 'call', name: part.text.toLowerCase(), args: [operand], at: part.at };
      }
    }
    return peek().kind === 'symbol' && peek().text === '(' ? call(token) : columnOrJoin(token);
  }

  function columnOrJoin(token: Token): Expression {
    if (!take('.')) return { kind: 'column', name: token.text, at: token.at };
    const column = next();
    if (column.kind !== 'name' && column.kind !== 'quoted') throw unexpected(column);
    return { kind: 'column', join: token.text, name: column.text, at: token.at };
  }

  function call(token: Token): Expression {
    expect('(');
    const name = token.text.toLowerCase();
    const distinct = take('distinct');
    const args: Expression[] = [];
    if (name === 'count' && take('*')) expect(')');
    else if (!take(')')) {
      do args.push(parse(0));
      while (take(','));
      expect(')');
    }
    let filter: Expression | undefined;
    if (take('filter')) {
      expect('(');
      expect('where');
      filter = parse(0);
      expect(')');
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

  function caseOf(): Expression {
    const subject = isWord('when') ? undefined : parse(0);
    const branches: { when: Expression; result: Expression }[] = [];
    while (take('when')) {
      const when = parse(0);
      expect('then');
      branches.push({
        when: subject ? { kind: 'binary', operator: '=', left: subject, right: when } : when,
        result: parse(0),
      });
    }
    if (branches.length === 0) throw unexpected(peek());
    const otherwise = take('else') ? parse(0) : undefined;
    expect('end');
    return { kind: 'case', branches, ...(otherwise && { otherwise }) };
  }

  function postfix(left: Expression, word: string): Expression {
    const token = next();
    if (word === 'is') {
      const negated = take('not');
      expect('null');
      return { kind: 'isNull', operand: left, negated };
    }
    const negated = word === 'not';
    const what = negated ? next().text.toLowerCase() : word;
    if (what === 'in') {
      expect('(');
      const values: Expression[] = [];
      do values.push(parse(0));
      while (take(','));
      expect(')');
      return { kind: 'in', operand: left, values, negated };
    }
    let test: Expression;
    if (what === 'between') {
      const low = parse(levels['+']!);
      expect('and');
      const high = parse(levels['+']!);
      test = {
        kind: 'binary',
        operator: 'and',
        left: { kind: 'binary', operator: '>=', left, right: low },
        right: { kind: 'binary', operator: '<=', left, right: high },
      };
    } else if (what === 'like') test = { kind: 'binary', operator: 'like', left, right: parse(levels['+']!) };
    else throw unexpected(token);
    return negated ? { kind: 'unary', operator: 'not', operand: test } : test;
  }

  function castType(): CastType {
    const token = next();
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
      depth: 1 + within.reduce((most, { depth }) => Math.max(most, depth), 0),
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

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (!match) throw new ExpressionError('expression-invalid', `\`${text[at]}\` is unexpected here.`, at);
    const [, number, string, quoted, name, attribute, symbol] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (string !== undefined) tokens.push({ kind: 'text', text: string.replaceAll("''", "'"), at });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll('""', '"'), at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at });
    else if (attribute !== undefined) tokens.push({ kind: 'attribute', text: attribute, at });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at });
  }
  tokens.push({ kind: 'end', text: '', at: text.length });
  return tokens;
}

function unexpected(token: Token): ExpressionError {
  return new ExpressionError('expression-invalid', `${named(token)} is unexpected here.`, token.at);
}

function named(token: Token): string {
  return token.kind === 'end' ? 'the end of the expression' : `\`${token.text}\``;
}
