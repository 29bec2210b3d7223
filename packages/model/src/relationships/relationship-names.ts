import { wordsOf } from '../inference/column-vocabulary.ts';

/** A column's name as a reference: `ship_customer_id` is `ship customer` with an `id`. */
export interface ReferenceName {
  /** Lower-case words without the suffix; none for a column called `id`. */
  readonly words: readonly string[];
  readonly suffix?: 'id' | 'code' | 'number';
}

/**
 * How a column's name leads to a table, best first: the whole name, a role before it, or only a part of the
 * table's name.
 */
export type NameMatch = 'exact' | 'role' | 'hierarchy' | 'partial';

const suffixes: Readonly<Record<string, ReferenceName['suffix']>> = {
  ...Object.fromEntries(['id', 'ids', 'key', 'fk', 'sk', 'pk', 'uuid', 'guid'].map(word => [word, 'id'])),
  ...Object.fromEntries(['code', 'abbr', 'iata', 'icao', 'faa', 'iso'].map(word => [word, 'code'])),
  ...Object.fromEntries(['no', 'nr', 'nbr', 'num', 'number', 'nummer'].map(word => [word, 'number'])),
};

/**
 * Splits a column's name into what it refers to and how: `customerID`, `customer_id`, `customerid` and
 * `id_customer` are alike.
 */
export function referenceName(column: string): ReferenceName {
  const words = wordsOf(column).split(' ');
  const last = suffixes[words.at(-1)!];
  if (last) return { words: words.slice(0, -1), suffix: last };
  const first = suffixes[words[0]!];
  if (first && words.length > 1) return { words: words.slice(1), suffix: first };
  const joined = /^(\p{L}{3,}?)(id|key|code)$/u.exec(words.at(-1)!);
  if (joined) return { words: [...words.slice(0, -1), joined[1]!], suffix: suffixes[joined[2]!]! };
  return { words };
}

/**
 * Words compared without plural, gender of spelling or blanks: `Order Details` and `order_detail` are one.
 */
export function stem(words: readonly string[]): string {
  return words.map(stemOfWord).join('');
}

function stemOfWord(word: string): string {
  const singular = irregular[word] ?? (/(?:ss|us|is)$/.test(word) ? word : word.replace(/s$/, ''));
  return singular.length <= 3 ? singular : singular.replace(/e$/, '').replace(/y$/, 'i');
}

const irregular: Readonly<Record<string, string>> = { people: 'person', men: 'man', children: 'child' };

const unchanged = new Set(['series', 'species', 'news', 'sms', 'gps']);

/** A word in the singular, as it is read: `categories` becomes `category`. */
export function singular(word: string): string {
  if (irregular[word]) return irregular[word];
  if (/(?:ss|us|is)$/.test(word) || unchanged.has(word)) return word;
  if (/[^aeiou]ies$/.test(word) && word !== 'movies') return word.replace(/ies$/, 'y');
  if (/(?:ss|x|z|ch|sh|us)es$/.test(word)) return word.replace(/es$/, '');
  return word.replace(/s$/, '');
}

/** A word in the plural: `category` becomes `categories`. */
export function plural(word: string): string {
  if (singular(word) !== word || unchanged.has(word)) return word;
  if (word === 'person') return 'people';
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? word.replace(/y$/, 'ies') : `${word}s`;
}

/** Nouns without a plural of their own, and plurals that are one thing: a table of sales has rows. */
const uncountable = new Set(
  phrases(`weather data information info news series species sms gps staff personnel equipment furniture inventory stock traffic
    electricity energy power water demand supply consumption usage production research feedback content money cash income
    sales statistics stats metrics analytics logistics economics results totals contents goods
    history attendance population people`),
);

/** Whether a table's rows can be counted by its last word, as orders can: not weather, and not sales. */
export function isCountable(noun: string): boolean {
  return /^\p{L}{3,}$/u.test(noun) && !uncountable.has(noun);
}

/** The words of a text; `_` joins those of a phrase. */
export function phrases(text: string): readonly string[] {
  return text
    .trim()
    .split(/\s+/)
    .map(word => word.replaceAll('_', ' '));
}

/** Words that say that something is a table, or of which kind. */
const tableWords = new Set(
  'dim fact fct tbl table stg raw src lkp lookup ref master data csv list sheet all dimension export tb vw view'.split(
    ' ',
  ),
);

/**
 * What a table holds, in words: `dim_customer` is `customer`. @param shared words that all tables begin with,
 * as the sheets of a
 * workbook do
 */
export function tableWordsOf(table: string, shared = 0): readonly string[] {
  const words = wordsOf(table).split(' ').slice(shared);
  const bare = words.filter(word => !tableWords.has(word) && !/^\d+$/.test(word));
  return bare.length > 0 ? bare : words;
}

/** How many words the names of all tables begin with in common, each keeping one of its own. */
export function sharedWords(tables: readonly string[]): number {
  if (tables.length < 2) return 0;
  const all = tables.map(table => wordsOf(table).split(' '));
  const maxWords = Math.min(...all.map(words => words.length - 1));
  let shared = 0;
  while (shared < maxWords && all.every(words => words[shared] === all[0]![shared])) shared++;
  return shared;
}

const hierarchies =
  /^(?:reports? to|reporting to|manager|managed by|mgr|supervisor|supervised by|boss|superior|parent|mentor|team lead|leader)$/;
const persons = new Set(
  ['employee', 'staff', 'user', 'person', 'worker', 'member'].map(word => stem([word])),
);
const personRoles = new Set(
  phrases(`rep representative salesperson sales_person salesman seller agent manager supervisor assignee owner author creator approver
    advisor adviser instructor teacher created_by updated_by approved_by handled_by sold_by sold_to assigned_to`),
);
const places = new Set(
  ['airport', 'station', 'stop', 'location', 'place', 'port', 'city', 'zone', 'terminal', 'hub', 'depot'].map(
    word => stem([word]),
  ),
);
const placeRoles =
  /^(?:origin|orig|dest|destination|from|to|departure|arrival|dep|arr|source|src|dst|start|end|pickup|dropoff)$/;

/**
 * How a reference's name leads to a table, where it does.
 * @param own whether it is the reference's own table
 */
export function matchTable(
  { words, suffix }: ReferenceName,
  table: readonly string[],
  from: readonly string[],
  own: boolean,
): NameMatch | undefined {
  if (words.length === 0) return undefined;
  const [target, name] = [stem(table), stem(words)];
  const text = words.join(' ');
  if (own) {
    const bare =
      stem(words.slice(0, -1)) !== '' && stem(words.slice(-1)) === target ? words.slice(0, -1) : words;
    return hierarchies.test(bare.join(' ')) && (suffix === 'id' || suffix === undefined)
      ? 'hierarchy'
      : suffix === 'id' && bare !== words
        ? 'role'
        : undefined;
  }
  if (name === target || stem([...from, ...words]) === target) return 'exact';
  if (isAgentOf(words, target)) return 'role';
  if (places.has(target) && placeRoles.test(text)) return 'role';
  if (persons.has(target) && [1, 2].some(length => personRoles.has(words.slice(-length).join(' '))))
    return 'role';
  for (let i = 1; i < words.length; i++)
    if (stem(words.slice(i)) === target)
      return suffix || placeRoles.test(words.slice(0, i).join(' ')) ? 'role' : undefined;
  for (let i = 1; i < table.length; i++)
    if (stem(table.slice(i)) === name || stem(table.slice(0, -i)) === name) return 'partial';
  return undefined;
}

/** `ship_via` names a shipper, `printed_by` a printer. */
function isAgentOf(words: readonly string[], target: string): boolean {
  const [verb, by] = words;
  if (words.length !== 2 || (by !== 'via' && by !== 'by') || verb!.length < 3) return false;
  const base = verb!.replace(/(?:p|t|n|l|m)?ed$/, '').replace(/e$/, '');
  return [base, base + base.at(-1)!].some(start => [`${start}er`, `${start}or`].includes(target));
}

/** Whether a key is named for its table: `id`, `customer_id` or `cust_id` of `customers`. */
export function isNamesake(key: ReferenceName, table: readonly string[]): boolean {
  const [name, target] = [stem(key.words), stem(table)];
  return (
    (key.words.length === 0 && key.suffix !== undefined) ||
    name === target ||
    (name.length >= 3 && name[0] === target[0] && key.suffix !== undefined && isSubsequence(name, target))
  );
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
