import {
  aggregateWords,
  afterWords,
  beforeSuffixes,
  beforeWords,
  calculationWords,
  comparisonWords,
  containmentWords,
  currentWords,
  distributionWords,
  exclusionWords,
  fillers,
  groupingWords,
  highestWords,
  kindWords,
  lastWords,
  lowestWords,
  monthWords,
  ordinals,
  partWords,
  previousWords,
  rangeBeginnings,
  rangeMiddles,
  relativeDays,
  sinceSuffixes,
  sinceWords,
  synonyms,
  trendWords,
  unitAdverbs,
  unitWords,
  weakLabelWords,
} from './phrase-words.ts';

/** A word of a phrase, a label or a value. */
export interface Token {
  /** In lower case, without accents. */
  readonly text: string;
  /** What equal words of other numbers, cases and languages share. */
  readonly keys: readonly string[];
  /** As typed. */
  readonly raw: string;
}

/** The Chinese words that phrases are cut into, by their first characters. */
const chineseWords: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [
    ...Object.values(unitWords).flat(),
    ...Object.values(unitAdverbs).flat(),
    ...Object.values(aggregateWords).flat(),
    ...Object.values(partWords).flat(),
    ...Object.values(calculationWords).flat(),
    ...Object.values(kindWords).flat(),
    ...relativeDays.flatMap(([words]) => words),
    ...ordinals.flat(),
    ...monthWords.flat(),
    ...synonyms.flat(),
    ...distributionWords,
    ...fillers,
    ...groupingWords,
    ...containmentWords,
    ...exclusionWords,
    ...comparisonWords,
    ...highestWords,
    ...lowestWords,
    ...trendWords,
    ...lastWords,
    ...previousWords,
    ...currentWords,
    ...sinceWords,
    ...afterWords,
    ...beforeWords,
    ...sinceSuffixes,
    ...beforeSuffixes,
    ...rangeBeginnings,
    ...rangeMiddles,
    ...weakLabelWords,
  ]
    .filter(word => /^\p{Script=Han}{2,}$/u.test(word))
    .toSorted((a, b) => b.length - a.length),
  word => word[0]!,
);

const synonymKeys = new Map<string, readonly string[]>();
for (const [i, group] of synonyms.entries())
  for (const word of group) {
    const key = stemOf(word);
    synonymKeys.set(key, [...(synonymKeys.get(key) ?? []), `#${i}`]);
  }

/** Cuts a text into words; numbers with separators, such as `1997-03`, stay whole. */
export function tokensOf(text: string): readonly Token[] {
  const apart = text
    .normalize('NFKC')
    .replace(/[–—]/g, '-')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const found = apart.matchAll(
    /\p{Script=Han}+|[Qq][1-4](?![\p{L}\p{N}])|\d+(?:[.:/-]\d+)*|(?:(?!\p{Script=Han})[\p{L}\p{M}])+/gu,
  );
  return [...found]
    .flatMap(([raw]) => (/^\p{Script=Han}/u.test(raw) ? chineseWordsIn(raw) : germanWordsIn(raw)))
    .map(raw => {
      const folded = fold(raw);
      const stem = stemOf(folded);
      return { text: folded, raw, keys: [stem, ...(synonymKeys.get(stem) ?? [])] };
    });
}

/** The two words of a German one such as `Bestellwert`. */
function germanWordsIn(word: string): readonly string[] {
  const [, first, second] =
    /^(bestell|auftrags|rechnungs|kunden|produkt)(wert|anzahl|linie|kategorie)[es]?n?$/i.exec(word) ?? [];
  return first && second ? [wholeWords[first.toLowerCase()]!, second] : [word];
}
const wholeWords: Readonly<Record<string, string>> = {
  bestell: 'Bestellung',
  auftrags: 'Auftrag',
  rechnungs: 'Rechnung',
  kunden: 'Kunde',
  produkt: 'Produkt',
};

function chineseWordsIn(run: string): readonly string[] {
  const words: string[] = [];
  for (let rest = run; rest !== ''; rest = rest.slice(words.at(-1)!.length))
    words.push(chineseWords.get(rest[0]!)?.find(word => rest.startsWith(word)) ?? rest[0]!);
  return words;
}

function fold(word: string): string {
  return (
    word
      .toLowerCase()
      .replaceAll('ß', 'ss')
      // Only Latin letters: in other scripts, a mark that looks like an accent changes the letter.
      .replace(/[À-ɏ]/g, letter => letter.normalize('NFD').replace(/\p{M}/gu, ''))
  );
}

/** Cuts off the endings of English and German plurals and cases. The rest need not be a word. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /[^sui]s$/.test(word)
      ? word.slice(0, -1)
      : word;
  const bare = singular.replace(/(?:en|er|e|n)$/, '');
  return bare.length >= 4 ? bare : singular;
}

/** The text that terms are looked up by: words with one space between them. */
export function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ');
}

/** Terms as the phrases' tokens are: Chinese ones cut into words. The longest come first. */
function asTokens(words: readonly string[]): readonly string[] {
  return [...new Set(words.map(word => textOf(tokensOf(word)) || word))].toSorted(
    (a, b) => b.length - a.length,
  );
}

/** A part of a regular expression that matches any of the words. */
export function anyOfWords(...words: readonly (readonly string[])[]): string {
  const escaped = asTokens(words.flat()).map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(?:${escaped.join('|')})`;
}
