/** Counts with their noun, in a language that has two forms: `1 member`, `1,204 members`. */
export const pluralIn =
  (language: string) =>
  (count: number, one: string, many: string): string =>
    `${count.toLocaleString(language)} ${count === 1 ? one : many}`;
