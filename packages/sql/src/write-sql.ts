import type { DataType } from '@belvedere/model';
import { columnsRead, type Plan } from '@belvedere/query';
import { ColumnScope, rowAlias } from './column-scope.ts';
import { customTable, type FunctionCall } from './custom/custom-query.ts';
import type { Dialect } from './dialect.ts';
import { ExpressionWriter, hasQuantile } from './expression-writer.ts';
import { JoinWriter } from './join-writer.ts';
import { LiteralWriter, rowCountLiteral, type TextMode } from './literal-writer.ts';
import { PlanWriter } from './plan-writer.ts';

/**
 * A statement with the texts bound to its placeholders, in order, and the names and types of its columns.
 * User input is only in parameters, or in literals for engines without parameters.
 */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly string[];
  /** Omitted if the engine's own types apply. */
  readonly columns?: readonly { readonly name: string; readonly type: DataType }[];
  /**
   * The functions that custom SQL in this statement calls. Such a statement runs on separate connections and
   * leaves no session state behind.
   */
  readonly custom?: readonly FunctionCall[];
  /**
   * Set if the statement is generated from a plan alone. It contains no custom SQL, so its calls need no
   * check.
   */
  readonly isGenerated?: true;
}

/**
 * Writes a plan in an engine's SQL. `tableName` returns a table's full, quoted name.
 * @param texts `inline` writes texts as literals, for statements that take no parameters (`COPY`); otherwise
 * they are bound
 */
export function writeSql(
  plan: Plan,
  dialect: Dialect,
  tableName: (table: string) => string,
  texts: TextMode = 'bound',
): Statement {
  return writeInto([], plan, dialect, tableName, texts);
}

/**
 * Writes the statement of a plan. A plan without columns selects its table's rows unchanged. Texts are added
 * to `parameters` in the order of their placeholders.
 */
function writeInto(
  parameters: string[],
  plan: Plan,
  dialect: Dialect,
  tableName: (table: string) => string,
  texts: TextMode,
): Statement {
  const aliases = new Map(
    plan.columns.map(({ name }, i) => [name, dialect.quote(dialect.alias?.(i) ?? name)]),
  );
  const isRows = plan.groupBy === undefined;
  const custom = plan.sql === undefined ? undefined : customTable(plan.sql, dialect.name);
  const from = custom?.text ?? tableName(plan.table);
  const origin = custom ? custom.calls && { custom: custom.calls } : ({ isGenerated: true } as const);
  const scope = new ColumnScope(
    dialect,
    dialect.quantileOfNumbered !== undefined &&
      plan.columns.some(({ expression }) => hasQuantile(expression)),
  );
  const literals = new LiteralWriter(dialect, texts, parameters);
  const expressions = new PlanWriter(
    dialect,
    plan.zone,
    literals,
    new ExpressionWriter(dialect, plan.zone, literals, scope),
  );
  const tables = new JoinWriter(plan, dialect, from, tableName, (table, visible) => {
    const where = [{ kind: 'model', expression: visible.where } as const];
    const rows = { table, joins: visible.joins, zone: plan.zone, columns: [], where, order: [] };
    return writeInto(parameters, rows, dialect, tableName, texts).text;
  });
  const written = plan.columns.map(({ expression, type }, i) => {
    // A row query returns a cell unchanged, even if it is NaN or infinite. Elsewhere such values are null.
    const plain =
      isRows && expression.kind === 'model' && expression.expression.kind === 'column' && type === 'number';
    const value = plain ? scope.reference(expression.expression) : expressions.write(expression);
    const key = i < (plan.groupBy ?? 0) ? expressions.groupKey(value, expression, type) : value;
    return type === 'text' ? dialect.ordered(key) : key;
  });
  const columns = plan.columns.map(({ name }, i) => `${written[i]} as ${aliases.get(name)}`);
  const grouped = plan.columns
    .slice(0, plan.groupBy ?? 0)
    .map(({ name }, i) => (dialect.alias ? aliases.get(name)! : String(i + 1)));
  const order = plan.order.map(({ column, descending }) =>
    dialect.order(
      aliases.get(column)!,
      descending,
      written[plan.columns.findIndex(({ name }) => name === column)]!,
    ),
  );
  const text = [
    `select ${columns.length > 0 ? columns.join(', ') : dialect.joins === 'flat' ? `${rowAlias}.*` : '*'}`,
    `from ${scope.isNumbered ? `(${numberedRows()}) as ${rowAlias}` : rowsThatCount()}`,
    ...(grouped.length > 0 ? [`group by ${grouped.join(', ')}`] : []),
    ...(order.length > 0 ? [`order by ${order.join(', ')}`] : []),
    ...(plan.limit === undefined ? [] : [`limit ${rowCountLiteral(plan.limit)}`]),
    ...(plan.offset ? [`offset ${rowCountLiteral(plan.offset)}`] : []),
  ].join('\n');
  if (plan.countedAs !== undefined)
    return {
      text: `select count(*) as ${dialect.quote(plan.countedAs)}\nfrom (${text}) as ${rowAlias}`,
      parameters,
      columns: [{ name: plan.countedAs, type: 'integer' }],
      ...origin,
    };
  return { text, parameters, columns: plan.columns.map(({ name, type }) => ({ name, type })), ...origin };

  function rowsThatCount(): string {
    const joined = tables.write();
    const where = plan.where.map(condition => expressions.write(condition));
    return joined + (where.length > 0 ? `\nwhere ${where.join('\n  and ')}` : '');
  }

  /** The rows with the numbers by which quantiles find their values. */
  function numberedRows(): string {
    return scope.atTheTables(() => {
      // A constant does not distinguish rows, and a bare number would be read as a column position.
      const keys = plan.columns
        .slice(0, plan.groupBy ?? 0)
        .flatMap(({ expression, type }) =>
          columnsRead([expression]).length > 0
            ? [expressions.groupKey(expressions.write(expression), expression, type)]
            : [],
        );
      return `select ${scope.selectedNumbers(keys)} from ${rowsThatCount()}`;
    });
  }
}
