/** A pattern of the server's reasons, and how another language says it. */
export type TranslatedReason = readonly [RegExp, (...found: readonly string[]) => string];

/** Returns a reason in another language; one that has no translation stays in English. */
export function translateReason(reason: string, all: readonly TranslatedReason[]): string {
  for (const [pattern, say] of all) {
    const found = pattern.exec(reason);
    if (found) return say(...found.slice(1).map(text => text ?? ''));
  }
  return reason;
}
