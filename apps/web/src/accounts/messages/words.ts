import { readersLanguage } from '../../messages/messages.ts';
import { en, type AccountMessages } from './en.ts';

/** The texts of signing in, accounts and sharing in the user's language: set before they are drawn. */
export let words: AccountMessages = en;

/** Fetches them; a language that cannot be had is English. */
export async function loadAccountWords(): Promise<void> {
  const language = readersLanguage();
  if (language === 'de') words = await import('./de.ts').then(module => module.de).catch(() => en);
  else if (language === 'zh') words = await import('./zh.ts').then(module => module.zh).catch(() => en);
}
