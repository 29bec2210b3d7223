/** A column as an expression names it: bare where that is possible. */
export function quotedColumn(column: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(column) && !reserved.has(column)
    ? column
    : `"${column.replaceAll('"', '""')}"`;
}

const reserved = new Set([
  'case',
  'cast',
  'extract',
  'not',
  'null',
  'true',
  'false',
  'in',
  'is',
  'between',
  'like',
  'and',
  'or',
  'when',
  'then',
  'else',
  'end',
  'as',
  'from',
  'filter',
  'where',
  'distinct',
]);
