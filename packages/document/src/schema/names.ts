import { z } from 'zod';

/**
 * The only valid name that every object has as a property. A lookup would find an entry of this name where
 * there is none.
 */
const taken = 'constructor';
const maxNameLength = 63;
export const nameRule = `use lower-case letters, digits and _, beginning with a letter (${maxNameLength} characters at most), and not \`${taken}\``;

/** A name of a model, dimension, measure or tile. */
export const Name = z.string().regex(/^(?!constructor$)[a-z][a-z0-9_]{0,62}$/, nameRule);

/** A reference to a dashboard's parameter, instead of a value: `:target`. */
export const ParameterName = z.templateLiteral([':', Name]);
export type ParameterName = z.infer<typeof ParameterName>;

/** A value, or a parameter that supplies it. */
export function orParameter<S extends z.ZodType>(schema: S) {
  return z.union([schema, ParameterName]);
}

/** A part of a document with its parameters replaced by their values. */
export type Resolved<T> = T extends ParameterName
  ? never
  : T extends object
    ? { [K in keyof T]: Resolved<T[K]> }
    : T;

/** Text for display: 1 to 200 characters of any script. */
export const Label = z.string().min(1).max(200);

export const LongText = z.string().max(20_000);

/** Converts any text to a valid name: `Arr Delay (min)` becomes `arr_delay_min`. */
export function nameFrom(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const started = /^[a-z]/.test(plain) ? plain : plain === '' ? 'column' : `c_${plain}`;
  const name = started.slice(0, 60).replace(/_+$/, '');
  return name === taken ? `${taken}_2` : name;
}

/** Like `nameFrom`, with `_2`, `_3` … for a name that is taken. Adds the new name to `taken`. */
export function freeName(text: string, taken: Set<string>): string {
  const wanted = nameFrom(text);
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted.slice(0, maxNameLength - `_${n}`.length)}_${n}`;
  taken.add(name);
  return name;
}

/** Abbreviations that are written in capitals. Only those that are no common words, in any case. */
const abbreviations = new Set(
  'id us usa uk eu un url ip sku vat iso isbn iata icao faa gdp usd eur gbp gps http api pdf'.split(' '),
);

/**
 * Converts a name to a label: `arr_delay` becomes `Arr delay`, `DepDelayMinutes` becomes `Dep delay minutes`,
 * `customer_id` becomes `Customer ID`. Questions stay unchanged.
 */
export function labelFrom(text: string): string {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_.\s]+/g, ' ')
    .trim();
  if (words === '') return text.trim() || 'Column';
  // In a sentence, capitals mark names; in a heading, every word has one.
  const isSentence = /[?!:;,](\s|$)/.test(words) || words.split(' ').length > 6;
  const lowered = isSentence
    ? words
    : words
        .replace(/\b[A-Z][a-z]+/g, word => word.toLowerCase())
        .replace(/(?<![\p{L}\p{N}’'])\p{L}+(?![\p{L}\p{N}’'])/gu, word =>
          abbreviations.has(word) ? word.toUpperCase() : word,
        );
  return (lowered[0]!.toUpperCase() + lowered.slice(1)).slice(0, 200);
}

/** A label within a sentence or another label: `Arr delay` becomes `arr delay`; `US state` stays. */
export function labelInSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;
}
