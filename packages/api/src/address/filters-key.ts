/** The name of some filters together, in which their order does not count. Names of fields have no spaces. */
export function filtersKey(fields: readonly string[]): string {
  return fields.toSorted().join(' ');
}
