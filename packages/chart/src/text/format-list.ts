const listFormats = new Map<string, Intl.ListFormat>();

/**
 * Values as a sentence names them: `origin, carrier, and hour`. A browser takes milliseconds to know how a
 * language does that, which one value alone does not need.
 */
export function formatList(values: readonly string[], locale: string): string {
  if (values.length < 2) return values[0] ?? '';
  const format = listFormats.get(locale) ?? new Intl.ListFormat(locale, { type: 'conjunction' });
  listFormats.set(locale, format);
  return format.format(values);
}
