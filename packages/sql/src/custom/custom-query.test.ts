import { describe, expect, test } from 'vitest';
import { customTable, readCustomQuery } from './custom-query.ts';

const engines = ['postgres', 'mysql', 'clickhouse'] as const;
const textOf = (sql: string, engine: (typeof engines)[number] = 'postgres') =>
  readCustomQuery(sql, engine).text;
const called = (sql: string, engine: (typeof engines)[number]) =>
  readCustomQuery(sql, engine)
    .calls.filter(call => call.kind === 'call')
    .map(call => call.name);

describe('ClickHouse’s clause `settings`', () => {
  test.each([
    'select 1 settings max_threads = 1',
    'select 1 settings skip_unavailable_shards',
    'select 1 settings `skip_unavailable_shards`',
    'select 1 settings skip_unavailable_shards, join_use_nulls = 0',
    'select * from (select 1 settings skip_unavailable_shards)',
    'select 1 settings skip_unavailable_shards union all select 2',
    'select n from settings settings skip_unavailable_shards',
  ])('is refused, also without a value: %s', sql => {
    expect(() => readCustomQuery(sql, 'clickhouse')).toThrow('Remove `settings`');
  });

  test.each([
    'select settings from t',
    'select n settings, m from t',
    'select * from settings s',
    'select * from a, settings s',
    'select * from (select * from settings s)',
    'select * from settings final',
    'select n from settings where settings.n > 1',
    'select * from a join settings s on a.n = s.n',
  ])('is no table, column or alias of that name: %s', sql => {
    expect(readCustomQuery(sql, 'clickhouse').text).toBe(sql);
  });
});

describe('SQL written by a user', () => {
  test.each([
    ['select 1;', 'select 1'],
    ['select 1 ; -- done;\n ;; /* yes; */ \n', 'select 1'],
    ['select/* one */1 -- one', 'select 1'],
    ['select 1\n-- two lines\n, 2', 'select 1\n\n, 2'],
    ["select '; --' as a", "select '; --' as a"],
    ["select 'it''s; --' as \"a;--\"", "select 'it''s; --' as \"a;--\""],
    ['(select 1) union (select 2)', '(select 1) union (select 2)'],
  ])('%j has its comments and final semicolons removed', (sql, text) => {
    for (const engine of engines) expect(textOf(sql, engine)).toBe(text);
  });

  test('may have nested comments if the engine allows them', () => {
    expect(textOf('select /* a /* b */ c */ 1')).toBe('select 1');
    expect(textOf('select /* a /* b */ 1', 'mysql')).toBe('select 1');
    expect(() => textOf('select /* a /* b */ 1')).toThrow('Unterminated comment in line 1.');
  });

  test('has backslashes in texts as the engine reads them', () => {
    expect(textOf("select '\\' || 'x'")).toBe("select '\\' || 'x'");
    expect(textOf("select '\\' || 'x'", 'mysql')).toBe("select '\\' || 'x'");
    expect(textOf("select '\\'; x'", 'clickhouse')).toBe("select '\\'; x'");
    expect(textOf("select E'\\'; x'")).toBe("select E'\\'; x'");
    expect(() => textOf("select '\\'; x'")).toThrow('Unterminated');
  });

  test('cannot continue a text with escapes, where the engine would read another end of it', () => {
    for (const blank of ['\n', ' -- a\n', '\f\n', '\n/* a */'])
      expect(() => textOf(`select E'a'${blank}'\\'', f(1) /* '*/`)).toThrow('cannot continue');
    expect(() => customTable(`select e'a'\n'\\'') as a /* '*/`, 'duckdb')).toThrow('cannot continue');
    expect(textOf("select 'a'\n'b', E'c' || 'd'")).toBe("select 'a'\n'b', E'c' || 'd'");
  });

  test('has dollar-quoted texts if the engine allows them, and dollars in names', () => {
    expect(textOf("select $$it's; here$$, $a$ $$ ; $a$")).toBe("select $$it's; here$$, $a$ $$ ; $a$");
    expect(() => textOf('select a$b$ ; c$b$')).toThrow('Only one statement');
    expect(() => textOf('select $1')).toThrow('Parameters');
    expect(() => textOf('select a$b$ ; x $b$ from t', 'clickhouse')).toThrow('`$`');
  });

  test('cannot be made to take quadratic time by texts without an end, or by brackets within each other', () => {
    const distinct = Array.from({ length: 30_000 }, (_, i) => `$a${i}$`).join(' ');
    for (const engine of ['postgres', 'duckdb'] as const)
      expect(() => customTable(`select ${distinct}`, engine)).toThrow('Unterminated quotation mark ($a');
    for (const engine of [...engines, 'duckdb'] as const) {
      expect(customTable(`select ${'(1 + '.repeat(500)}1${')'.repeat(500)}`, engine).text).toContain(
        '(1 + 1)',
      );
      const sql = `select ${'f('.repeat(60_000)}1${')'.repeat(60_000)}`;
      expect(() => customTable(sql, engine)).toThrow('more than 500 brackets');
    }
  });

  test('cannot hide a refused name behind a number', () => {
    for (const sql of [
      "select 1e5into outfile 'x'",
      "select 1.5into outfile 'x'",
      "select .5into outfile 'x'",
      "select t.a, 1.into outfile 'x'",
    ])
      expect(() => textOf(sql, 'mysql')).toThrow();
    expect(textOf('select s.x, 1 from shop.2024_sales s', 'mysql')).toBe(
      'select s.x, 1 from shop.2024_sales s',
    );
    expect(textOf('select 2024_sales.x from 2024_sales', 'mysql')).toBe(
      'select 2024_sales.x from 2024_sales',
    );
    expect(() => textOf('select 1or 1=1')).toThrow('Add a space');
  });

  test.each([
    ['', 'The statement is empty'],
    [' ;; -- nothing\n', 'The statement is empty'],
    ['select 1; select 2', 'Only one statement'],
    ['delete from t', 'begins with `delete`'],
    ['explain select 1', 'begins with `explain`'],
    ['select 1) as q; (select 1', 'Only one statement'],
    ['select 1) union (select 2', 'Unmatched closing bracket `)`'],
    ['select (1', 'Bracket `(` is not closed'],
    ["select 'a", "Unterminated quotation mark (') in line 1"],
    ['select 1,\n"a', 'Unterminated quotation mark (") in line 2'],
    ['select 1 \0', 'NUL character'],
  ])('%j is refused with a message', (sql, words) => {
    for (const engine of engines) expect(() => textOf(sql, engine)).toThrow(words);
  });

  test('has its called functions listed, by the engine’s quoting rules, without false matches', () => {
    expect(called('select count(*), Lower("x"), "Odd Name"(1), s.f (2) from g(3)', 'postgres')).toEqual([
      'count',
      'lower',
      'Odd Name',
      'f',
      'g',
    ]);
    expect(called("select `load_file`('x'), 'sleep(1)', count/**/(1) -- benchmark(1)", 'mysql')).toEqual([
      'load_file',
      'count',
    ]);
    expect(called("select 'it\\'s url(' as a, \"url\"(1)", 'clickhouse')).toEqual(['url']);
    expect(
      called('with t(a, b) as (select 1, 2) select t.a from (select 1) as u(c), (select 2) v(d)', 'mysql'),
    ).toEqual(['from']);
    expect(called('select * apply sleep, columns(1) apply(file) from t', 'clickhouse')).toEqual([
      'sleep',
      'columns',
      'apply',
      'file',
    ]);
    expect(readCustomQuery('select o.total, (0).pg_sleep from orders o', 'postgres').calls).toEqual([
      { name: 'total', isQuoted: false, kind: 'attribute' },
      { name: 'pg_sleep', isQuoted: false, kind: 'attribute' },
    ]);
    expect(readCustomQuery('select Shop.f(1), "Shop"."F"(1)', 'mysql').calls).toEqual([
      { schema: 'shop', name: 'f', isQuoted: false, kind: 'call' },
      { schema: 'Shop', name: 'F', isQuoted: true, kind: 'call' },
    ]);
  });

  test('has its operators listed for PostgreSQL, where each is a function', () => {
    const operators = readCustomQuery(
      "select a@#@b, -1 + 2, x::text || '@@', o.n operator(public.<<<) 1",
      'postgres',
    )
      .calls.filter(call => call.kind === 'operator')
      .map(call => call.name);
    expect(operators).toEqual(['@#@', '-', '+', '||', '<<<']);
    expect(readCustomQuery('select 1 + 2', 'mysql').calls).toEqual([]);
  });

  test('cannot hide a keyword of MySQL behind a variable, or behind a comment that another character begins', () => {
    for (const sql of [
      "select @a. into outfile 'x'",
      'select @a. into @b',
      'select @`a`. into @b',
      'select n from t where @a. for update',
    ])
      expect(() => textOf(sql, 'mysql')).toThrow('Variables');
    expect(() => textOf('select t. into x', 'mysql')).toThrow('Remove `into`');
    expect(textOf('select @@version, @@session.sql_mode', 'mysql')).toBe(
      'select @@version, @@session.sql_mode',
    );
    for (let code = 1; code <= 0x7f; code++) {
      const isComment = code <= 0x20 || code === 0x7f;
      if (!isComment || code === 0x0a) continue;
      expect(called(`select 1 --${String.fromCharCode(code)} '\n, sleep(9) -- '`, 'mysql')).toEqual([
        'sleep',
      ]);
    }
  });

  test.each([
    'pg_file_settings',
    'PG_HBA_File_Rules',
    '"pg_ident_file_mappings"',
    'pg_catalog.pg_hba_file_rules',
  ])('cannot read a file of the PostgreSQL server through the view %s', view => {
    expect(() => textOf(`select * from ${view}`)).toThrow('Queries are read-only');
  });

  test('is safe in brackets whatever its ending; SQL for DuckDB is otherwise unchanged', () => {
    expect(customTable('select 1 -- one', 'postgres').text).toBe('(select 1)');
    expect(customTable('from t select $$; --$$ ; -- done', 'duckdb')).toEqual({
      text: '(from t select $$; --$$)',
    });
    expect(() => customTable('select 1; select 2', 'duckdb')).toThrow('Only one statement');
    expect(() => customTable('', 'duckdb')).toThrow('statement is empty');
  });
});
