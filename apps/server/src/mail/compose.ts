import type { InterfaceLanguage } from '@belvedere/api';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';
import { zh } from './texts-zh.ts';
import type { MailText, MailTexts } from './mail-text.ts';
import type { Mail } from './mailer.ts';

const buttonStyle =
  'background:#1f5fbf;color:#ffffff;padding:10px 18px;border-radius:6px;text-decoration:none';
const bodyStyle =
  'font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1c2430;max-width:560px;margin:0 auto;padding:16px';

export const mailTexts: Readonly<Record<InterfaceLanguage, MailTexts>> = { en, de, zh };

/** Returns a mail as plain text and as HTML without remote content. */
export function compose(
  to: string,
  language: InterfaceLanguage,
  { subject, before, link, after = [] }: MailText,
  about: { readonly workspace: string; readonly address: string },
): Mail {
  const texts = mailTexts[language];
  const footer = texts.footer(about.workspace, about.address);
  const paragraphs = [
    texts.greeting,
    ...before,
    ...(link ? [`${link.label}:\n${link.address}`] : []),
    ...after,
  ];
  const html = [
    paragraph(texts.greeting),
    ...before.map(paragraph),
    ...(link
      ? [
          `<p style="margin:24px 0"><a href="${escaped(link.address)}" style="${buttonStyle}">${escaped(link.label)}</a></p>`,
          `<p style="font-size:12px;color:#5b6470;word-break:break-all">${escaped(link.address)}</p>`,
        ]
      : []),
    ...after.map(paragraph),
    `<p style="font-size:12px;color:#5b6470;border-top:1px solid #d9dde3;padding-top:12px">${escaped(footer)}</p>`,
  ].join('');
  return {
    to,
    subject,
    text: `${[...paragraphs, `-- \n${footer}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language === 'zh' ? 'zh-Hans' : language}"><body style="${bodyStyle}">${html}</body></html>`,
  };
}

const paragraph = (text: string) => `<p>${escaped(text)}</p>`;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
