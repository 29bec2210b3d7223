import { isMap, isScalar, isSeq } from 'yaml';
import type { Path } from '../edits/edit.ts';
import { completionFieldAt } from './completion-fields.ts';
import { scheduledKeysAt, scheduledNamesAt } from './scheduled-names.ts';
import type { NameKind } from './name-kind.ts';
import { parseYaml } from '../parse-yaml.ts';
import { schemas, type DocumentKind } from '../read-document.ts';
import { keysAt, valuesAt } from '../schema/schema-keys.ts';

/** The valid completions at a position of a document's text that is being typed. */
export interface Expected {
  /** The offset where the typed word begins. */
  readonly from: number;
  /** The map that contains the key, or the value's own path. */
  readonly path: Path;
  readonly kind: 'key' | 'value';
  /** Keys that are not present yet, or the allowed values; empty if any text is valid. */
  readonly words: readonly string[];
  /**
   * The kind of name that fits, in addition to `words`: a name of the model (field, measure, either), of a
   * dashboard's parts, of recipients, or of a model's parts (table, columns, parts of expressions).
   */
  readonly names?: NameKind;
}

const placeholder = 'zz_here';

/** What is being typed before and after the cursor. */
const plainWord = { before: /(?:(?<=[\s"'[{,]):)?[\w.-]*$/, after: /^[\w.-]*/ };
/** Addresses, paths of dashboards and aggregates, too; and names with spaces after their key. */
const scheduledWord = {
  before: /(?:(?<=: +["']?)(?! )[^\n"'[\]{},:#]+|[^\s"'[\]{},:#]*)$/,
  after: /^[^\s"'[\]{},:#]*/,
};

const isScheduled = (kind: DocumentKind): kind is 'alert' | 'report' => kind === 'alert' || kind === 'report';

/** @param offset the cursor's position in `text` */
export function completionsAt(kind: DocumentKind, text: string, offset: number): Expected | undefined {
  const word = isScheduled(kind) ? scheduledWord : plainWord;
  const from = offset - word.before.exec(text.slice(Math.max(0, offset - 80), offset))![0].length;
  const rest = text.slice(offset).replace(word.after, '');
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  const startsKey = /^\s*(- )?$/.test(line) && !/^\s*:/.test(rest);
  for (const typed of startsKey ? [`${placeholder}: 0`, placeholder] : [placeholder]) {
    const { document } = parseYaml(text.slice(0, from) + typed + rest, { isLoose: true });
    const found = find(document.contents, []);
    if (!found) continue;
    let content: unknown;
    try {
      content = document.toJS({ maxAliasCount: 20 });
    } catch {
      return undefined;
    }
    if (found.kind === 'key') {
      const present = Object.keys(
        (found.path.reduce<unknown>(
          (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
          content,
        ) as object | undefined) ?? {},
      );
      const words = keysAt(schemas[kind], found.path, without(content, found.path)).filter(
        key => !present.includes(key),
      );
      const keys =
        kind === 'model'
          ? keysOfModel(found.path)
          : isScheduled(kind)
            ? scheduledKeysAt(found.path)
            : undefined;
      return { from, kind: 'key', path: found.path, words, ...(keys && { names: keys }) };
    }
    const names =
      kind === 'model'
        ? namesInModel(found.path)
        : isScheduled(kind)
          ? scheduledNamesAt(found.path)
          : completionFieldAt(found.path);
    return {
      from,
      kind: 'value',
      path: found.path,
      words: valuesAt(schemas[kind], found.path, content),
      ...(names && { names }),
    };
  }
  return undefined;
}

function find(
  node: unknown,
  path: Path,
): { readonly kind: 'key' | 'value'; readonly path: Path } | undefined {
  // An expression contains many words; the cursor is in one of them.
  if (isScalar(node))
    return node.value === placeholder || (path.at(-1) === 'expr' && String(node.value).includes(placeholder))
      ? { kind: 'value', path }
      : undefined;
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.value === placeholder) return { kind: 'key', path };
      const found = isScalar(key) ? find(value, [...path, String(key.value)]) : undefined;
      if (found) return found;
    }
  }
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) {
      const found = find(item, [...path, i]);
      if (found) return found;
    }
  }
  return undefined;
}

/** Removes the key that is being typed, because the present keys determine a union's branch. */
function without(value: unknown, path: Path): unknown {
  const [first, ...rest] = path;
  if (value === null || typeof value !== 'object') return value;
  if (first === undefined)
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== placeholder));
  return Array.isArray(value)
    ? value.map((item, i) => (i === first ? without(item, rest) : item))
    : { ...value, [first]: without((value as Record<PropertyKey, unknown>)[first], rest) };
}

/** Dimensions usually have the names of their columns. A join's keys are columns of its own table. */
function keysOfModel(path: Path): NameKind | undefined {
  if (path.length === 1 && path[0] === 'dimensions') return 'column';
  return path[0] === 'joins' && path[2] === 'on' ? 'column' : undefined;
}

function namesInModel(path: Path): NameKind | undefined {
  const [section, , key] = path;
  if (path.length === 1)
    return section === 'table'
      ? 'table'
      : section === 'source'
        ? 'source'
        : section === 'time'
          ? 'dimension'
          : undefined;
  if (section === 'joins')
    return key === 'table'
      ? 'table'
      : key === 'source'
        ? 'source'
        : key === 'on'
          ? 'joined column'
          : undefined;
  return key === 'expr' ? 'expression' : key === 'column' ? 'column' : undefined;
}
