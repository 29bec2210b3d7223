import { durationMs, localize, type AlertFile, type Localized } from '@belvedere/document';
import { changeLimit, usualDeviations, type Condition } from './condition.ts';
import type { Formats } from './explain.ts';

type Direction = 'up' | 'down' | 'either';

interface ConditionWords {
  readonly above: (limit: string, clear: string | undefined) => string;
  readonly below: (limit: string, clear: string | undefined) => string;
  readonly outside: (low: string, high: string) => string;
  readonly change: (by: string, direction: Direction, isWeekday: boolean) => string;
  readonly unusual: (deviations: string, direction: Direction, by: 'weekday' | 'hour' | undefined) => string;
  readonly missing: (age: string) => string;
  readonly hold: (condition: string, time: string) => string;
}

const languages: Localized<ConditionWords> = {
  en: {
    above: (limit, clear) => `Above ${limit}${clear === undefined ? '' : `, until below ${clear}`}`,
    below: (limit, clear) => `Below ${limit}${clear === undefined ? '' : `, until above ${clear}`}`,
    outside: (low, high) => `Below ${low} or above ${high}`,
    change: (by, direction, isWeekday) =>
      `${{ up: 'Rises', down: 'Falls', either: 'Rises or falls' }[direction]} by ${by} or more against ` +
      (isWeekday ? 'the same weekday before' : 'the previous period'),
    unusual: (deviations, direction, by) =>
      `More than ${deviations} typical deviations ` +
      `${{ up: 'above', down: 'below', either: 'from' }[direction]} the median` +
      (by === undefined ? '' : { weekday: ' of the same weekday', hour: ' of the same hour' }[by]),
    missing: age => `The newest data is older than ${age}`,
    hold: (condition, time) => `${condition}, for at least ${time}`,
  },
  de: {
    above: (limit, clear) => `Über ${limit}${clear === undefined ? '' : `, bis unter ${clear}`}`,
    below: (limit, clear) => `Unter ${limit}${clear === undefined ? '' : `, bis über ${clear}`}`,
    outside: (low, high) => `Unter ${low} oder über ${high}`,
    change: (by, direction, isWeekday) =>
      `${{ up: 'Steigt', down: 'Fällt', either: 'Steigt oder fällt' }[direction]} um ${by} oder mehr gegenüber ` +
      (isWeekday ? 'dem gleichen Wochentag davor' : 'dem Zeitraum davor'),
    unusual: (deviations, direction, by) =>
      `Mehr als ${deviations} typische Abweichungen ` +
      `${{ up: 'über dem', down: 'unter dem', either: 'vom' }[direction]} Median` +
      (by === undefined ? '' : { weekday: ' des gleichen Wochentags', hour: ' der gleichen Stunde' }[by]),
    missing: age => `Die neuesten Daten sind älter als ${age}`,
    hold: (condition, time) => `${condition}, mindestens ${time} lang`,
  },
  zh: {
    above: (limit, clear) => `高于 ${limit}${clear === undefined ? '' : `，直到低于 ${clear}`}`,
    below: (limit, clear) => `低于 ${limit}${clear === undefined ? '' : `，直到高于 ${clear}`}`,
    outside: (low, high) => `低于 ${low} 或高于 ${high}`,
    change: (by, direction, isWeekday) =>
      `与${isWeekday ? '上一个相同工作日' : '上一周期'}相比` +
      `${{ up: '上升', down: '下降', either: '上升或下降' }[direction]} ${by} 或更多`,
    unusual: (deviations, direction, by) =>
      `${{ up: '高于', down: '低于', either: '偏离' }[direction]}` +
      `${by === undefined ? '' : { weekday: '相同工作日的', hour: '相同小时的' }[by]}` +
      `中位数超过 ${deviations} 个典型偏差`,
    missing: age => `最新数据早于 ${age}`,
    hold: (condition, time) => `${condition}，持续至少 ${time}`,
  },
};

/** Returns when an alert fires, in a phrase: `Above 15, for at least 10 min`. */
export function describeCondition(
  { when, hold }: Pick<AlertFile, 'when' | 'hold'>,
  formats: Formats,
  locale: string,
): string {
  const words = localize(languages, locale);
  const condition = describe(when, formats, words, locale);
  return hold === undefined ? condition : words.hold(condition, formats.age(durationMs(hold)));
}

function describe(
  { above, below, clear, outside, change, unusual, missing }: Condition,
  { value, share, age }: Formats,
  words: ConditionWords,
  locale: string,
): string {
  const end = clear === undefined ? undefined : value(clear);
  if (above !== undefined) return words.above(value(above), end);
  if (below !== undefined) return words.below(value(below), end);
  if (outside) return words.outside(value(outside[0]), value(outside[1]));
  if (change) {
    const { amount, isShare } = changeLimit(change);
    const by = isShare ? share(amount) : value(amount);
    return words.change(by, change.direction ?? 'either', change.against === 'same weekday');
  }
  if (unusual) {
    const { deviations = usualDeviations, direction = 'either', by } = unusual;
    const written = new Intl.NumberFormat(locale).format(deviations);
    return words.unusual(written, direction, by === 'nothing' ? undefined : by);
  }
  return words.missing(age(durationMs(missing!)));
}
