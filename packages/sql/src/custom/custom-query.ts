import type { Dialect } from '../dialect.ts';
import { SqlError, tokensOf, type Token } from './tokens.ts';

/** A custom query: a single statement that, by its structure, only reads. */
export interface CustomQuery {
  /** The query without comments and semicolons, so that it can be put in parentheses. */
  readonly text: string;
  /** Possible function calls. `packages/engine` decides which of them are harmless. */
  readonly calls: readonly FunctionCall[];
}

/** The name of a call, in lower case unless it is quoted. */
export interface FunctionCall {
  readonly schema?: string;
  readonly name: string;
  readonly isQuoted: boolean;
  /**
   * - `attribute`: follows a dot, without parentheses. PostgreSQL reads `x.f` as `f(x)` if `x` has no such column.
   * - `operator`: a run of characters of PostgreSQL's operators, which may contain several of them.
   */
  readonly kind: 'call' | 'attribute' | 'operator';
}

/** Brackets within each other. Servers refuse deeper statements, and each call is compared with its end. */
const deepest = 500;

/** The keywords that a query may start with. */
const beginnings: Readonly<Record<Dialect['name'], readonly string[]>> = {
  postgres: ['select', 'with', 'values', 'table'],
  mysql: ['select', 'with', 'values', 'table'],
  clickhouse: ['select', 'with', 'from'],
  duckdb: [],
};

/**
 * Parses custom SQL for a database. Refused statements are never sent.
 * @throws SqlError for several statements, or a statement that could do more than read
 */
export function readCustomQuery(sql: string, engine: Dialect['name']): CustomQuery {
  const tokens = oneStatement(sql, engine);
  const words = tokens.map((token, i) =>
    token.kind === 'word' && (tokens[i - 1]?.text !== '.' || token.isAfterBlank)
      ? token.text.toLowerCase()
      : '',
  );
  const first = words[tokens.findIndex(token => token.text !== '(')] ?? '';
  if (!beginnings[engine].includes(first)) {
    const found = tokens.find(token => token.text !== '(')!.text;
    throw new SqlError(
      `Only queries that begin with \`select\` or \`with\` are allowed. This one begins with \`${found.slice(0, 40)}\`.`,
    );
  }
  refuseParts(tokens, words, engine);
  return { text: textOf(tokens, sql), calls: callsIn(tokens, engine) };
}

/**
 * Custom SQL in parentheses, for use as a table. `calls` is missing for DuckDB, whose own parser checks its
 * functions.
 * @throws SqlError
 */
export function customTable(
  sql: string,
  engine: Dialect['name'],
): { readonly text: string; readonly calls?: readonly FunctionCall[] } {
  if (engine === 'duckdb') return { text: `(${textOf(oneStatement(sql, engine), sql)})` };
  const { text, calls } = readCustomQuery(sql, engine);
  return { text: `(${text})`, calls };
}

/** The tokens of the single statement, without trailing semicolons. @throws SqlError */
function oneStatement(sql: string, engine: Dialect['name']): Token[] {
  const tokens = tokensOf(sql, engine);
  while (tokens.at(-1)?.text === ';') tokens.pop();
  if (tokens.length === 0) throw new SqlError('The statement is empty. Write a query, such as `select 1`.');
  if (tokens.some(token => token.kind === 'mark' && token.text === ';'))
    throw new SqlError('Only one statement can run at a time. Run the others separately.');
  const open: string[] = [];
  for (const { kind, text } of tokens) {
    if (kind !== 'mark') continue;
    if ('([{'.includes(text)) {
      open.push(text);
      if (open.length > deepest)
        throw new SqlError(`The statement has more than ${deepest} brackets within each other.`);
    }
    if (')]}'.includes(text) && open.pop() !== '([{'[')]}'.indexOf(text)])
      throw new SqlError(`Unmatched closing bracket \`${text}\`.`);
  }
  if (open.length > 0) throw new SqlError(`Bracket \`${open.at(-1)}\` is not closed.`);
  return tokens;
}

/** Restores the statement, with a blank or line breaks in place of blanks and comments. */
function textOf(tokens: readonly Token[], sql: string): string {
  return tokens
    .map((token, i) => {
      const before = tokens[i - 1];
      if (!before || !token.isAfterBlank) return token.text;
      const lines = sql.slice(before.start + before.text.length, token.start).split('\n').length - 1;
      return (lines > 0 ? '\n'.repeat(lines) : ' ') + token.text;
    })
    .join('');
}

/**
 * Refuses parts of a query that do more than read. PostgreSQL itself refuses each of them in parentheses.
 * @throws SqlError
 */
function refuseParts(tokens: readonly Token[], words: readonly string[], engine: Dialect['name']): void {
  const refuse = (what: string) => {
    throw new SqlError(`Queries are read-only. Remove \`${what}\`.`);
  };
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? '';
    if (word === 'into') refuse('into');
    if (engine === 'postgres' && isName(tokens[i]!) && fileViews.has(nameOf(tokens[i]!)))
      refuse(nameOf(tokens[i]!));
    if (engine === 'mysql') {
      if (word === 'for' && (next === 'update' || next === 'share')) refuse(`for ${next}`);
      if (['delete', 'update', 'procedure'].includes(word)) refuse(word);
      if (word === 'lock' && next === 'in') refuse('lock in share mode');
      if (word === 'value' && next === 'for') refuse('next value for');
      if (tokens[i]!.text === ':' && tokens[i + 1]?.text === '=' && !tokens[i + 1]!.isAfterBlank)
        refuse(':=');
    }
    if (engine === 'clickhouse') {
      if (word === 'settings' && isSettings(tokens, words, i)) refuse('settings');
      // The totals would be an additional row that looks like any other.
      if (word === 'with' && next === 'totals') refuse('with totals');
      if (word === 'format' && tokens[i + 1]?.kind === 'word' && i + 2 === tokens.length) refuse('format');
    }
  }
}

/** Views of PostgreSQL that read files of the server. Their functions are refused, too. */
const fileViews = new Set(['pg_file_settings', 'pg_hba_file_rules', 'pg_ident_file_mappings']);

const isName = ({ kind }: Token) => kind === 'word' || kind === 'quoted name';

/** Whether ClickHouse's clause `settings` begins here. A setting without a value is switched on. */
function isSettings(tokens: readonly Token[], words: readonly string[], i: number): boolean {
  if (!/name|word/.test(tokens[i + 1]?.kind ?? '') || words[i + 1] === 'final') return false;
  const after = tokens[i + 2];
  if (after?.text === '=') return true;
  const isEnd = !after || [',', ')'].includes(after.text) || afterSettings.has(words[i + 2]!);
  const before = tokens[i - 1];
  const isTable = before?.text === ',' || ['from', 'join'].includes(words[i - 1] ?? '');
  return isEnd && !isTable;
}

const afterSettings = new Set(['format', 'union', 'intersect', 'except', 'into']);

function callsIn(tokens: readonly Token[], engine: Dialect['name']): FunctionCall[] {
  const calls = tokens.flatMap((token, i): FunctionCall[] => {
    const { kind, text } = token;
    if (engine === 'postgres' && isOperator(token) && !continuesOperator(tokens, i))
      return [{ name: operatorAt(tokens, i), isQuoted: false, kind: 'operator' }];
    if (!isName(token)) return [];
    const isQuoted = kind === 'quoted name';
    const isCalled = tokens[i + 1]?.text === '(' || (engine === 'clickhouse' && isApplied(tokens, i));
    const isAfterPoint = tokens[i - 1]?.text === '.';
    const isAttribute = engine === 'postgres' && !isCalled && isAfterPoint;
    if ((!isCalled && !isAttribute) || (engine !== 'postgres' && isHeading(tokens, i, engine))) return [];
    const owner = isAfterPoint && !isAttribute ? tokens[i - 2] : undefined;
    const schema = owner && isName(owner) ? nameOf(owner) : undefined;
    return [
      {
        ...(schema !== undefined && { schema }),
        name: nameOf({ kind, text }),
        isQuoted,
        kind: isAttribute ? 'attribute' : 'call',
      },
    ];
  });
  return [...new Map(calls.map(call => [JSON.stringify(call), call])).values()];
}

const isOperator = ({ kind, text }: Token) => kind === 'mark' && '+-*/<>=~!@#%^&|`?'.includes(text);

const continuesOperator = (tokens: readonly Token[], i: number) =>
  !tokens[i]!.isAfterBlank && i > 0 && isOperator(tokens[i - 1]!);

function operatorAt(tokens: readonly Token[], start: number): string {
  let end = start + 1;
  while (tokens[end] && isOperator(tokens[end]!) && !tokens[end]!.isAfterBlank) end++;
  return tokens
    .slice(start, end)
    .map(token => token.text)
    .join('');
}

/** Names are case-insensitive only for ASCII letters. */
function nameOf({ kind, text }: Pick<Token, 'kind' | 'text'>): string {
  if (kind === 'word') return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
  const mark = text[0]!;
  return text.slice(1, -1).replaceAll(mark + mark, mark);
}

/** Detects ClickHouse's `columns(…) apply f`, which calls `f` without parentheses. */
function isApplied(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text === '(' ? i - 2 : i - 1;
  return tokens[before]?.text.toLowerCase() === 'apply';
}

/**
 * Whether the parentheses after a name contain a column list: `with t(a, b) as (…)`, `(…) as t(a, b)`, and in
 * MySQL `(…) t(a, b)`. No call is possible there.
 */
function isHeading(tokens: readonly Token[], i: number, engine: Dialect['name']): boolean {
  const before = tokens[i - 1]?.text.toLowerCase();
  if (before === 'as' && tokens[i - 2]?.text === ')') return true;
  if (engine === 'mysql' && before === ')') return !infix.has(tokens[i]!.text.toLowerCase());
  let depth = 0;
  for (let at = i + 1; at < tokens.length; at++) {
    if (tokens[at]!.kind !== 'mark') continue;
    if (tokens[at]!.text === '(') depth++;
    if (tokens[at]!.text === ')' && --depth === 0)
      return tokens[at + 1]?.text.toLowerCase() === 'as' && tokens[at + 2]?.text === '(';
  }
  return false;
}

/** MySQL functions that are also operators. */
const infix = new Set(['mod', 'div']);
