import { isTemporal, type Model } from '@belvedere/model';
import { formatCalendarTime } from './calendar.ts';
import type { Filter, Value } from './filter.ts';

/** A filter in words, its fields by their labels, its times as dates: `Delay at least 15 and below 60`. Ranges end before their last edge. */
export function sayFilter(filter: Filter, model: Model): string {
  const label = (field: string) => model.dimensions[field]?.label ?? field;
  const edge = (field: string, value: number) => (isTemporal(model.dimensions[field]?.type ?? 'other') ? formatCalendarTime(value) : String(value));
  const shown = (field: string, value: Value) => (value === null ? '(no value)' : value === '' ? '(empty)' : typeof value === 'number' ? edge(field, value) : String(value));
  switch (filter.kind) {
    case 'everything':
      return 'everything';
    case 'oneOf':
      return `${label(filter.field)} is ${filter.values.map(value => shown(filter.field, value)).join(' or ')}`;
    case 'contains':
      return `${label(filter.field)} contains “${filter.text}”`;
    case 'range': {
      const sides = [...(filter.from === undefined ? [] : [`from ${edge(filter.field, filter.from)}`]), ...(filter.below === undefined ? [] : [`below ${edge(filter.field, filter.below)}`])];
      return `${label(filter.field)} ${sides.join(' and ')}`;
    }
    case 'not':
      return `not (${sayFilter(filter.filter, model)})`;
    case 'allOf':
      return filter.filters.map(inner => sayFilter(inner, model)).join(' and ');
    case 'anyOf':
      return filter.filters.map(inner => `(${sayFilter(inner, model)})`).join(' or ');
  }
}
