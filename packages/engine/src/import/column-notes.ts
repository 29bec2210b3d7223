/** Column names in quotes, for the notes of an import report. */
export function listed(names: Iterable<string>): string {
  return [...names].map(name => `“${name}”`).join(', ');
}

/** The columns with their verb: `“a” has`, `“a”, “b” have`. */
export function having(names: Iterable<string>): string {
  const all = [...names];
  return `${listed(all)} ${all.length === 1 ? 'has' : 'have'}`;
}

/** The note on columns of codes such as postal codes, which numbers would change. */
export function leadingZeros(names: readonly string[]): string {
  return `${having(names)} numbers with leading zeros, so ${names.length === 1 ? 'it is' : 'they are'} imported as text.`;
}
