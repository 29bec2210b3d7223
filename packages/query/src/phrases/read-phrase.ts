import type { Aggregate, MeasureEncoding, Tile, TileKind, TimeUnit } from '@belvedere/document';
import { measureName } from '@belvedere/document';
import { isNumeric, isTemporal } from '@belvedere/model';
import type { Calendar } from '@belvedere/document';
import type { FieldFilter, Value } from '../filter.ts';
import { isMeasureField, suggestTile, withTableCalculation, type FieldFacts } from '../tiles/suggest-tile.ts';
import { periodsAt, type PeriodContext, type PeriodMatch } from './phrase-periods.ts';
import { anyOfWords, textOf, tokensOf, type Token } from './phrase-tokens.ts';
import {
  aggregateWords,
  comparisonWords,
  containmentWords,
  exclusionWords,
  fillers,
  groupingWords,
  highestWords,
  kindWords,
  lowestWords,
  trendWords,
  unitAdverbs,
  unitWords,
  weakLabelWords,
} from './phrase-words.ts';

/** A field by which a phrase may name it, with the values that the phrase may contain. */
export interface PhraseField extends FieldFacts {
  readonly values?: readonly string[];
}

/** What a phrase may be about. */
export interface PhraseModel {
  readonly name: string;
  readonly label: string;
  /** The main time dimension. */
  readonly time?: string;
  /** Measures and dimensions that lists offer, in the model's order. */
  readonly fields: readonly PhraseField[];
  readonly rows?: number;
}

/**
 * How a part of a phrase was understood. `text` is that part as typed; empty where the phrase leaves it open.
 */
export type PhrasePart =
  | { readonly role: 'measure'; readonly text: string; readonly encoding: MeasureEncoding }
  | { readonly role: 'by'; readonly text: string; readonly field: string; readonly timeUnit?: TimeUnit }
  | {
      readonly role: 'filter' | 'period';
      readonly text: string;
      readonly field: string;
      readonly condition: FieldFilter;
    }
  | { readonly role: 'limit'; readonly text: string; readonly count: number; readonly isLowest: boolean }
  | { readonly role: 'kind'; readonly text: string; readonly kind: TileKind };

/** One way to understand a phrase: a chart of a model, and the conditions on its rows. */
export interface PhraseReading {
  readonly model: string;
  readonly tile: Tile;
  readonly filters: Readonly<Record<string, FieldFilter>>;
  readonly parts: readonly PhrasePart[];
  /** The words that were not understood, as typed. */
  readonly unknown: readonly string[];
  readonly score: number;
}

/** A part of a phrase while it is read; marks are words that only tell how the next one is meant. */
type Piece =
  | { readonly kind: 'field'; readonly field: PhraseField }
  | { readonly kind: 'value'; readonly field: PhraseField; readonly value: Value }
  | { readonly kind: 'period'; readonly period: PeriodMatch }
  | { readonly kind: 'unit'; readonly unit: TimeUnit | undefined; readonly isAdverb: boolean }
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate }
  | { readonly kind: 'limit'; readonly count: number | undefined; readonly isLowest: boolean }
  | { readonly kind: 'chart'; readonly chart: TileKind }
  | { readonly kind: 'mark'; readonly mark: 'by' | 'in' | 'not' | 'versus' | 'filler' }
  | { readonly kind: 'unknown' };

interface Found {
  readonly piece: Piece;
  readonly length: number;
  readonly score: number;
}
interface Placed extends Found {
  readonly at: number;
}

interface Path {
  readonly placed: readonly Placed[];
  readonly end: number;
  readonly score: number;
}

const unknownScore = -1.2;
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
  const tokens = tokensOf(phrase).slice(0, maxWords);
  if (tokens.length === 0) return [];
  const readings = models
    .flatMap(model => readingsOf(tokens, model, calendar))
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

function readingsOf(
  tokens: readonly Token[],
  model: PhraseModel,
  calendar: Calendar,
): readonly PhraseReading[] {
  const grammar = { model, names: namesOf(model), period: periodContext(model, calendar) };
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
    .flatMap(path => assemble(path, tokens, model));
}

/** The time that a model's periods are of. */
function periodContext(model: PhraseModel, calendar: Calendar): PeriodContext | undefined {
  const time = model.fields.find(({ name }) => name === model.time);
  const { min, max } = time?.profile ?? {};
  if (!time) return undefined;
  return {
    clock: { now: typeof max === 'number' ? max : Date.now(), calendar },
    from: typeof min === 'number' ? min : -Infinity,
  };
}

interface Name {
  readonly field: PhraseField;
  readonly tokens: readonly Token[];
  /** How much each token says. */
  readonly weights: readonly number[];
}

interface Names {
  readonly fields: readonly Name[];
  readonly values: ReadonlyMap<
    string,
    readonly { readonly field: PhraseField; readonly value: string; readonly tokens: readonly Token[] }[]
  >;
}

const namesCache = new WeakMap<PhraseModel, Names>();
const weak = new Set(weakLabelWords.flatMap(word => tokensOf(word).map(({ text }) => text)));

function namesOf(model: PhraseModel): Names {
  const cached = namesCache.get(model);
  if (cached) return cached;
  const nameFor = (field: PhraseField, text: string): Name => {
    const tokens = tokensOf(text);
    return { field, tokens, weights: tokens.map(token => (weak.has(token.text) ? 0.15 : 1)) };
  };
  const rows = model.fields.find(field => isMeasureField(field) && field.name === 'rows');
  const fields = model.fields.flatMap(field => [nameFor(field, field.label), nameFor(field, field.name)]);
  const values = model.fields.flatMap(field =>
    (field.values ?? []).map(value => ({ field, value, tokens: tokensOf(value) })),
  );
  const names: Names = {
    fields: [...fields, ...(rows ? [nameFor(rows, model.label)] : [])].filter(
      ({ tokens }) => tokens.length > 0,
    ),
    values: Map.groupBy(
      values.filter(({ tokens }) => tokens.some(({ text }) => /\p{L}/u.test(text))),
      ({ tokens }) => tokens[0]!.text.slice(0, 2),
    ),
  };
  namesCache.set(model, names);
  return names;
}

const patterns = {
  by: beginning(groupingWords),
  in: beginning(containmentWords),
  not: beginning(exclusionWords),
  versus: beginning(comparisonWords),
  filler: beginning(fillers),
  trend: beginning(trendWords),
  limit: new RegExp(
    `^(${anyOfWords(highestWords)}|(${anyOfWords(lowestWords)}))(?: (\\d{1,3}))?(?: 个| 名)?(?= |$)`,
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

interface Grammar {
  readonly model: PhraseModel;
  readonly names: Names;
  readonly period: PeriodContext | undefined;
}

/** What may begin at a word. That it is not understood is always possible. */
function piecesAt(tokens: readonly Token[], at: number, { names, period }: Grammar): readonly Found[] {
  const text = textOf(tokens.slice(at));
  const found: Found[] = [{ piece: { kind: 'unknown' }, length: 1, score: unknownScore }];
  const word = (pattern: RegExp, piece: Piece, score: number) => {
    const matched = pattern.exec(text)?.[0];
    if (matched !== undefined) found.push({ piece, length: matched.split(' ').length, score });
  };
  for (const mark of ['by', 'in', 'not', 'versus', 'filler'] as const)
    word(patterns[mark], { kind: 'mark', mark }, 0.05);
  word(patterns.trend, { kind: 'unit', unit: undefined, isAdverb: true }, 0.9);
  for (const [unit, pattern] of units) word(pattern, { kind: 'unit', unit, isAdverb: false }, 0.85);
  for (const [unit, pattern] of adverbs) word(pattern, { kind: 'unit', unit, isAdverb: true }, 0.95);
  for (const [aggregate, pattern] of aggregates) word(pattern, { kind: 'aggregate', aggregate }, 0.3);
  for (const [chart, pattern] of kinds) word(pattern, { kind: 'chart', chart }, 0.6);
  const limit = patterns.limit.exec(text) ?? undefined;
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
  if (period)
    for (const match of periodsAt(text, period))
      found.push({
        piece: { kind: 'period', period: match },
        length: match.length,
        score: match.length - (match.penalty ?? 0),
      });
  found.push(...fieldsAt(tokens, at, names), ...valuesAt(tokens, at, names));
  return found;
}

const longestName = 5;
const maxFieldsOfSpan = 8;

function fieldsAt(tokens: readonly Token[], at: number, { fields }: Names): readonly Found[] {
  const found: Found[] = [];
  for (let length = 1; length <= Math.min(longestName, tokens.length - at); length++) {
    const span = tokens.slice(at, at + length);
    const isAtEnd = at + length === tokens.length;
    const best = new Map<PhraseField, number>();
    for (const name of fields) {
      const quality = likeness(span, name, isAtEnd);
      if (quality > (best.get(name.field) ?? 0)) best.set(name.field, quality);
    }
    found.push(
      ...[...best]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, maxFieldsOfSpan)
        .map(([field, quality]): Found => ({
          piece: { kind: 'field', field },
          length,
          score: quality * length,
        })),
    );
  }
  return found;
}

/**
 * How well words name a field, 0 to 1: each must be one of the name's, in its order. The last may be begun
 * only.
 */
function likeness(span: readonly Token[], { tokens, weights }: Name, isAtEnd: boolean): number {
  let covered = 0;
  let quality = 0;
  let from = 0;
  for (const [i, token] of span.entries()) {
    let best = 0;
    let at = -1;
    for (let k = from; k < tokens.length; k++) {
      const match = wordLikeness(token, tokens[k]!, isAtEnd && i === span.length - 1);
      if (match > best) [best, at] = [match, k];
    }
    if (at < 0) return 0;
    covered += weights[at]!;
    quality += best;
    from = at + 1;
  }
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const share = covered / all;
  // A weak word alone names no field: `total` of `Total freight`.
  if (covered < 0.5 && span.length < tokens.length) return 0;
  return (quality / span.length) * (0.6 + 0.4 * share);
}

function wordLikeness(typed: Token, known: Token, mayBeBegun: boolean): number {
  if (typed.text === known.text) return 1;
  if (typed.keys[0] === known.keys[0]) return 0.97;
  if (typed.keys.some((key, i) => i > 0 && known.keys.includes(key, 1))) return 0.92;
  const least = /^\p{Script=Han}/u.test(typed.text) ? 1 : 3;
  if (typed.text.length >= least && known.text.startsWith(typed.text))
    return (mayBeBegun ? 0.75 : 0.6) + 0.2 * (typed.text.length / known.text.length);
  // Longer words of German: `land` of `Kundenland`.
  return typed.text.length >= 4 && known.text.length > typed.text.length && known.text.endsWith(typed.text)
    ? 0.6
    : 0;
}

function valuesAt(tokens: readonly Token[], at: number, { values }: Names): readonly Found[] {
  const first = tokens[at]!;
  const found: Found[] = [];
  for (const { field, value, tokens: wanted } of values.get(first.text.slice(0, 2)) ?? []) {
    const span = tokens.slice(at, at + wanted.length);
    const isWhole = span.length === wanted.length && wanted.every((token, i) => token.text === span[i]!.text);
    const isEnd = at + span.length === tokens.length && span.length > 0;
    const isBegun =
      !isWhole &&
      isEnd &&
      textOf(span).length >= 3 &&
      textOf(wanted).startsWith(textOf(span)) &&
      !/^\d/.test(first.text);
    if (!isWhole && !isBegun) continue;
    // `IN` is Indiana only in capitals.
    if (wanted.length === 1 && grammarWords.test(first.text) && first.raw !== value) continue;
    found.push({
      piece: { kind: 'value', field, value },
      length: span.length,
      score: span.length * (isWhole ? 0.98 : 0.55 + 0.25 * (textOf(span).length / textOf(wanted).length)),
    });
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, maxFieldsOfSpan);
}
const grammarWords = new RegExp(
  `^${anyOfWords(groupingWords, containmentWords, exclusionWords, comparisonWords, fillers)}$`,
);

interface Condition {
  readonly field: string;
  readonly values: readonly Value[];
  readonly isExcluded: boolean;
  readonly texts: readonly string[];
}

/**
 * The chart that the pieces of a phrase make together, and others like it where the phrase leaves it open.
 */
function assemble(path: Path, tokens: readonly Token[], model: PhraseModel): readonly PhraseReading[] {
  const { placed } = path;
  let { score } = path;
  const textAt = ({ at, length }: Placed) =>
    tokens
      .slice(at, at + length)
      .map(({ raw }) => raw)
      .join(' ');
  const mark = (i: number) => {
    let before = i - 1;
    while (isMark(placed[before], 'filler')) before--;
    const piece = placed[before]?.piece;
    return piece?.kind === 'mark' ? piece.mark : undefined;
  };
  const measures: {
    readonly encoding: MeasureEncoding;
    readonly field?: FieldFacts;
    readonly text: string;
  }[] = [];
  const dimensions: { readonly field: FieldFacts; readonly timeUnit?: TimeUnit; readonly text: string }[] =
    [];
  const conditions = new Map<string, Condition>();
  let period: { readonly field: FieldFacts; readonly match: PeriodMatch; readonly text: string } | undefined;
  let limit: { readonly count: number; readonly isLowest: boolean; readonly text: string } | undefined;
  let chart: { readonly kind: TileKind; readonly text: string } | undefined;
  let aggregate: { readonly aggregate: Aggregate; readonly text: string } | undefined;
  const unknown: string[] = [];
  const time = model.fields.find(({ name }) => name === model.time);
  const named = new Set<string>();

  for (const [i, one] of placed.entries()) {
    const { piece } = one;
    const text = textAt(one);
    if (piece.kind === 'unknown') unknown.push(text);
    else if (piece.kind === 'aggregate') {
      if (aggregate) return [];
      aggregate = { aggregate: piece.aggregate, text };
    } else if (piece.kind === 'limit') {
      if (limit) return [];
      limit = { count: piece.count ?? 10, isLowest: piece.isLowest, text };
    } else if (piece.kind === 'chart') {
      if (chart) return [];
      chart = { kind: piece.chart, text };
    } else if (piece.kind === 'period') {
      if (period) return [];
      const before = placed[i - 1]?.piece;
      const ofField =
        before?.kind === 'field' && before.field.type && isTemporal(before.field.type)
          ? before.field
          : undefined;
      if (ofField && mark(i - 1) !== 'by') dimensions.pop();
      const field = ofField ?? time;
      if (!field) return [];
      period = { field, match: piece.period, text };
    } else if (piece.kind === 'unit') {
      if (!time || (!piece.isAdverb && mark(i) !== 'by')) return [];
      if (dimensions.some(({ field }) => field === time)) return [];
      dimensions.push({ field: time, ...(piece.unit && { timeUnit: piece.unit }), text });
    } else if (piece.kind === 'value') {
      const { field, value } = piece;
      const last = dimensions.at(-1);
      // `country Germany` names the field of a value.
      if (last?.field === field && placed[i - 1]?.piece.kind === 'field' && mark(i - 1) !== 'by') {
        dimensions.pop();
        score += 0.3;
      }
      if (mark(i) === 'by') score -= 0.5;
      const isExcluded = mark(i) === 'not';
      const known = conditions.get(field.name);
      if (known && known.isExcluded !== isExcluded) return [];
      conditions.set(field.name, {
        field: field.name,
        values: [...(known?.values ?? []), value],
        isExcluded,
        texts: [...(known?.texts ?? []), text],
      });
    } else if (piece.kind === 'field') {
      const { field } = piece;
      if (named.has(field.name)) return [];
      named.add(field.name);
      if (mark(i) === 'in' || mark(i) === 'not') score -= 0.3;
      if (isMeasureField(field)) {
        measures.push({ encoding: { measure: field.name }, field, text });
        // `products by revenue`: what follows `by` may also be what the names are ranked by.
        if (mark(i) === 'by') score -= dimensions.length > 0 ? 0.02 : 0.6;
      } else if (
        aggregate &&
        isMark(placed[i - 1], undefined, 'aggregate') &&
        fits(aggregate.aggregate, field)
      ) {
        measures.push({
          encoding: { field: field.name, aggregate: aggregate.aggregate },
          text: `${aggregate.text} ${text}`,
        });
        score += 0.1;
        aggregate = undefined;
      } else {
        if (mark(i) === 'by') score += 0.15;
        dimensions.push({ field, text });
      }
    }
  }
  if (placed.at(-1)?.piece.kind === 'mark' && placed.length > 1 && isMark(placed.at(-1), 'not')) score -= 0.5;
  if (aggregate) score -= 0.35;
  if (measures.length + dimensions.length + conditions.size === 0) return [];
  if (unknown.length > 0 && unknown.length * 2 > tokens.length) return [];
  if (measures.length > 3 || dimensions.length > 3) return [];
  for (const { values, isExcluded, field } of conditions.values())
    // `Germany vs France` compares them.
    if (values.length > 1 && !isExcluded && !dimensions.some(one => one.field.name === field)) {
      const facts = model.fields.find(({ name }) => name === field)!;
      if (dimensions.length < 2) dimensions.push({ field: facts, text: '' });
    }
  if (limit && !dimensions.some(({ field }) => !isTemporal(field.type ?? 'other'))) score -= 1;
  // Values named together are mostly of one field; where several have them, of the one with the shorter
  // label.
  for (const [i, { field }] of [...conditions.values()].entries())
    score -=
      (i > 0 ? 0.25 : 0) + 0.02 * tokensOf(model.fields.find(({ name }) => name === field)!.label).length;
  score -= 0.1 * Math.max(0, dimensions.length - 2) + 0.1 * Math.max(0, measures.length - 1);
  if (measures.length === 0) {
    // Numbers that a phrase names without a measure are averaged along its other fields.
    const amount = dimensions.find(({ field, text }) => text !== '' && field.type && isNumeric(field.type));
    if (amount && dimensions.length > 1) score -= 0.1;
    else {
      const primary = model.fields.find(field => isMeasureField(field) && field.name !== 'rows');
      const rows = model.fields.find(field => isMeasureField(field) && field.name === 'rows');
      const field = primary ?? rows;
      if (!field) return [];
      measures.push({ encoding: { measure: field.name }, field, text: '' });
      score -= 0.3;
    }
  }
  // Of models that fit alike, those with more to tell come first.
  score += Math.min(0.05, model.fields.length / 1000) + Math.log10(1 + (model.rows ?? 0)) / 200;

  const parts: PhrasePart[] = [
    ...measures.map(({ encoding, text }): PhrasePart => ({ role: 'measure', text, encoding })),
    ...[...conditions.values()].map(({ field, values, isExcluded, texts }): PhrasePart => ({
      role: 'filter',
      text: texts.join(', '),
      field,
      condition: isExcluded ? { noneOf: [...values] } : { oneOf: [...values] },
    })),
    ...(period
      ? [
          {
            role: 'period',
            text: period.text,
            field: period.field.name,
            condition: period.match.condition,
          } as const,
        ]
      : []),
    ...(limit ? [{ role: 'limit', ...limit } as const] : []),
    ...(chart ? [{ role: 'kind', text: chart.text, kind: chart.kind } as const] : []),
  ];
  const filters = Object.fromEntries(
    parts.flatMap(part =>
      part.role === 'filter' || part.role === 'period' ? [[part.field, part.condition]] : [],
    ),
  );
  const made = (along: typeof dimensions, less: number): PhraseReading | undefined => {
    const by = along.map(({ field, timeUnit, text }): PhrasePart => ({
      role: 'by',
      text,
      field: field.name,
      ...(timeUnit && { timeUnit }),
    }));
    const tile = tileOf(measures, along, { range: period?.match.range, limit, kind: chart?.kind, model });
    return (
      tile && {
        model: model.name,
        tile,
        filters,
        parts: [
          ...parts.filter(({ role }) => role === 'measure'),
          ...by,
          ...parts.filter(({ role }) => role !== 'measure'),
        ],
        unknown,
        score: score - less,
      }
    );
  };
  const alone = made(dimensions, 0);
  // A measure alone is a figure, and may be meant over time.
  const overTime = dimensions.length === 0 && time ? made([{ field: time, text: '' }], 0.2) : undefined;
  return [alone, overTime].filter(reading => reading !== undefined);
}

function isMark(placed: Placed | undefined, mark?: 'filler' | 'not', kind: Piece['kind'] = 'mark'): boolean {
  return (
    placed?.piece.kind === kind &&
    (mark === undefined || ('mark' in placed.piece && placed.piece.mark === mark))
  );
}

function fits(aggregate: Aggregate, { type }: FieldFacts): boolean {
  return aggregate === 'distinct' || aggregate === 'count' || (type !== undefined && isNumeric(type));
}

interface Shape {
  readonly range: Partial<{ readonly from: number; readonly below: number }> | undefined;
  readonly limit: { readonly count: number; readonly isLowest: boolean } | undefined;
  readonly kind: TileKind | undefined;
  readonly model: PhraseModel;
}

function tileOf(
  measures: readonly { readonly encoding: MeasureEncoding; readonly field?: FieldFacts }[],
  dimensions: readonly { readonly field: FieldFacts; readonly timeUnit?: TimeUnit }[],
  { range, limit, kind, model }: Shape,
): Tile | undefined {
  const facts = new Map<string, FieldFacts>(model.fields.map(field => [field.name, field]));
  const encodings = new Map(measures.map(({ encoding }) => [measureName(encoding), encoding]));
  const along = dimensions.map(({ field }) =>
    field.name === model.time && range ? clipped(field, range) : field,
  );
  for (const field of along) facts.set(field.name, field);
  const of = measures.map(
    ({ encoding, field }): FieldFacts =>
      field ?? { name: measureName(encoding), label: measureName(encoding) },
  );
  for (const field of of) facts.set(field.name, field);
  const suggested = suggestTile([...of, ...along]);
  // A table has columns of the model's own measures only.
  if (suggested.kind === 'table' && measures.some(({ encoding }) => !('measure' in encoding)))
    return undefined;
  const tile = kind ? withTableCalculation(suggested, kind, name => facts.get(name)) : suggested;
  if (!tile) return undefined;
  const units = new Map(
    dimensions.flatMap(({ field, timeUnit }) => (timeUnit ? [[field.name, timeUnit]] : [])),
  );
  const adjusted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(adjusted);
    if (value === null || typeof value !== 'object') return value;
    const encoding = value as Readonly<Record<string, unknown>>;
    if (typeof encoding['measure'] === 'string') {
      const { measure, ...rest } = encoding;
      return { ...(encodings.get(measure as string) ?? { measure }), ...rest };
    }
    if (typeof encoding['field'] === 'string' && !('aggregate' in encoding)) {
      const timeUnit = units.get(encoding['field']);
      return {
        ...encoding,
        ...(timeUnit && { timeUnit }),
        ...(limit && 'limit' in encoding && { limit: limit.count, ...(limit.isLowest && { sort: 'value' }) }),
      };
    }
    return Object.fromEntries(Object.entries(encoding).map(([key, inner]) => [key, adjusted(inner)]));
  };
  return adjusted(tile) as Tile;
}

/** A time whose axis is chosen for a part of its range. */
function clipped(field: FieldFacts, { from, below }: NonNullable<Shape['range']>): FieldFacts {
  const { profile } = field;
  if (!profile) return field;
  const [min, max] = [Number(profile.min), Number(profile.max)];
  return {
    ...field,
    profile: {
      ...profile,
      min: from === undefined ? min : Math.max(from, min),
      max: below === undefined ? max : Math.min(below, max),
    },
  };
}
