/** Puts sentences behind each other, without those that are empty. A full-width stop has its space within. */
export function joinSentences(sentences: readonly (string | undefined)[]): string {
  return sentences
    .filter(sentence => sentence)
    .join(' ')
    .replaceAll(/(?<=[。！？]) /gu, '');
}
