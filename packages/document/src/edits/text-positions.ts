import { isCollection, isMap, isNode, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { parseYaml } from '../parse-yaml.ts';
import type { Path } from './edit.ts';

/**
 * The range of a path's text, including its key, as offsets into `text`. Undefined if the text lacks the
 * path.
 */
export function rangeOfPath(
  text: string,
  path: Path,
): { readonly from: number; readonly below: number } | undefined {
  let node: unknown = parseLoosely(text);
  let key: Node | undefined;
  for (const step of path) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(
        item => isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (!pair) return undefined;
      key = pair.key as Node;
      node = pair.value;
    } else if (isSeq(node)) {
      key = undefined;
      node = node.items[Number(step)];
    } else return undefined;
  }
  const from = key?.range?.[0] ?? (isNode(node) ? node.range?.[0] : undefined);
  if (from === undefined) return undefined;
  return { from, below: Math.max(isNode(node) ? contentEnd(node) : from, key?.range?.[1] ?? from) };
}

/** The path of the innermost key or item around a position. Works on text that is being typed. */
export function pathAt(text: string, offset: number): Path {
  const path: (string | number)[] = [];
  let node: unknown = parseLoosely(text);
  for (;;) {
    if (isMap(node)) {
      const pair = node.items.findLast(item => isNode(item.key) && item.key.range![0] <= offset);
      if (!pair || !isScalar(pair.key) || (node.flow && offset > (node.range?.[1] ?? Infinity))) return path;
      path.push(String(pair.key.value));
      node = pair.value;
    } else if (isSeq(node)) {
      const at = node.items.findLastIndex(item => startOf(item) <= offset);
      if (at < 0) return path;
      path.push(at);
      node = node.items[at];
    } else return path;
  }
}

function parseLoosely(text: string): unknown {
  return parseYaml(text, { isLoose: true }).document.contents;
}

function startOf(item: unknown): number {
  if (isPair(item)) return isNode(item.key) ? item.key.range![0] : Infinity;
  return isNode(item) ? (item.range?.[0] ?? Infinity) : Infinity;
}

function contentEnd(node: unknown): number {
  if (isPair(node))
    return isNode(node.value) && node.value.range
      ? contentEnd(node.value)
      : isNode(node.key)
        ? node.key.range![1]
        : 0;
  if (isCollection(node) && !node.flow && node.items.length > 0) return contentEnd(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}
