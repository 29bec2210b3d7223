/** The position of a value in a document: keys of maps, indexes in lists. */
export type Path = readonly (string | number)[];

/** One change to a document. Plain JSON, so that it can be stored, sent and tried out. */
export type Edit =
  /** Sets a value: replaces the present one or appends it to its map. Creates missing maps on the way. */
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  /** Removes a key or an item; does nothing if there is none. */
  | { readonly kind: 'remove'; readonly path: Path }
  /** Inserts an item into a list, before the item at this index. */
  | { readonly kind: 'insert'; readonly path: Path; readonly value: unknown }
  /** Renames a key, which keeps its position. */
  | { readonly kind: 'rename'; readonly path: Path; readonly to: string }
  /** Moves an item of a list, or a key of a map, to another index. */
  | { readonly kind: 'move'; readonly path: Path; readonly to: number };

type Value = unknown;

/**
 * Applies the edit to the value without its text; an edited text must have this value.
 * @throws RangeError when the path does not exist
 */
export function applyEdit(value: Value, edit: Edit): Value {
  if (edit.path.length === 0) {
    if (edit.kind === 'set') return edit.value;
    throw new RangeError('Only `set` applies to a whole document.');
  }
  return within(value, edit.path, 0, edit);
}

function within(value: Value, path: Path, depth: number, edit: Edit): Value {
  const key = path[depth]!;
  const isLast = depth === path.length - 1;
  if (Array.isArray(value)) {
    if (typeof key !== 'number') throw new RangeError(`\`${path.join('.')}\` uses a name to index a list.`);
    return isLast
      ? inList(value, key, edit)
      : value.map((item, i) => (i === key ? within(item, path, depth + 1, edit) : item));
  }
  if (value === null || value === undefined || typeof value !== 'object') {
    if (edit.kind === 'remove') return value;
    if (edit.kind !== 'set' || (value !== null && value !== undefined))
      throw new RangeError(`There is nothing at \`${path.slice(0, depth + 1).join('.')}\`.`);
    return { [String(key)]: isLast ? edit.value : within(undefined, path, depth + 1, edit) };
  }
  const map = value as Readonly<Record<string, Value>>;
  if (isLast) return inMap(map, String(key), edit);
  if (edit.kind === 'remove' && !Object.hasOwn(map, String(key))) return map;
  return put(
    map,
    String(key),
    within(Object.hasOwn(map, String(key)) ? map[String(key)] : undefined, path, depth + 1, edit),
  );
}

function inList(list: readonly Value[], at: number, edit: Edit): Value[] {
  switch (edit.kind) {
    case 'set':
      if (at < 0 || at > list.length) throw new RangeError(`The list has no index ${at}.`);
      return at === list.length ? [...list, edit.value] : list.with(at, edit.value);
    case 'remove':
      return list.filter((_, i) => i !== at);
    case 'insert':
      return list.toSpliced(Math.min(at, list.length), 0, edit.value);
    case 'move':
      return moved(list, at, edit.to);
    case 'rename':
      throw new RangeError('Items of a list have no keys.');
  }
}

function inMap(
  map: Readonly<Record<string, Value>>,
  key: string,
  edit: Edit,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(map);
  const at = entries.findIndex(([name]) => name === key);
  switch (edit.kind) {
    case 'set':
      return put(map, key, edit.value);
    case 'remove':
      return Object.fromEntries(entries.filter(([name]) => name !== key));
    case 'rename':
      if (at < 0 || (edit.to !== key && Object.hasOwn(map, edit.to)))
        throw new RangeError(at < 0 ? `There is no \`${key}\` to rename.` : `\`${edit.to}\` already exists.`);
      return Object.fromEntries(entries.map(([name, value]) => [name === key ? edit.to : name, value]));
    case 'move':
      if (at < 0) throw new RangeError(`There is no \`${key}\` to move.`);
      return Object.fromEntries(moved(entries, at, edit.to));
    case 'insert':
      throw new RangeError('Items can be inserted only into a list.');
  }
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from];
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** Sets own properties only, because a document may have a key `constructor`. */
function put(
  map: Readonly<Record<string, Value>>,
  key: string,
  value: Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.hasOwn(map, key)
      ? Object.entries(map).map(([name, old]) => [name, name === key ? value : old])
      : [...Object.entries(map), [key, value]],
  );
}
