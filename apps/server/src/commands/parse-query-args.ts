import { readCondition } from '@belvedere/api';
import { didYouMean } from '@belvedere/document';
import { everyTimeUnit, type FieldFilter } from '@belvedere/query';
import type { ModelQuery } from '../queries/models/query-model.ts';
import { ProblemError } from '../http/problems.ts';

/** A query in the syntax of the command line. */
export interface QueryArgs {
  /** Measures: `flights`. */
  readonly measures: readonly string[];
  /** Dimensions, optionally with a time unit: `carrier`, `date:month`. */
  readonly by: readonly string[];
  /**
   * Conditions, all of which must hold: `carrier=AA`, `delay>=15`, `date=last 90 days`, and any other syntax
   * of the `f.` parameters in a page's URL.
   */
  readonly where: readonly string[];
  /** Columns to sort by; a minus sorts in descending order: `-flights`. */
  readonly order: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

/** @throws ProblemError for invalid arguments */
export function readWords({ measures, by, where, order, limit, offset }: QueryArgs): ModelQuery {
  return {
    measures,
    dimensions: by.map(readGrouping),
    where: parseConditions(where),
    order: order.map(text => (text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text })),
    limit,
    offset,
  };
}

/** The same query as a request to the HTTP API, which may change what it is given. */
export function queryBody({ dimensions, measures, order, where, ...rest }: ModelQuery) {
  return {
    ...rest,
    where: { ...where },
    dimensions: [...dimensions],
    measures: [...measures],
    order: [...order],
  };
}

/**
 * Returns the conditions by field. @throws ProblemError for invalid conditions, or two that conflict on one
 * field
 */
export function parseConditions(where: readonly string[]): Record<string, FieldFilter> {
  const conditions: Record<string, FieldFilter> = {};
  for (const text of where) {
    const { field, condition } = readWhere(text);
    conditions[field] = Object.hasOwn(conditions, field)
      ? both(conditions[field]!, condition, field)
      : condition;
  }
  return conditions;
}

function readGrouping(text: string): ModelQuery['dimensions'][number] {
  const [field, unit] = text.split(':') as [string, string?];
  if (unit === undefined) return field;
  const timeUnit = everyTimeUnit.find(one => one === unit);
  if (!timeUnit)
    throw new ProblemError(
      'request-invalid',
      `\`${text}\`: unknown time unit \`${unit}\`${didYouMean(unit, everyTimeUnit) || `. Available: ${everyTimeUnit.join(', ')}.`}`,
    );
  return { field, timeUnit };
}

function readWhere(text: string): { readonly field: string; readonly condition: FieldFilter } {
  const [, field, operator, value] = /^\s*([^\s=<>!~]+)\s*(!=|>=|<=|[=<>~])\s*(.*?)\s*$/s.exec(text) ?? [];
  if (field === undefined || value === undefined)
    throw new ProblemError(
      'request-invalid',
      `Invalid condition \`${text}\`. Expected a field, then \`=\`, \`!=\`, \`>=\`, \`<\` or \`~\`, then a value, e.g. \`origin=ATL\`.`,
    );
  switch (operator) {
    case '=':
      return { field, condition: conditionOr(value, { oneOf: [value] }) };
    case '!=':
      return { field, condition: conditionOr(`!${value}`, { noneOf: [value] }) };
    case '~':
      return { field, condition: { contains: value } };
    case '>=':
      return { field, condition: { from: edge(value) } };
    case '<':
      return { field, condition: { below: edge(value) } };
    default:
      throw new ProblemError(
        'request-invalid',
        `\`${text}\`: use \`>=\` for the start of a range and \`<\` for its end.`,
      );
  }
}

/** Parses a condition as in a URL, else takes the text as a value. */
function conditionOr(text: string, value: FieldFilter): FieldFilter {
  try {
    return readCondition(text);
  } catch {
    return value;
  }
}

/** Converts numeric text to a number. Other texts are times, for fields that hold times. */
function edge(text: string): string | number {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function both(one: FieldFilter, other: FieldFilter, field: string): FieldFilter {
  const isRange = (filter: FieldFilter) => 'from' in filter || 'below' in filter;
  if (isRange(one) && isRange(other) && !Object.keys(one).some(key => key in other))
    return { ...one, ...other } as FieldFilter;
  throw new ProblemError(
    'request-invalid',
    `Two conditions on \`${field}\`. Combine them into one, such as \`${field}=["a","b"]\` or \`${field}=0..10\`.`,
  );
}
