import type { FilterDefault } from '@belvedere/document';
import { isTemporal, type Dimension, type Model } from '@belvedere/model';
import { parseCalendarTime } from './calendar.ts';
import { resolvePeriod, type Clock } from './period.ts';

export type Value = string | number | boolean | null;

/** Which rows count. Ranges are `from … below`, the last edge left out; times are wall-clock milliseconds. */
export type Filter =
  | { readonly kind: 'everything' }
  | { readonly kind: 'oneOf'; readonly field: string; readonly values: readonly Value[] }
  | { readonly kind: 'range'; readonly field: string; readonly from?: number; readonly below?: number }
  | { readonly kind: 'contains'; readonly field: string; readonly text: string }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'allOf'; readonly filters: readonly Filter[] }
  | { readonly kind: 'anyOf'; readonly filters: readonly Filter[] };

/** A condition on one field, as files, links and requests bear it: times as text, relative times unresolved. */
export type FieldFilter = FilterDefault;

/** A condition on several fields at once, such as one brushed rectangle. */
export type Box = Readonly<Record<string, FieldFilter>>;

export const everything: Filter = { kind: 'everything' };

/** All of the filters at once; those that let everything through fall away. */
export function allOf(filters: readonly Filter[]): Filter {
  const real = filters.flatMap(filter => (filter.kind === 'allOf' ? filter.filters : filter.kind === 'everything' ? [] : [filter]));
  return real.length === 0 ? everything : real.length === 1 ? real[0]! : { kind: 'allOf', filters: real };
}

export function anyOf(filters: readonly Filter[]): Filter {
  return filters.length === 1 ? filters[0]! : { kind: 'anyOf', filters };
}

/** The fields a filter reads, each once, in the order they appear. */
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
 * What a condition means for a field of a model.
 * @returns undefined where the model has no such field: the condition is then *not applied* there.
 */
export function filterOn(model: Model, field: string, condition: FieldFilter, clock: Clock): Filter | undefined {
  const dimension = Object.hasOwn(model.dimensions, field) ? model.dimensions[field] : undefined;
  if (!dimension) return undefined;
  const valuesOf = (values: readonly Value[]): Filter => ({ kind: 'oneOf', field, values: values.map(value => (typeof value === 'string' && isTemporal(dimension.type) ? parseCalendarTime(value) : value)) });
  if ('oneOf' in condition) return valuesOf(condition.oneOf);
  if ('noneOf' in condition) return { kind: 'not', filter: valuesOf(condition.noneOf) };
  if ('contains' in condition) return { kind: 'contains', field, text: condition.contains };
  if ('last' in condition || 'this' in condition) return { kind: 'range', field, ...resolvePeriod(condition, clock) };
  const edge = (value: string | number | undefined) => (value === undefined ? undefined : edgeOn(dimension, value));
  const from = edge(condition.from);
  const below = edge(condition.below);
  if (from === undefined && below === undefined) return everything;
  return { kind: 'range', field, ...(from !== undefined && { from }), ...(below !== undefined && { below }) };
}

function edgeOn(dimension: Dimension, value: string | number): number {
  // YAML reads a bare `2024` as a number; on a time axis it can only be a year.
  if (isTemporal(dimension.type)) return typeof value === 'number' && value > 9999 ? value : parseCalendarTime(String(value));
  return Number(value);
}
