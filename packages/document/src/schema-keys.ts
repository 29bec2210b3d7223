import { z } from 'zod';

/** The keys a schema allows at `path`, following the unions' branch that fits `content`. For suggestions, so an unknown shape gives none. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[], content: unknown): string[] {
  let found = options(schema, content);
  let value = content;
  for (const key of path) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
    found = found.flatMap(option => inside(option, key)).flatMap(option => options(option, value));
  }
  return [...new Set(found.flatMap(option => (option instanceof z.ZodObject ? Object.keys(option.shape) : [])))];
}

function options(schema: unknown, value: unknown): z.ZodType[] {
  if (schema instanceof z.ZodOptional) return options(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return options(schema.in, value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const kind = (value as { kind?: unknown } | undefined)?.kind;
    const branch = schema.options.find(option => option instanceof z.ZodObject && (option.shape['kind'] as z.ZodType | undefined)?.safeParse(kind).success);
    return branch ? [branch as z.ZodType] : [];
  }
  if (schema instanceof z.ZodUnion) {
    const branches = schema.options.flatMap(option => options(option, value)).filter(option => option instanceof z.ZodObject);
    const keys = Object.keys(value ?? {});
    const hits = (option: z.ZodType) => keys.filter(key => key in (option as z.ZodObject).shape).length;
    const best = Math.max(0, ...branches.map(hits));
    return branches.filter(option => hits(option) === best);
  }
  return schema instanceof z.ZodType ? [schema] : [];
}

function inside(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  if (schema instanceof z.ZodObject) return key in schema.shape ? [schema.shape[key as string] as z.ZodType] : [];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  return [];
}
