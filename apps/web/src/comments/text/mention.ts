/** A mention that is being typed: where its `@` is, and the letters since. */
export interface TypedMention {
  readonly at: number;
  readonly search: string;
}

/** Returns the mention that ends at the caret. Names have up to three words. */
export function mentionAt(text: string, caret: number): TypedMention | undefined {
  const found = /(?:^|[\s([{“"'])@((?:[^\s@]+ ){0,2}[^\s@]{0,40})$/u.exec(text.slice(0, caret));
  if (!found) return undefined;
  const [, search = ''] = found;
  return { at: caret - search.length - 1, search };
}

/** Puts a name in the place of a begun mention, with a space behind it unless something else follows. */
export function withMention(
  text: string,
  at: number,
  caret: number,
  name: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const before = `${text.slice(0, at)}@${name}${rest === '' || /^[\p{L}\p{N}]/u.test(rest) ? ' ' : ''}`;
  return { text: before + rest, caret: before.length + (rest.startsWith(' ') ? 1 : 0) };
}
