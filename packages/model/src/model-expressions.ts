import type { ModelProblem } from './model-problem.ts';
import { checkExpression, withColumnTypes, type Scope } from './expression/check-expression.ts';
import { ExpressionError, type Expression } from './expression/expression.ts';
import { parseExpression } from './expression/parse-expression.ts';
import type { DataType, TableSchema } from './table.ts';

export interface CheckedExpression {
  readonly expression: Expression;
  readonly type: DataType;
  readonly isAggregate: boolean;
}

/** The maximum number of problems reported for one model, as for the text of a document. */
const maxProblems = 100;

/** Parses and checks the expressions of a model against its table and joins, and collects their errors. */
export class ModelExpressions {
  readonly problems: ModelProblem[] = [];
  readonly #table: TableSchema;
  readonly #joined: ReadonlyMap<string, TableSchema>;
  /** Cached for all columns of all expressions, because tables have up to thousands of columns. */
  readonly #types = new Map<string, ReadonlyMap<string, DataType>>();
  readonly #scope: Scope = {
    columnType: (column, join) => this.#typesOf(join).get(column),
    columnNames: join => (this.isFull ? [] : this.#columnsOf(join).map(column => column.name)),
  };

  constructor(table: TableSchema, joined: ReadonlyMap<string, TableSchema>) {
    this.#table = table;
    this.#joined = joined;
  }

  /** @returns undefined for a text that is no expression, which becomes a problem */
  parse(text: string, path: readonly string[]): Expression | undefined {
    return this.#caught(path, text, () => parseExpression(text));
  }

  /**
   * @param text the expression as in its file, if it is not a column's name
   * @returns undefined for an invalid expression, which becomes a problem
   */
  check(
    expression: Expression,
    path: readonly string[],
    text?: string,
    more?: Pick<Scope, 'hasAttributes'>,
  ): CheckedExpression | undefined {
    return this.#caught(path, text, () => {
      const { type, isAggregate } = checkExpression(expression, { ...this.#scope, ...more });
      return {
        expression: withColumnTypes(expression, this.#scope),
        type: type === 'null' ? 'text' : type,
        isAggregate,
      };
    });
  }

  /** Parses and checks a text. */
  read(
    text: string,
    path: readonly string[],
    more?: Pick<Scope, 'hasAttributes'>,
  ): CheckedExpression | undefined {
    const expression = this.parse(text, path);
    return expression && this.check(expression, path, text, more);
  }

  /** `iata` is a column of the table, `airport.city` a column of a join. */
  column(name: string): Expression {
    const dot = name.indexOf('.');
    const join = name.slice(0, Math.max(0, dot));
    return this.#joined.has(join)
      ? { kind: 'column', join, name: name.slice(dot + 1) }
      : { kind: 'column', name };
  }

  /** Whether there are as many problems as are reported. */
  get isFull(): boolean {
    return this.problems.length >= maxProblems;
  }

  report(code: string, path: readonly string[], message: string): void {
    if (!this.isFull) this.problems.push({ code, path, message });
  }

  #caught<T>(path: readonly string[], text: string | undefined, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const place = text === undefined ? '' : ` (at character ${error.at + 1} of \`${text}\`)`;
      this.report(error.code, path, `${error.message}${place}`);
      return undefined;
    }
  }

  #typesOf(join: string | undefined): ReadonlyMap<string, DataType> {
    const key = join ?? '';
    const known = this.#types.get(key);
    if (known) return known;
    const types = new Map(this.#columnsOf(join).map(column => [column.name, column.type]));
    this.#types.set(key, types);
    return types;
  }

  #columnsOf(join: string | undefined): TableSchema['columns'] {
    return (join === undefined ? this.#table : this.#joined.get(join))?.columns ?? [];
  }
}
