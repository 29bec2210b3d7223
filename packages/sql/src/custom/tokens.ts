import type { Dialect } from '../dialect.ts';

/**
 * Thrown for SQL that is not a single read-only query; it was not sent to a server. `code` names its page in
 * docs/errors.
 */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly code = 'query-failed';
}

/** A token of SQL. Comments and blanks are omitted; `isAfterBlank` says whether any preceded this token. */
export interface Token {
  readonly kind: 'word' | 'quoted name' | 'text' | 'number' | 'mark';
  /** The original text. */
  readonly text: string;
  readonly start: number;
  readonly isAfterBlank: boolean;
}

interface Lexis {
  readonly isNested: boolean;
  readonly lineComment: RegExp;
  readonly blank: RegExp;
  readonly word: RegExp;
  readonly number: RegExp;
  readonly texts: readonly RegExp[];
  readonly names: readonly RegExp[];
  /** A number followed by letters is a name. In other engines it is an error, or two tokens. */
  readonly hasNumberedNames: boolean;
  /** Patterns of text that this engine may read in several ways, with the error message. */
  readonly refused: readonly (readonly [RegExp, string])[];
}

const plain = (mark: string) => new RegExp(`${mark}[^${mark}]*(?:${mark}${mark}[^${mark}]*)*${mark}`, 'y');
/** Like `plain`, but a backslash escapes the next character. */
const escaped = (mark: string) =>
  new RegExp(`${mark}[^${mark}\\\\]*(?:(?:${mark}${mark}|\\\\[\\s\\S])[^${mark}\\\\]*)*${mark}`, 'y');
const dollarText = /\$((?:[A-Za-z_\x80-\uffff][A-Za-z_0-9\x80-\uffff]*)?)\$[\s\S]*?\$\1\$/y;
const dollarBeginning = /\$(?:[A-Za-z_\x80-\uffff][A-Za-z_0-9\x80-\uffff]*)?\$/y;
const noEnd = (mark: string, sql: string, at: number) =>
  new SqlError(`Unterminated quotation mark (${mark}) in line ${lineAt(sql, at)}.`);
const parameter = (pattern: RegExp, written: string) =>
  [pattern, `Parameters (\`${written}\`) are not supported. Write the value itself.`] as const;
const qualifiedName = /[0-9A-Za-z_$\x80-\uffff]+/y;
const numberedName = /\d+(?![eE][+-]?\d)[A-Za-z_$\x80-\uffff][0-9A-Za-z_$\x80-\uffff]*/y;
const nul = [/\0/y, 'The statement contains a NUL character.'] as const;

const postgres: Lexis = {
  isNested: true,
  lineComment: /--[^\n\r]*/y,
  blank: /[ \t\n\r\f\v]+/y,
  word: /[A-Za-z_\x80-\uffff][A-Za-z_0-9$\x80-\uffff]*/y,
  number:
    /0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y,
  texts: [/[eE]'[^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*'/y, plain("'"), dollarText],
  names: [plain('"')],
  hasNumberedNames: false,
  refused: [
    [/[uU]&"/y, 'Names with escaped characters (`U&"…"`) are not supported. Write the name itself.'],
    parameter(/\$\d/y, '$1'),
    nul,
  ],
};
const mysql: Lexis = {
  isNested: false,
  // oxlint-disable-next-line no-control-regex -- control characters count as blanks here
  lineComment: /#[^\n]*|--(?=[\x01-\x20\x7f]|$)[^\n]*/y,
  blank: /[ \t\n\r\f\v]+/y,
  word: /[A-Za-z_$\x80-\uffff][A-Za-z_0-9$\x80-\uffff]*/y,
  number: /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y,
  texts: [plain("'")],
  names: [plain('"'), plain('`')],
  hasNumberedNames: true,
  refused: [
    [
      /\/\*M?!/y,
      'Comments that the server runs (`/*! … */`) are not allowed. Write their content without the comment, or remove it.',
    ],
    // A variable's name may end with a dot, and the word after it is a keyword.
    [/(?<!@)@(?!@)/y, 'Variables (`@…`) are not supported. Write the value itself.'],
    parameter(/\?/y, '?'),
    nul,
  ],
};
const clickhouse: Lexis = {
  isNested: false,
  lineComment: /--[^\n]*|#[ !][^\n]*/y,
  blank: /[\s\u0085\u180e\u200b-\u200d\u2060]+/y,
  word: /[A-Za-z_][A-Za-z_0-9]*/y,
  number: /0[xX][0-9a-fA-F_.]+(?:[pP][+-]?\d+)?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y,
  texts: [escaped("'"), /\$(\w*)\$[\s\S]*?\$\1\$/y],
  names: [escaped('"'), escaped('`')],
  hasNumberedNames: true,
  refused: [
    [/[‘’“”]/y, 'The statement has curly quotation marks. Write texts in \'…\' and names in "…".'],
    // A word may contain `$`, or a text may start with it. This depends on the version.
    [/(?<=\w)\$|\$(?!(\w*)\$[\s\S]*?\$\1\$)/y, 'Unexpected `$` outside texts and quoted names.'],
    nul,
  ],
};
/** DuckDB uses PostgreSQL's lexer. */
const lexes: Readonly<Record<Dialect['name'], Lexis>> = {
  postgres,
  mysql,
  clickhouse,
  duckdb: { ...postgres, refused: [] },
};

/**
 * Splits custom SQL into tokens exactly as the engine's lexer does in Belvedere's sessions. There,
 * PostgreSQL, MySQL and MariaDB do not treat backslashes as escapes, and `"` quotes names.
 * @throws SqlError if it is uncertain how the engine reads the text: an unclosed quote, a parameter, or an
 * executable comment
 */
export function tokensOf(sql: string, engine: Dialect['name']): Token[] {
  const lexis = lexes[engine];
  const hasEscapeTexts = engine === 'postgres' || engine === 'duckdb';
  const tokens: Token[] = [];
  let at = 0;
  let isAfterBlank = false;
  const matched = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  const firstOf = (patterns: readonly RegExp[]) =>
    patterns.reduce<string | undefined>((found, pattern) => found ?? matched(pattern), undefined);
  const add = (kind: Token['kind'], text: string) => {
    tokens.push({ kind, text, start: at, isAfterBlank });
    at += text.length;
    isAfterBlank = false;
  };
  /** Space or a comment here. */
  const blank = (): string | undefined =>
    matched(lexis.blank) ??
    matched(lexis.lineComment) ??
    (sql.startsWith('/*', at) ? blockComment(sql, at, lexis.isNested) : undefined);
  const refuseUnclear = (): void => {
    const refused = lexis.refused.find(([pattern]) => matched(pattern) !== undefined);
    if (refused) throw new SqlError(refused[1]);
  };
  while (at < sql.length) {
    refuseUnclear();
    const skipped = blank();
    if (skipped !== undefined) {
      at += skipped.length;
      isAfterBlank = true;
      continue;
    }
    const text = firstOf(lexis.texts);
    if (text !== undefined) {
      // After a line break, PostgreSQL continues the text before, in which a backslash still escapes.
      if (hasEscapeTexts && text.startsWith("'") && /^e'/i.test(tokens.at(-1)?.text ?? ''))
        throw new SqlError(
          "A text `E'…'` cannot continue after its end. Write it as one text, or join the parts with `||`.",
        );
      add('text', text);
      continue;
    }
    // Searched once: the end of each of many beginnings would be searched to the end of the statement.
    const beginning = hasEscapeTexts ? matched(dollarBeginning) : undefined;
    if (beginning !== undefined) throw noEnd(beginning, sql, at);
    const quoted = firstOf(lexis.names);
    if (quoted !== undefined) {
      add('quoted name', quoted);
      continue;
    }
    // `t.1` and `shop.2024_sales` are names. After any token other than a word, the dot starts a number.
    const before = isAfterBlank ? undefined : tokens.at(-1);
    if (lexis.hasNumberedNames && sql[at] === '.' && before?.kind === 'word') {
      add('mark', '.');
      continue;
    }
    const isQualified = before?.text === '.' && tokens.at(-2)?.kind === 'word';
    const word =
      (lexis.hasNumberedNames ? matched(isQualified ? qualifiedName : numberedName) : undefined) ??
      matched(lexis.word);
    if (word !== undefined) {
      if (hasEscapeTexts && /^e$/i.test(word) && sql[at + 1] === "'") throw noEnd("'", sql, at);
      add('word', word);
      continue;
    }
    const number = matched(lexis.number);
    if (number !== undefined) {
      add('number', number);
      if (matched(/[A-Za-z_$\x80-\uffff]/y) !== undefined)
        throw new SqlError(`Add a space after the number ${number}.`);
      continue;
    }
    if (sql[at] === "'" || sql[at] === '"' || (sql[at] === '`' && lexis.names.length > 1))
      throw noEnd(sql[at]!, sql, at);
    add('mark', sql[at]!);
  }
  return tokens;
}

/** @throws SqlError for an unclosed comment */
function blockComment(sql: string, start: number, isNested: boolean): string {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start + 2;
  for (let depth = 1; ;) {
    const mark = marks.exec(sql);
    if (!mark) throw new SqlError(`Unterminated comment in line ${lineAt(sql, start)}.`);
    if (mark[0] === '*/') depth--;
    else if (isNested) depth++;
    // In `/*/`, the last two characters may close a comment, unless comments nest.
    else marks.lastIndex = mark.index + 1;
    if (depth === 0) return sql.slice(start, marks.lastIndex);
  }
}

const lineAt = (sql: string, at: number) => sql.slice(0, at).split('\n').length;
