/** Abbreviations that are written in capitals. Only those that are no common words, in any case. */
const abbreviations = new Set(
  'id usa uk eu un url ip sku vat iso isbn iata icao faa gdp usd eur gbp gps http api pdf fips naics uuid guid isin'.split(
    ' ',
  ),
);

/** The longest label, and how much of a name is read for it: one of a file may have a megabyte. */
const maxLabelLength = 200;
const maxReadLength = 5 * maxLabelLength;

/**
 * Names that have capitals in the middle of a label: months, weekdays and the states of the USA, by which sheets
 * and columns are often called. `May` is a verb elsewhere than at the end or before a number.
 */
const properNames = namesIn(
  `january february march april june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday alabama alaska arizona arkansas california colorado connecticut delaware florida
  georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan
  minnesota mississippi missouri montana nebraska nevada new_hampshire new_jersey new_mexico new_york
  north_carolina north_dakota ohio oklahoma oregon pennsylvania rhode_island south_carolina south_dakota tennessee
  texas utah vermont virginia washington west_virginia wisconsin wyoming may(?=_\\d|$)`,
);

function namesIn(text: string): RegExp {
  const names = text.split(/\s+/).map(name => name.replaceAll('_', ' '));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
}

/**
 * Converts a name to a label: `arr_delay` becomes `Arr delay`, `DepDelayMinutes` becomes `Dep delay minutes`,
 * `customer_id` becomes `Customer ID`. Questions stay unchanged.
 */
export function labelFrom(text: string): string {
  const words = text
    .slice(0, maxReadLength)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_.\s]+/g, ' ')
    .trim();
  if (words === '') return text.slice(0, maxLabelLength).trim() || 'Column';
  // In a sentence, capitals mark names; in a heading, every word has one.
  const isSentence = /[?!:;,](\s|$)/.test(words) || words.split(' ').length > 6;
  const lowered = isSentence
    ? words
    : withoutShouting(words)
        .replace(/\b[A-Z][a-z]+/g, word => word.toLowerCase())
        .replace(/(?<![\p{L}\p{N}’'])\p{L}+(?![\p{L}\p{N}’'])/gu, word =>
          abbreviations.has(word) ? word.toUpperCase() : word,
        )
        // Elsewhere it is the pronoun, as in `contact_us`.
        .replace(/^us\b/, 'US')
        .replace(properNames, name => name.replace(/\b\p{Ll}/gu, letter => letter.toUpperCase()));
  return (lowered[0]!.toUpperCase() + lowered.slice(1)).slice(0, maxLabelLength);
}

/**
 * A name in capitals throughout, as databases have them, with its words in small letters: `DEP_TIME`,
 * `LOCATION`. A short one alone is an abbreviation, and so is one without vowels.
 */
function withoutShouting(words: string): string {
  if (/\p{Ll}/u.test(words)) return words;
  const isAlone = !words.includes(' ');
  return words.replace(/\p{Lu}{2,}/gu, word =>
    (isAlone && word.length < 4) || !/[AEIOUYÄÖÜ]/.test(word) ? word : word.toLowerCase(),
  );
}

/** A label within a sentence or another label: `Arr delay` becomes `arr delay`; `US state` stays. */
export function labelInSentence(label: string): string {
  const isName = label.toLowerCase().search(properNames) === 0;
  return /^[A-Z][a-z]/.test(label) && !isName ? label[0]!.toLowerCase() + label.slice(1) : label;
}
