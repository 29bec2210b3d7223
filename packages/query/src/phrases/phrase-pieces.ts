import { fieldsAt, valuesAt, type Names } from './phrase-names.ts';
import { periodsAt, type PeriodContext } from './phrase-periods.ts';
import type { Found, Piece } from './phrase-piece.ts';
import { anyOfWords, textOf, type Token } from './phrase-tokens.ts';
import {
  aggregateWords,
  calculationWords,
  comparisonWords,
  containmentWords,
  distributionWords,
  exclusionWords,
  fillers,
  groupingWords,
  highestWords,
  kindWords,
  lowestWords,
  partWords,
  trendWords,
  unitAdverbs,
  unitWords,
} from './phrase-words.ts';

const unknownScore = -1.2;

const patterns = {
  by: beginning(groupingWords),
  in: beginning(containmentWords),
  not: beginning(exclusionWords),
  versus: beginning(comparisonWords),
  filler: beginning(fillers),
  trend: beginning(trendWords),
  distribution: beginning(distributionWords),
  limit: new RegExp(
    `^(${anyOfWords(highestWords)}|(${anyOfWords(lowestWords)}))(?:(?: 的)? (\\d{1,3}))?(?: [个名种位家座项款])?(?= |$)`,
  ),
  limitBefore: new RegExp(`^(\\d{1,3}) (?:${anyOfWords(highestWords)}|(${anyOfWords(lowestWords)}))(?= |$)`),
};
function beginning(words: readonly string[]): RegExp {
  return new RegExp(`^${anyOfWords(words)}(?= |$)`);
}
const byKey = <K extends string>(words: Readonly<Partial<Record<K, readonly string[]>>>) =>
  (Object.entries(words) as [K, readonly string[]][]).map(([key, list]) => [key, beginning(list)] as const);
const units = byKey(unitWords);
const adverbs = byKey(unitAdverbs);
const aggregates = byKey(aggregateWords);
const kinds = byKey(kindWords);
const parts = byKey(partWords);
const calculations = byKey(calculationWords);

/** What words may mean in phrases about a model. */
export interface Grammar {
  readonly names: Names;
  readonly period: PeriodContext | undefined;
}

/** What may begin at a word. That it is not understood is always possible. */
export function piecesAt(tokens: readonly Token[], at: number, { names, period }: Grammar): readonly Found[] {
  const text = textOf(tokens.slice(at));
  return [
    { piece: { kind: 'unknown' }, length: 1, score: unknownScore },
    ...wordsAt(text),
    ...limitsAt(text),
    ...(period ? periodPiecesAt(text, period) : []),
    ...fieldsAt(tokens, at, names),
    ...valuesAt(tokens, at, names),
  ];
}

/** Words of the language itself: marks, units of time, aggregates and kinds of chart. */
function wordsAt(text: string): readonly Found[] {
  const found: Found[] = [];
  const word = (pattern: RegExp, piece: Piece, score: number) => {
    const matched = pattern.exec(text)?.[0];
    if (matched !== undefined) found.push({ piece, length: matched.split(' ').length, score });
  };
  for (const mark of ['by', 'in', 'not', 'versus', 'filler'] as const)
    word(patterns[mark], { kind: 'mark', mark }, 0.05);
  word(patterns.trend, { kind: 'unit', unit: undefined, isAdverb: true }, 0.9);
  word(patterns.distribution, { kind: 'distribution' }, 0.9);
  for (const [unit, pattern] of units) word(pattern, { kind: 'unit', unit, isAdverb: false }, 0.85);
  for (const [unit, pattern] of adverbs) word(pattern, { kind: 'unit', unit, isAdverb: true }, 0.95);
  for (const [aggregate, pattern] of aggregates) word(pattern, { kind: 'aggregate', aggregate }, 0.3);
  for (const [part, pattern] of parts) word(pattern, { kind: 'part', part }, 0.9);
  // Of many days, hours mean those of the day.
  for (const [unit, pattern] of units) if (unit === 'hour') word(pattern, { kind: 'part', part: unit }, 0.8);
  for (const [show, pattern] of calculations) word(pattern, { kind: 'calculation', show }, 0.6);
  for (const [chart, pattern] of kinds) word(pattern, { kind: 'chart', chart }, 0.6);
  return found;
}

/** Limits such as `top 5`, `lowest` and `5 highest`. */
function limitsAt(text: string): readonly Found[] {
  const found: Found[] = [];
  const limit = patterns.limit.exec(text);
  if (limit)
    found.push({
      piece: {
        kind: 'limit',
        count: limit[3] === undefined ? undefined : Number(limit[3]),
        isLowest: limit[2] !== undefined,
      },
      length: limit[0].split(' ').length,
      score: limit[3] === undefined ? 0.4 : 1.2,
    });
  const limitBefore = patterns.limitBefore.exec(text);
  if (limitBefore)
    found.push({
      piece: { kind: 'limit', count: Number(limitBefore[1]), isLowest: limitBefore[2] !== undefined },
      length: 2,
      score: 1.2,
    });
  return found;
}

function periodPiecesAt(text: string, period: PeriodContext): readonly Found[] {
  return [...periodsAt(text, period)].map(match => ({
    piece: { kind: 'period', period: match },
    length: match.length,
    score: match.length - (match.penalty ?? 0),
  }));
}
