/** A schema as `jsonSchemaOf` writes it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

interface Options {
  readonly random: () => number;
  /** Texts of the document, among which fields, values and names are chosen. */
  readonly words: readonly string[];
}

/** Returns a random value that a schema admits, as far as the schema says; optional keys are there now and then. */
export function randomDocument(schema: JsonSchema, { random, words }: Options): unknown {
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const write = (part: JsonSchema, depth: number): unknown => {
    if (part.$ref !== undefined) return write(schema.$defs![part.$ref.split('/').at(-1)!]!, depth);
    if (part.const !== undefined) return part.const;
    if (part.enum) return one(part.enum);
    const choices = part.anyOf ?? part.oneOf;
    if (choices) return write(one(choices), depth + 1);
    if (part.allOf) return write(part.allOf[0]!, depth);
    switch (part.type) {
      case 'object': {
        const isLikely = depth > 8 ? 0.1 : 0.35;
        const own = Object.entries(part.properties ?? {})
          .filter(([key]) => part.required?.includes(key) || random() < isLikely)
          .map(([key, value]) => [key, write(value, depth + 1)] as const);
        const others =
          typeof part.additionalProperties === 'object'
            ? [[one(words), write(part.additionalProperties, depth + 1)] as const]
            : [];
        return Object.fromEntries([...own, ...others]);
      }
      case 'array': {
        if (part.prefixItems) return part.prefixItems.map(item => write(item, depth + 1));
        const least = part.minItems ?? 0;
        const count = Math.min(part.maxItems ?? 3, least + Math.floor(random() * 3));
        return Array.from({ length: count }, () => write(part.items ?? {}, depth + 1));
      }
      case 'integer':
      case 'number': {
        const least = part.minimum ?? part.exclusiveMinimum ?? 0;
        const most = Math.min(part.maximum ?? Infinity, least + 12);
        const value = least + random() * (most - least);
        return part.type === 'integer' ? Math.round(value) : Number(value.toPrecision(3)) || 1;
      }
      case 'boolean':
        return random() < 0.5;
      case 'null':
        return null;
      default:
        return one(words);
    }
  };
  return write(schema, 0);
}
