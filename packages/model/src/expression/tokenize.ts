import { ExpressionError } from './expression.ts';

export interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'attribute' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

const tokenPattern =
  /\s+|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_]*)|:(user\.[\p{L}_][\p{L}\p{N}_]*)|(<>|!=|<=|>=|\|\||::|[-+*/%=<>(),.])/uy;
/** Splits an expression into tokens, of which the last is its `end`. @throws ExpressionError at an unknown character */
export function tokenize(text: string): Token[] {
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

export function unexpected(token: Token): ExpressionError {
  return new ExpressionError('expression-invalid', `${tokenName(token)} is unexpected here.`, token.at);
}

/** A token as messages name it. */
export function tokenName(token: Token): string {
  return token.kind === 'end' ? 'the end of the expression' : `\`${token.text}\``;
}
