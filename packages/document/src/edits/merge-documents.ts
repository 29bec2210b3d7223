import { diff3Merge } from 'node-diff3';
import type { Path } from './edit.ts';
import { editText } from './edit-text.ts';
import { parseYaml } from '../parse-yaml.ts';

/** Two versions of the same value; `undefined` for a removed one. */
export interface Conflict {
  readonly path: Path;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merge {
  /** The merged text. Unresolved conflicts keep my version. */
  readonly text: string;
  /** Changes made in two ways without a choice between them. */
  readonly conflicts: readonly Conflict[];
}

export type ConflictSide = 'mine' | 'theirs';

/**
 * Merges two texts with a common base, by tile and property. Changes to different things never conflict,
 * wherever they are in the file. A line merge with the same meaning is preferred, because it keeps the
 * comments of both. Otherwise the changes of one text are applied to the other. The result is the same with
 * both texts swapped, except for conflicts.
 */
export function mergeDocuments(
  base: string,
  mine: string,
  theirs: string,
  choose: (conflict: Conflict) => ConflictSide | undefined = () => undefined,
): Merge {
  if (mine === theirs || theirs === base) return { text: mine, conflicts: [] };
  if (mine === base) return { text: theirs, conflicts: [] };
  const values = [base, mine, theirs].map(valueOf);
  if (values.some(value => value === broken)) return mergeLines(base, mine, theirs, choose);
  // A fixed order of both texts, so that the result does not depend on which of them is mine.
  const isSwapped = mine > theirs;
  const found: Conflict[] = [];
  const decide = (conflict: Conflict): ConflictSide => {
    const asTheyAre = isSwapped ? { ...conflict, mine: conflict.theirs, theirs: conflict.mine } : conflict;
    const choice = choose(asTheyAre);
    if (choice === undefined) found.push(asTheyAre);
    return ((choice ?? 'mine') === 'mine') === isSwapped ? 'theirs' : 'mine';
  };
  const [first, second] = isSwapped ? [theirs, mine] : [mine, theirs];
  const value = mergeValues([], values[0], values[isSwapped ? 2 : 1], values[isSwapped ? 1 : 2], decide);
  const lines = mergedLines(first, base, second);
  if (lines !== undefined && isSame(valueOf(lines), value)) return { text: lines, conflicts: found };
  return {
    text: editText(found.length > 0 ? mine : first, [{ kind: 'set', path: [], value }]),
    conflicts: found,
  };
}

const broken = Symbol('not YAML');

function valueOf(text: string): unknown {
  const { document } = parseYaml(text);
  if (document.errors.length > 0) return broken;
  try {
    const value: unknown = document.toJS({ maxAliasCount: 50 });
    return isMap(value) ? value : broken;
  } catch {
    return broken;
  }
}

/** Merges texts that are not valid YAML, line by line. */
function mergeLines(
  base: string,
  mine: string,
  theirs: string,
  choose: (conflict: Conflict) => ConflictSide | undefined,
): Merge {
  const lines = mergedLines(mine, base, theirs);
  if (lines !== undefined) return { text: lines, conflicts: [] };
  const whole: Conflict = { path: [], base, mine, theirs };
  const choice = choose(whole);
  return { text: choice === 'theirs' ? theirs : mine, conflicts: choice === undefined ? [whole] : [] };
}

/**
 * Merges both texts line by line. Undefined when they conflict, or have too many equal lines for a quick
 * merge.
 */
function mergedLines(mine: string, base: string, theirs: string): string | undefined {
  const [ofMine, ofBase, ofTheirs] = [mine, base, theirs].map(text => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  if (Math.max(ofMine.length, ofBase.length, ofTheirs.length) > maxLines) return undefined;
  if (linePairs(ofBase, ofMine) + linePairs(ofBase, ofTheirs) > maxLinePairs) return undefined;
  const regions = diff3Merge(ofMine, ofBase, ofTheirs, { excludeFalseConflicts: true });
  return regions.every(region => region.ok)
    ? regions.flatMap(region => region.ok ?? []).join('\n')
    : undefined;
}

/** Counts pairs of equal lines. */
function linePairs(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0);
}

/** The comparison is quadratic in both. */
const maxLines = 4_000;
const maxLinePairs = 500_000;

type Decide = (conflict: Conflict) => ConflictSide;

function mergeValues(path: Path, base: unknown, mine: unknown, theirs: unknown, decide: Decide): unknown {
  if (isSame(mine, theirs) || isSame(theirs, base)) return mine;
  if (isSame(mine, base)) return theirs;
  if (isMap(base) && isMap(mine) && isMap(theirs)) return mergeMaps(path, base, mine, theirs, decide);
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    const merged = mergeLists(path, base, mine, theirs, decide);
    if (merged) return merged;
  }
  return decide({ path, base, mine, theirs }) === 'mine' ? mine : theirs;
}

type PlainMap = Readonly<Record<string, unknown>>;

function mergeMaps(path: Path, base: PlainMap, mine: PlainMap, theirs: PlainMap, decide: Decide): PlainMap {
  return Object.fromEntries(
    mergedOrder(Object.keys(base), Object.keys(mine), Object.keys(theirs)).flatMap(key => {
      const value = mergeValues([...path, key], own(base, key), own(mine, key), own(theirs, key), decide);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/**
 * Matches items by name (pages by title, filters by field). Lists whose items only
 * changed match by index.
 */
function mergeLists(
  path: Path,
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  decide: Decide,
): unknown[] | undefined {
  if (![...base, ...mine, ...theirs].every(isMap)) return undefined;
  const names = [base, mine, theirs].map(list => list.map(item => nameOf(item as PlainMap)));
  const [of, ofMine, ofTheirs] = names as [string[], string[], string[]];
  const stay =
    base.length === mine.length &&
    base.length === theirs.length &&
    of.every((name, i) => ofMine[i] === name || ofTheirs[i] === name) &&
    of.every(
      (name, i) =>
        !(ofMine[i] !== name && of.includes(ofMine[i]!)) &&
        !(ofTheirs[i] !== name && of.includes(ofTheirs[i]!)),
    );
  if (stay) return base.map((item, i) => mergeValues([...path, i], item, mine[i], theirs[i], decide));
  if (names.some(list => list.includes('') || new Set(list).size < list.length)) return undefined;
  const by = (list: readonly unknown[], ofList: readonly string[]) =>
    Object.fromEntries(list.map((item, i) => [`${ofList[i]} `, item]));
  return Object.values(mergeMaps(path, by(base, of), by(mine, ofMine), by(theirs, ofTheirs), decide));
}

function nameOf(item: PlainMap): string {
  return String(item['field'] ?? item['title'] ?? item['name'] ?? '');
}

/**
 * Merges the keys of both, in the order of the text that reordered them. Other new keys follow their
 * predecessor.
 */
function mergedOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [ofBase, ofTheirs] = [new Set(base), new Set(theirs)];
  const isReordered =
    theirs.filter(key => ofBase.has(key)).join('\n') !== base.filter(key => ofTheirs.has(key)).join('\n');
  const [leading, following] = isReordered ? [theirs, mine] : [mine, theirs];
  const known = new Set(leading);
  // New keys by the key they follow; `undefined` for keys at the beginning.
  const added = new Map<string | undefined, string[]>();
  let before: string | undefined;
  for (const key of following) {
    if (!known.has(key)) added.set(before, [...(added.get(before) ?? []), key]);
    else before = key;
  }
  return [...(added.get(undefined) ?? []), ...leading.flatMap(key => [key, ...(added.get(key) ?? [])])];
}

function own(map: PlainMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function isMap(value: unknown): value is PlainMap {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
