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
    // A name of a file may have a megabyte.
    .slice(0, 1000)
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
