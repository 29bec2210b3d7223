import type { Aggregate, MeasureEncoding, Tile, TileKind, TimeUnit } from '@belvedere/document';
import { isNumeric, namesThings, isTemporal, timeParts, type TimePart } from '@belvedere/model';
import type { FieldFilter, Value } from '../filter.ts';
import { isMeasureField, type FieldFacts } from '../tiles/field-facts.ts';
import type { ShowAs } from '../tiles/table-calculations.ts';
import type { PhraseField, PhraseModel } from './phrase-model.ts';
import type { PeriodMatch } from './phrase-periods.ts';
import type { Piece, Placed } from './phrase-piece.ts';
import { tileOf } from './phrase-tile.ts';
import { tokensOf, type Token } from './phrase-tokens.ts';

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
  | { readonly role: 'kind'; readonly text: string; readonly kind: TileKind }
  | { readonly role: 'calculation'; readonly text: string; readonly show: ShowAs };

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

interface Condition {
  readonly field: string;
  readonly values: readonly Value[];
  readonly isExcluded: boolean;
  readonly texts: readonly string[];
}

interface NamedMeasure {
  readonly encoding: MeasureEncoding;
  readonly field?: FieldFacts;
  readonly text: string;
}

interface NamedDimension {
  readonly field: FieldFacts;
  readonly timeUnit?: TimeUnit;
  readonly text: string;
}

/** What the pieces of a phrase name, as far as they were read. Texts are as typed. */
interface Draft {
  readonly placed: readonly Placed[];
  readonly model: PhraseModel;
  readonly time: PhraseField | undefined;
  readonly measures: NamedMeasure[];
  readonly dimensions: NamedDimension[];
  /** By field. */
  readonly conditions: Map<string, Condition>;
  /** Fields that were named, each of which a phrase may name once. */
  readonly named: Set<string>;
  readonly unknown: string[];
  period?: { readonly field: FieldFacts; readonly match: PeriodMatch; readonly text: string };
  limit?: { readonly count: number; readonly isLowest: boolean; readonly text: string };
  chart?: { readonly kind: TileKind; readonly text: string };
  calculation?: { readonly show: ShowAs; readonly text: string };
  /** The words that ask how the values of the named field are spread. */
  distribution?: string;
  /** An aggregate whose field was not named yet. */
  aggregate?: { readonly aggregate: Aggregate; readonly text: string } | undefined;
  score: number;
}

/**
 * The chart that the pieces of a phrase make together, and others like it where the phrase leaves it open.
 * @returns nothing for pieces that contradict one another or say too little
 */
export function assembleReadings(
  placed: readonly Placed[],
  score: number,
  tokens: readonly Token[],
  model: PhraseModel,
): readonly PhraseReading[] {
  const draft: Draft = {
    placed,
    model,
    time: model.fields.find(({ name }) => name === model.time),
    measures: [],
    dimensions: [],
    conditions: new Map(),
    named: new Set(),
    unknown: [],
    score,
  };
  for (const [i, { piece, at, length }] of placed.entries()) {
    const words = tokens.slice(at, at + length).map(({ raw }) => raw);
    if (!addPiece(draft, i, piece, words.join(' '))) return [];
  }
  scoreEnding(draft);
  if (!isEnough(draft, tokens.length)) return [];
  compareValues(draft);
  comparePeriods(draft);
  scoreFields(draft);
  if (draft.distribution !== undefined && !addDistribution(draft, draft.distribution)) return [];
  countUnknown(draft);
  if (draft.measures.length === 0 && !addDefaultMeasure(draft)) return [];
  if (draft.calculation && !addCalculated(draft, draft.calculation.show)) return [];
  // Of models that fit alike, those with more to tell come first.
  draft.score += Math.min(0.05, model.fields.length / 1000) + Math.log10(1 + (model.rows ?? 0)) / 200;
  return readingsOf(draft);
}

/** Adds what a piece names. @returns false if it contradicts the pieces before it */
function addPiece(draft: Draft, i: number, piece: Piece, text: string): boolean {
  switch (piece.kind) {
    case 'mark':
      return true;
    case 'unknown':
      draft.unknown.push(text);
      return true;
    case 'aggregate':
      if (draft.aggregate) return false;
      draft.aggregate = { aggregate: piece.aggregate, text };
      return true;
    case 'limit':
      if (draft.limit) return false;
      draft.limit = { count: piece.count ?? 10, isLowest: piece.isLowest, text };
      return true;
    case 'chart':
      if (draft.chart) return false;
      draft.chart = { kind: piece.chart, text };
      return true;
    case 'calculation':
      if (draft.calculation) return false;
      draft.calculation = { show: piece.show, text };
      return true;
    case 'distribution':
      if (draft.distribution !== undefined) return false;
      draft.distribution = text;
      return true;
    case 'part':
      return addPart(draft, piece.part, text);
    case 'period':
      return addPeriod(draft, i, piece.period, text);
    case 'unit':
      return addUnit(draft, i, piece, text);
    case 'value':
      return addValue(draft, i, piece, text);
    case 'field':
      return addField(draft, i, piece.field, text);
  }
}

function addPeriod(draft: Draft, i: number, match: PeriodMatch, text: string): boolean {
  if (draft.period) return false;
  const before = draft.placed[i - 1]?.piece;
  const ofField =
    before?.kind === 'field' && before.field.type && isTemporal(before.field.type) ? before.field : undefined;
  if (ofField && markBefore(draft, i - 1) !== 'by') draft.dimensions.pop();
  const field = ofField ?? draft.time;
  if (!field) return false;
  draft.period = { field, match, text };
  return true;
}

function addUnit(
  draft: Draft,
  i: number,
  { unit, isAdverb }: Piece & { readonly kind: 'unit' },
  text: string,
): boolean {
  const { time, dimensions } = draft;
  if (!time || (!isAdverb && !isListedBy(draft, i))) return false;
  // A day has no hours.
  if (unit === 'hour' && time.type === 'date') return false;
  // Along months, hours would be thousands of points.
  if (unit === 'hour' && !isAdverb && daysOf(time) > maxDaysByHour) draft.score -= 0.1;
  if (dimensions.some(({ field }) => field === time)) return false;
  dimensions.push({ field: time, ...(unit && { timeUnit: unit }), text });
  return true;
}

const maxDaysByHour = 14;
const daysOf = ({ profile }: PhraseField) =>
  typeof profile?.min === 'number' && typeof profile.max === 'number'
    ? (profile.max - profile.min) / 86_400_000
    : 0;

/** A part of the model's time, or a field of its name. */
function addPart({ model, named, dimensions }: Draft, part: TimePart, text: string): boolean {
  const names: readonly string[] = [timeParts[part], part];
  const field =
    model.fields.find(({ name, type }) => type !== undefined && names.includes(name.toLowerCase())) ??
    model.timeParts?.[part];
  if (!field || named.has(field.name)) return false;
  named.add(field.name);
  dimensions.push({ field: part === 'hour' ? { profile: hoursOfDay, ...field } : field, text });
  return true;
}

/** Hours of the day are so few that each has a place of its own. */
const hoursOfDay = { distinct: 24, min: 0, max: 23 };

function addValue(
  draft: Draft,
  i: number,
  { field, value }: Piece & { readonly kind: 'value' },
  text: string,
): boolean {
  const { placed, dimensions, conditions } = draft;
  const last = dimensions.at(-1);
  // `country Germany` names the field of a value.
  if (last?.field === field && placed[i - 1]?.piece.kind === 'field' && markBefore(draft, i - 1) !== 'by') {
    dimensions.pop();
    draft.score += 0.3;
  }
  const mark = markBefore(draft, i);
  if (mark === 'by') draft.score -= 0.5;
  const isExcluded = mark === 'not';
  const known = conditions.get(field.name);
  if (known && known.isExcluded !== isExcluded) return false;
  conditions.set(field.name, {
    field: field.name,
    values: [...(known?.values ?? []), value],
    isExcluded,
    texts: [...(known?.texts ?? []), text],
  });
  return true;
}

function addField(draft: Draft, i: number, found: PhraseField, text: string): boolean {
  const { placed, named, measures, dimensions, aggregate } = draft;
  // `top 3 products by quantity` ranks them by its measure.
  const isRanked =
    draft.limit && dimensions.length > 0 && measures.length === 0 && markBefore(draft, i) === 'by';
  const field = (isRanked && measureOf(draft.model, found)) || found;
  if (named.has(field.name)) return false;
  named.add(field.name);
  const mark = markBefore(draft, i);
  if (mark === 'in' || mark === 'not') draft.score -= 0.3;
  if (isMeasureField(field)) {
    measures.push({ encoding: { measure: field.name }, field, text });
    // `number of orders` names the measure that counts them.
    if (aggregate?.aggregate === 'distinct' && placed[i - 1]?.piece.kind === 'aggregate') {
      draft.score += 0.1;
      draft.aggregate = undefined;
    }
    // `products by revenue`: what follows `by` may also be what the names are ranked by.
    if (mark === 'by') draft.score -= dimensions.length > 0 ? 0.02 : 0.6;
  } else if (aggregate && placed[i - 1]?.piece.kind === 'aggregate' && fits(aggregate.aggregate, field)) {
    const measure = aggregate.aggregate === 'mean' ? averageOf(draft.model, field) : undefined;
    if (measure && named.has(measure.name)) return false;
    if (measure) named.add(measure.name);
    measures.push({
      ...(measure
        ? { encoding: { measure: measure.name }, field: measure }
        : { encoding: { field: field.name, aggregate: aggregate.aggregate } }),
      text: `${aggregate.text} ${text}`,
    });
    draft.score += 0.1;
    draft.aggregate = undefined;
  } else {
    if (mark === 'by') draft.score += 0.15;
    // `incidents by state` counts them: it is not about the incident date.
    const next = placed[i + 1]?.piece;
    if (i === 0 && isMoment(field) && next?.kind === 'mark' && next.mark === 'by') draft.score -= 1.2;
    dimensions.push({ field, text });
  }
  return true;
}

const isMoment = ({ type, label }: PhraseField) =>
  isTemporal(type ?? 'other') || /\b(?:date|time)$/i.test(label);

/** The model's own average of a field, which has its label and format. */
function averageOf(model: PhraseModel, { name }: PhraseField): PhraseField | undefined {
  return model.fields.find(field => isMeasureField(field) && field.name === `avg_${name}`);
}

/** The model's sum or average of a field. */
function measureOf(model: PhraseModel, field: PhraseField): PhraseField | undefined {
  return (
    model.fields.find(one => isMeasureField(one) && one.name === `total_${field.name}`) ??
    averageOf(model, field)
  );
}

/** The mark that says how a piece is meant: that before it, without fillers. */
function markBefore({ placed }: Pick<Draft, 'placed'>, i: number) {
  let before = i - 1;
  while (isMark(placed[before], 'filler')) before--;
  const piece = placed[before]?.piece;
  return piece?.kind === 'mark' ? piece.mark : undefined;
}

/** Whether a piece is grouped by, also as a later one of a list: `by category and month`. */
function isListedBy({ placed }: Pick<Draft, 'placed'>, i: number): boolean {
  let before = i - 1;
  while (placed[before]?.piece.kind === 'field' || isMark(placed[before], 'filler')) before--;
  const piece = placed[before]?.piece;
  return piece?.kind === 'mark' && piece.mark === 'by';
}

function isMark(placed: Placed | undefined, mark: 'filler' | 'not'): boolean {
  return placed?.piece.kind === 'mark' && placed.piece.mark === mark;
}

function fits(aggregate: Aggregate, { name, type }: FieldFacts): boolean {
  if (aggregate === 'distinct' || aggregate === 'count') return true;
  // An average of order numbers means nothing.
  return type !== undefined && isNumeric(type) && !namesThings(name);
}

/** A phrase that ends before what its last words announce is less likely. */
function scoreEnding(draft: Draft): void {
  const { placed, aggregate } = draft;
  if (placed.length > 1 && isMark(placed.at(-1), 'not')) draft.score -= 0.5;
  if (aggregate) draft.score -= 0.35;
}

function isEnough({ measures, dimensions, conditions, unknown }: Draft, words: number): boolean {
  if (measures.length + dimensions.length + conditions.size === 0) return false;
  if (unknown.length > 0 && unknown.length * 2 > words) return false;
  return measures.length <= 3 && dimensions.length <= 3;
}

/** `Germany vs France` compares them. */
function compareValues({ model, conditions, dimensions }: Draft): void {
  for (const { values, isExcluded, field } of conditions.values()) {
    const isCompared = values.length > 1 && !isExcluded && !dimensions.some(one => one.field.name === field);
    if (isCompared && dimensions.length < 2) dimensions.push({ field: fieldNamed(model, field), text: '' });
  }
}

/** `1997 vs 1998` has a bar for each, unless the phrase says how time is divided. */
function comparePeriods({ period, dimensions }: Draft): void {
  const { field, match } = period ?? {};
  if (!field || !match?.comparedBy || dimensions.length > 1) return;
  if (!dimensions.some(one => one.field.name === field.name))
    dimensions.push({ field, timeUnit: match.comparedBy, text: '' });
}

function fieldNamed({ fields }: PhraseModel, name: string): PhraseField {
  return fields.find(field => field.name === name)!;
}

/** Prefers readings with few fields. */
function scoreFields(draft: Draft): void {
  const { model, limit, measures, dimensions, conditions } = draft;
  if (limit && !dimensions.some(({ field }) => !isTemporal(field.type ?? 'other'))) draft.score -= 1;
  // Values named together are mostly of one field; where several have them, of the one with the shorter
  // label.
  for (const [i, { field }] of [...conditions.values()].entries())
    draft.score -= (i > 0 ? 0.25 : 0) + 0.02 * tokensOf(fieldNamed(model, field).label).length;
  draft.score -= 0.1 * Math.max(0, dimensions.length - 2) + 0.1 * Math.max(0, measures.length - 1);
}

/** The count of rows that nobody has named. */
const plainRows = /^(?:rows|zeilen|行数)$/i;

/** The measure that a phrase means which names none. */
export function defaultMeasure(fields: readonly PhraseField[]): PhraseField | undefined {
  const all = fields.filter(isMeasureField);
  const [first, rows] = [all.find(({ name }) => name !== 'rows'), all.find(({ name }) => name === 'rows')];
  const sum = all.find(({ name }) => name === 'revenue' || name.startsWith('total_'));
  // Flights are what a table of flights is about, sooner than how many airlines they are of.
  const isNamed = rows && !plainRows.test(rows.label);
  return isNamed ? (sum ?? rows) : (first ?? rows);
}

/** Adds the measure of a phrase that names none. @returns false if the model has none */
function addDefaultMeasure(draft: Draft): boolean {
  const { model, measures, dimensions } = draft;
  // Numbers that a phrase names without a measure are averaged along its other fields.
  // An hour of the day is one of them only by its type.
  const parts = Object.values(model.timeParts ?? {}).map(({ name }) => name);
  const amount = dimensions.find(
    ({ field, text }) => text !== '' && field.type && isNumeric(field.type) && !parts.includes(field.name),
  );
  if (amount && dimensions.length > 1) {
    draft.score -= 0.1;
    return true;
  }
  const field = defaultMeasure(model.fields);
  if (!field) return false;
  measures.push({ encoding: { measure: field.name }, field, text: '' });
  draft.score -= 0.3;
  return true;
}

/**
 * The rows by the values of one field, in bins if it is a number. Of a measure of a field, that field is meant.
 * A measure that is of no field, such as a computed revenue, is divided by the field named, else by a category.
 * @returns false if the phrase names another number of fields
 */
function addDistribution(draft: Draft, text: string): boolean {
  const { model, measures, dimensions } = draft;
  const [measured, ...others] = measures;
  const spread = measured?.field && fieldOf(model, measured.field);
  if (measured && others.length > 0) return false;
  if (measured && !spread) return addShares(draft, text);
  if (spread) dimensions.unshift({ field: spread, text: measured.text });
  const rows = model.fields.find(({ name }) => name === 'rows');
  if (dimensions.length !== 1 || draft.chart || !rows) return false;
  measures.splice(0, measures.length, { encoding: { measure: 'rows' }, field: rows, text: '' });
  draft.chart = { kind: 'bar', text };
  return true;
}

/** How a measure is spread over the values of one field. */
function addShares(draft: Draft, text: string): boolean {
  const { model, dimensions } = draft;
  if (draft.chart || dimensions.length > 1) return false;
  if (dimensions.length === 0) {
    const category = model.fields.find(({ type, values }) => type === 'text' && (values?.length ?? 0) > 1);
    if (!category) return false;
    dimensions.push({ field: category, text: '' });
    draft.score -= 0.3;
  }
  draft.chart = { kind: 'bar', text };
  return true;
}

/** The field of which a measure is the sum or average. */
function fieldOf({ fields }: PhraseModel, { name }: FieldFacts): PhraseField | undefined {
  const own = name.replace(/^(?:total|avg)_/, '');
  return fields.find(field => !isMeasureField(field) && field.name === own);
}

/**
 * A noun that no field is called before what it is divided by counts the rows, if these are what a model is about
 * or the noun begins its name: `stops by race`, `pizzas by size` of a model called `Pizzaplace`.
 */
function countUnknown(draft: Draft): void {
  const { placed, model, measures, unknown } = draft;
  const said = placed.filter(one => !isMark(one, 'filler') && !leadingKinds.includes(one.piece.kind));
  const after = said.findIndex(({ piece }) => piece.kind !== 'unknown');
  const [noun] = unknown;
  // A word of Chinese that nobody knows is cut into its characters.
  const isNoun = noun !== undefined && (/\p{L}{3}/u.test(noun) ? after === 1 : /^\p{Script=Han}/u.test(noun));
  const rows = model.fields.find(({ name }) => name === 'rows');
  if (!isNoun || after < 1 || !dividing.includes(said[after]!.piece.kind) || measures.length > 0 || !rows)
    return;
  const isCounted = defaultMeasure(model.fields) === rows || beginsLike(model.label, noun);
  if (!isCounted) return;
  measures.push({ encoding: { measure: 'rows' }, field: rows, text: unknown.splice(0, after).join('') });
  // Most of what unknown words cost: a model that has a field of that name fits better.
  draft.score += 0.9 * after;
}

const leadingKinds: readonly Piece['kind'][] = ['calculation', 'limit', 'aggregate', 'chart'];
const dividing: readonly Piece['kind'][] = ['mark', 'unit', 'part', 'period'];

/** Whether a name begins with a noun but for its ending: `Pizzaplace` with `pizzas` and `Pizzen`. */
function beginsLike(label: string, noun: string): boolean {
  const stem = noun.toLowerCase().replace(/(?:e[ns]?|n|s)$/, '');
  return stem.length >= 4 && label.toLowerCase().startsWith(stem);
}

/**
 * A share is of a whole with parts, running totals and growth run along the time.
 * @returns false if the phrase has neither
 */
function addCalculated({ dimensions, time }: Draft, show: ShowAs): boolean {
  if (show === 'share of total') return dimensions.length > 0;
  if (dimensions.some(({ field }) => isTemporal(field.type ?? 'other'))) return true;
  if (!time) return false;
  dimensions.unshift({ field: time, text: '' });
  return true;
}

/** The reading of a complete draft. A measure alone is a figure, and may be meant over time. */
function readingsOf(draft: Draft): readonly PhraseReading[] {
  const { dimensions, time } = draft;
  const alone = readingOf(draft, dimensions, draft.score);
  const overTime =
    dimensions.length === 0 && time
      ? readingOf(draft, [{ field: time, text: '' }], draft.score - 0.2)
      : undefined;
  return [alone, overTime].filter(reading => reading !== undefined);
}

function readingOf(
  { model, measures, conditions, period, limit, chart, calculation, unknown }: Draft,
  dimensions: readonly NamedDimension[],
  score: number,
): PhraseReading | undefined {
  const comparedKind = dimensions.some(({ timeUnit, text }) => timeUnit && text === '') ? 'bar' : undefined;
  const tile = tileOf(measures, dimensions, {
    range: period?.match.range,
    limit,
    kind: chart?.kind ?? comparedKind,
    show: calculation?.show,
    model,
  });
  if (!tile) return undefined;
  const filters = filterParts([...conditions.values()], period);
  return {
    model: model.name,
    tile,
    filters: Object.fromEntries(filters.map(({ field, condition }) => [field, condition])),
    parts: [
      ...measures.map(({ encoding, text }): PhrasePart => ({ role: 'measure', text, encoding })),
      ...dimensions.map(({ field, timeUnit, text }): PhrasePart => ({
        role: 'by',
        text,
        field: field.name,
        ...(timeUnit && { timeUnit }),
      })),
      ...filters,
      ...(limit ? [{ role: 'limit', ...limit } as const] : []),
      ...(chart ? [{ role: 'kind', text: chart.text, kind: chart.kind } as const] : []),
      ...(calculation ? [{ role: 'calculation', ...calculation } as const] : []),
    ],
    unknown,
    score,
  };
}

type FilterPart = PhrasePart & { readonly role: 'filter' | 'period' };

function filterParts(conditions: readonly Condition[], period: Draft['period']): FilterPart[] {
  return [
    ...conditions.map(({ field, values, isExcluded, texts }): FilterPart => ({
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
  ];
}
