import { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * Parts of requests: existing names, by the key that holds them (`selections/` for what is in each of the
 * selections), and texts for everything else.
 */
export interface Vocabulary {
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly texts: readonly string[];
}

/** Sometimes a value differs from what its schema allows. */
const wrongShare = 0.005;
const numbers = [0, 0, 0, 0, 1, 1, 2, 3, 10, 100, 0.5, -1, -2.5, 1e9, 2 ** 53, 1e300, Date.UTC(2024, 0, 1)];
const schemas = new WeakMap<z.ZodType, Schema>();

/** A value that a schema of the contract takes, or nearly. */
export function randomValue(type: z.ZodType, vocabulary: Vocabulary, random: () => number): unknown {
  const whole =
    schemas.get(type) ?? (z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema);
  schemas.set(type, whole);
  const chance = (share: number) => random() < share;
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const some = () => Math.floor(random() * 3);
  const named = (key: string) => vocabulary.names[key] ?? vocabulary.texts;

  /** @param key the key of the value; for an item of a list, the key of the list */
  function valueOf(schema: Schema, key: string): unknown {
    if (chance(wrongShare))
      return pick<unknown>([null, '', -1, true, [], {}, 'x'.repeat(5000), pick(vocabulary.texts)]);
    if (schema.$ref !== undefined) return valueOf(referred(schema.$ref), key);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return valueOf(pick(either), key);
    switch (schema.type) {
      case 'object':
        return objectOf(schema, key);
      case 'array':
        return Array.from({ length: Math.max(schema.minItems ?? 0, some()) }, () =>
          valueOf(schema.items as Schema, key),
        );
      case 'string':
        return textOf(schema, key);
      case 'integer':
        return Math.min(schema.maximum ?? 1e9, Math.max(schema.minimum ?? -1e9, Math.trunc(pick(numbers))));
      case 'number':
        return pick(numbers);
      case 'boolean':
        return chance(0.5);
      default:
        return null;
    }
  }

  function objectOf(
    { properties = {}, required = [], additionalProperties }: Schema,
    key: string,
  ): Record<string, unknown> {
    const entries = Object.entries(properties)
      .filter(([name]) => (required.includes(name) ? !chance(wrongShare) : chance(0.5)))
      .map(([name, one]) => [name, valueOf(one as Schema, name)]);
    const more =
      typeof additionalProperties === 'object'
        ? Array.from({ length: some() }, () => [
            pick(named(key)),
            valueOf(additionalProperties as Schema, `${key}/`),
          ])
        : [];
    return Object.fromEntries([...entries, ...more]) as Record<string, unknown>;
  }

  function textOf({ pattern }: Schema, key: string): string {
    const all = [...named(key), ...vocabulary.texts];
    const fitting = pattern === undefined ? all : all.filter(text => new RegExp(pattern, 'u').test(text));
    return pick(chance(0.9) && vocabulary.names[key] ? named(key) : fitting.length > 0 ? fitting : all);
  }

  function referred(ref: string): Schema {
    return ref
      .split('/')
      .slice(1)
      .reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], whole) as Schema;
  }

  return valueOf(whole, '');
}
