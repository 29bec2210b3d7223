import { readersLanguage } from '../../messages/messages.ts';
import { en, type ScheduledMessages } from './en.ts';

/** The texts that alerts and reports share, in the user's language: set before they are drawn. */
export let words: ScheduledMessages = en;

/** Fetches them; a language that cannot be had is English. */
export async function loadScheduledWords(): Promise<void> {
  const language = readersLanguage();
  if (language === 'de') words = await import('./de.ts').then(module => module.de).catch(() => en);
  else if (language === 'zh') words = await import('./zh.ts').then(module => module.zh).catch(() => en);
}
