/**
 * Names of countries in German and Chinese, written as the values of a model's fields are: `Umsatz in
 * Deutschland` is about rows that say `Germany`, or `DE`.
 */

const otherLanguages = ['de', 'zh'] as const;
/** Other English names of countries in data. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  US: ['USA', 'U.S.', 'United States of America'],
  GB: ['UK', 'Great Britain', 'England'],
  CZ: ['Czech Republic'],
  TR: ['Turkey'],
  NL: ['The Netherlands', 'Holland'],
};

interface Country {
  /** In the other languages, folded. */
  readonly names: readonly string[];
  /** In English, and its code. */
  readonly values: readonly string[];
}

let known: readonly Country[] | undefined;

function countries(): readonly Country[] {
  if (known) return known;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const [english, ...others] = ['en', ...otherLanguages].map(
    language => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  );
  known = letters
    .flatMap(first => letters.map(second => first + second))
    .flatMap(code => {
      const name = english!.of(code);
      if (name === undefined) return [];
      const names = others.flatMap(language => language.of(code)?.toLowerCase() ?? []);
      return [{ names, values: [name, ...(aliases[code] ?? []), code] }];
    });
  return known;
}

/** A phrase with countries named as the values are, where a value names the country. */
export function withCountryValues(phrase: string, values: ReadonlySet<string>): string {
  const lowered = phrase.toLowerCase();
  return countries().reduce((text, country) => {
    const name = country.names.find(one => lowered.includes(one));
    const value = name === undefined ? undefined : country.values.find(one => values.has(one));
    if (name === undefined || value === undefined || value.toLowerCase() === name) return text;
    // Chinese has no spaces between words.
    const isHan = /^\p{Script=Han}/u.test(name);
    const pattern = isHan
      ? name
      : `(?<![\\p{L}])${name.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&')}(?![\\p{L}])`;
    return text.replace(new RegExp(pattern, 'iu'), isHan ? ` ${value} ` : value);
  }, phrase);
}
