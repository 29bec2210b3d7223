import { ProblemError } from './problems.ts';

const deepest = 32;
/**
 * Strings and structural characters of JSON. All other text is left to the parser. A string without an end goes on
 * to the end of the text: else the search would start again at each of its quotes.
 */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]/gs;
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses a request's JSON.
 * @throws ProblemError `request-invalid` for invalid JSON, for a name that is repeated in an object or
 * inherited from `Object.prototype`, and for more than 32 levels; brackets in strings do not count
 */
export function readJson(text: string): unknown {
  /** The names so far of each open object; undefined for arrays. */
  const open: (Set<string> | undefined)[] = [];
  let last: string | undefined;
  for (const [found] of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      open.push(found === '{' ? new Set() : undefined);
      if (open.length > deepest)
        throw new ProblemError(
          'request-invalid',
          `The request nests values more than ${deepest} levels deep.`,
        );
    } else if (found === '}' || found === ']') open.pop();
    else if (found === ':' && last !== undefined) nameIn(open.at(-1), last);
    last = found.startsWith('"') ? found : undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ProblemError('request-invalid', 'The request is not valid JSON.', { cause });
  }
}

function nameIn(names: Set<string> | undefined, quoted: string): void {
  let name = quoted.slice(1, -1);
  try {
    if (name.includes('\\')) name = JSON.parse(quoted) as string;
  } catch {
    // The parser reports this error.
    return;
  }
  if (reserved.has(name))
    throw new ProblemError('request-invalid', `\`${name}\` is not an allowed key in a request.`);
  if (names?.has(name))
    throw new ProblemError('request-invalid', `Duplicate key \`${name.slice(0, 100)}\` in the request.`);
  names?.add(name);
}
