/** Returns one or two letters of a name: of its first and last word. */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const first = Array.from(parts[0] ?? '');
  // Chinese, Japanese and Korean names are known by their first character.
  if (parts.length < 2 || /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}/u.test(first[0] ?? ''))
    return (first[0] ?? '?').toLocaleUpperCase();
  return `${first[0]}${Array.from(parts.at(-1)!)[0]}`.toLocaleUpperCase();
}
