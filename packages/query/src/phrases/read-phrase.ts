import type { Calendar } from '@belvedere/document';
import { assembleReadings, type PhraseReading } from './assemble-readings.ts';
import type { PhraseModel } from './phrase-model.ts';
import { withKnownValues } from './known-values.ts';
import { namesOf } from './phrase-names.ts';
import type { PeriodContext } from './phrase-periods.ts';
import type { Placed } from './phrase-piece.ts';
import { piecesAt } from './phrase-pieces.ts';
import { tokensOf, type Token } from './phrase-tokens.ts';

/** Pieces that follow one another from the phrase's beginning on. */
interface Path {
  readonly placed: readonly Placed[];
  readonly end: number;
  readonly score: number;
}

const maxPaths = 40;
const maxWords = 16;
const maxReadings = 5;
/** Readings so much worse than the best are not offered. */
const farBehind = 1.1;

/**
 * Reads a phrase such as `revenue by country 1997` as charts of the models, the likeliest first. A reading
 * names at least one measure, dimension or value. Relative periods end at the data's end.
 */
export function readPhrase(
  phrase: string,
  models: readonly PhraseModel[],
  calendar: Calendar,
): readonly PhraseReading[] {
  const readings = models
    .flatMap(model => readingsOf(tokensFor(phrase, model), model, calendar))
    .toSorted((a, b) => b.score - a.score);
  const best = readings[0]?.score ?? 0;
  const seen = new Set<string>();
  return readings
    .filter(reading => {
      const key = JSON.stringify([reading.model, reading.tile, reading.filters]);
      if (reading.score < best - farBehind || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, maxReadings);
}

/** The words of a phrase, in which countries and people are called as the model's values are. */
function tokensFor(phrase: string, { fields }: PhraseModel): readonly Token[] {
  const values = new Set(fields.flatMap(field => field.values ?? []));
  return tokensOf(values.size > 0 ? withKnownValues(phrase, values) : phrase).slice(0, maxWords);
}

function readingsOf(
  tokens: readonly Token[],
  model: PhraseModel,
  calendar: Calendar,
): readonly PhraseReading[] {
  if (tokens.length === 0) return [];
  const grammar = { names: namesOf(model), period: periodContext(model, calendar) };
  const found = tokens.map((_, at) => piecesAt(tokens, at, grammar));
  const paths: Path[][] = tokens.map(() => []);
  const ends: Path[] = [];
  const keep = (path: Path) => {
    if (path.end === tokens.length) return void ends.push(path);
    const list = paths[path.end]!;
    list.push(path);
    list.sort((a, b) => b.score - a.score);
    list.length = Math.min(list.length, maxPaths);
  };
  keep({ placed: [], end: 0, score: 0 });
  for (let at = 0; at < tokens.length; at++)
    for (const path of paths[at]!)
      for (const one of found[at]!)
        keep({
          placed: [...path.placed, { ...one, at }],
          end: at + one.length,
          score: path.score + one.score,
        });
  return ends
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxPaths)
    .flatMap(path => assembleReadings(path.placed, path.score, tokens, model));
}

/** The time that a model's periods are of. */
function periodContext(model: PhraseModel, calendar: Calendar): PeriodContext | undefined {
  const time = model.fields.find(({ name }) => name === model.time);
  const { min, max } = time?.profile ?? {};
  if (!time) return undefined;
  return {
    clock: { now: typeof max === 'number' ? max : (endOfYears(model) ?? Date.now()), calendar },
    from: typeof min === 'number' ? min : -Infinity,
  };
}

/** The last day of the years of a model whose time is made of its parts, and so has no extent of its own. */
function endOfYears({ fields }: PhraseModel): number | undefined {
  const year = fields.find(({ name }) => name.toLowerCase() === 'year')?.profile?.max;
  return typeof year === 'number' && year >= 1500 && year < 3000 ? Date.UTC(year, 11, 31) : undefined;
}
