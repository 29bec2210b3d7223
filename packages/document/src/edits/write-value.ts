import { stringify } from 'yaml';

/** Lists and maps under these keys are written as blocks; their items, and all other values, on one line. */
const blocks = new Set([
  'pages',
  'tiles',
  'filters',
  'dimensions',
  'measures',
  'joins',
  'hierarchies',
  'policies',
  'parameters',
  'colours',
]);

/**
 * Writes a value on one line, valid anywhere in a document: `{ field: date, timeUnit: day }`, `[0, 0, 6, 3]`.
 */
export function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return entries.length === 0
      ? '{}'
      : `{ ${entries.map(([key, inner]) => `${onOneLine(key)}: ${onOneLine(inner)}`).join(', ')} }`;
  }
  if (typeof value === 'string' && /[\n\r\u0085\u2028\u2029]/.test(value))
    return JSON.stringify(value).replace(
      /[\u0085\u2028\u2029]/g,
      character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  // Parameter names: some YAML parsers reject an unquoted one within braces.
  if (typeof value === 'string' && /^:[a-z0-9_]+$/.test(value)) return `'${value}'`;
  return stringify([value], {
    collectionStyle: 'flow',
    lineWidth: 0,
    flowCollectionPadding: false,
    version: '1.2',
    schema: 'core',
  })
    .trimEnd()
    .slice(1, -1);
}

/**
 * Writes a key and its value as lines, in the style of Belvedere's documents: blocks for pages and their
 * contents, one line per tile, filter, dimension and measure, and blocks for multi-line texts.
 * @param indent the number of spaces before the key
 */
export function asLines(key: string, value: unknown, indent: number): string[] {
  const margin = ' '.repeat(indent);
  const name = `${margin}${onOneLine(key)}:`;
  if (
    typeof value === 'string' &&
    /^[^\s][^\r\u0085\u2028\u2029\t]*\n/.test(value) &&
    !/[ \t]\n|\n$/.test(value) &&
    !value.includes('\n\n\n')
  )
    return [`${name} |-`, ...value.split('\n').map(line => (line === '' ? '' : `${margin}  ${line}`))];
  if (blocks.has(key) && Array.isArray(value) && value.length > 0)
    return [name, ...value.flatMap(item => asItem(item, indent + 2, key === 'pages'))];
  if (
    blocks.has(key) &&
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0
  )
    return [
      name,
      ...Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([inner, item]) => `${margin}  ${onOneLine(inner)}: ${onOneLine(item)}`),
    ];
  return [`${name} ${onOneLine(value)}`];
}

/** Writes a list item as lines. @param isBlock writes several lines instead of one */
export function asItem(value: unknown, indent: number, isBlock: boolean): string[] {
  const dash = `${' '.repeat(indent)}- `;
  const entries =
    isBlock && value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).filter(([, inner]) => inner !== undefined)
      : [];
  if (entries.length === 0) return [`${dash}${onOneLine(value)}`];
  const lines = entries.flatMap(([key, inner]) => asLines(key, inner, indent + 2));
  return [`${dash}${lines[0]!.slice(indent + 2)}`, ...lines.slice(1)];
}
