import { lazyComponent, type LazyComponent } from '@belvedere/ui';
import type { ComponentType } from 'react';
import { readersLanguage } from '../../messages/messages.ts';
import { en, type RelationshipMessages } from './en.ts';

/** The texts of relationships in the user's language: set before they are drawn. */
export let words: RelationshipMessages = en;

/** Fetches them; a language that cannot be had is English. */
async function loadWords(): Promise<void> {
  const language = readersLanguage();
  if (language === 'de') words = await import('./de.ts').then(module => module.de).catch(() => en);
  else if (language === 'zh') words = await import('./zh.ts').then(module => module.zh).catch(() => en);
}

/** A component that loads when it is first shown, together with the texts of relationships. */
export function lazyWithRelationshipWords<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  return lazyComponent(async () => {
    const [component] = await Promise.all([load(), loadWords()]);
    return component;
  });
}
