/** Texts in several languages, by language code (ISO 639-1). English is always present. */
export type Localized<Said> = Readonly<Record<string, Said>> & { readonly en: Said };

/** Returns the texts in the locale's language; English if there are none. */
export function localize<Said>(said: Localized<Said>, locale: string): Said {
  const language = /^[a-z]+/i.exec(locale)?.[0].toLowerCase() ?? 'en';
  return Object.hasOwn(said, language) ? said[language]! : said.en;
}
