/**
 * Names of countries in German and Chinese, and words for women and men, written as the values of a model's fields
 * are: `Umsatz in Deutschland` is about rows that say `Germany`, or `DE`.
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

interface NamedValue {
  /** In phrases, in lower case: of countries, those of the other languages. */
  readonly names: readonly string[];
  /** In data: of a country, its name in English, and its code. */
  readonly values: readonly string[];
}

const people: readonly NamedValue[] = [
  {
    names: ['women', 'woman', 'frauen', 'weibliche', 'weiblich', '女性', '女'],
    values: ['Female', 'female', 'FEMALE', 'Women', 'Woman', 'Frau', 'weiblich', '女'],
  },
  {
    names: ['men', 'man', 'männer', 'männliche', 'männlich', '男性', '男'],
    values: ['Male', 'male', 'MALE', 'Men', 'Man', 'Mann', 'männlich', '男'],
  },
];

let known: readonly NamedValue[] | undefined;

function namedValues(): readonly NamedValue[] {
  if (known) return known;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const [english, ...others] = ['en', ...otherLanguages].map(
    language => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  );
  const countries = letters
    .flatMap(first => letters.map(second => first + second))
    .flatMap(code => {
      const name = english!.of(code);
      if (name === undefined) return [];
      const names = others.flatMap(language => language.of(code)?.toLowerCase() ?? []);
      return [{ names, values: [name, ...(aliases[code] ?? []), code] }];
    });
  return (known = [...countries, ...people]);
}

/** A phrase with countries, women and men named as the values are, where a value names them. */
export function withKnownValues(phrase: string, values: ReadonlySet<string>): string {
  const lowered = phrase.toLowerCase();
  return namedValues().reduce((text, named) => {
    const name = named.names.find(one => lowered.includes(one));
    const value = name === undefined ? undefined : named.values.find(one => values.has(one));
    if (name === undefined || value === undefined || value.toLowerCase() === name) return text;
    // Chinese has no spaces between words.
    const isHan = /^\p{Script=Han}/u.test(name);
    const pattern = isHan
      ? name
      : `(?<![\\p{L}])${name.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&')}(?![\\p{L}])`;
    return text.replace(new RegExp(pattern, 'iu'), isHan ? ` ${value} ` : value);
  }, phrase);
}
