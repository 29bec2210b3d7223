import { wordsOf } from '../inference/column-vocabulary.ts';
import { meaningOf } from '../inference/infer-meaning.ts';
import {
  isNamesake,
  matchTable,
  phrases,
  referenceName,
  sharedWords,
  stem,
  tableWordsOf,
  type NameMatch,
  type ReferenceName,
} from './relationship-names.ts';
import { isNumeric, isTemporal, type ColumnProfile, type TableProfile } from '../table.ts';

/** Columns of a table, in the order in which they are compared. */
export interface TableColumns {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A time of a table, and the columns of the one it refers to that say from when to when a row is valid. */
export interface RangeColumns {
  readonly column: string;
  readonly begin: string;
  readonly end: string;
}

/** Not guessed: a foreign key of the database, or a decision of the workspace's authors. */
export type Given = 'declared' | 'chosen';

/** Columns of one table that may name rows of another, from names, types and ranges alone. */
export interface Candidate {
  readonly from: TableColumns;
  readonly to: TableColumns;
  /** Of several versions of a row, the one that is valid at a time. */
  readonly between?: RangeColumns;
  readonly match: NameMatch | 'same name' | 'values' | 'composite' | Given;
  /** From 0 to 1: how much names alone say. */
  readonly likeness: number;
  /** Not used by itself, whatever the values say: why. */
  readonly doubt?: 'ambiguous' | 'own key' | 'composite' | 'not unique';
  /** The key's values are exactly counted as unique, or that is still to be measured. */
  readonly isKeyKnown: boolean;
}

/** What the values of a candidate say. */
export interface Inclusion {
  /** Rows whose reference has a value. */
  readonly rows: number;
  /** Of those, rows whose value is in the key. */
  readonly matched: number;
  /** No value of the key occurs twice; of a range, no two ranges of a key overlap. */
  readonly isUnique: boolean;
  /** Rows and matches are of a sample: both tables are large. */
  readonly isSampled?: boolean;
  /**
   * Of the whole numbers between the 1st and 99th percentile of the reference, the part that are keys: at 1
   * any number would match.
   */
  readonly density?: number;
}

/** Why a relationship is not used. */
export type Refusal =
  | 'not unique'
  /** The table has several versions of a row, each valid for a time: which one counts is a matter of dates. */
  | 'versions'
  /** Two versions of a row are valid at the same time. */
  | 'overlaps'
  | 'unmatched'
  | 'unrelated'
  | 'few values'
  | 'ambiguous'
  | 'own key'
  | 'composite'
  | 'other key'
  /** A declared or chosen relationship of the same columns takes precedence. */
  | 'superseded'
  /** An author of the workspace removed it. */
  | 'removed'
  | 'not measured';

/**
 * Columns that name rows of another table (or of the same one), with the evidence for it. Many rows here, one
 * there.
 */
export interface Relationship {
  readonly from: TableColumns;
  readonly to: TableColumns;
  readonly between?: RangeColumns;
  /** From 0 to 1. */
  readonly score: number;
  readonly evidence?: Inclusion;
  /** Used in models, offered to the author of one, or refused. */
  readonly verdict: 'used' | 'offered' | 'refused';
  readonly reason?: Refusal;
  /** Absent if it was found by names and values. */
  readonly origin?: Given;
}

/** Two tables' columns, and the range that tells versions apart. */
export type RelationshipEnds = Pick<Candidate, 'from' | 'to' | 'between'>;

/** A foreign key of a database. */
export interface DeclaredKey extends RelationshipEnds {
  /** The database guarantees that no value of the key occurs twice. */
  readonly isUnique: boolean;
}

/** What an author of the workspace decided about two tables' columns. */
export interface RelationshipDecision extends RelationshipEnds {
  readonly isUsed: boolean;
}

/** What is known about relationships besides the tables. */
export interface GivenRelationships {
  readonly declared: readonly DeclaredKey[];
  readonly decisions: readonly RelationshipDecision[];
}

const nothingGiven: GivenRelationships = { declared: [], decisions: [] };

/** Columns that name a row of their table, as far as that was counted. */
interface Key {
  readonly column: ColumnProfile;
  readonly name: ReferenceName;
  readonly isExact: boolean;
  readonly isNamesake: boolean;
  /** The first of its table, row numbers aside. */
  readonly isFirst: boolean;
}

interface Described {
  readonly profile: TableProfile;
  readonly words: readonly string[];
  readonly keys: readonly Key[];
}

/** Keys and ranges that any table may have; alike they say nothing. */
const commonWords = new Set(
  phrases(`name title label description value type status state code number no index rank order position line level date time year month
    day week quarter hour minute note comment email flag count total`),
);
/** Names that number things within a table, so that 1 to 5 are no references. */
const orderings = new Set(
  phrases(`order rank index position line item level number page row unit count score rating step version stage age grade point
    priority sequence group class`),
);
const rowNumbers = /^(?:row ?(?:names?|numbers?|nums?|ids?|index)|index|unnamed.*|idx|#|nr|no|seq|level 0)$/;
const isHeaderless = (name: string) => /^column_?\d+$/i.test(name);

/** A table of more columns holds measurements side by side, rather than references. */
const maxColumns = 1000;

/**
 * Pairs of columns that names, types and ranges make plausible, and those that are declared or chosen; only
 * these are worth measuring. Of tables of more than a thousand columns, only the latter.
 */
export function findCandidates(
  tables: readonly TableProfile[],
  given: GivenRelationships = nothingGiven,
  wanted: 'all' | 'given' = 'all',
): Candidate[] {
  const certain = givenCandidates(tables, given);
  if (wanted === 'given') return certain;
  const isGiven = new Set(certain.map(relationshipKey));
  return [...certain, ...guessedCandidates(tables).filter(one => !isGiven.has(relationshipKey(one)))];
}

/** Identifies a relationship by its tables and pairs of columns, in whatever order these are named. */
export function relationshipKey({ from, to, between }: RelationshipEnds): string {
  const pairs = from.columns.map((column, i) => JSON.stringify([column, to.columns[i]]));
  const range = between ? [[between.column, between.begin, between.end]] : [];
  return JSON.stringify([from.table, to.table, pairs.toSorted(), ...range]);
}

/** Those whose tables and columns exist. Of a declared and chosen one, the choice counts. */
function givenCandidates(
  tables: readonly TableProfile[],
  { declared, decisions }: GivenRelationships,
): Candidate[] {
  const byName = new Map(tables.map(table => [table.name, table]));
  const exists = ({ table, columns }: TableColumns) =>
    columns.every(column => byName.get(table)?.columns.some(({ name }) => name === column));
  const all = new Map<string, Candidate>();
  const add = ({ from, to, between }: RelationshipEnds, match: Given, isUnique: boolean) => {
    const [here, there] = between ? [[between.column], [between.begin, between.end]] : [[], []];
    if (!exists({ ...from, columns: [...from.columns, ...here] })) return;
    if (!exists({ ...to, columns: [...to.columns, ...there] })) return;
    const ends = { from, to, ...(between && { between }) };
    all.set(relationshipKey(ends), { ...ends, match, likeness: 1, isKeyKnown: isUnique && !between });
  };
  for (const one of declared) add(one, 'declared', one.isUnique);
  for (const one of decisions) {
    const isUnique = declared.some(
      other => other.isUnique && relationshipKey(other) === relationshipKey(one),
    );
    if (one.isUsed) add(one, 'chosen', isUnique);
  }
  return [...all.values()];
}

function guessedCandidates(tables: readonly TableProfile[]): Candidate[] {
  const shared = sharedWords(tables.map(table => table.name));
  const described = tables
    .filter(({ columns }) => columns.length <= maxColumns)
    .map(profile => describe(profile, shared));
  const found = described.flatMap(from =>
    from.profile.columns.flatMap(column =>
      canRefer(column, from.profile) ? candidatesOf(column, from, described) : [],
    ),
  );
  return [...found, ...compositeCandidates(described, found)];
}

/**
 * The part of a key's values that an estimate finds at least. Estimates are a fifth off now and then (64 registers
 * of HyperLogLog have a standard error of 13 %); whether a key is unique is measured in any case.
 */
const minEstimated = 0.6;

function describe(profile: TableProfile, shared: number): Described {
  const words = tableWordsOf(profile.name, shared);
  const own = profile.columns.filter(column => !isRowNumber(column, profile));
  const keys = own.flatMap((column, i) => {
    const filled = profile.rows - column.nulls;
    const isKey = filled >= 2 && column.distinct >= filled * (column.isDistinctExact ? 1 : minEstimated);
    if (!isKey || !isComparable(column) || column.nulls > profile.rows / 2) return [];
    const name = referenceName(column.name);
    const key: Key = {
      column,
      name,
      isExact: column.isDistinctExact,
      isNamesake: isNamesake(name, words),
      isFirst: i === 0,
    };
    return [key];
  });
  return { profile, words, keys };
}

function isRowNumber({ name }: ColumnProfile, { columns }: TableProfile): boolean {
  return columns.length > 1 && rowNumbers.test(referenceText(name));
}

function referenceText(column: string): string {
  const { words, suffix } = referenceName(column);
  return words.length > 0 ? words.join(' ') : (suffix ?? '');
}

const isComparable = ({ type }: ColumnProfile) => type === 'text' || type === 'integer';
const isWhole = ({ type, min, max }: ColumnProfile) =>
  type === 'integer' || (isNumeric(type) && Number.isInteger(min) && Number.isInteger(max));

function canRefer(column: ColumnProfile, table: TableProfile): boolean {
  if (isTemporal(column.type) || column.distinct < 1 || isRowNumber(column, table)) return false;
  return column.type === 'text' || isWhole(column);
}

function candidatesOf(column: ColumnProfile, from: Described, tables: readonly Described[]): Candidate[] {
  const name = referenceName(column.name);
  const own = from.keys.find(key => key.column === column);
  // The key of its own table names its rows; another table with the same key refers to this one.
  if (own?.isNamesake && own.isFirst) return [];
  const found = tables.flatMap(to => {
    const repeated = to === from ? undefined : repeatedKey(column, name, from, to);
    if (repeated) return [repeated];
    return to.keys.flatMap(key => {
      if (key.column === column || !isAlike(column, key.column) || !isInRange(column, key.column)) return [];
      const judged = judgeName(column, name, from, key, to);
      if (!judged) return [];
      const candidate: Candidate = {
        from: { table: from.profile.name, columns: [column.name] },
        to: { table: to.profile.name, columns: [key.column.name] },
        isKeyKnown: key.isExact,
        ...judged,
        ...(own && !judged.doubt && judged.match !== 'exact' && to !== from && { doubt: 'own key' as const }),
      };
      return [candidate];
    });
  });
  return bestKeys(found);
}

/**
 * A table named by the reference that has its column too, yet not once each: one with several versions of a
 * row, or of other rows.
 */
function repeatedKey(
  column: ColumnProfile,
  name: ReferenceName,
  from: Described,
  to: Described,
): Candidate | undefined {
  // `product_id` of sales and of `price_list` have no name of a table in common; dates of validity tell enough.
  const isVersioned = name.suffix !== undefined && versionRange(to.profile) && !versionRange(from.profile);
  if (!isVersioned && matchTable(name, to.words, from.words, false) !== 'exact') return undefined;
  const same = to.profile.columns.find(other => nameStem(other.name) === nameStem(column.name));
  if (!same || to.keys.some(key => key.column === same)) return undefined;
  return {
    from: { table: from.profile.name, columns: [column.name] },
    to: { table: to.profile.name, columns: [same.name] },
    match: 'exact',
    likeness: 1,
    ...validRange(from.profile, to.profile),
  };
}

/** The range in which a version of a row is valid, and a time of the table that refers, if it has one. */
function validRange(
  from: TableProfile,
  to: TableProfile,
): Pick<Candidate, 'between' | 'doubt' | 'isKeyKnown'> {
  const time = from.columns.find(({ name, type }) => isTemporal(type) && !isVersionColumn(name));
  const range = versionRange(to);
  return time && range
    ? { between: { column: time.name, begin: range[0].name, end: range[1].name }, isKeyKnown: false }
    : { doubt: 'not unique', isKeyKnown: true };
}

/** Of each table the key that its name fits best. */
function bestKeys(candidates: readonly Candidate[]): Candidate[] {
  return [...Map.groupBy(candidates, candidate => candidate.to.table).values()].map(
    group => group.toSorted((a, b) => b.likeness - a.likeness)[0]!,
  );
}

type NameJudgement = Pick<Candidate, 'match' | 'likeness' | 'doubt'>;

function judgeName(
  column: ColumnProfile,
  name: ReferenceName,
  from: Described,
  key: Key,
  to: Described,
): NameJudgement | undefined {
  const match = matchTable(name, to.words, from.words, from === to);
  if (match) return judgeMatch(match, column, name, key);
  if (from === to) return undefined;
  if (stem(name.words) === stem(key.name.words) && name.suffix === key.name.suffix)
    return judgeSameName(column, name, from, key, to);
  // Columns without names have only their values, which must be many to tell.
  const isTelling = column.distinct >= telling.distinct && key.column.distinct >= telling.distinct;
  if (isHeaderless(column.name) && isHeaderless(key.column.name) && isTelling)
    return { match: 'values', likeness: key.isFirst ? 0.5 : 0.45 };
  return undefined;
}

/** A name that leads to the key's table: whether it is of this key. */
function judgeMatch(
  match: NameMatch,
  column: ColumnProfile,
  name: ReferenceName,
  key: Key,
): NameJudgement | undefined {
  const likeness = { exact: 1, hierarchy: 0.9, role: 0.85, partial: 0.6 }[match];
  const isSameSuffix = name.suffix === key.name.suffix;
  const isSameWords = stem(name.words) === stem(key.name.words);
  const isMain = key.isNamesake && (key.name.suffix === 'id' || key.isFirst);
  const doubt = match === 'partial' ? { doubt: 'ambiguous' as const } : {};
  if (isSameSuffix && isSameWords && match === 'exact') return { match, likeness, ...doubt };
  if (name.suffix === undefined) {
    // A number called `visits` counts them; one called `order` may say in which order.
    const isPlural = column.type !== 'text' && /[^s]s$/.test(name.words.at(-1)!);
    const isOrdering = column.type !== 'text' && orderings.has(name.words.at(-1)!);
    if (isPlural) return undefined;
    const isNamed = key.name.suffix !== undefined || key.name.words.at(-1) === 'name';
    if (!isMain && !key.isFirst && !isNamed) return undefined;
    return {
      match,
      likeness: likeness - (isMain ? 0.05 : 0.1),
      ...(isOrdering ? { doubt: 'ambiguous' as const } : doubt),
    };
  }
  if (isSameSuffix && isMain) return { match, likeness: likeness - 0.02, ...doubt };
  // `customer_code` from 1 to 5 is no `id` of a customer, though it is one by its name.
  if (isMain || key.isFirst) {
    const isText = column.type === 'text' && column.distinct >= 10;
    return { match, likeness: likeness - 0.3, ...(isText ? doubt : { doubt: 'ambiguous' as const }) };
  }
  return undefined;
}

/**
 * Two columns of the same name, of which none is named for its table: `carrier` of flights and of airlines.
 */
function judgeSameName(
  column: ColumnProfile,
  name: ReferenceName,
  from: Described,
  key: Key,
  to: Described,
): NameJudgement | undefined {
  const meaning = meaningOf(column, from.profile.rows);
  const isCommon =
    (name.words.length === 0 || name.words.every(word => commonWords.has(word))) &&
    !isHeaderless(column.name);
  if (isCommon || isHeaderless(column.name) || meaning === 'amount' || meaning === 'level') return undefined;
  if (isHeaderless(key.column.name) || !key.isFirst) return undefined;
  // A table of its own key, too, holds that of another only by chance once each.
  if (to.keys.some(other => other !== key && other.isNamesake)) return undefined;
  const isDescribed = to.profile.columns.some(other => other !== key.column && other.type === 'text');
  const isNumber = column.type !== 'text';
  if (isNumber && (!isDescribed || name.suffix === undefined))
    return { match: 'same name', likeness: 0.5, doubt: 'ambiguous' };
  return { match: 'same name', likeness: 0.75 };
}

function isAlike(column: ColumnProfile, key: ColumnProfile): boolean {
  return column.type === key.type || (isWhole(column) && isWhole(key));
}

/** Whether the numbers of a reference and of a key meet at all; a few that are wrong may lie anywhere. */
function isInRange(column: ColumnProfile, key: ColumnProfile): boolean {
  if (column.distinct > key.distinct * 2 + 20) return false;
  if (column.type === 'text') return true;
  const [low, high] = [column.low ?? Number(column.min), column.high ?? Number(column.max)];
  return low <= Number(key.max) && high >= Number(key.min);
}

/** Tables without a key of one column whose columns together are one: other tables that have all of those. */
function compositeCandidates(tables: readonly Described[], found: readonly Candidate[]): Candidate[] {
  return tables.flatMap(to => {
    const columns = compositeKeyOf(to);
    if (!columns) return [];
    return tables.flatMap(from => {
      const here = columns.map(column =>
        from.profile.columns.find(
          other => nameStem(other.name) === nameStem(column.name) && isAlike(other, column),
        ),
      );
      const isKnown = found.some(
        ({ from: a, to: b }) => a.table === from.profile.name && b.table === to.profile.name,
      );
      if (from === to || isKnown || here.some(column => !column)) return [];
      const candidate: Candidate = {
        from: { table: from.profile.name, columns: here.map(column => column!.name) },
        to: { table: to.profile.name, columns: columns.map(column => column.name) },
        match: 'composite',
        likeness: 0.6,
        doubt: 'composite',
        isKeyKnown: false,
      };
      return [candidate];
    });
  });
}

const nameStem = (name: string) => {
  const { words, suffix } = referenceName(name);
  return stem([...words, suffix ?? '']);
};

/**
 * Two to four columns that name things and may name a row together: `order_id` and `product_id` of order
 * details.
 */
export function compositeKeyOf({ profile, keys }: Pick<Described, 'profile' | 'keys'>) {
  if (keys.some(key => key.isNamesake || key.isFirst)) return undefined;
  const columns = profile.columns.filter(
    column =>
      isComparable(column) &&
      column.nulls === 0 &&
      column.distinct > 1 &&
      !isRowNumber(column, profile) &&
      referenceName(column.name).suffix !== undefined,
  );
  const [least, product] = [2, columns.reduce((all, column) => all * column.distinct, 1)];
  return columns.length >= least && columns.length <= 4 && product >= profile.rows ? columns : undefined;
}

/** Fewer matches are chance: such a candidate need not be looked at further. */
export const minMatched = 0.5;

/**
 * Where the values say enough by themselves: so many different ones, nearly all of them keys, where few
 * numbers are.
 */
const telling = { distinct: 50, matched: 0.98, density: 0.8 };

/**
 * Decides which candidates are relationships.
 * @param inclusionOf what was measured of a candidate; nothing where that was not possible
 */
export function judgeCandidates(
  candidates: readonly Candidate[],
  tables: readonly TableProfile[],
  inclusionOf: (candidate: Candidate) => Inclusion | undefined,
  decisions: readonly RelationshipDecision[] = [],
): Relationship[] {
  const profiles = new Map(tables.map(table => [table.name, table]));
  const removed = new Map(decisions.filter(one => !one.isUsed).map(one => [relationshipKey(one), one]));
  const judged = candidates.map(candidate => {
    const one = judgeOne(candidate, profiles, inclusionOf(candidate));
    return removed.delete(relationshipKey(candidate)) ? withoutUse(one) : one;
  });
  // Removed ones that are no candidates any more are kept, so that they can be seen and taken back.
  const rest = [...removed.values()].map(({ from, to, between }): Relationship => ({
    from,
    to,
    ...(between && { between }),
    score: 0,
    verdict: 'refused',
    reason: 'removed',
  }));
  // Columns without names are compared with many; only those that may be something are worth a word.
  const told = judged.filter(
    ({ candidate, verdict }) => candidate.match !== 'values' || verdict !== 'refused',
  );
  return [...withoutRivals(told).toSorted((a, b) => b.score - a.score), ...rest];
}

function withoutUse(judged: Judged): Judged {
  return { ...judged, verdict: 'refused', reason: 'removed' };
}

interface Judged extends Relationship {
  readonly candidate: Candidate;
}

function judgeOne(
  candidate: Candidate,
  profiles: ReadonlyMap<string, TableProfile>,
  evidence: Inclusion | undefined,
): Judged {
  const { from, to, between, likeness, match } = candidate;
  const isGiven = match === 'declared' || match === 'chosen';
  const base = { candidate, from, to, ...(between && { between }), ...(isGiven && { origin: match }) };
  // The database vouches for it, whether or not that can be measured in time, and also if an author chose it.
  if (isGiven && (candidate.isKeyKnown || evidence?.isUnique))
    return { ...base, score: 1, ...(evidence && { evidence }), verdict: 'used' };
  if (!evidence) return { ...base, score: 0, verdict: 'refused', reason: 'not measured' };
  const share = evidence.rows > 0 ? evidence.matched / evidence.rows : 0;
  const score = likeness * share;
  const refused = (reason: Refusal): Judged => ({ ...base, score, evidence, verdict: 'refused', reason });
  const offered = (reason: Refusal): Judged => ({ ...base, score, evidence, verdict: 'offered', reason });
  const repeated = between ? 'overlaps' : hasVersions(profiles.get(to.table)!) ? 'versions' : 'not unique';
  if (isGiven || candidate.doubt === 'not unique') return refused(repeated);
  if (share < minMatched) return refused('unrelated');
  if (!evidence.isUnique) return refused(repeated);
  if (between) return offered('versions');
  const column = profiles.get(from.table)!.columns.find(({ name }) => name === from.columns[0])!;
  if (candidate.match === 'values')
    return judgeValues(column, evidence, share) ? used() : refused('few values');
  if (share < minShare(candidate, column)) return share < 0.75 ? refused('unmatched') : offered('unmatched');
  if (candidate.doubt) return offered(candidate.doubt);
  if (column.distinct < 2) return offered('few values');
  return used();

  function used(): Judged {
    return { ...base, score, evidence: evidence!, verdict: 'used' };
  }
}

/** Whether a table says of each row from when to when it is valid, or which version is the current one. */
function hasVersions({ columns }: TableProfile): boolean {
  const named = (pattern: RegExp) => columns.some(({ name }) => pattern.test(wordsOf(name)));
  return named(versionBegin) && named(versionEnd);
}

/** The columns that say from when to when a row is valid. */
function versionRange({ columns }: TableProfile): readonly [ColumnProfile, ColumnProfile] | undefined {
  const named = (pattern: RegExp) =>
    columns.find(({ name, type }) => isTemporal(type) && pattern.test(wordsOf(name)));
  const [begin, end] = [named(versionBegin), named(versionEnd)];
  return begin && end && [begin, end];
}

/** Whether a column says from when or to when a row is valid, by its name. */
export function isVersionColumn(name: string): boolean {
  return versionBegin.test(wordsOf(name)) || versionEnd.test(wordsOf(name));
}

const validity = '(?:(?:row|record|version) )?(?:valid|effective|eff|active|in force)';
const moment = '(?: (?:date|at|on|time))?';
const versionBegin = new RegExp(
  `^(?:${validity}(?: (?:from|since|start|begin))?${moment}|(?:start|from|begin)${moment}|` +
    'gu?e?ltig (?:ab|von|seit)|valide du|生效日期|开始日期)$',
);
const versionEnd = new RegExp(
  `^(?:${validity} (?:to|until|thru|through|end)${moment}|` +
    `(?:end|to|until|expiry|expiration|expires|expired)${moment}|` +
    '(?:is )?current(?: (?:flag|row|version))?|gu?e?ltig bis|valide au|失效日期|结束日期)$',
);

/** Texts that are keys are so for a reason; numbers from 1 on are so by chance. */
function minShare({ match, likeness }: Candidate, column: ColumnProfile): number {
  if (column.type === 'text' && column.distinct >= 50) return 0.8;
  return match === 'exact' && likeness >= 0.9 ? 0.9 : 0.95;
}

function judgeValues(column: ColumnProfile, { density }: Inclusion, share: number): boolean {
  if (column.distinct < telling.distinct || share < telling.matched) return false;
  return column.type === 'text' || (density !== undefined && density <= telling.density);
}

/**
 * A column names rows of one table, and one table is named by one of its keys. Chosen ones take precedence
 * over declared ones, and those over guesses.
 */
function withoutRivals(judged: readonly Judged[]): Relationship[] {
  const byColumn = Map.groupBy(judged, one => JSON.stringify(one.from));
  const decided = [...byColumn.values()].flatMap(group => {
    const winner = (['chosen', 'declared'] as const).find(origin =>
      group.some(one => one.verdict === 'used' && one.origin === origin),
    );
    if (winner)
      return group.map(one =>
        one.verdict === 'used' && one.origin !== winner
          ? { ...one, verdict: 'offered' as const, reason: 'superseded' as const }
          : one,
      );
    const [best, next] = group.filter(one => one.verdict === 'used').toSorted((a, b) => b.score - a.score);
    if (!best) return group;
    const isTie = next !== undefined && best.score - next.score < 0.05;
    return group.map(one =>
      one.verdict !== 'used' || (one === best && !isTie)
        ? one
        : { ...one, verdict: 'offered' as const, reason: 'ambiguous' as const },
    );
  });
  const byTables = Map.groupBy(decided, one => JSON.stringify([one.from.table, one.to.table]));
  return [...byTables.values()].flatMap(group => {
    const used = group.filter(one => one.verdict === 'used').toSorted((a, b) => b.score - a.score);
    const key = (used.find(one => one.origin) ?? used[0])?.to.columns.join();
    return group.map(({ candidate: _, ...one }) =>
      one.verdict === 'used' && !one.origin && one.to.columns.join() !== key
        ? { ...one, verdict: 'offered' as const, reason: 'other key' as const }
        : one,
    );
  });
}

/**
 * Tables that only describe others: they are referred to, refer to nothing but such tables, and have no time
 * of their own.
 * @param hasTime whether rows of a table have a time at which they happened
 */
export function lookupTables(
  relationships: readonly Relationship[],
  hasTime: (table: string) => boolean,
): ReadonlySet<string> {
  const used = relationships.filter(one => one.verdict === 'used' && one.from.table !== one.to.table);
  return new Set(used.map(one => one.to.table).filter(table => !hasTime(table)));
}
