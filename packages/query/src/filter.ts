import type { FilterDefault } from '@belvedere/document';
import { isNumeric, isTemporal, type Dimension, type Model } from '@belvedere/model';
import { parseCalendarTime } from './calendar.ts';
import { resolvePeriod, type Clock } from './period.ts';
import { QueryError } from './query-error.ts';

export type Value = string | number | boolean | null;

/**
 * A condition on rows. Ranges are `from … below`, excluding the upper edge; times are wall-clock
 * milliseconds.
 */
export type Filter =
  | { readonly kind: 'everything' }
  | { readonly kind: 'oneOf'; readonly field: string; readonly values: readonly Value[] }
  | { readonly kind: 'range'; readonly field: string; readonly from?: number; readonly below?: number }
  | { readonly kind: 'contains'; readonly field: string; readonly text: string }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'allOf'; readonly filters: readonly Filter[] }
  | { readonly kind: 'anyOf'; readonly filters: readonly Filter[] };

/** A condition on one field, as in files, links and requests: times as text, relative times unresolved. */
export type FieldFilter = FilterDefault;

/** A condition on several fields at once, such as one brushed rectangle. */
export type Box = Readonly<Record<string, FieldFilter>>;

export const everything: Filter = { kind: 'everything' };

/** Combines filters with AND and drops those that let all rows through. */
export function allOf(filters: readonly Filter[]): Filter {
  const real = filters.flatMap(filter =>
    filter.kind === 'allOf' ? filter.filters : filter.kind === 'everything' ? [] : [filter],
  );
  return real.length === 0 ? everything : real.length === 1 ? real[0]! : { kind: 'allOf', filters: real };
}

export function anyOf(filters: readonly Filter[]): Filter {
  return filters.length === 1 ? filters[0]! : { kind: 'anyOf', filters };
}

/** The fields a filter reads, each once, in order of appearance. */
export function fieldsOf(filter: Filter): string[] {
  switch (filter.kind) {
    case 'everything':
      return [];
    case 'not':
      return fieldsOf(filter.filter);
    case 'allOf':
    case 'anyOf':
      return [...new Set(filter.filters.flatMap(fieldsOf))];
    default:
      return [filter.field];
  }
}

/**
 * Resolves a condition on a field of a model to a filter.
 * @returns undefined when the model has no such field: the condition is then *not applied* there.
 * @throws QueryError `type-mismatch` when the condition does not fit the field's type, because the figures
 *   would mislead.
 */
export function filterOn(
  model: Model,
  field: string,
  condition: FieldFilter,
  clock: Clock,
): Filter | undefined {
  const dimension = Object.hasOwn(model.dimensions, field) ? model.dimensions[field] : undefined;
  if (!dimension) return undefined;
  const valuesOf = (values: readonly Value[]): Filter => ({
    kind: 'oneOf',
    field,
    values: values.map(value => valueOn(dimension, value)),
  });
  if ('oneOf' in condition) return valuesOf(condition.oneOf);
  if ('noneOf' in condition) return { kind: 'not', filter: valuesOf(condition.noneOf) };
  if ('contains' in condition) return { kind: 'contains', field, text: condition.contains };
  if ('last' in condition || 'this' in condition) {
    if (!isTemporal(dimension.type))
      throw misfit(dimension, 'last' in condition ? `last ${condition.last}` : `this ${condition.this}`);
    return { kind: 'range', field, ...resolvePeriod(condition, clock) };
  }
  const edge = (value: string | number | undefined) =>
    value === undefined ? undefined : edgeOn(dimension, value);
  const from = edge(condition.from);
  const below = edge(condition.below);
  if (from === undefined && below === undefined) return everything;
  return { kind: 'range', field, ...(from !== undefined && { from }), ...(below !== undefined && { below }) };
}

function edgeOn(dimension: Dimension, value: string | number): number {
  const { type } = dimension;
  const edge = isTemporal(type)
    ? timeOr(value)
    : type === 'text' || type === 'boolean'
      ? undefined
      : Number(value);
  if (edge === undefined || Number.isNaN(edge)) throw misfit(dimension, value);
  return edge;
}

/**
 * Converts a value to the field's type: numbers to text for text fields, dates to times. Numbers too long for
 * a double stay text.
 */
function valueOn(dimension: Dimension, value: Value): Value {
  const { type } = dimension;
  if (value === null || type === 'other') return value;
  if (type === 'text') return String(value);
  const fit = isTemporal(type)
    ? timeIn(value)
    : isNumeric(type)
      ? numberIn(value)
      : ['true', 'false'].includes(String(value))
        ? value
        : undefined;
  if (fit === undefined) throw misfit(dimension, value);
  return fit;
}

function timeIn(value: string | number | boolean): number | undefined {
  return typeof value === 'string'
    ? timeOr(value)
    : typeof value === 'number' && isMoment(value)
      ? value
      : undefined;
}

function numberIn(value: string | number | boolean): string | number | undefined {
  if (typeof value === 'boolean' || String(value).trim() === '' || Number.isNaN(Number(value)))
    return undefined;
  return value;
}

function timeOr(value: string | number): number | undefined {
  try {
    return timeOfEdge(value);
  } catch {
    return undefined;
  }
}

function misfit({ name, type }: Dimension, value: Value): QueryError {
  const what = isTemporal(type)
    ? 'a time'
    : isNumeric(type)
      ? 'a number'
      : type === 'boolean'
        ? 'yes or no'
        : type === 'text'
          ? 'text'
          : 'of a type that has no order';
  return new QueryError(
    'type-mismatch',
    `\`${name}\` is ${what}, so \`${value}\` does not apply. Clear the filter, or choose from its values.`,
  );
}

/**
 * Parses the edge of a time range. YAML reads a bare `2024` as a number, which is then a year.
 * @throws RangeError for a number that is neither a year nor milliseconds.
 */
export function timeOfEdge(value: string | number): number {
  return typeof value === 'number' && value > 9999 && isMoment(value)
    ? value
    : parseCalendarTime(typeof value === 'number' ? String(value).padStart(4, '0') : value);
}

/** Whether this number of milliseconds is a valid date: within some 275,000 years of 1970. */
function isMoment(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}
