/** A pattern of the server's texts, and how another language says it. */
export type TranslatedText = readonly [RegExp, (...found: readonly string[]) => string];

/**
 * Translates a text that the server stores in English with jobs and deliveries: how a job ended, why a message
 * was not sent. A text that has no translation stays in English.
 */
export function translateServerText(text: string, all: readonly TranslatedText[]): string {
  for (const [pattern, say] of all) {
    const found = pattern.exec(text);
    if (found) return say(...found.slice(1).map(part => part ?? ''));
  }
  return text;
}
