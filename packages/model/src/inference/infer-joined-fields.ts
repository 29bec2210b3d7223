import { freeName, labelFrom, type DimensionFile } from '@belvedere/document';
import { mentions, wordsOf } from './column-vocabulary.ts';
import type { JoinedTable } from './infer-joins.ts';
import { meaningOf } from './infer-meaning.ts';
import { namelessWords } from './infer-nameless.ts';
import { quotedColumn } from './quoted-column.ts';
import { phrases, referenceName, singular, stem, tableWordsOf } from '../relationships/relationship-names.ts';
import { isTemporal, type ColumnProfile, type TableProfile } from '../table.ts';

/** Of all joined tables together, and of one by its distance. */
const maxFields = 40;
const maxByDepth = [6, 4, 3];

/** Fields of a joined table that are left out: contact details, and long texts. */
const unwanted = {
  words: new Set(
    phrases(`phone telephone tel fax mobile email e_mail mail address street addr line_1 line_2 line1 line2 zip zipcode postal postcode plz
      url website homepage web link photo picture image path note comment remark description extension password hash token uuid guid
      contact courtesy rownames tz dst tzone timezone`),
  ),
  endings: [],
};
const names = /\b(?:name|title|label)$/;
const regions =
  /\b(?:country|city|state|region|province|county|continent|district|land|stadt|pays|ville|pais)\b/;

/**
 * Columns of joined tables that say more than their keys, as dimensions: names, places, categories and dates. The
 * name of a joined row is labelled as the row is: `Customer` has the values of `customer_name`.
 * @param taken names of fields, to which theirs are added
 * @param labels labels of other visible fields, to which theirs are added
 */
export function joinedFields(
  joined: readonly JoinedTable[],
  taken: Set<string>,
  labels: Set<string>,
): Record<string, DimensionFile> {
  const labelled = (short: string, long: string) => {
    const label = [short, long].map(labelFrom).find(one => !labels.has(one)) ?? labelFrom(long);
    labels.add(label);
    return label;
  };
  const fields: Record<string, DimensionFile> = {};
  for (const join of joined) {
    const maxOfJoin = Math.min(maxByDepth[join.depth - 1] ?? 2, maxFields - Object.keys(fields).length);
    const person = nameOfPerson(join.profile);
    const rest = wanted(join, person).slice(0, Math.max(0, maxOfJoin - (person ? 1 : 0)));
    const main = mainName(join.profile) ?? describingText(join.profile);
    if (person && maxOfJoin > 0)
      fields[freeName(`${join.name}_name`, taken)] = {
        label: labelled(wordsOf(join.name), `${wordsOf(join.name)} name`),
        expr: fullName(join, person),
      };
    for (const column of rest) {
      const words = mergedWords(wordsOf(join.name), nameWords(column, join.profile));
      fields[freeName(words.replaceAll(' ', '_'), taken)] = {
        label: labelled(column === main && !person ? wordsOf(join.name) : words, words),
        column: `${join.name}.${column.name}`,
        ...(column.format !== undefined && { format: column.format }),
        ...placeRole(column, join.profile),
      };
    }
  }
  return fields;
}

/**
 * `customer` and `company name` are `customer name` where a table has no other; `product` and `product name`
 * are `product name`.
 */
function nameWords(column: ColumnProfile, table: TableProfile): string {
  const words = namelessWords(column, table) ?? wordsOf(column.name);
  return names.test(words) && mainName(table) === column
    ? words.replace(/^.*?(?=(?:name|title|label)$)/, '')
    : words;
}

/**
 * Words of a join and of a column of it, with none of them twice: `order` and `order date` are `order date`.
 */
export function mergedWords(join: string, column: string): string {
  const [before, after] = [join.split(' '), column.split(' ')];
  for (let shared = Math.min(before.length, after.length); shared > 0; shared--) {
    const [end, start] = [before.slice(-shared), after.slice(0, shared)];
    if (end.every((word, i) => singular(word) === singular(start[i]!)))
      return [...before, ...after.slice(shared)].join(' ');
  }
  return [...before, ...after].join(' ');
}

/** First and last name, where a table has no name in one column. */
function nameOfPerson({ columns }: TableProfile): readonly [ColumnProfile, ColumnProfile] | undefined {
  const named = (pattern: RegExp) =>
    columns.find(({ name, type }) => type === 'text' && pattern.test(wordsOf(name)));
  const [first, last] = [named(/^(?:first|given) ?name$/), named(/^(?:last|family|sur) ?name$/)];
  return first && last && [first, last];
}

function fullName(
  { name: join }: JoinedTable,
  [first, last]: readonly [ColumnProfile, ColumnProfile],
): string {
  const column = ({ name }: ColumnProfile) => `${quotedColumn(join)}.${quotedColumn(name)}`;
  // Rows that refer to nobody have no name, rather than a space.
  return `nullif(concat(${column(first)}, ' ', ${column(last)}), ' ')`;
}

/**
 * The column that says what a row is called: `name`, `company_name`, `title`, `category_name`; of orders not
 * `ship_name`.
 */
function mainName(table: TableProfile): ColumnProfile | undefined {
  const own = stem(tableWordsOf(table.name));
  const named = table.columns.filter(({ name, type }) => type === 'text' && names.test(wordsOf(name)));
  const before = ({ name }: ColumnProfile) => wordsOf(name).split(' ').slice(0, -1);
  return (
    named.find(column => before(column).length === 0 && wordsOf(column.name) !== 'title') ??
    named.find(column => own.endsWith(stem(before(column))) && stem(before(column)) !== '') ??
    named.find(column => wholeNames.has(before(column).join(' '))) ??
    named.find(({ name, distinct }) => wordsOf(name) === 'title' && distinct > table.rows / 2)
  );
}

const wholeNames = new Set([
  'company',
  'full',
  'display',
  'business',
  'organization',
  'organisation',
  'legal',
]);

/** The best first: its name, places, categories, dates. */
function wanted(
  { profile: table, references, join: { between = {} } }: JoinedTable,
  person: readonly ColumnProfile[] | undefined,
): ColumnProfile[] {
  const main = person ? undefined : (mainName(table) ?? describingText(table));
  const rank = (column: ColumnProfile): number | undefined => {
    const [name, meaning] = [wordsOf(column.name), meaningOf(column, table.rows)];
    if (column === main) return 0;
    if (Object.values(between).flat().includes(column.name)) return undefined;
    if (person?.includes(column) || mentions(name, unwanted) || column.distinct <= 1) return undefined;
    if (column.nulls > table.rows / 2 || references.includes(column.name)) return undefined;
    if (isTemporal(column.type))
      return /\b(?:birth|hire|updated|modified|required|due|end)\b/.test(name) ? undefined : 2.5;
    if (meaning === 'latitude' || meaning === 'longitude') return 4;
    if (names.test(name) && column.type === 'text') return meaning === 'category' ? 3.5 : undefined;
    if (regions.test(name) && column.type === 'text') return /\bcountry\b/.test(name) ? 1 : 1.5;
    if (referenceName(column.name).suffix !== undefined) return undefined;
    if (meaning !== 'category') return undefined;
    return column.type === 'text' || column.type === 'boolean' ? 2 : isFlagOrYear(column) ? 3 : undefined;
  };
  return table.columns
    .flatMap(column => {
      const place = rank(column);
      return place === undefined ? [] : [{ column, place }];
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ column }) => column);
}

function isFlagOrYear({ distinct, min }: ColumnProfile): boolean {
  return distinct <= 2 || Number(min) >= 1000;
}

/**
 * Where no column is called a name, the first text with a value for nearly each row, as `region_description`
 * of a region.
 */
function describingText(table: TableProfile): ColumnProfile | undefined {
  return table.columns.find(
    ({ name, type, distinct }) =>
      type === 'text' && /\bdescription$/.test(wordsOf(name)) && distinct > table.rows / 2,
  );
}

function placeRole(column: ColumnProfile, table: TableProfile): Pick<DimensionFile, 'role'> {
  const meaning = meaningOf(column, table.rows);
  return meaning === 'latitude' || meaning === 'longitude' ? { role: meaning } : {};
}
