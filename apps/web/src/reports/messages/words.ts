import { lazyComponent, type LazyComponent } from '@belvedere/ui';
import type { ComponentType } from 'react';
import { loadAccountWords } from '../../accounts/messages/words.ts';
import { readersLanguage } from '../../messages/messages.ts';
import { loadScheduledWords } from '../../scheduled/messages/words.ts';
import { en, type ReportMessages } from './en.ts';

/** The texts of reports in the user's language: set before they are drawn. */
export let words: ReportMessages = en;

/** Fetches them; a language that cannot be had is English. */
async function loadWords(): Promise<void> {
  const language = readersLanguage();
  if (language === 'de') words = await import('./de.ts').then(module => module.de).catch(() => en);
  else if (language === 'zh') words = await import('./zh.ts').then(module => module.zh).catch(() => en);
}

/** A component that loads when it is first shown, together with the texts of reports and of accounts. */
export function lazyWithReportWords<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  return lazyComponent(async () => {
    const [component] = await Promise.all([load(), loadWords(), loadScheduledWords(), loadAccountWords()]);
    return component;
  });
}
