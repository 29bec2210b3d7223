import type { UserGroup } from '@belvedere/api';

export type Attributes = UserGroup['attributes'];

/** An attribute as it is typed. */
export interface AttributeRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** Attributes as rows of texts; several values are separated by commas. */
export function rowsOf(attributes: Attributes): readonly AttributeRow[] {
  return Object.entries(attributes).map(([name, value], key) => ({
    key,
    name,
    value: Array.isArray(value) ? value.join(', ') : String(value),
  }));
}

/**
 * Reads typed rows. Rows without a name are left out. Numbers and `true` or `false` are read as such, as in
 * YAML; a value that was not changed keeps its type.
 * @returns the attributes, or the name that is not allowed or occurs twice
 */
export function attributesOf(
  rows: readonly AttributeRow[],
  before: Attributes,
): { readonly attributes: Attributes } | { readonly badName: string } | { readonly twice: string } {
  const attributes: Record<string, Attributes[string]> = {};
  const unchanged = new Map(rowsOf(before).map(row => [row.name, row.value]));
  for (const { name: typed, value } of rows) {
    const name = typed.trim();
    if (name === '') continue;
    if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) return { badName: name };
    if (Object.hasOwn(attributes, name)) return { twice: name };
    attributes[name] = unchanged.get(name) === value ? before[name]! : readValue(value.trim());
  }
  return { attributes };
}

function readValue(text: string): Attributes[string] {
  if (text.includes(','))
    return text
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== '');
  if (text === 'true' || text === 'false') return text === 'true';
  // Codes such as 007 stay texts.
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text;
}
