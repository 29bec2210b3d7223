import {
  freeName,
  labelFrom,
  labelInSentence,
  type DimensionFile,
  type MeasureFile,
} from '@belvedere/document';
import type { TableModelFile } from '../build-model.ts';
import { costs, fractions, mentions, percents, proceeds, wordsOf } from './column-vocabulary.ts';
import { joinedFields } from './infer-joined-fields.ts';
import type { JoinedTable } from './infer-joins.ts';
import { inferLabels } from './infer-labels.ts';
import { combinedMeasures, isPrice } from './infer-measures.ts';
import { meaningOf, numbersRows, type Meaning } from './infer-meaning.ts';
import { namelessWords } from './infer-nameless.ts';
import { inferOrder } from './infer-order.ts';
import { inferHours } from './infer-hours.ts';
import { inferTimeParts } from './infer-time-parts.ts';
import {
  isCountable,
  phrases,
  plural,
  referenceName,
  singular,
  tableWordsOf,
} from '../relationships/relationship-names.ts';
import { quotedColumn } from './quoted-column.ts';
import { spelledOut } from './spelled-out.ts';
import { isNumeric, isTemporal, type ColumnProfile, type DataType, type TableProfile } from '../table.ts';

/**
 * A first guess at what a table means, from its columns' names and what is in them.
 * Numbers that name things (keys, codes, years, coordinates, clock times, flags) become dimensions; numbers
 * that measure become
 * measures: added up where their name says amounts, averaged otherwise, since an average misleads less than a
 * wrong sum.
 * @param joined the tables that it refers to: their names, places, categories and dates become dimensions,
 * and its own references are hidden
 */
export function inferModel(table: TableProfile, joined: readonly JoinedTable[] = []): TableModelFile {
  const names = new Set<string>();
  const dimensions: Record<string, DimensionFile> = {};
  const measureNames = new Set(['rows']);
  const measures: Record<string, MeasureFile> = {
    rows: { label: 'Rows', expr: 'count(*)', format: 'integer' },
  };
  const labels = inferLabels(table.columns.map(column => column.name));
  for (const [place, column] of table.columns.entries()) {
    const meaning = meaningOf(column, table.rows);
    const name = freeName(column.name, names);
    const words = namelessWords(column, table) ?? fullCoordinate(column, meaning);
    const label = words === undefined ? spelledOut(labels[place]!, column) : labelFrom(words);
    // What was left out of a label is still to be read.
    const description = label !== labelFrom(column.name) ? { description: column.name.trim() } : {};
    const order = inferOrder(column);
    const role =
      meaning === 'identifier' || meaning === 'latitude' || meaning === 'longitude' ? { role: meaning } : {};
    const format =
      column.format ??
      (isMoney(column, meaning) ? ',.2f' : isFraction(column) ? 'percent' : formatOfDigits(column, meaning));
    dimensions[name] = {
      label,
      column: column.name,
      ...(format !== undefined && { format }),
      ...description,
      ...role,
      ...(numbersRows(column, table.rows) && { hidden: true }),
      ...(order && { sort: [...order] }),
    };
    const measure = measureOfColumn(column, meaning, { table: table.name, label, ...description });
    if (measure) measures[freeName(measure.name, measureNames)] = measure.file;
  }
  const references = new Set(joined.flatMap(({ depth, columns }) => (depth === 1 ? columns : [])));
  const visible = Object.values(dimensions).filter(({ column }) => !references.has(column ?? ''));
  const fields = joinedFields(joined, names, new Set(visible.flatMap(({ label }) => label ?? [])));
  hideReferences(dimensions, joined, fields);
  Object.assign(dimensions, fields);
  const time = timeColumn(table);
  let timeName =
    time && Object.entries(dimensions).find(([, dimension]) => dimension.column === time.name)?.[0];
  const parts = dateParts(table);
  if (!timeName && parts) {
    timeName = freeName('date', names);
    dimensions[timeName] = {
      label: 'Date',
      expr: `make_date(${parts.map(part => quotedColumn(part.name)).join(', ')})`,
    };
  }
  const ofJoin = timeName === undefined ? joinedTime(fields, joined) : undefined;
  timeName ??= ofJoin?.name;
  if (timeName) {
    const type = ofJoin?.type ?? time?.type ?? 'date';
    const joins = new Set(joined.map(({ name }) => name));
    Object.assign(dimensions, inferTimeParts(dimensions[timeName]!, type, joins, names));
  }
  Object.assign(dimensions, inferHours(table, dimensions, names));
  const { rows, ...single } = measures;
  return {
    version: 1,
    label: labelFrom(table.name),
    table: table.name,
    ...(timeName && { time: timeName }),
    ...(joined.length > 0 && { joins: Object.fromEntries(joined.map(({ name, join }) => [name, join])) }),
    dimensions,
    measures: {
      rows: namedCount(rows!, table, joined),
      ...combinedMeasures(table, joined, measureNames),
      ...single,
    },
  };
}

/**
 * Rows are called what they are, `Orders`, where a table is named for several of a thing or is one among
 * others. Nobody counts weathers, and a row that says how many there were is not one of them.
 */
function namedCount(rows: MeasureFile, table: TableProfile, joined: readonly JoinedTable[]): MeasureFile {
  const { name, columns } = table;
  const words = wordsOfContent(name);
  const noun = words.at(-1)!;
  const isTally = columns.some(column =>
    /^(?:totals|counts?|cnt|n|freq|frequency)$/.test(wordsOf(column.name)),
  );
  const isNamed = joined.length > 0 || (plural(noun) === noun && words.length <= 3);
  if (isTally) return rows;
  if (!isNamed || !isCountable(noun))
    return { ...rows, label: keyedThings(table) ?? thingsBeforePlace(table) ?? rows.label! };
  return { ...rows, label: labelFrom([...words.slice(0, -1), plural(noun)].join(' ')) };
}

/** `orders 2023` and `orders export final` hold orders, as `orders` does. */
function wordsOfContent(table: string): readonly string[] {
  const words = wordsOf(table).split(' ');
  const last = words.findLastIndex(
    (word, i) => i === 0 || (!/^(?:\d+|v\d+)$/.test(word) && !versions.has(word)),
  );
  return words.slice(0, last + 1);
}

/** Words at the end of a file's name that say how, when or for whom it was made rather than what is in it. */
const versions = new Set(
  phrases(
    `export exported extract dump backup copy final draft raw clean cleaned sample full all new old latest current
    data dataset csv january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec q1 q2 q3 q4 h1 h2`,
  ),
);

/**
 * What the rows are where each has a key and a table is named for a thing, then for a place or the like, and a
 * year: `Police stops` of `police_stops_minneapolis_2017`.
 */
function thingsBeforePlace({ name, columns, rows }: TableProfile): string | undefined {
  const words = wordsOfContent(name);
  const [noun, place] = words.slice(-2);
  const isDated = words.length < wordsOf(name).split(' ').length;
  if (!isDated || words.length < 2 || words.length > 4) return undefined;
  const isThing = isCountable(noun!) && plural(noun!) === noun && !containers.has(noun!);
  const isKeyed = columns.some(
    column => column.distinct === rows && column.nulls === 0 && isKeyName(wordsOf(column.name)),
  );
  return isThing && isCountable(place!) && isKeyed ? labelFrom(words.slice(0, -1).join(' ')) : undefined;
}

const isKeyName = (name: string) => /^(?:id|key|no|number)\b|\b(?:id|key|no|nr|num|number)$/.test(name);

/** Names of folders that say nothing of the rows in their files. */
const containers = new Set(
  phrases(
    'files exports imports uploads downloads documents workbooks sheets tables reports datasets records',
  ),
);

/** What the rows are where each has a key of its own that is named after it: `Invoices` of `Invoice ID`. */
function keyedThings({ columns, rows }: TableProfile): string | undefined {
  if (rows < 2) return undefined;
  const keys = columns.filter(({ distinct, nulls }) => distinct === rows && nulls === 0);
  const things = keys.flatMap(({ name }) => {
    const { words, suffix } = referenceName(name);
    const noun = words.at(-1);
    return suffix !== undefined && noun && isCountable(noun) && !unnamedThings.has(noun) ? [words] : [];
  });
  const [words, ...others] = things;
  if (!words || others.length > 0 || words.length > 2) return undefined;
  return labelFrom([...words.slice(0, -1), plural(words.at(-1)!)].join(' '));
}

/** Words before `id` that do not say what a row is. */
const unnamedThings = new Set(
  phrases('row record line item index object entity unique global internal external source seq sequence'),
);

/** `lat` and `lng` in full, where they are degrees. */
function fullCoordinate({ name }: ColumnProfile, meaning: Meaning): string | undefined {
  const isShort = /^(?:lat|lon|lng|long)$/.test(wordsOf(name));
  return isShort && (meaning === 'latitude' || meaning === 'longitude') ? meaning : undefined;
}

/** What a total is of, no tile says: `Invoice total`. */
function labelOfTotal(table: string, total: string): string {
  const words = tableWordsOf(table);
  const noun = words.at(-1)!;
  // Longer names of tables are those of a file, and would be in each title.
  return isCountable(noun) && words.length <= 2
    ? labelFrom([...words.slice(0, -1), singular(noun), labelInSentence(total)].join(' '))
    : total;
}

/** A reference that a joined table has a name for is kept, but no longer offered. */
function hideReferences(
  dimensions: Record<string, DimensionFile>,
  joined: readonly JoinedTable[],
  fields: Readonly<Record<string, DimensionFile>>,
): void {
  const named = joined.filter(({ name, depth }) => depth === 1 && Object.values(fields).some(isOf(name)));
  const references = new Set(named.flatMap(({ columns }) => columns));
  for (const [name, dimension] of Object.entries(dimensions))
    if (references.has(dimension.column ?? ''))
      dimensions[name] = { ...dimension, role: 'identifier', hidden: true };
}

const isOf =
  (join: string) =>
  ({ column, expr }: DimensionFile) =>
    (column ?? expr ?? '').includes(`${join}.`);

/** The date of the nearest joined table that has one. */
function joinedTime(
  fields: Readonly<Record<string, DimensionFile>>,
  joined: readonly JoinedTable[],
): { readonly name: string; readonly type: DataType } | undefined {
  for (const { name, profile } of joined) {
    const time = timeColumn(profile);
    const found = time && Object.entries(fields).find(([, { column }]) => column === `${name}.${time.name}`);
    if (found) return { name: found[0], type: time.type };
  }
  return undefined;
}

/**
 * How whole numbers are written that are so large that their digits are grouped, or are not: 343,719
 * milliseconds, but customer 17850. A column of larger numbers with decimals has as many of them in each row.
 */
function formatOfDigits(column: ColumnProfile, meaning: Meaning): string | undefined {
  const isMeasured = meaning === 'amount' || meaning === 'level';
  const unit = isMeasured ? formatOfUnit(wordsOf(column.name)) : undefined;
  if (unit || !isNumeric(column.type)) return unit;
  const max = Number(column.max);
  if (meaning === 'identifier' || meaning === 'category') return max >= 10_000 ? 'plain' : undefined;
  if (!isMeasured || !(max >= 1000 || decimalsIn(column) > maxDecimals)) return undefined;
  if (column.type === 'integer') return 'integer';
  // Numbers below one would lose the digits that count.
  return column.type === 'number' && max >= 10 ? ',.2f' : undefined;
}

/** More decimals are those of a computation: 18.4125 degrees. */
const maxDecimals = 2;

/** The most decimals among the numbers that are known of a column. */
function decimalsIn({ min, max, top }: ColumnProfile): number {
  const known = [min, max, ...top.map(({ value }) => value)].map(value => String(value ?? ''));
  return Math.max(0, ...known.map(text => /^-?\d+\.(\d+)$/.exec(text)?.[1]!.length ?? 0));
}

/** The measure of a column that is added up or averaged; undefined for any other. */
function measureOfColumn(
  column: ColumnProfile,
  meaning: Meaning,
  {
    table,
    label,
    description,
  }: { readonly table: string; readonly label: string; readonly description?: string },
): { readonly name: string; readonly file: MeasureFile } | undefined {
  if (meaning !== 'amount' && meaning !== 'level') return undefined;
  const described = description === undefined ? {} : { description };
  if (isInMilliseconds(column))
    return {
      name: `avg_${column.name}`,
      file: {
        label: 'Average duration',
        expr: `avg(${quotedColumn(column.name)}) / 1000`,
        format: 'duration',
        ...described,
      },
    };
  const aggregate = meaning === 'amount' ? 'sum' : 'avg';
  return {
    name: meaning === 'amount' ? `total_${column.name}` : `avg_${column.name}`,
    file: {
      label: meaning === 'level' ? `Average ${labelInSentence(label)}` : totalOf(label, table),
      expr: `${aggregate}(${quotedColumn(column.name)})`,
      format: formatOf(column, aggregate),
      ...(isInPercent(column) && { unit: '%' }),
      ...described,
    },
  };
}

function totalOf(label: string, table: string): string {
  if (/^total$/i.test(label)) return labelOfTotal(table, label);
  return /^total/i.test(label) ? label : `Total ${labelInSentence(label)}`;
}

/** Whether numbers are parts of a whole, by their name: a discount of 0.15 is written as 15 %. */
function isFraction(column: ColumnProfile): boolean {
  const name = wordsOf(column.name);
  return (
    column.format === undefined &&
    // Whole numbers 0 and 1 are flags.
    column.type !== 'integer' &&
    inside(column, 0, 1) &&
    Number(column.max) > 0 &&
    mentions(name, fractions) &&
    !/\b(?:exchange|fx|currency|conversion factor)\b/.test(name)
  );
}

/** Whether numbers up to 100 are already in percent, by their name. */
function isInPercent(column: ColumnProfile): boolean {
  const isSmall = Number(column.max) <= 1;
  return (
    column.format === undefined &&
    !isSmall &&
    inside(column, 0, 100) &&
    mentions(wordsOf(column.name), percents)
  );
}

/** Whether numbers with decimals are prices or amounts of money, by their name: all are written with two. */
function isMoney({ name, type, high = 0 }: ColumnProfile, meaning: Meaning): boolean {
  const words = wordsOf(name);
  return (
    (meaning === 'amount' || meaning === 'level') &&
    (type === 'number' || type === 'decimal') &&
    // Prices of parts, such as tokens, have more.
    high >= 1 &&
    (isPrice(words) ||
      /^(?:grand |order |invoice |sub )?total$/.test(words) ||
      ((mentions(words, proceeds) || mentions(words, costs)) && !/\b(?:rate|index)\b/.test(words)))
  );
}

const isInMilliseconds = ({ name }: Pick<ColumnProfile, 'name'>) =>
  /(?:^| )milliseconds$/.test(wordsOf(name));

/** Bytes and seconds have words for many of them. */
function formatOfUnit(name: string): string | undefined {
  if (/\bbytes\b/.test(name)) return 'bytes';
  if (isInMilliseconds({ name })) return 'duration:ms';
  return /(?:^| )(?:duration|time|elapsed|length) (?:in )?(?:s|secs?|seconds)$|^seconds$/.test(name)
    ? 'duration'
    : undefined;
}

/** Year, month and day as three columns of whole numbers, where a table has them so. */
export function dateParts(table: TableProfile): readonly ColumnProfile[] | undefined {
  const found = ['year', 'month', 'day'].map(part =>
    table.columns.find(column => column.name.toLowerCase() === part && column.type === 'integer'),
  );
  const [year, month, day] = found;
  const isDate =
    year && month && day && inside(year, 1000, 3000) && inside(month, 1, 12) && inside(day, 1, 31);
  return isDate ? [year, month, day] : undefined;
}

/**
 * The column that most probably says when a row happened, if any does. Dates of birth or of hiring are no time
 * axis of a table, and do not say how new its data is.
 */
export function timeColumn(table: TableProfile): ColumnProfile | undefined {
  const candidates = table.columns.filter(
    ({ name, type, distinct, nulls }) =>
      isTemporal(type) &&
      distinct > 1 &&
      nulls < table.rows * 0.5 &&
      !/\b(?:birth|birthdate|birthday|born|dob|hire|hired)\b/.test(wordsOf(name)),
  );
  const score = (column: ColumnProfile) =>
    (/\b(date|time|timestamp|when|day|month|created|start|started|order)\b/.test(wordsOf(column.name))
      ? 2
      : 0) -
    (/\b(updated|modified|end|ended|shipped|required|due)\b/.test(wordsOf(column.name)) ? 2 : 0) -
    (2 * column.nulls) / Math.max(1, table.rows);
  return candidates.toSorted((a, b) => score(b) - score(a))[0];
}

function formatOf(column: ColumnProfile, aggregate: 'sum' | 'avg'): string {
  if (column.format !== undefined) return column.format;
  const name = wordsOf(column.name);
  if (isFraction(column)) return 'percent';
  const unit = formatOfUnit(name);
  if (unit) return unit;
  if (aggregate === 'sum') return column.type === 'integer' ? 'integer' : 'number';
  const span = Math.abs((column.high as number) - (column.low as number));
  return span >= 1000 ? 'integer' : span >= 10 ? '.1f' : span >= 1 ? '.2f' : 'number';
}

function inside(column: ColumnProfile, low: number, high: number): boolean {
  return isNumeric(column.type) && Number(column.min) >= low && Number(column.max) <= high;
}
