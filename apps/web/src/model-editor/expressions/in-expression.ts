/** A column as an expression names it: quoted where it is no plain name. */
export function inExpression(column: string): string {
  return /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(column)
    ? column
    : column
        .split('.')
        .map(part => `"${part.replaceAll('"', '""')}"`)
        .join('.');
}
