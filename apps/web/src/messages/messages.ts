import { preferredLanguage, type InterfaceLanguage } from '@belvedere/api';
import { en, type Messages } from './en.ts';

/** The languages the interface speaks; each but English is fetched where it is wanted. */
export const languages: Readonly<Record<InterfaceLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  zh: '简体中文',
};

/** Returns the name of a language in that language; a tag such as `de-CH` stays as it is. */
export function languageName(tag: string): string {
  return languages[tag as InterfaceLanguage] ?? tag;
}

const catalogues: Readonly<Record<Exclude<InterfaceLanguage, 'en'>, () => Promise<Messages>>> = {
  de: () => import('./de.ts').then(module => module.de),
  zh: () => import('./zh.ts').then(module => module.zh),
};
const setting = 'belvedere-language';

/** The interface's texts in the reader's language: set before the first screen is drawn, never after. */
export let t: Messages = en;

/** The workspace’s language, for users who have chosen none. */
const workspaceLocale = document.documentElement.dataset['locale'];

/**
 * How numbers and dates are written for this reader: as the workspace does, or the browser is set, where that
 * is of the chosen language, else as that language does.
 */
export let locale = workspaceLocale ?? tagOf(navigator.language) ?? 'en-US';

/**
 * The language this reader has chosen, else the workspace's, else the first of the browser's that there is.
 */
export function readersLanguage(): InterfaceLanguage {
  return preferredLanguage([localStorage.getItem(setting), workspaceLocale, ...navigator.languages]);
}

/** The language in which the server writes mails, unless something else is chosen. */
export function workspaceLanguage(): InterfaceLanguage {
  return preferredLanguage([workspaceLocale]);
}

/**
 * Fetches the reader's texts; a language that cannot be had is English.
 *
 * @param chosen the locale that a site around this page has chosen
 */
export async function loadMessages(chosen?: string): Promise<void> {
  if (chosen !== undefined && tagOf(chosen) !== undefined) return speak(chosen);
  const language = readersLanguage();
  t = language === 'en' ? en : await catalogues[language]().catch(() => en);
  const isChosen = localStorage.getItem(setting) !== null;
  const others = [...(workspaceLocale === undefined ? [] : [workspaceLocale]), ...navigator.languages];
  // A workspace may write its numbers as a language does that the interface does not speak.
  if (isChosen || (language !== 'en' && workspaceLocale === undefined))
    locale =
      others
        .filter(one => one.startsWith(language))
        .map(tagOf)
        .find(tag => tag !== undefined) ?? language;
  // Setting it again would make the browser compute all styles and paint the page.
  if (document.documentElement.lang !== language) document.documentElement.lang = language;
}

/**
 * A language's tag as numbers and dates can be written by (BCP 47); a browser may have the system's own name
 * of it, `en-US@posix`.
 */
function tagOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language.replace(/[@.].*$/, '').replace('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** Speaks as a locale does, whatever the browser is set to. */
export async function speak(chosen: string): Promise<void> {
  const language = chosen.slice(0, 2);
  t = language === 'de' || language === 'zh' ? await catalogues[language]() : en;
  locale = chosen;
  document.documentElement.lang = language;
}

/** Changes the language, and reloads the page, since all of its texts change. */
export function chooseLanguage(language: InterfaceLanguage): void {
  localStorage.setItem(setting, language);
  window.location.reload();
}
