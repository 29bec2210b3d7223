import { z } from 'zod';
import { applyEdit, type Edit, type Path } from './edit.ts';
import { editText } from './edit-text.ts';
import { parseYaml } from '../parse-yaml.ts';

const Pointer = z
  .string()
  .max(500)
  .regex(/^(?:\/(?:[^/~]|~[01])*)*$/, 'is no JSON Pointer such as `/pages/0/title`');

const Value = z.unknown().refine(value => value !== undefined, 'is missing');

/** One operation of a JSON Patch (RFC 6902). */
export const PatchOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path: Pointer, value: Value }),
  z.strictObject({ op: z.literal('remove'), path: Pointer }),
  z.strictObject({ op: z.literal('replace'), path: Pointer, value: Value }),
  z.strictObject({ op: z.literal('move'), from: Pointer, path: Pointer }),
  z.strictObject({ op: z.literal('copy'), from: Pointer, path: Pointer }),
  z.strictObject({ op: z.literal('test'), path: Pointer, value: Value }),
]);
export type PatchOperation = z.infer<typeof PatchOperation>;

/** Total length of what a patch may copy, as JSON. Copies of copies would grow without end. */
const maxCopied = 256 * 1024;

/**
 * Applies a JSON Patch (RFC 6902) to a document's text: all operations or none. Like `editText`, it changes
 * only the lines that it must. A key that moves within its map keeps its position.
 *
 * @throws RangeError with the number of the operation that does not apply, and why
 * @throws TypeError when `text` is not YAML
 */
export function patchText(text: string, operations: readonly PatchOperation[]): string {
  const { document } = parseYaml(text);
  if (document.errors.length > 0)
    throw new TypeError(`The document is not valid YAML: ${document.errors[0]!.message}`);
  let value = document.toJS({ maxAliasCount: 1000 }) as unknown;
  const edits: Edit[] = [];
  let copied = 0;
  for (const [i, operation] of operations.entries())
    try {
      if (operation.op === 'copy') {
        copied += JSON.stringify(existing(value, operation.from).value).length;
        if (copied > maxCopied) throw new RangeError('the patch copies more than a document may have.');
      }
      const steps = editsOf(value, operation);
      value = steps.reduce(applyEdit, value);
      edits.push(...steps);
    } catch (error) {
      const { op, path } = operation;
      throw new RangeError(
        `Operation ${i + 1} (\`${op} ${path}\`) does not apply: ${(error as Error).message}`,
      );
    }
  return editText(text, edits);
}

/** The edits that make an operation of a value. @throws RangeError if it does not apply */
function editsOf(value: unknown, operation: PatchOperation): readonly Edit[] {
  switch (operation.op) {
    case 'add':
      return [addition(value, operation.path, operation.value)];
    case 'replace':
      return [{ kind: 'set', path: existing(value, operation.path).path, value: operation.value }];
    case 'remove':
      return [{ kind: 'remove', path: removable(value, operation.path) }];
    case 'copy':
      return [addition(value, operation.path, existing(value, operation.from).value)];
    case 'move':
      return moves(value, operation.from, operation.path);
    case 'test':
      if (!isEqual(existing(value, operation.path).value, operation.value))
        throw new RangeError('the value is another one.');
      return [];
  }
}

function addition(value: unknown, pointer: string, added: unknown): Edit {
  const tokens = tokensOf(pointer);
  if (tokens.length === 0) return { kind: 'set', path: [], value: added };
  const { path, value: parent } = follow(value, tokens.slice(0, -1));
  const last = tokens.at(-1)!;
  if (Array.isArray(parent)) {
    const at = last === '-' ? parent.length : indexOf(last);
    if (at === undefined || at > parent.length)
      throw new RangeError(`the list at \`${pointerTo(path)}\` has ${parent.length} items.`);
    return { kind: 'insert', path: [...path, at], value: added };
  }
  if (!isMap(parent)) throw new RangeError(`\`${pointerTo(path)}\` has no keys.`);
  return { kind: 'set', path: [...path, last], value: added };
}

function moves(value: unknown, from: string, to: string): readonly Edit[] {
  if (to.startsWith(`${from}/`)) throw new RangeError('a value cannot move into itself.');
  const { path, value: moved } = existing(value, from);
  if (from === to) return [];
  const [source, target] = [tokensOf(from), tokensOf(to)];
  const isSameParent = pointerTo(source.slice(0, -1)) === pointerTo(target.slice(0, -1));
  if (isSameParent && source.length > 0) {
    const parent = follow(value, source.slice(0, -1)).value;
    const last = target.at(-1)!;
    if (Array.isArray(parent)) {
      const at = last === '-' ? parent.length - 1 : indexOf(last);
      if (at === undefined || at >= parent.length)
        throw new RangeError(`the list has ${parent.length} items.`);
      return [{ kind: 'move', path, to: at }];
    }
    if (isMap(parent) && !Object.hasOwn(parent, last)) return [{ kind: 'rename', path, to: last }];
  }
  const removal: Edit = { kind: 'remove', path: removable(value, from) };
  return [removal, addition(applyEdit(value, removal), to, moved)];
}

function existing(value: unknown, pointer: string) {
  return follow(value, tokensOf(pointer));
}

function removable(value: unknown, pointer: string): Path {
  const { path } = existing(value, pointer);
  if (path.length === 0) throw new RangeError('the whole document cannot be removed.');
  return path;
}

/** @throws RangeError if there is nothing at the tokens */
function follow(value: unknown, tokens: readonly string[]): { readonly path: Path; readonly value: unknown } {
  const path: (string | number)[] = [];
  let found = value;
  for (const token of tokens) {
    const key = Array.isArray(found) ? indexOf(token) : token;
    const isThere =
      key !== undefined &&
      (Array.isArray(found) ? Number(key) < found.length : isMap(found) && Object.hasOwn(found, key));
    if (!isThere) throw new RangeError(`there is nothing at \`${pointerTo([...path, token])}\`.`);
    path.push(key);
    found = (found as Readonly<Record<string | number, unknown>>)[key];
  }
  return { path, value: found };
}

function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function pointerTo(path: Path): string {
  return path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function indexOf(token: string): number | undefined {
  return /^(?:0|[1-9]\d{0,5})$/.test(token) ? Number(token) : undefined;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal, in any order of keys (RFC 6902, 4.6). */
function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
  if (!isMap(a) || !isMap(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  );
}
