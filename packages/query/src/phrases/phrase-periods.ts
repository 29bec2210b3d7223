import type { TimeUnit } from '@belvedere/document';
import {
  addUnits,
  formatCalendarTime,
  isCalendarTime,
  onCalendar,
  parseCalendarTime,
  startOf,
} from '../calendar.ts';
import type { FieldFilter } from '../filter.ts';
import type { Clock, Range } from '../period.ts';
import { anyOfWords } from './phrase-tokens.ts';
import {
  afterWords,
  beforeSuffixes,
  beforeWords,
  comparisonWords,
  containmentWords,
  currentWords,
  lastWords,
  monthWords,
  ordinals,
  previousWords,
  rangeBeginnings,
  rangeMiddles,
  relativeDays,
  sinceSuffixes,
  sinceWords,
  unitWords,
} from './phrase-words.ts';

/** A period at the beginning of some words. */
export interface PeriodMatch {
  /** How many words it takes. */
  readonly length: number;
  readonly condition: FieldFilter;
  /** Its range, to choose the unit of a time axis. */
  readonly range: Partial<Range>;
  /** The unit of two periods that are compared, `1997 vs 1998`: the range has both and the time between. */
  readonly comparedBy?: TimeUnit;
  /** Subtracted from the score of a reading that is less likely than another of the same words. */
  readonly penalty?: number;
}

/** The time that periods are of: its clock, and the data's first time. */
export interface PeriodContext {
  readonly clock: Clock;
  readonly from: number;
}

interface Unit {
  readonly unit: TimeUnit;
  readonly words: string;
}
const units: readonly Unit[] = Object.entries(unitWords).map(([unit, words]) => ({
  unit: unit as TimeUnit,
  words: anyOfWords(words),
}));
const anyUnit = `(${anyOfWords(...Object.values(unitWords))})`;
const unitOfWord = (word: string): TimeUnit =>
  units.find(({ words }) => new RegExp(`^${words}$`).test(word))!.unit;

const months = anyOfWords(...monthWords);
const monthOf = (word: string) => monthWords.findIndex(words => words.includes(word));
const quarterWords = anyOfWords(unitWords.quarter!);
const ordinalWords = anyOfWords(...ordinals);
const quarterOf = (word: string) =>
  /^\d$/.test(word)
    ? Number(word)
    : ordinals.findIndex(words => new RegExp(`^${anyOfWords(words)}$`).test(word)) + 1;

const year = '((?:1[5-9]|20|21)\\d\\d)';
/** A unit before what names one: `year 1997`, `quarter 2`, `month of May`; not `by month 1997`. */
const unitBeforeName = [
  `${anyOfWords(unitWords.year!)}(?= \\d{4}(?: |$))`,
  `${anyOfWords(unitWords.quarter!)}(?= (?:q\\d|[1-4] ))`,
  `${anyOfWords(unitWords.month!)}(?= ${months} )`,
  `${anyOfWords(unitWords.day!)}(?= \\d)`,
].join('|');
const yearSign = '(?: 年度?)?';

/** A moment's text, with the length of what it names. */
interface Named {
  readonly words: number;
  readonly range: Range;
}

type Reader = (match: RegExpExecArray, context: PeriodContext) => Range | undefined;

/** Named periods, the most specific first. */
const named: readonly (readonly [RegExp, Reader])[] = [
  [/^(\d{4}-\d{1,2}(?:-\d{1,2})?)(?= |$)/, ([, text]) => calendarRange(padded(text!))],
  [
    /^(\d{1,2})[./](\d{1,2})[./](\d{4})(?= |$)/,
    ([, day, month, of]) => calendarRange(padded(`${of}-${month}-${day}`)),
  ],
  [
    new RegExp(`^${year} 年 (\\d{1,2}) 月(?= |$)`),
    ([, of, month]) => monthRange(Number(of), Number(month) - 1),
  ],
  [new RegExp(`^(${months}) ${year}(?= |$)`), ([, month, of]) => monthRange(Number(of), monthOf(month!))],
  [new RegExp(`^${year} (${months})(?= |$)`), ([, of, month]) => monthRange(Number(of), monthOf(month!))],
  [new RegExp(`^q([1-4]) ${year}${yearSign}(?= |$)`), ([, q, of]) => quarterRange(Number(of), Number(q))],
  [new RegExp(`^${year}${yearSign} q([1-4])(?= |$)`), ([, of, q]) => quarterRange(Number(of), Number(q))],
  [
    new RegExp(`^(${ordinalWords}|[1-4]) ${quarterWords} (?:of )?${year}${yearSign}(?= |$)`),
    ([, q, of]) => quarterRange(Number(of), quarterOf(q!)),
  ],
  [
    new RegExp(`^${year}${yearSign} (?:第 )?(${ordinalWords}|[1-4]) ${quarterWords}(?= |$)`),
    ([, of, q]) => quarterRange(Number(of), quarterOf(q!)),
  ],
  [new RegExp(`^${year}${yearSign}(?= |$)`), ([, of]) => calendarRange(of!)],
  // Without a year: the latest one in the data.
  [new RegExp(`^(${months})(?= |$)`), ([, month], context) => latest(monthOf(month!), 'month', context)],
  [/^(\d{1,2}) 月(?= |$)/, ([, month], context) => latest(Number(month) - 1, 'month', context)],
  [/^q([1-4])(?= |$)/, ([, q], context) => latest((Number(q) - 1) * 3, 'quarter', context)],
  [
    new RegExp(`^(?:第 )?(${ordinalWords}) ${quarterWords}(?= |$)`),
    ([, q], context) => latest((quarterOf(q!) - 1) * 3, 'quarter', context),
  ],
];

const relative = {
  count: new RegExp(`^${anyOfWords(lastWords)} (\\d{1,4}) ${anyUnit}(?= |$)`),
  last: new RegExp(`^${anyOfWords(lastWords)} ${anyUnit}(?= |$)`),
  previous: new RegExp(`^${anyOfWords(previousWords)} ${anyUnit}(?= |$)`),
  current: new RegExp(`^${anyOfWords(currentWords)} ${anyUnit}(?= |$)`),
};
const wholeWords = relativeDays.map(
  ([words, unit, which]) => [new RegExp(`^${anyOfWords(words)}(?= |$)`), unit, which] as const,
);
const edges = {
  range: new RegExp(`^${anyOfWords(rangeBeginnings)} `),
  middle: new RegExp(`^${anyOfWords(rangeMiddles)} `),
  versus: new RegExp(`^${anyOfWords(comparisonWords)} `),
  // `in the year`, `im Jahr`.
  containment: new RegExp(
    `^(?:${anyOfWords(containmentWords)} )?(?:(?:the|dem|den) )?(?:(?:${unitBeforeName}) )?`,
  ),
  since: new RegExp(`^${anyOfWords(sinceWords)} `),
  after: new RegExp(`^${anyOfWords(afterWords)} `),
  before: new RegExp(`^${anyOfWords(beforeWords)} `),
  sinceSuffix: new RegExp(`^${anyOfWords(sinceSuffixes)}(?= |$)`),
  beforeSuffix: new RegExp(`^${anyOfWords(beforeSuffixes)}(?= |$)`),
};

const wordsIn = (text: string) => text.trim().split(' ').filter(Boolean).length;

/**
 * The periods that begin a text, in the order of likelihood. Relative periods end at the data's end; what
 * lies wholly outside the data is no period.
 * @param text words with one space between them
 */
export function periodsAt(text: string, context: PeriodContext): readonly PeriodMatch[] {
  const relatives = relativeAt(text, context);
  if (relatives.length > 0) return relatives;
  const opened = edges.range.exec(text)?.[0] ?? '';
  const first = namedAt(text.slice(opened.length), context);
  const rest = first ? text.slice(opened.length).split(' ').slice(first.words).join(' ') : '';
  const joined = edges.middle.exec(rest)?.[0];
  const second = joined === undefined ? undefined : namedAt(rest.slice(joined.length), context);
  if (first && second && second.range.below > first.range.from)
    return within(
      { from: first.range.from, below: second.range.below },
      wordsIn(opened) + first.words + wordsIn(joined!) + second.words,
      context,
    );
  const compared = first && rest ? comparedAt(first, rest, wordsIn(opened), context) : undefined;
  if (compared) return compared;
  const years = /^(\d{4})-(\d{4})(?= |$)/.exec(text.slice(opened.length));
  if (years && Number(years[1]) < Number(years[2]))
    return within(
      { from: calendarRange(years[1]!)!.from, below: calendarRange(years[2]!)!.below },
      wordsIn(opened) + 1,
      context,
    );
  const contained = edges.containment.exec(text)?.[0] ?? '';
  const plain = namedAt(text.slice(contained.length), context);
  if (plain) {
    const after = text.slice(contained.length).split(' ').slice(plain.words).join(' ');
    const since = edges.sinceSuffix.exec(after)?.[0];
    const before = edges.beforeSuffix.exec(after)?.[0];
    const words = wordsIn(contained) + plain.words;
    if (since !== undefined) return within({ from: plain.range.from }, words + wordsIn(since), context);
    if (before !== undefined) return within({ below: plain.range.from }, words + wordsIn(before), context);
    return within(plain.range, words, context);
  }
  for (const [edge, bound] of [
    [edges.since, ({ from }: Range) => ({ from })],
    [edges.after, ({ below }: Range) => ({ from: below })],
    [edges.before, ({ from }: Range) => ({ below: from })],
  ] as const) {
    const begun = edge.exec(text)?.[0];
    const bounded = begun === undefined ? undefined : namedAt(text.slice(begun.length), context);
    if (bounded) return within(bound(bounded.range), wordsIn(begun!) + bounded.words, context);
  }
  return [];
}

/** Two periods of one unit, in either order: `1998 vs 1997`. */
function comparedAt(
  first: Named,
  rest: string,
  wordsBefore: number,
  context: PeriodContext,
): readonly PeriodMatch[] | undefined {
  const versus = edges.versus.exec(rest)?.[0];
  const second = versus === undefined ? undefined : namedAt(rest.slice(versus.length), context);
  if (!second) return undefined;
  const unit = comparableUnits.find(one => [first, second].every(({ range }) => isOne(one, range)));
  if (!unit || first.range.from === second.range.from) return undefined;
  const [earlier, later] = [first.range, second.range].toSorted((a, b) => a.from - b.from);
  return within(
    { from: earlier!.from, below: later!.below },
    wordsBefore + first.words + wordsIn(versus!) + second.words,
    context,
  ).map(match => ({ ...match, comparedBy: unit }));
}

const comparableUnits = ['year', 'quarter', 'month', 'day'] as const;
const isOne = (unit: (typeof comparableUnits)[number], { from, below }: Range) =>
  addUnits(unit, from, 1) === below;

function relativeAt(text: string, { clock }: PeriodContext): readonly PeriodMatch[] {
  const contained = edges.containment.exec(text)?.[0] ?? '';
  const rest = text.slice(contained.length);
  const length = (matched: string) => wordsIn(contained) + wordsIn(matched);
  const latestUnits = (matched: string, count: number, unit: TimeUnit): PeriodMatch => {
    const on = onCalendar(unit, clock.calendar);
    const below = addUnits(on, startOf(on, clock.now), 1);
    return {
      length: length(matched),
      condition: { last: `${count} ${unit}${count === 1 ? '' : 's'}` },
      range: { from: addUnits(on, below, -count), below },
    };
  };
  const unitBefore = (matched: string, unit: TimeUnit, penalty: number): PeriodMatch => {
    const on = onCalendar(unit, clock.calendar);
    const below = startOf(on, clock.now);
    const range = { from: addUnits(on, below, -1), below };
    return { length: length(matched), condition: conditionOf(range), range, penalty };
  };
  const counted = relative.count.exec(rest);
  if (counted && Number(counted[1]) > 0)
    return [latestUnits(counted[0], Number(counted[1]), unitOfWord(counted[2]!))];
  const last = relative.last.exec(rest);
  if (last) {
    const unit = unitOfWord(last[1]!);
    return [latestUnits(last[0], 1, unit), unitBefore(last[0], unit, 0.15)];
  }
  const previous = relative.previous.exec(rest);
  if (previous) return [unitBefore(previous[0], unitOfWord(previous[1]!), 0)];
  const current = relative.current.exec(rest);
  if (current) return [latestUnits(current[0], 1, unitOfWord(current[1]!))];
  for (const [pattern, unit, which] of wholeWords) {
    const whole = pattern.exec(rest);
    if (whole)
      return which === 'this'
        ? [latestUnits(whole[0], 1, unit)]
        : [latestUnits(whole[0], 1, unit), unitBefore(whole[0], unit, 0.15)];
  }
  return [];
}

function namedAt(text: string, context: PeriodContext): Named | undefined {
  for (const [pattern, read] of named) {
    const match = pattern.exec(text);
    const range = match ? read(match, context) : undefined;
    if (range) return { words: wordsIn(match![0]), range };
  }
  return undefined;
}

function within(
  range: Partial<Range>,
  length: number,
  { clock, from }: PeriodContext,
): readonly PeriodMatch[] {
  const isOutside = (range.from ?? -Infinity) > clock.now || (range.below ?? Infinity) <= from;
  return isOutside ? [] : [{ length, condition: conditionOf(range), range }];
}

function conditionOf({ from, below }: Partial<Range>): FieldFilter {
  return {
    ...(from !== undefined && { from: formatCalendarTime(from) }),
    ...(below !== undefined && { below: formatCalendarTime(below) }),
  };
}

const padded = (text: string) =>
  text
    .split('-')
    .map(part => part.padStart(2, '0'))
    .join('-');

/** The year, month or day that a calendar time names. */
function calendarRange(text: string): Range | undefined {
  if (!isCalendarTime(text)) return undefined;
  const from = parseCalendarTime(text);
  const unit = (['year', 'month', 'day'] as const)[text.split('-').length - 1]!;
  return { from, below: addUnits(unit, from, 1) };
}

function monthRange(ofYear: number, month: number): Range | undefined {
  return calendarRange(`${ofYear}-${String(month + 1).padStart(2, '0')}`);
}

function quarterRange(ofYear: number, quarter: number): Range {
  const from = Date.UTC(ofYear, (quarter - 1) * 3);
  return { from, below: addUnits('quarter', from, 1) };
}

/** The latest month or quarter that begins with a month (0 to 11) and has data. */
function latest(month: number, unit: 'month' | 'quarter', { clock }: PeriodContext): Range | undefined {
  if (!(month >= 0 && month < 12)) return undefined;
  const thisYear = new Date(clock.now).getUTCFullYear();
  const inThisYear = Date.UTC(thisYear, month);
  const from = inThisYear > clock.now ? Date.UTC(thisYear - 1, month) : inThisYear;
  return { from, below: addUnits(unit, from, 1) };
}
