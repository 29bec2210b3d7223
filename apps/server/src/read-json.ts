import { ProblemError } from './problems.ts';

const deepest = 32;
/** Texts, and what structures JSON; everything else is left to the parser. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * A request's JSON as a value.
 * @throws ProblemError `request-invalid` for text that is no JSON, for a name that stands twice in one object or that objects have by
 * themselves, and for more than 32 levels; brackets within texts are no levels
 */
export function readJson(text: string): unknown {
  /** The names so far of each object that is open; none of a list. */
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
    // The parser says so.
    return;
  }
  if (reserved.has(name))
    throw new ProblemError('request-invalid', `\`${name}\` is not an allowed key in a request.`);
  if (names?.has(name))
    throw new ProblemError('request-invalid', `Duplicate key \`${name.slice(0, 100)}\` in the request.`);
  names?.add(name);
}
