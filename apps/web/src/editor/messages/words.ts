import { readersLanguage } from '../../messages/messages.ts';
import { en, type EditorMessages } from './en.ts';

/** The editor's texts in the reader's language: set before it is drawn. */
export let words: EditorMessages = en;

/** Fetches them; a language that cannot be had is English. */
export async function loadWords(): Promise<void> {
  const language = readersLanguage();
  if (language === 'de') words = await import('./de.ts').then(module => module.de).catch(() => en);
  else if (language === 'zh') words = await import('./zh.ts').then(module => module.zh).catch(() => en);
}
