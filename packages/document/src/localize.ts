/** What is said in some languages, English among them, by their codes (ISO 639-1). */
export type Localized<Said> = Readonly<Record<string, Said>> & { readonly en: Said };

/** What a locale's language says; English where there is nothing in it. */
export function localize<Said>(said: Localized<Said>, locale: string): Said {
  const language = /^[a-z]+/i.exec(locale)?.[0].toLowerCase() ?? 'en';
  return Object.hasOwn(said, language) ? said[language]! : said.en;
}
