/** Writes texts of a collation. */
export interface MysqlText {
  /** Converts a value to text. */
  readonly asText: (value: string) => string;
  /** Writes a text as a literal. */
  readonly literal: (value: string) => string;
}

export function mysqlText(collation: string): MysqlText {
  const asText = (value: string) => `convert(${value} using utf8mb4) collate ${collation}`;
  // In any SQL mode for quotes and backslashes, these characters are literal.
  const literal = (value: string) =>
    /^[\p{L}\p{N} _.,:;@/+%-]*$/u.test(value)
      ? `'${value}' collate ${collation}`
      : `(${asText(`x'${hexOf(value)}'`)})`;
  return { asText, literal };
}

function hexOf(value: string): string {
  return [...new TextEncoder().encode(value)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
