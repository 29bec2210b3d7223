import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { parseYaml } from '../parse-yaml.ts';
import { asItem, asLines, onOneLine } from './write-value.ts';
import { applyEdit, type Edit, type Path } from './edit.ts';

/**
 * Applies edits to a document's text. Only the edited lines change: comments, order, quoting, blank lines and
 * line ends of all other lines stay. The resulting value always equals the edit applied to the old value.
 * Where a splice would mean something else (anchors, unusual styles), coarser methods follow; the last
 * rewrites the whole document.
 * @throws RangeError when the path of an edit does not exist
 * @throws TypeError when `text` is not YAML
 */
export function editText(text: string, edits: readonly Edit[]): string {
  return edits.reduce(editOnce, text);
}

function editOnce(text: string, edit: Edit): string {
  const before = parse(text);
  if (before.errors.length > 0)
    throw new TypeError(`The document is not valid YAML: ${before.errors[0]!.message}`);
  const value = before.toJS({ maxAliasCount: 1000 }) as unknown;
  const wanted = applyEdit(value, edit);
  if (isSame(wanted, value)) return text;
  for (const way of [
    spliced,
    splicedWithoutAliases,
    reprintedWhole,
    ...enclosing(edit.path).map(path => anewAt(path, wanted)),
    reprinted,
  ]) {
    const edited = way(text, before, edit, value);
    if (edited !== undefined && means(edited, wanted)) return edited;
  }
  const head = /^(?:[ \t]*#[^\n]*\n)*/.exec(text)![0];
  const newline = newlineOf(text);
  return `${head}${Object.entries(wanted as object)
    .flatMap(([key, inner]) => asLines(key, inner, 0))
    .join(newline)}${newline}`;
}

function parse(text: string): Document.Parsed {
  return parseYaml(text).document;
}

function means(text: string, wanted: unknown): boolean {
  const read = parse(text);
  try {
    return read.errors.length === 0 && isSame(read.toJS({ maxAliasCount: 1000 }), wanted);
  } catch {
    return false;
  }
}

/** Whether two values are equal as JSON, including the order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

// ---- Splices

/** A range of the text and its replacement. */
interface Splice {
  readonly from: number;
  readonly below: number;
  readonly text: string;
}

function cut(text: string, { from, below, text: put }: Splice): string {
  return text.slice(0, from) + put + text.slice(below);
}

function spliced(text: string, document: Document.Parsed, edit: Edit, value: unknown): string | undefined {
  if (edit.path.length === 0)
    return edit.kind === 'set' ? smallSteps(text, [], value, edit.value) : undefined;
  const parentPath = edit.path.slice(0, -1);
  const parent = nodeAt(document, parentPath);
  const key = edit.path.at(-1)!;
  if (edit.kind === 'set') {
    // A missing map is created together with its first entry.
    if (!isCollection(parent))
      return parentPath.length === 0
        ? undefined
        : spliced(
            text,
            document,
            { kind: 'set', path: parentPath, value: { [String(key)]: edit.value } },
            value,
          );
    const found = nodeAt(document, edit.path);
    const old = valueAt(value, edit.path);
    const begun =
      parent.items.length === 0
        ? beginBlock(text, document, parentPath, isMap(parent) ? { [String(key)]: edit.value } : [edit.value])
        : undefined;
    if (begun !== undefined) return begun;
    if (found === undefined && !(isMap(parent) && pairOf(parent, key)))
      return isMap(parent)
        ? orNothing(addKey(text, parent, String(key), edit.value), text)
        : orNothing(addItem(text, parent as YAMLSeq, Number(key), edit.value), text);
    return (
      smallSteps(text, edit.path, old, edit.value) ??
      orNothing(replaceValue(text, parent, key, edit.value), text)
    );
  }
  if (isMap(parent)) {
    const pair = pairOf(parent, key);
    if (!pair) return text;
    if (edit.kind === 'remove')
      return parent.items.length === 1 && !parent.flow
        ? spliced(text, document, { kind: 'set', path: parentPath, value: {} }, value)
        : orNothing(removeItem(text, parent, parent.items.indexOf(pair)), text);
    if (edit.kind === 'rename') return cut(text, { ...spanOf(pair.key as Node), text: onOneLine(edit.to) });
    if (edit.kind === 'move')
      return orNothing(moveItem(text, parent, parent.items.indexOf(pair), edit.to), text);
  }
  if (isSeq(parent)) {
    const at = Number(key);
    if (edit.kind === 'remove')
      return parent.items.length === 1 && !parent.flow
        ? spliced(text, document, { kind: 'set', path: parentPath, value: [] }, value)
        : orNothing(removeItem(text, parent, at), text);
    if (edit.kind === 'insert')
      return (
        (parent.items.length === 0 ? beginBlock(text, document, parentPath, [edit.value]) : undefined) ??
        orNothing(addItem(text, parent, at, edit.value), text)
      );
    if (edit.kind === 'move') return orNothing(moveItem(text, parent, at, edit.to), text);
  }
  return undefined;
}

/** Starts the first entry of `tiles: {}` on a line of its own, like later entries. */
function beginBlock(text: string, document: Document.Parsed, path: Path, value: unknown): string | undefined {
  const outer = nodeAt(document, path.slice(0, -1));
  const key = path.at(-1);
  return key !== undefined && isMap(outer) && !outer.flow && becomesBlock(key, value)
    ? orNothing(replaceValue(text, outer, key, value), text)
    : undefined;
}

function orNothing(splice: Splice | readonly Splice[] | undefined, text: string): string | undefined {
  if (splice === undefined) return undefined;
  const all = 'from' in splice ? [splice] : splice;
  return all.toSorted((a, b) => b.from - a.from).reduce(cut, text);
}

/**
 * Splits the change of a map or list into edits of its entries, so that unchanged entries keep their text.
 */
function smallSteps(text: string, path: Path, old: unknown, wanted: unknown): string | undefined {
  const steps = stepsBetween(path, old, wanted);
  if (!steps || steps.length === 0) return undefined;
  try {
    return editText(text, steps);
  } catch {
    return undefined;
  }
}

function stepsBetween(path: Path, old: unknown, wanted: unknown): Edit[] | undefined {
  if (Array.isArray(old) && Array.isArray(wanted)) return stepsInList(path, old, wanted);
  if (!isPlainMap(old) || !isPlainMap(wanted)) return undefined;
  const kept = Object.keys(wanted).filter(key => Object.hasOwn(old, key));
  const before = Object.keys(old).filter(key => Object.hasOwn(wanted, key));
  // A different order of keys, or no key in common: replace the whole map.
  if (kept.join('\n') !== before.join('\n') || (kept.length === 0 && Object.keys(old).length > 0))
    return undefined;
  if (
    Object.keys(wanted).findIndex(key => !Object.hasOwn(old, key)) !== -1 &&
    Object.keys(wanted).slice(0, kept.length).join('\n') !== kept.join('\n')
  )
    return undefined;
  return [
    ...Object.keys(old)
      .filter(key => !Object.hasOwn(wanted, key))
      .map((key): Edit => ({ kind: 'remove', path: [...path, key] })),
    ...Object.entries(wanted)
      .filter(([key, value]) => !Object.hasOwn(old, key) || !isSame(value, old[key]))
      .map(([key, value]): Edit => ({ kind: 'set', path: [...path, key], value })),
  ];
}

/** Lists of maps change item by item. Other lists are short and are rewritten. */
function stepsInList(path: Path, old: readonly unknown[], wanted: readonly unknown[]): Edit[] | undefined {
  if (![...old, ...wanted].every(isPlainMap) || old.length === 0 || wanted.length === 0) return undefined;
  if (old.length === wanted.length)
    return wanted.flatMap((value, i): Edit[] =>
      isSame(value, old[i]) ? [] : [{ kind: 'set', path: [...path, i], value }],
    );
  let head = 0;
  while (head < Math.min(old.length, wanted.length) && isSame(old[head], wanted[head])) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, wanted.length) - head &&
    isSame(old[old.length - 1 - tail], wanted[wanted.length - 1 - tail])
  )
    tail++;
  if (head + tail < Math.min(old.length, wanted.length)) return undefined;
  if (wanted.length > old.length)
    return wanted
      .slice(head, wanted.length - tail)
      .map((value, i) => ({ kind: 'insert', path: [...path, head + i], value }));
  return old.slice(head, old.length - tail).map(() => ({ kind: 'remove', path: [...path, head] }));
}

function replaceValue(
  text: string,
  parent: YAMLMap | YAMLSeq,
  key: string | number,
  value: unknown,
): Splice | undefined {
  const pair = isMap(parent) ? pairOf(parent, key) : undefined;
  const node = (isMap(parent) ? pair?.value : parent.items[Number(key)]) as Node | null | undefined;
  const isBlock =
    isBlockCollection(node) ||
    (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'));
  if (!pair || !isScalar(pair.key)) {
    if (!node?.range || (isBlock && parent.flow)) return undefined;
    if (!isBlock) return { ...spanOf(node), text: onOneLine(value) };
    const dash = text.lastIndexOf('-', node.range[0] - 1);
    return linesAnew(text, dash, endOf(node), asItem(value, columnOf(text, dash), isBlockCollection(node)));
  }
  const keyEnd = pair.key.range![1];
  const colon = text.indexOf(':', keyEnd);
  if (colon < 0) return undefined;
  if (parent.flow || (!isBlock && !becomesBlock(pair.key.value, value))) {
    // A key without a value.
    if (!node?.range || node.range[0] === node.range[1])
      return { from: colon + 1, below: colon + 1, text: ` ${onOneLine(value)}` };
    return isBlock ? undefined : { ...spanOf(node), text: onOneLine(value) };
  }
  const [from] = pair.key.range!;
  return linesAnew(
    text,
    from,
    node?.range ? Math.max(endOf(node), colon + 1) : colon + 1,
    asLines(String(pair.key.value), value, columnOf(text, from)),
  );
}

/** Replaces text from the middle of a line, after its indentation, up to the end of a line. */
function linesAnew(text: string, from: number, below: number, lines: readonly string[]): Splice {
  const newline = newlineOf(text);
  return {
    from,
    below: text[below - 1] === '\n' ? below - newline.length : below,
    text: lines.join(newline).slice(columnOf(text, from)),
  };
}

function becomesBlock(key: unknown, value: unknown): boolean {
  return asLines(String(key), value, 0).length > 1;
}

function addKey(text: string, map: YAMLMap, key: string, value: unknown): Splice | undefined {
  const last = map.items.at(-1);
  if (map.flow) {
    const item = `${onOneLine(key)}: ${onOneLine(value)}`;
    if (!last) return { from: map.range![0], below: map.range![1], text: `{ ${item} }` };
    const end = endOf(last);
    return { from: end, below: end, text: `, ${item}` };
  }
  if (!last || !isNode(last.key)) return undefined;
  return lineAfter(
    text,
    endOf(last),
    asLines(key, value, columnOf(text, map.items[0]!.key ? (map.items[0]!.key as Node).range![0] : 0)),
  );
}

function addItem(text: string, list: YAMLSeq, at: number, value: unknown): Splice | undefined {
  if (list.flow) {
    if (list.items.length === 0)
      return { from: list.range![0], below: list.range![1], text: `[${onOneLine(value)}]` };
    if (at === 0) {
      const { from } = spanOf(list.items[0] as Node);
      return { from, below: from, text: `${onOneLine(value)}, ` };
    }
    const end = endOf(list.items[Math.min(at, list.items.length) - 1] as Node);
    return { from: end, below: end, text: `, ${onOneLine(value)}` };
  }
  const first = list.items[0] as Node | undefined;
  if (!first?.range) return undefined;
  const dash = text.lastIndexOf('-', first.range[0] - 1);
  const lines = asItem(value, columnOf(text, dash), isBlockCollection(first));
  if (at > 0) return lineAfter(text, endOf(list.items[Math.min(at, list.items.length) - 1] as Node), lines);
  const start = lineStart(text, dash);
  // An item after a dash or key on the same line has no line of its own to insert before.
  return text.slice(start, dash).trim() === ''
    ? { from: start, below: start, text: lines.map(line => line + newlineOf(text)).join('') }
    : undefined;
}

function lineAfter(text: string, position: number, lines: readonly string[]): Splice {
  const newline = newlineOf(text);
  if (text[position - 1] === '\n')
    return { from: position, below: position, text: lines.map(line => line + newline).join('') };
  const end = text.indexOf('\n', position);
  if (end < 0)
    return { from: text.length, below: text.length, text: lines.map(line => newline + line).join('') };
  return { from: end + 1, below: end + 1, text: lines.map(line => line + newline).join('') };
}

function removeItem(text: string, parent: YAMLMap | YAMLSeq, at: number): Splice | undefined {
  const items = parent.items as readonly (Pair | Node)[];
  const item = items[at];
  if (!item) return undefined;
  if (parent.flow) {
    if (items.length === 1)
      return { from: parent.range![0], below: parent.range![1], text: isMap(parent) ? '{}' : '[]' };
    if (at < items.length - 1) return { from: startOf(item), below: startOf(items[at + 1]!), text: '' };
    return { from: endOf(items[at - 1]!), below: endOf(item), text: '' };
  }
  const span = linesOf(text, parent, at);
  if (span) return { ...span, text: '' };
  // The first key follows a dash; the next key takes its position.
  return at === 0 && isMap(parent) ? { from: startOf(item), below: startOf(items[1]!), text: '' } : undefined;
}

/**
 * The lines of a block's item, if no other text shares them. Comments above it stay with their surroundings.
 */
function linesOf(
  text: string,
  parent: YAMLMap | YAMLSeq,
  at: number,
): { from: number; below: number } | undefined {
  const item = parent.items[at] as Pair | Node;
  const begin = isMap(parent) ? startOf(item) : text.lastIndexOf('-', startOf(item) - 1);
  const from = lineStart(text, begin);
  if (text.slice(from, begin).trim() !== '') return undefined;
  const end = endOf(item);
  if (text[end - 1] === '\n') return { from, below: end };
  const newline = text.indexOf('\n', end);
  return { from, below: newline < 0 ? text.length : newline + 1 };
}

function moveItem(text: string, parent: YAMLMap | YAMLSeq, from: number, to: number): Splice[] | undefined {
  if (parent.flow) {
    const item = parent.items[from] as Pair | Node;
    const target = parent.items[to] as Pair | Node | undefined;
    const removal = removeItem(text, parent, from);
    if (!target || !removal) return undefined;
    const source = text.slice(startOf(item), endOf(item));
    const [at, put] = to > from ? [endOf(target), `, ${source}`] : [startOf(target), `${source}, `];
    // Removing the last item also removes the comma before it. It must not remove the text inserted after
    // another item.
    return to > from && removal.below > at ? undefined : [removal, { from: at, below: at, text: put }];
  }
  const source = linesOf(text, parent, from);
  const target = linesOf(text, parent, to);
  if (!source || !target) return undefined;
  const lines = text.slice(source.from, source.below);
  const newline = newlineOf(text);
  const at = to > from ? target.below : target.from;
  const isAtEnd = at === text.length && !text.endsWith('\n');
  const whole = lines.endsWith('\n') ? lines : lines + newline;
  return [
    { ...source, text: '' },
    { from: at, below: at, text: isAtEnd ? newline + whole.slice(0, -newline.length) : whole },
  ];
}

// ---- Coarser methods

/** Expands every alias, so that an edit can change one occurrence and not the others. */
function splicedWithoutAliases(
  text: string,
  document: Document.Parsed,
  edit: Edit,
  value: unknown,
): string | undefined {
  const splices: Splice[] = [];
  visit(document, {
    Alias(_, alias: Alias) {
      const target = alias.resolve(document);
      if (alias.range && target)
        splices.push({ ...spanOf(alias), text: onOneLine((target as Node).toJS(document)) });
    },
  });
  if (splices.length === 0) return undefined;
  const plain = orNothing(splices, text)!;
  const parsed = parse(plain);
  return parsed.errors.length > 0 ? undefined : spliced(plain, parsed, edit, value);
}

/**
 * Reprints the document, unless that loses a top-level comment: the parser may attach a comment to the value
 * before it.
 */
function reprintedWhole(text: string, document: Document.Parsed, edit: Edit): string | undefined {
  const edited = reprinted(text, document, edit);
  return text.match(/^#[^\r\n]*/gm)?.every(comment => edited?.includes(comment)) === false
    ? undefined
    : edited;
}

/** Uses the parser's printer, which keeps comments and quoting, but not spaces and line breaks. */
function reprinted(text: string, document: Document.Parsed, edit: Edit): string | undefined {
  try {
    const copy = document.clone();
    if (edit.kind === 'set') copy.setIn(edit.path, copy.createNode(edit.value));
    else if (edit.kind === 'remove') copy.deleteIn(edit.path);
    else return undefined;
    return copy.toString({ lineWidth: 0, flowCollectionPadding: true }).replaceAll('\n', newlineOf(text));
  } catch {
    return undefined;
  }
}

/** The paths around a path, from the innermost to the top level. */
function enclosing(path: Path): Path[] {
  return path.slice(1).map((_, i) => path.slice(0, path.length - 1 - i));
}

/** Rewrites one value with the edit applied; values beside it keep their comments. */
function anewAt(path: Path, wanted: unknown) {
  return (text: string, document: Document.Parsed): string | undefined => {
    const parent = nodeAt(document, path.slice(0, -1));
    return isCollection(parent)
      ? orNothing(replaceValue(text, parent, path.at(-1)!, valueAt(wanted, path)), text)
      : undefined;
  };
}

// ---- Positions

function nodeAt(document: Document.Parsed, path: Path): Node | undefined {
  let node: unknown = document.contents;
  for (const key of path) {
    if (isMap(node)) node = pairOf(node, key)?.value;
    else if (isSeq(node)) node = node.items[Number(key)];
    else return undefined;
  }
  return isNode(node) ? node : undefined;
}

function pairOf(map: YAMLMap, key: string | number): Pair | undefined {
  return map.items.find(({ key: found }) => isScalar(found) && String(found.value) === String(key));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key],
    value,
  );
}

function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isBlockCollection(node: unknown): boolean {
  return isCollection(node) && !node.flow;
}

function spanOf(node: Node): { readonly from: number; readonly below: number } {
  return { from: node.range![0], below: node.range![1] };
}

function startOf(item: Pair | Node): number {
  return isPair(item) ? (item.key as Node).range![0] : item.range![0];
}

/** The end of an item's own text, before trailing comments, spaces and line breaks. */
function endOf(item: unknown): number {
  if (isPair(item))
    return item.value && (item.value as Node).range
      ? Math.max(endOf(item.value), (item.key as Node).range![1])
      : (item.key as Node).range![1];
  if (isCollection(item) && !item.flow)
    return item.items.length > 0 ? endOf(item.items.at(-1)) : item.range![1];
  return (item as Node).range![1];
}

function lineStart(text: string, position: number): number {
  return text.lastIndexOf('\n', position - 1) + 1;
}

function columnOf(text: string, position: number): number {
  return position - lineStart(text, position);
}

function newlineOf(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}
