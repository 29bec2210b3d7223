import { localize, type Localized } from '@belvedere/document';
import type { Condition } from './condition.ts';
import type { Reason, Verdict } from './judge.ts';

/** How numbers are written. */
export interface Formats {
  /** A value of the measure, with its unit. */
  readonly value: (value: number) => string;
  readonly share: (share: number) => string;
  readonly age: (ms: number) => string;
}

interface ExplainWords {
  readonly noData: string;
  readonly above: (value: string, limit: string) => string;
  readonly below: (value: string, limit: string) => string;
  readonly notAbove: (value: string, limit: string) => string;
  readonly notBelow: (value: string, limit: string) => string;
  readonly outside: (value: string, low: string, high: string) => string;
  readonly inside: (value: string, low: string, high: string) => string;
  readonly more: (value: string, change: string, earlier: string, isWeekday: boolean) => string;
  readonly less: (value: string, change: string, earlier: string, isWeekday: boolean) => string;
  readonly same: (value: string, isWeekday: boolean) => string;
  readonly fromZero: (value: string, isWeekday: boolean) => string;
  readonly noEarlier: (value: string) => string;
  readonly usual: (compared: number, median: string, deviation: string) => string;
  readonly usualMean: (compared: number, median: string, deviation: string) => string;
  readonly usualEqual: (compared: number, median: string) => string;
  readonly tooFew: (value: string, compared: number, least: number) => string;
  readonly old: (age: string, most: string) => string;
  readonly neverAny: string;
  readonly join: string;
}

const before = (isWeekday: boolean) => (isWeekday ? 'on the same weekday before' : 'in the period before');
const davor = (isWeekday: boolean) => (isWeekday ? 'am gleichen Wochentag davor' : 'im Zeitraum davor');
const zhBefore = (isWeekday: boolean) => (isWeekday ? '上一个相同工作日' : '上一周期');

const languages: Localized<ExplainWords> = {
  en: {
    noData: 'There is no data.',
    above: (value, limit) => `${value} is above ${limit}.`,
    below: (value, limit) => `${value} is below ${limit}.`,
    notAbove: (value, limit) => `${value} is not above ${limit}.`,
    notBelow: (value, limit) => `${value} is not below ${limit}.`,
    outside: (value, low, high) => `${value} is outside ${low} to ${high}.`,
    inside: (value, low, high) => `${value} is within ${low} to ${high}.`,
    more: (value, change, earlier, isWeekday) =>
      `${value} is ${change} more than ${earlier} ${before(isWeekday)}.`,
    less: (value, change, earlier, isWeekday) =>
      `${value} is ${change} less than ${earlier} ${before(isWeekday)}.`,
    same: (value, isWeekday) => `${value} is the same as ${before(isWeekday)}.`,
    fromZero: (value, isWeekday) => `${value}, after 0 ${before(isWeekday)}.`,
    noEarlier: value => `${value}, without an earlier value to compare with.`,
    usual: (compared, median, deviation) =>
      `The median of ${compared} earlier values is ${median}, and half of them deviate from it by ${deviation} or less.`,
    usualMean: (compared, median, deviation) =>
      `The median of ${compared} earlier values is ${median}. More than half of them are equal to it; ` +
      `on average they deviate by ${deviation}.`,
    usualEqual: (compared, median) => `All ${compared} earlier values are ${median}.`,
    tooFew: (value, compared, least) =>
      `${value}, with ${compared} earlier values to compare with. At least ${least} are needed.`,
    old: (age, most) => `The newest data is ${age} old. The limit is ${most}.`,
    neverAny: 'There has never been any data.',
    join: ' ',
  },
  de: {
    noData: 'Es gibt keine Daten.',
    above: (value, limit) => `${value} liegt über ${limit}.`,
    below: (value, limit) => `${value} liegt unter ${limit}.`,
    notAbove: (value, limit) => `${value} liegt nicht über ${limit}.`,
    notBelow: (value, limit) => `${value} liegt nicht unter ${limit}.`,
    outside: (value, low, high) => `${value} liegt außerhalb von ${low} bis ${high}.`,
    inside: (value, low, high) => `${value} liegt zwischen ${low} und ${high}.`,
    more: (value, change, earlier, isWeekday) =>
      `${value} ist ${change} mehr als ${earlier} ${davor(isWeekday)}.`,
    less: (value, change, earlier, isWeekday) =>
      `${value} ist ${change} weniger als ${earlier} ${davor(isWeekday)}.`,
    same: (value, isWeekday) => `${value}, wie ${davor(isWeekday)}.`,
    fromZero: (value, isWeekday) => `${value}, nach 0 ${davor(isWeekday)}.`,
    noEarlier: value => `${value}, ohne früheren Wert zum Vergleich.`,
    usual: (compared, median, deviation) =>
      `Der Median von ${compared} früheren Werten ist ${median}; die Hälfte weicht um höchstens ${deviation} davon ab.`,
    usualMean: (compared, median, deviation) =>
      `Der Median von ${compared} früheren Werten ist ${median}. Mehr als die Hälfte sind ihm gleich; ` +
      `im Mittel weichen sie um ${deviation} ab.`,
    usualEqual: (compared, median) => `Alle ${compared} früheren Werte sind ${median}.`,
    tooFew: (value, compared, least) =>
      `${value}, mit ${compared} früheren Werten zum Vergleich. Nötig sind mindestens ${least}.`,
    old: (age, most) => `Die neuesten Daten sind ${age} alt. Die Grenze ist ${most}.`,
    neverAny: 'Es gab noch nie Daten.',
    join: ' ',
  },
  zh: {
    noData: '没有数据。',
    above: (value, limit) => `${value} 高于 ${limit}。`,
    below: (value, limit) => `${value} 低于 ${limit}。`,
    notAbove: (value, limit) => `${value} 未高于 ${limit}。`,
    notBelow: (value, limit) => `${value} 未低于 ${limit}。`,
    outside: (value, low, high) => `${value} 超出 ${low} 至 ${high} 的范围。`,
    inside: (value, low, high) => `${value} 在 ${low} 至 ${high} 的范围内。`,
    more: (value, change, earlier, isWeekday) =>
      `${value} 比${zhBefore(isWeekday)}的 ${earlier} 多 ${change}。`,
    less: (value, change, earlier, isWeekday) =>
      `${value} 比${zhBefore(isWeekday)}的 ${earlier} 少 ${change}。`,
    same: (value, isWeekday) => `${value}，与${zhBefore(isWeekday)}相同。`,
    fromZero: (value, isWeekday) => `${value}，${zhBefore(isWeekday)}为 0。`,
    noEarlier: value => `${value}，没有可比较的早先数值。`,
    usual: (compared, median, deviation) =>
      `早先 ${compared} 个数值的中位数是 ${median}，其中一半的偏差不超过 ${deviation}。`,
    usualMean: (compared, median, deviation) =>
      `早先 ${compared} 个数值的中位数是 ${median}，一半以上与之相同；平均偏差为 ${deviation}。`,
    usualEqual: (compared, median) => `早先 ${compared} 个数值都是 ${median}。`,
    tooFew: (value, compared, least) => `${value}，仅有 ${compared} 个早先数值可比较，至少需要 ${least} 个。`,
    old: (age, most) => `最新数据已有 ${age}，上限为 ${most}。`,
    neverAny: '从未有过数据。',
    join: '',
  },
};

/** Says why a verdict is what it is, in one or two sentences. */
export function explainVerdict(
  verdict: Verdict,
  condition: Condition,
  formats: Formats,
  locale: string,
): string {
  const words = localize(languages, locale);
  switch (verdict.kind) {
    case 'noData':
      return words.noData;
    case 'error':
      return verdict.message;
    default:
      return explainReason(
        verdict.reason,
        verdict.value,
        verdict.kind === 'breach',
        condition,
        formats,
        words,
      );
  }
}

function explainReason(
  reason: Reason,
  found: number | null,
  isBreach: boolean,
  { change }: Condition,
  { value: write, share, age }: Formats,
  words: ExplainWords,
): string {
  const value = found === null ? '' : write(found);
  switch (reason.kind) {
    case 'limit':
      if (found === null) return '';
      return explainSides(reason, found, isBreach, write, words);
    case 'noEarlier':
      return words.noEarlier(value);
    case 'tooFew':
      return words.tooFew(value, reason.compared, reason.min);
    case 'age':
      return reason.ageMs === null ? words.neverAny : words.old(age(reason.ageMs), age(reason.maxMs));
    case 'change': {
      const isWeekday = change?.against === 'same weekday';
      if (reason.change === null) return words.fromZero(value, isWeekday);
      if (reason.change === 0) return words.same(value, isWeekday);
      const size = (reason.isShare ? share : write)(Math.abs(reason.change));
      return (reason.change > 0 ? words.more : words.less)(value, size, write(reason.earlier), isWeekday);
    }
    case 'unusual': {
      const { compared, median, deviation, spread } = reason;
      const why =
        spread === 'none'
          ? words.usualEqual(compared, write(median))
          : (spread === 'mad' ? words.usual : words.usualMean)(compared, write(median), write(deviation));
      return [explainSides(reason, found!, isBreach, write, words), why].join(words.join);
    }
  }
}

function explainSides(
  { low, high }: { readonly low?: number; readonly high?: number },
  value: number,
  isBreach: boolean,
  write: (value: number) => string,
  words: ExplainWords,
): string {
  const said = write(value);
  if (low !== undefined && high !== undefined)
    return (isBreach ? words.outside : words.inside)(said, write(low), write(high));
  if (high !== undefined) return (isBreach ? words.above : words.notAbove)(said, write(high));
  return (isBreach ? words.below : words.notBelow)(said, write(low!));
}
