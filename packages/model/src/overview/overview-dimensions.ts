import {
  isContact,
  isCountryName,
  isGivenName,
  isPartOfName,
  isPlaceName,
  ownWords,
  wordsOf,
} from '../inference/column-vocabulary.ts';
import type { Expression } from '../expression/expression.ts';
import { isKnownByNumber, isNameless, meaningOf, type Meaning } from '../inference/infer-meaning.ts';
import type { Model } from '../model.ts';
import { isNumeric, type ColumnProfile, type TableProfile } from '../table.ts';

/**
 * A dimension of a model with what is known of the column that it reads, counted in rows of the model's own
 * table.
 */
export interface DimensionFacts {
  readonly name: string;
  readonly label: string;
  readonly profile: ColumnProfile;
  readonly meaning: Meaning;
  /** The table that its column is of. */
  readonly table: string;
  /** The join that its column comes from, and how many rows the table there has. */
  readonly join?: string;
  readonly rowsOfTable: number;
  /** At most this share of the joined table's rows is referred to; 1 without a join. */
  readonly reached: number;
  /** About this share of the rows has the most frequent value. */
  readonly shareOfLargest: number;
  readonly isHidden: boolean;
}

/** What is known of each dimension that reads a column, own or joined, in the model's order. */
export function dimensionFacts(
  model: Model,
  table: TableProfile,
  related: Readonly<Record<string, TableProfile>>,
): ReadonlyMap<string, DimensionFacts> {
  const columnsOf = new Map<string | undefined, ReadonlyMap<string, ColumnProfile>>();
  const profileIn = (join: string | undefined, column: string) => {
    const from = join === undefined ? table : related[join];
    if (!from) return undefined;
    if (!columnsOf.has(join)) columnsOf.set(join, new Map(from.columns.map(one => [one.name, one])));
    const profile = columnsOf.get(join)!.get(column);
    return profile && { profile, rows: from.rows };
  };
  return new Map(
    Object.values(model.dimensions).flatMap(({ name, label, expression, isHidden }) => {
      const found =
        expression.kind === 'column'
          ? profileIn(expression.join, expression.name)
          : nameOfJoined(model, expression, profileIn);
      if (!found || found.profile.type === 'other') return [];
      const join = joinOf(expression);
      const profile =
        join === undefined ? found.profile : inRowsOf(table, namedAs(label, found.profile), found.rows);
      const facts: DimensionFacts = {
        name,
        label,
        profile,
        meaning: meaningOf(profile, table.rows),
        table: join === undefined ? table.name : model.joins[join]!.table,
        ...(join !== undefined && { join }),
        rowsOfTable: found.rows,
        reached: join === undefined ? 1 : reachedShare(model, join, found.rows, profileIn),
        shareOfLargest: Math.max(
          shareOfLargest(profile, table.rows),
          ...(join === undefined ? [] : sharesOfReferences(model, join, profileIn)),
        ),
        isHidden: isHidden === true,
      };
      return [[name, facts] as const];
    }),
  );
}

/** The description of a joined row that has no other name is called as the row is: `Region`. */
function namedAs(label: string, profile: ColumnProfile): ColumnProfile {
  const isDescription = (text: string) => /\bdescription$/.test(wordsOf(text));
  return isDescription(profile.name) && !isDescription(label) ? { ...profile, name: label } : profile;
}

/** The join that a column, or the first column of a call, is of. */
function joinOf(expression: Expression): string | undefined {
  return columnsIn(expression)[0]?.join;
}

function columnsIn(expression: Expression): readonly Extract<Expression, { kind: 'column' }>[] {
  if (expression.kind === 'column') return [expression];
  return expression.kind === 'call' ? expression.args.flatMap(columnsIn) : [];
}

/**
 * The profile of the first and last name of joined people in one: a different one for each of them, as far as is
 * known.
 */
function nameOfJoined(
  model: Model,
  expression: Expression,
  profileIn: ProfileIn,
): ReturnType<ProfileIn> | undefined {
  const join = joinOf(expression);
  if (expression.kind !== 'call' || join === undefined) return undefined;
  const [joined] = expression.name === 'nullif' ? expression.args : [expression];
  if (joined?.kind !== 'call' || joined.name !== 'concat') return undefined;
  const names = columnsIn(joined).map(one => (one.join === join ? profileIn(join, one.name) : undefined));
  const last = names.at(-1);
  if (!last || names.some(one => one?.profile.type !== 'text')) return undefined;
  const { rows, profile } = last;
  return { rows, profile: { ...profile, name: `${model.joins[join]!.table}_name`, distinct: rows, top: [] } };
}

/** The profile of a model's own or a joined column, and how many rows its table has. */
type ProfileIn = (
  join: string | undefined,
  column: string,
) => { readonly profile: ColumnProfile; readonly rows: number } | undefined;

/**
 * For each step to a joined table, the share of rows that refer to the same row of it: of all entries in
 * playlists, three quarters are in one. They have one value in every column of that table.
 */
function sharesOfReferences(model: Model, join: string, profileIn: ProfileIn): readonly number[] {
  const [key, ...more] = model.joins[join]!.on;
  if (!key || more.length > 0) return [];
  const found = profileIn(key.join, key.column);
  const before = key.join === undefined ? [] : sharesOfReferences(model, key.join, profileIn);
  return found ? [shareOfLargest(found.profile, found.rows), ...before] : before;
}

/** At most as many rows of a joined table are reached as its references have different values. */
function reachedShare(model: Model, join: string, rows: number, profileIn: ProfileIn): number {
  const references = model.joins[join]!.on.map(key => profileIn(key.join, key.column)?.profile.distinct);
  const combined = references.reduce<number>((product, distinct) => product * (distinct ?? Infinity), 1);
  return Math.min(1, combined / Math.max(1, rows));
}

/**
 * A joined column as though its values were spread over the rows of `table` as they are over those of its own
 * table.
 */
function inRowsOf({ rows }: TableProfile, profile: ColumnProfile, rowsOfTable: number): ColumnProfile {
  const share = rows / Math.max(1, rowsOfTable);
  return {
    ...profile,
    nulls: Math.round(profile.nulls * share),
    empties: Math.round(profile.empties * share),
    top: profile.top.map(({ value, rows: times }) => ({ value, rows: Math.round(times * share) })),
  };
}

/** Below this a chart of a dimension tells hardly more than those before it. */
const minWorth = 0.15;

/** With so many named dimensions, those called `Column 10` are left out. */
const minNamed = 2;

/** A leaderboard of more values than this says little of the whole. */
const maxValues = 200;
const maxRecurringValues = 500;

/**
 * The dimensions that rows are told apart by best, the most informative first: 2 to 200 values that come up
 * again and again.
 */
export function informativeDimensions(
  facts: ReadonlyMap<string, DimensionFacts>,
  rows: number,
): readonly DimensionFacts[] {
  const strict = [...facts.values()].filter(fact => isInformative(fact, rows));
  const known = strict.length < minNamed ? [...facts.values()].filter(fact => hasLeaders(fact, rows)) : [];
  const scored = [...new Set([...strict, ...known])]
    .map(fact => ({ fact, score: scoreOf(fact, rows) }))
    .filter(({ score }) => score > 0);
  const chosen: DimensionFacts[] = [];
  // Each next one loses for what those before it say already.
  while (scored.length > 0) {
    const worth = ({ fact, score }: (typeof scored)[number]) =>
      score *
      Math.min(1, ...chosen.map(other => (isSameThing(fact, other) ? 0 : isKin(fact, other) ? 0.5 : 1)));
    const best = scored.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    if (worth(best) < minWorth) break;
    chosen.push(best.fact);
    scored.splice(scored.indexOf(best), 1);
  }
  const named = chosen.filter(({ label }) => !isNameless(wordsOf(label)));
  return named.length >= minNamed ? named : chosen;
}

function isInformative(fact: DimensionFacts, rows: number): boolean {
  const { profile, meaning, isHidden, reached } = fact;
  const { distinct, nulls } = profile;
  const filled = rows - nulls;
  return (
    !isHidden &&
    meaning === 'category' &&
    // Of customers' three agents, the five titles of all employees may be one.
    distinct * reached >= 2 &&
    // Of thousands of rows a few hundred values have their leaders, too.
    (distinct <= maxValues || (distinct <= maxRecurringValues && filled / distinct >= 20)) &&
    (!isNumeric(profile.type) || isKnownByNumber(profile.name)) &&
    !isContact(wordsOf(profile.name)) &&
    distinct <= filled * (isCountryName(wordsOf(profile.name)) ? 0.7 : 0.5) &&
    filled >= rows * 0.6 &&
    // Rows without a value would be the longest bar.
    nulls <= (profile.top.find(({ value }) => value !== null)?.rows ?? rows) &&
    !isGivenName(wordsOf(profile.name)) &&
    fact.shareOfLargest < 0.9
  );
}

/** Of so many values one has at least this share of the rows, or the longest bar is as short as the rest. */
const maxKnown = 5000;
const minShareOfLeader = 0.02;

/**
 * Whether a table in which little else tells rows apart has a leaderboard of a dimension of thousands of values,
 * such as the paths of a web server.
 */
function hasLeaders(fact: DimensionFacts, rows: number): boolean {
  const { profile, meaning, isHidden, shareOfLargest } = fact;
  return (
    !isHidden &&
    fact.join === undefined &&
    meaning === 'category' &&
    profile.type === 'text' &&
    profile.distinct > maxValues &&
    profile.distinct <= maxKnown &&
    profile.nulls + profile.empties <= rows * 0.1 &&
    shareOfLargest >= minShareOfLeader &&
    shareOfLargest < 0.9 &&
    !isContact(wordsOf(profile.name)) &&
    !isGivenName(wordsOf(profile.name)) &&
    !isNameless(wordsOf(profile.name))
  );
}

/**
 * Names before numbers and flags, a handful of values before two or two hundred, even sizes before one that
 * is nearly all.
 */
function scoreOf({ profile, label, shareOfLargest }: DimensionFacts, rows: number): number {
  const { distinct, type, top } = profile;
  const words = wordsOf(profile.name);
  const filled = 1 - profile.nulls / Math.max(1, rows);
  const size =
    distinct === 2 ? 0.4 : distinct <= 3 ? 0.8 : distinct <= 40 ? 1 : distinct <= maxValues ? 0.8 : 0.5;
  const kind = type === 'text' ? 1 : type === 'boolean' ? 0.6 : 0.55;
  const values = top.flatMap(({ value }) => (value === null || value === '' ? [] : [value]));
  const isCoded =
    type === 'text' &&
    values.length > 0 &&
    values.every(value => value.length <= 4 && !/\p{Ll}/u.test(value));
  const evenness = 1 - shareOfLargest ** 2;
  // A chart of `column10` says nothing to anybody; one whose values say what they are has a label of its own.
  const isUnclear = isNameless(words) && /\d$/.test(label);
  const clarity = (isCoded ? 0.8 : 1) * (isPartOfName(words) ? 0.5 : 1) * (isUnclear ? 0.3 : 1);
  return filled * size * kind * clarity * (0.3 + 0.7 * evenness);
}

/** The share of rows that the most frequent value has. */
function shareOfLargest({ top }: ColumnProfile, rows: number): number {
  return (top[0]?.rows ?? 0) / Math.max(1, rows);
}

/**
 * Whether two dimensions cut the rows alike: as a code and its name do (as many values, of the same sizes),
 * or as a customer's country
 * and that of an order do.
 */
export function isSameThing(one: DimensionFacts, other: DimensionFacts): boolean {
  if (one.label === other.label || isCopy(one, other)) return true;
  // Both have the profile of the table that plays the two roles, so equal sizes say nothing.
  if (one.table === other.table && one.join !== other.join) return false;
  const sizes = ({ profile }: DimensionFacts) => profile.top.map(({ rows }) => rows);
  const [mine, its] = [sizes(one), sizes(other)];
  if (mine.length === 0) return false;
  if (one.profile.distinct === other.profile.distinct && mine.join() === its.join()) return true;
  // A name that is written in two ways has two values to one code.
  const [fewer, more] = [one.profile.distinct, other.profile.distinct].toSorted((a, b) => a - b);
  const alike = mine.filter((size, i) => size === its[i]).length;
  return more! > 12 && fewer! >= more! * 0.9 && alike >= mine.length * 0.6 && isKin(one, other);
}

/**
 * Whether columns of two tables say the same of a row: `country` of customers and `ship_country` of their
 * orders. Two roles of one
 * table do not, such as the cities where a flight begins and ends.
 */
function isCopy(one: DimensionFacts, other: DimensionFacts): boolean {
  const [noun, otherNoun] = [one, other].map(({ profile }) => wordsOf(profile.name).split(' ').at(-1));
  if (one.table === other.table || noun !== otherNoun || one.profile.type !== 'text') return false;
  const values = one.profile.top.map(({ value }) => value);
  const shared = other.profile.top.filter(({ value }) => values.includes(value)).length;
  return one.profile.distinct === other.profile.distinct && shared >= values.length / 2 && shared > 0;
}

/** Whether two dimensions are of one thing by their joins or names: `ship_city` and `ship_country`. */
function isKin(one: DimensionFacts, other: DimensionFacts): boolean {
  if (one.join !== other.join) return false;
  if (one.join !== undefined) return true;
  const [mine, its] = [one, other].map(({ profile }) => ownWords(profile.name));
  return mine!.some(word => its!.includes(word)) || (isPlace(one) && isPlace(other));
}

const isPlace = ({ profile }: DimensionFacts) => isPlaceName(wordsOf(profile.name));

/**
 * Whether one of two dimensions most probably follows from the other, so that a matrix of them would be a
 * diagonal.
 */
export function isDependent(one: DimensionFacts, other: DimensionFacts, model: Model): boolean {
  if (isSameThing(one, other) || isKin(one, other)) return true;
  const isUnique = ({ profile, rowsOfTable, join }: DimensionFacts) =>
    join !== undefined && profile.distinct >= rowsOfTable * 0.9;
  // A name that is unique in a joined table decides everything about its row, and what that row is joined to.
  if (one.join !== undefined && other.join !== undefined && (isUnique(one) || isUnique(other))) {
    if (leadsTo(model, one.join, other.join) || leadsTo(model, other.join, one.join)) return true;
  }
  return Object.values(model.hierarchies ?? {}).some(
    levels => levels.includes(one.name) && levels.includes(other.name),
  );
}

/** Whether a join is reached through another. */
function leadsTo(model: Model, from: string, to: string): boolean {
  const step = model.joins[to]?.on[0]?.join;
  return step !== undefined && (step === from || leadsTo(model, from, step));
}
