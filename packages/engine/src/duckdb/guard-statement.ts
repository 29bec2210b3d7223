import type { DuckDBConnection } from '@duckdb/node-api';
import { didYouMean } from '@belvedere/document';
import { allowedFunctions, allowedTableFunctions } from './allowed-functions.ts';

/**
 * The relations that a statement may read: views under their public names, and tables of attached databases.
 */
export interface Readable {
  readonly views: Iterable<string>;
  readonly databases: Iterable<string>;
}

/** The references of a statement that is a single SELECT with only allowed functions. */
interface Uses {
  readonly tables: readonly TableName[];
  /** Names that the statement defines itself, such as CTEs. */
  readonly own: ReadonlySet<string>;
}

interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** The longest statement in characters. DuckDB's parser takes a fraction of a second for it. */
const longestStatement = 1_000_000;
const maxKept = 1000;
const tableKinds: ReadonlySet<unknown> = new Set([
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EXPRESSION_LIST',
  'PIVOT',
  'EMPTY',
  'EMPTY_FROM',
  'COLUMN_DATA',
  'SHOW_REF',
]);
/**
 * DuckDB reads files and the catalogue by names like these, so a statement may not define such names either.
 */
const notOwn = /[./\\:*?]|^(duckdb|pg|sqlite|pragma)_/;

/**
 * Rejects statements other than a single SELECT over `Readable` with allowed functions, based on DuckDB's own
 * parse tree. Each text is parsed once; nothing is bound or run.
 */
export class StatementGuard {
  readonly #connection: DuckDBConnection;
  readonly #kept = new Map<string, Uses>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** @throws RangeError that names the part that is not allowed */
  async check(sql: string, readable: Readable): Promise<void> {
    const { tables, own } = this.#kept.get(sql) ?? this.#keep(sql, usesIn(await this.#parsed(sql)));
    const views = new Set([...readable.views].map(view => view.toLowerCase()));
    const databases = new Set(readable.databases);
    for (const { catalog, schema, name } of tables) {
      if (databases.has(catalog) && schema === 'main' && name === 'data') continue;
      const isUnqualified = catalog === '' && schema === '';
      if (isUnqualified && own.has(name.toLowerCase())) continue;
      if (!isUnqualified || !views.has(name.toLowerCase()))
        throw new RangeError(
          `There is no table \`${[catalog, schema, name]
            .filter(part => part !== '')
            .join('.')
            .slice(0, 200)}\`${didYouMean(name.toLowerCase(), views) || '.'}`,
        );
    }
  }

  async #parsed(sql: string): Promise<unknown> {
    if (sql.length > longestStatement)
      throw new RangeError(
        `The statement is longer than ${longestStatement.toLocaleString('en')} characters.`,
      );
    const reader = await this.#connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql]);
    const parsed = JSON.parse(String(reader.getRows()[0]![0])) as {
      error: boolean;
      error_type?: string;
      error_message?: string;
      statements?: unknown[];
    };
    if (parsed.error)
      throw new RangeError(
        parsed.error_type === 'not implemented'
          ? 'Only SELECT is allowed.'
          : (parsed.error_message ?? 'This is not valid SQL.'),
      );
    if (parsed.statements?.length !== 1)
      throw new RangeError(`Exactly one statement is allowed, not ${parsed.statements?.length ?? 0}.`);
    return parsed.statements[0];
  }

  #keep(sql: string, uses: Uses): Uses {
    this.#kept.set(sql, uses);
    if (this.#kept.size > maxKept) this.#kept.delete(this.#kept.keys().next().value!);
    return uses;
  }
}

/** @throws RangeError for a function or table function that is not allowed */
function usesIn(statement: unknown): Uses {
  const tables: TableName[] = [];
  const own = new Set<string>();
  // Iterative, because the statement may be nested deeper than the stack.
  const left: unknown[] = [statement];
  while (left.length > 0) {
    const node = left.pop();
    if (Array.isArray(node)) left.push(...(node as unknown[]));
    else if (node !== null && typeof node === 'object')
      left.push(...look(node as Readonly<Record<string, unknown>>));
  }
  return { tables, own };

  /** @returns the child nodes to inspect */
  function look(node: Readonly<Record<string, unknown>>): readonly unknown[] {
    for (const { key } of (node['cte_map'] as { map?: readonly { key: string }[] } | undefined)?.map ?? []) {
      if (notOwn.test(key.toLowerCase()))
        throw new RangeError(`A statement cannot use the name \`${key.slice(0, 100)}\`.`);
      own.add(key.toLowerCase());
    }
    const isTable = typeof node['type'] === 'string' && 'alias' in node && 'sample' in node;
    if (isTable && !tableKinds.has(node['type']))
      throw new RangeError(`${String(node['type'])} is not allowed here.`);
    if (node['class'] === 'FUNCTION' || node['class'] === 'WINDOW') allow(node, allowedFunctions, 'function');
    switch (isTable && node['type']) {
      case 'BASE_TABLE':
        tables.push({
          catalog: String(node['catalog_name'] ?? ''),
          schema: String(node['schema_name'] ?? ''),
          name: String(node['table_name']),
        });
        break;
      case 'TABLE_FUNCTION': {
        const called = node['function'] as Readonly<Record<string, unknown>>;
        if (called['class'] !== 'FUNCTION') throw new RangeError('Only a function can be used as a table.');
        allow(called, allowedTableFunctions, 'table function');
        return Object.values({ ...node, function: Object.values(called) });
      }
      case 'SHOW_REF':
        // `summarize` and `describe` have a query or a table. `show tables` has none and would list the
        // catalogue.
        if (node['query'] === null || node['query'] === undefined)
          throw new RangeError('SHOW is not allowed here.');
        break;
    }
    return Object.values(node);
  }
}

function allow(
  { function_name: name, schema, catalog }: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<string>,
  what: string,
): void {
  const called = String(name).toLowerCase();
  const isOwn = (schema ?? '') === '' || schema === 'main';
  if (!isOwn || (catalog ?? '') !== '' || !allowed.has(called))
    throw new RangeError(
      `The ${what} \`${[catalog, schema === 'main' ? '' : schema, called].filter(Boolean).join('.').slice(0, 100)}\` is not allowed.`,
    );
}
