import { z } from 'zod';

/**
 * Returns the keys a schema allows at `path`, in the union branch that fits `content`. For suggestions: an
 * unknown shape has no keys.
 */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[], content: unknown): string[] {
  let found = options(schema, content);
  let value = content;
  for (const key of path) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
    found = found.flatMap(option => inside(option, key)).flatMap(option => options(option, value));
  }
  return [
    ...new Set(found.flatMap(option => (option instanceof z.ZodObject ? Object.keys(option.shape) : []))),
  ];
}

/** The form of an object, of several that a schema allows, which has a key; and what differs from the content. */
interface OtherForm {
  /** How far down the path the object is. */
  readonly depth: number;
  /** Keys that this form requires and the content lacks. */
  readonly missing: readonly string[];
  /** Keys of the content that this form does not have. */
  readonly conflicting: readonly string[];
}

/**
 * Returns the form in which `key` would be possible at `path`, the nearest to `content`; undefined if it is
 * possible in the form that the content has.
 */
export function formWith(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  key: string,
  content: unknown,
): OtherForm | undefined {
  let found = options(schema, content);
  let value = content;
  const levels = [{ found, value }];
  for (const step of path) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
    found = found.flatMap(option => inside(option, step)).flatMap(option => options(option, value));
    levels.push({ found, value });
  }
  for (const [depth, level] of [...levels.entries()].toReversed()) {
    const used = Object.keys(level.value ?? {});
    const [nearest] = level.found
      .filter(form => form instanceof z.ZodObject)
      .filter(form => keysAt(form, path.slice(depth), level.value).includes(key))
      .map(({ shape }) => ({
        depth,
        missing: Object.keys(shape).filter(
          name => !used.includes(name) && !(shape[name] as z.ZodType).safeParse(undefined).success,
        ),
        conflicting: used.filter(name => !(name in shape)),
      }))
      .toSorted(
        (a, b) => a.missing.length + a.conflicting.length - (b.missing.length + b.conflicting.length),
      );
    if (nearest && nearest.missing.length + nearest.conflicting.length > 0) return nearest;
  }
  return undefined;
}

function options(schema: unknown, value: unknown): z.ZodType[] {
  if (schema instanceof z.ZodOptional) return options(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return options(schema.in, value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const kind = (value as { kind?: unknown } | undefined)?.kind;
    const branch = schema.options.find(
      option =>
        option instanceof z.ZodObject &&
        (option.shape['kind'] as z.ZodType | undefined)?.safeParse(kind).success,
    );
    return branch
      ? [branch as z.ZodType]
      : [inCommon(schema.options.filter(option => option instanceof z.ZodObject))];
  }
  if (schema instanceof z.ZodUnion) {
    const branches = schema.options
      .flatMap(option => options(option, value))
      .filter(option => option instanceof z.ZodObject);
    const keys = Object.keys(value ?? {});
    const hits = (option: z.ZodType) => keys.filter(key => key in (option as z.ZodObject).shape).length;
    const best = Math.max(0, ...branches.map(hits));
    return branches.filter(option => hits(option) === best);
  }
  return schema instanceof z.ZodType ? [schema] : [];
}

/** The keys that all branches share, including `kind`, while the text does not name a kind yet. */
function inCommon(branches: readonly z.ZodObject[]): z.ZodType {
  const [first, ...others] = branches;
  return z.object(
    Object.fromEntries(
      Object.entries(first?.shape ?? {}).filter(([key]) => others.every(branch => key in branch.shape)),
    ) as z.ZodRawShape,
  );
}

function inside(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  if (schema instanceof z.ZodObject)
    return key in schema.shape ? [schema.shape[key as string] as z.ZodType] : [];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  return [];
}

/**
 * Returns the words a schema allows at `path`: the options of a choice, kinds, or true and false. Empty if
 * any text is valid.
 */
export function valuesAt(schema: z.ZodType, path: readonly PropertyKey[], content: unknown): string[] {
  const last = path.at(-1);
  let found = options(schema, content);
  let value = content;
  for (const key of path.slice(0, -1)) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
    const inner = found.flatMap(option => inside(option, key));
    const kinds = inner.flatMap(unwrapped).filter(option => option instanceof z.ZodDiscriminatedUnion);
    // The kind itself is being typed: suggest all of them.
    if (last === 'kind' && kinds.length > 0)
      return kinds.flatMap(kind =>
        kind.options.flatMap(option =>
          option instanceof z.ZodObject ? wordsOf(option.shape['kind'] as z.ZodType) : [],
        ),
      );
    found = inner.flatMap(option => options(option, value));
  }
  return [
    ...new Set((last === undefined ? [] : found.flatMap(option => inside(option, last))).flatMap(wordsOf)),
  ];
}

function unwrapped(schema: unknown): unknown[] {
  if (schema instanceof z.ZodOptional) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : [schema];
}

function wordsOf(schema: unknown): string[] {
  return unwrapped(schema).flatMap(option => {
    if (option instanceof z.ZodEnum) return option.options.map(String);
    if (option instanceof z.ZodLiteral) return [...option.values].map(String);
    if (option instanceof z.ZodBoolean) return ['true', 'false'];
    if (option instanceof z.ZodUnion && !(option instanceof z.ZodDiscriminatedUnion))
      return option.options.flatMap(wordsOf);
    return [];
  });
}
