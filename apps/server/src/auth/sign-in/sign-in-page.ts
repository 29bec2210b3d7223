import { preferredLanguage, type InterfaceLanguage } from '@belvedere/api';

/** Why a browser must sign in: it has no session, or its address is no longer valid. */
export type SignInReason = 'no session' | 'spent address';

interface Words {
  readonly title: string;
  readonly why: Readonly<Record<SignInReason, string>>;
  /** The text before and after the command that creates a fresh address. */
  readonly what: readonly [string, string];
}

const command = 'npm start -- open PATH';

const words: Readonly<Record<InterfaceLanguage, Words>> = {
  en: {
    title: 'Not signed in',
    why: {
      'no session': 'This browser is not signed in to Belvedere.',
      'spent address': 'This address no longer works. It was used by another browser, or it has expired.',
    },
    what: [
      'To get a new address, run ',
      ' in Belvedere’s folder on this computer. PATH is the open folder or file; omit it for the sample.',
    ],
  },
  de: {
    title: 'Nicht angemeldet',
    why: {
      'no session': 'Dieser Browser ist nicht bei Belvedere angemeldet.',
      'spent address':
        'Diese Adresse gilt nicht mehr. Ein anderer Browser hat sie benutzt, oder sie ist zu alt.',
    },
    what: [
      'Eine neue Adresse gibt ',
      ' im Ordner von Belvedere auf diesem Computer. PATH ist der Ordner oder die Datei, die geöffnet ist; für das Beispiel entfällt PATH.',
    ],
  },
  zh: {
    title: '未登录',
    why: {
      'no session': '此浏览器尚未登录 Belvedere。',
      'spent address': '此地址已失效：已被其他浏览器使用，或已过期。',
    },
    what: [
      '要获取新地址，请在这台计算机上的 Belvedere 文件夹中运行 ',
      '。PATH 是已打开的文件夹或文件；打开示例时可省略。',
    ],
  },
};

/** The same text for API clients, in English. */
export function signInDetail(reason: SignInReason): string {
  const { why, what } = words.en;
  return `${why[reason]} ${what.join(`\`${command}\``)}`;
}

/**
 * Returns the page that explains how to sign in. @param wished the languages of the `accept-language` header
 */
export function signInPage(reason: SignInReason, wished: string | undefined): string {
  const language = preferredLanguage((wished ?? '').split(',').map(tag => tag.trim()));
  const { title, why, what } = words[language];
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-Hans' : language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Belvedere</title><link rel="stylesheet" href="/api-docs.css"></head><body><main><h1>${title}</h1><p>${why[reason]}</p><p>${what.join(`<code>${command}</code>`)}</p></main></body></html>`;
}
