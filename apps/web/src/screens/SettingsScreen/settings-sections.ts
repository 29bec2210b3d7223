import { t } from '../../messages/messages.ts';

/** The settings page's sections, with other words by which they are found. */
export const settingsSections = [
  { id: 'language', title: () => t.settings.language, words: () => t.settings.languageWords },
  { id: 'time', title: () => t.settings.time, words: () => t.settings.timeWords },
  { id: 'theme', title: () => t.settings.theme, words: () => t.settings.themeWords },
  { id: 'shortcuts', title: () => t.keys.title, words: () => t.settings.shortcutWords },
] as const;
