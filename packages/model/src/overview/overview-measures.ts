import type { MeasureEncoding } from '@belvedere/document';
import {
  costs,
  levels,
  mentions,
  proceeds,
  technicalAmounts,
  wordsOf,
} from '../inference/column-vocabulary.ts';
import type { Expression } from '../expression/expression.ts';
import { isCounter, isNameless } from '../inference/infer-meaning.ts';
import { isSale } from '../inference/infer-measures.ts';
import type { Measure, Model } from '../model.ts';
import type { DimensionFacts } from './overview-dimensions.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

/**
 * The model's visible measures, what a table is most about first: money, amounts, a named count, rows,
 * averages.
 */
export function rankedMeasures(
  model: Model,
  table: TableProfile,
  facts: ReadonlyMap<string, DimensionFacts>,
): readonly Measure[] {
  const countsSaySomething = !isOneRowForEach(model, table, facts);
  const rank = new Map(
    Object.values(model.measures).map(measure => [
      measure,
      rankOf(measure, profileOf(measure, table), table.rows, countsSaySomething),
    ]),
  );
  return [...rank.keys()].filter(({ isHidden }) => !isHidden).toSorted((a, b) => rank.get(b)! - rank.get(a)!);
}

function rankOf(
  measure: Measure,
  profile: ColumnProfile | undefined,
  rows: number,
  countsSaySomething: boolean,
): number {
  const { expression, name, label, format } = measure;
  if (isCount(measure)) return !countsSaySomething ? 5 : isPlainCount(measure) ? 30 : 40;
  // What few rows have is not what they are about, nor is where a counter stood.
  if (profile && (profile.nulls > rows * 0.4 || isCounter(profile))) return 5;
  if (!addsUp(measure)) return /\b(?:other|misc|unknown)\b/.test(wordsOf(name)) ? 8 : 10;
  const words = `${wordsOf(name)} ${wordsOf(label)}`;
  const own = profile ? wordsOf(profile.name) : words;
  if (isTechnical(measure)) return 20;
  const isMoney = format?.startsWith('currency') === true;
  if (mentions(own, costs) && !mentions(own, proceeds)) return isMoney ? 70 : 60;
  if (/^(?:grand |order |invoice )?total$/.test(own)) return 95;
  if (mentions(own, proceeds) || isMoney) return isComputed(expression) ? 100 : 90;
  return /(?:^| )(?:totals?|sum)$/.test(own) ? 80 : 50;
}

/**
 * The figures of an overview, at most `most`: the primary measure, other amounts, a ratio or average, what is
 * counted, and one column's different values where that leaves room.
 * @param isOneRowForEach whether a table has one row for each moment or pair, so that their number says nothing
 */
export function figuresOf(
  ranked: readonly Measure[],
  table: TableProfile,
  counted: readonly DimensionFacts[],
  most: number,
  isOneRowForEach: boolean,
): readonly MeasureEncoding[] {
  const [primary] = ranked;
  if (!primary) return [];
  const others = ranked.filter(measure => {
    const profile = profileOf(measure, table);
    const saysNothing =
      profile && (profile.nulls > table.rows / 2 || isNameless(wordsOf(profile.name)) || isCounter(profile));
    return measure !== primary && !saysNothing;
  });
  const sums = others.filter(measure => addsUp(measure) && !isTechnical(measure));
  const means = [
    ...others.filter(measure => !addsUp(measure) && !isCount(measure)),
    ...others.filter(measure => addsUp(measure) && isTechnical(measure)),
  ].toSorted((a, b) => worthOfMean(b) - worthOfMean(a));
  // Of the lines of orders, the orders are counted.
  const counts = others.filter(isCount).toSorted((a, b) => Number(isOfSales(b)) - Number(isOfSales(a)));
  // Rows are told last, where nothing that is counted has a name.
  const [named, plain] = [counts.filter(one => !isPlainCount(one)), counts.filter(isPlainCount)];
  const count = [...named, ...plain].slice(0, isOneRowForEach ? 0 : 1);
  const room = most - 1 - count.length;
  // The mean of what nobody knows to be a level gives way to sums.
  const ofSums =
    means.length === 0 || (sums.length >= room && worthOfMean(means[0]!) === 0) ? room : room - 1;
  const kept = [...sums.slice(0, ofSums), ...means].slice(0, Math.max(0, room));
  return [
    ...[primary, ...kept, ...count, ...(isOneRowForEach ? [] : named.slice(1))].map(
      ({ name }): MeasureEncoding => ({
        measure: name,
      }),
    ),
    ...counted.slice(0, 1).map(({ name }): MeasureEncoding => ({ field: name, aggregate: 'distinct' })),
  ].slice(0, most);
}

/**
 * How much a mean is worth knowing: more than others one that was computed of several columns, as the mean value
 * of an order, then what its name calls a level, as a price.
 */
function worthOfMean({ name, expression }: Measure): number {
  if (addsUp({ expression })) return 0;
  if (expression.kind !== 'call' || isComputed(expression)) return 2;
  return mentions(wordsOf(name.replace(/^avg_/, '')), levels) ? 1 : 0;
}

/** Bytes, milliseconds: their sum is rarely what a table is about. */
function isTechnical({ expression, name }: Measure): boolean {
  const [argument] = expression.kind === 'call' ? expression.args : [];
  return mentions(wordsOf(argument?.kind === 'column' ? argument.name : name), technicalAmounts);
}

/** The plain column that a measure adds up or averages, if it is one of the model's own table. */
export function profileOf({ expression }: Measure, table: TableProfile): ColumnProfile | undefined {
  const [argument] = expression.kind === 'call' ? expression.args : [];
  return argument?.kind === 'column' && !argument.join
    ? table.columns.find(({ name }) => name === argument.name)
    : undefined;
}

/** Whether parts of the measure can be stacked: sums and counts of rows. */
export function addsUp({ expression }: Pick<Measure, 'expression'>): boolean {
  return expression.kind === 'call' && expression.name === 'sum';
}

/** Whether a measure adds up money: by its format, as a product of price and quantity, or by its name. */
export function addsUpMoney({ expression, name, format }: Measure): boolean {
  return (
    addsUp({ expression }) &&
    (format?.startsWith('currency') === true ||
      isComputed(expression) ||
      mentions(wordsOf(name.replace(/^total_/, '')), proceeds))
  );
}

export function isCount({ expression }: Measure): boolean {
  return expression.kind === 'call' && expression.name === 'count';
}

const isOfSales = ({ label }: Measure) => isSale(wordsOf(label).split(' ').at(-1)!);

/** The count of rows that every model has, which nobody has named. */
const isPlainCount = ({ name, label }: Measure) => name === 'rows' && label === 'Rows';

function isComputed(expression: Expression): boolean {
  return expression.kind === 'call' && expression.args[0]?.kind !== 'column';
}

/**
 * Whether a table has one row for each moment of a regular time series, or for each pair of two of its columns
 * (a month and a state, a weekday and an hour). A count of its rows says nothing then.
 */
export function isOneRowForEach(
  model: Model,
  table: TableProfile,
  facts: ReadonlyMap<string, DimensionFacts>,
): boolean {
  if (table.rows < 20) return false;
  const own = [...facts.values()].filter(({ join }) => join === undefined);
  const time = own.find(({ name }) => name === model.time)?.profile;
  if (time && isRegular(time, table.rows)) return true;
  const isEach = (count: number) => Math.abs(count - table.rows) <= table.rows * 0.02;
  const even = own.flatMap(({ meaning, profile }) =>
    meaning === 'category' && profile.distinct > 2 && isEven(profile, table.rows) ? [profile] : [],
  );
  return even.some(
    (profile, i) =>
      (time !== undefined && isEach(time.distinct * profile.distinct)) ||
      even.slice(i + 1).some(other => isEach(other.distinct * profile.distinct)),
  );
}

/** Whether the values of a column have about as many rows each, as far as is known. */
function isEven({ top, distinct, nulls }: ColumnProfile, rows: number): boolean {
  const each = rows / distinct;
  // A line of totals has neither hour nor weekday.
  return (
    nulls <= rows * 0.02 &&
    top.every(({ value, rows: times }) => value === null || Math.abs(times - each) <= each * 0.05 + 1)
  );
}

const minute = 60_000;

/**
 * Whether a table has one row for each of its moments: a date each, or times that are whole minutes apart.
 */
function isRegular({ type, distinct, min, max }: ColumnProfile, rows: number): boolean {
  if (distinct < rows * 0.98) return false;
  const step = (Number(max) - Number(min)) / (rows - 1);
  return type === 'date' || (step >= minute && Math.abs(step / minute - Math.round(step / minute)) < 1e-6);
}
