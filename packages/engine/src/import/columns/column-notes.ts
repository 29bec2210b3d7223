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

/** The note on texts that count as nulls because they are used so in a column of another type. */
export function readAsNull(tokens: readonly string[]): string {
  return `${tokens.map(token => `“${token}”`).join(', ')} in a column is imported as null.`;
}

/** The notes on columns of numbers whose digits or zeros need another type than a number's. */
export function digitNotes({
  exact,
  rounded,
  codes,
}: Readonly<Record<'exact' | 'rounded' | 'codes', readonly string[]>>): string[] {
  return [
    ...(exact.length > 0
      ? [`${having(exact)} more digits than a standard number holds. All digits are kept.`]
      : []),
    ...(rounded.length > 0
      ? [`${having(rounded)} more digits than a number can hold. Values are rounded.`]
      : []),
    ...(codes.length > 0 ? [leadingZeros(codes)] : []),
  ];
}
