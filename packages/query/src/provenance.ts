import { localize, type Localized } from '@belvedere/document';
import { isTemporal, type Model } from '@belvedere/model';
import { formatCalendarTime } from './calendar.ts';
import type { Filter, Value } from './filter.ts';

interface FilterWords {
  readonly everything: string;
  readonly noValue: string;
  readonly empty: string;
  readonly and: string;
  readonly or: string;
  readonly is: (field: string, values: string) => string;
  readonly contains: (field: string, text: string) => string;
  readonly from: (edge: string) => string;
  readonly below: (edge: string) => string;
  readonly before: (time: string) => string;
  readonly not: (condition: string) => string;
}

const languages: Localized<FilterWords> = {
  en: {
    everything: 'everything',
    noValue: '(null)',
    empty: '(empty)',
    and: ' and ',
    or: ' or ',
    is: (field, values) => `${field} is ${values}`,
    contains: (field, text) => `${field} contains “${text}”`,
    from: edge => `from ${edge}`,
    below: edge => `below ${edge}`,
    before: time => `before ${time}`,
    not: condition => `not (${condition})`,
  },
  de: {
    everything: 'alles',
    noValue: '(kein Wert)',
    empty: '(leer)',
    and: ' und ',
    or: ' oder ',
    is: (field, values) => `${field} ist ${values}`,
    contains: (field, text) => `${field} enthält „${text}“`,
    from: edge => `ab ${edge}`,
    below: edge => `unter ${edge}`,
    before: time => `vor ${time}`,
    not: condition => `nicht (${condition})`,
  },
  zh: {
    everything: '全部',
    noValue: '（空值）',
    empty: '（空文本）',
    and: ' 且 ',
    or: ' 或 ',
    is: (field, values) => `${field} 为 ${values}`,
    contains: (field, text) => `${field} 包含“${text}”`,
    from: edge => `从 ${edge} 起`,
    below: edge => `低于 ${edge}`,
    before: time => `早于 ${time}`,
    not: condition => `非（${condition}）`,
  },
};

/** How the numbers and times of a filter are written. */
export interface FilterFormats {
  /** A number with its dimension's format. */
  readonly number: (value: number, format: string | undefined) => string;
  readonly time: (time: number) => string;
  /** From one time to before another. */
  readonly period: (from: number, below: number) => string;
}

/** Every digit, and ISO dates. */
const plainly: FilterFormats = {
  number: String,
  time: formatCalendarTime,
  period: (from, below) => `${formatCalendarTime(from)} – ${formatCalendarTime(below)}`,
};

/**
 * Describes a filter in the locale's language, with field labels: `Delay from 15 and below 60`. Ranges exclude
 * their upper edge.
 */
export function describeFilter(
  filter: Filter,
  model: Model,
  locale = 'en',
  formats: FilterFormats = plainly,
): string {
  const words = localize(languages, locale);
  const label = (field: string) => model.dimensions[field]?.label ?? field;
  const isTime = (field: string) => isTemporal(model.dimensions[field]?.type ?? 'other');
  const edge = (field: string, value: number) =>
    isTime(field) ? formats.time(value) : formats.number(value, model.dimensions[field]?.format);
  const shown = (field: string, value: Value) =>
    value === null
      ? words.noValue
      : value === ''
        ? words.empty
        : typeof value === 'number'
          ? edge(field, value)
          : String(value);
  const describe = (condition: Filter): string => {
    switch (condition.kind) {
      case 'everything':
        return words.everything;
      case 'oneOf':
        return words.is(
          label(condition.field),
          condition.values.map(value => shown(condition.field, value)).join(words.or),
        );
      case 'contains':
        return words.contains(label(condition.field), condition.text);
      case 'range': {
        const { field, from, below } = condition;
        if (isTime(field) && from !== undefined && below !== undefined)
          return words.is(label(field), formats.period(from, below));
        const sides = [
          ...(from === undefined ? [] : [words.from(edge(field, from))]),
          ...(below === undefined ? [] : [(isTime(field) ? words.before : words.below)(edge(field, below))]),
        ];
        return `${label(field)} ${sides.join(words.and)}`;
      }
      case 'not':
        return words.not(describe(condition.filter));
      case 'allOf':
        return condition.filters.map(describe).join(words.and);
      case 'anyOf':
        return condition.filters.map(inner => `(${describe(inner)})`).join(words.or);
    }
  };
  return describe(filter);
}
