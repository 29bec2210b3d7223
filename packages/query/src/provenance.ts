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
    not: condition => `非（${condition}）`,
  },
};

/**
 * Describes a filter in the locale's language, with field labels and dates: `Delay from 15 and below 60`.
 * Ranges exclude their upper edge.
 * @param formatNumber formats a number with its dimension's format; every digit by default
 */
export function describeFilter(
  filter: Filter,
  model: Model,
  locale = 'en',
  formatNumber: (value: number, format: string | undefined) => string = String,
): string {
  const words = localize(languages, locale);
  const label = (field: string) => model.dimensions[field]?.label ?? field;
  const edge = (field: string, value: number) =>
    isTemporal(model.dimensions[field]?.type ?? 'other')
      ? formatCalendarTime(value)
      : formatNumber(value, model.dimensions[field]?.format);
  const shown = (field: string, value: Value) =>
    value === null
      ? words.noValue
      : value === ''
        ? words.empty
        : typeof value === 'number'
          ? edge(field, value)
          : String(value);
  const say = (said: Filter): string => {
    switch (said.kind) {
      case 'everything':
        return words.everything;
      case 'oneOf':
        return words.is(label(said.field), said.values.map(value => shown(said.field, value)).join(words.or));
      case 'contains':
        return words.contains(label(said.field), said.text);
      case 'range': {
        const sides = [
          ...(said.from === undefined ? [] : [words.from(edge(said.field, said.from))]),
          ...(said.below === undefined ? [] : [words.below(edge(said.field, said.below))]),
        ];
        return `${label(said.field)} ${sides.join(words.and)}`;
      }
      case 'not':
        return words.not(say(said.filter));
      case 'allOf':
        return said.filters.map(say).join(words.and);
      case 'anyOf':
        return said.filters.map(inner => `(${say(inner)})`).join(words.or);
    }
  };
  return say(filter);
}
