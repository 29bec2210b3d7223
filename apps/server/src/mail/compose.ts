import type { InterfaceLanguage } from '@belvedere/api';
import type { Message } from '../deliver/message.ts';
import { titleOf, toneOf } from '../deliver/payloads.ts';
import { button, escaped, look, mailPage } from './mail-page.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';
import { zh } from './texts-zh.ts';
import type { MailText, MailTexts, MessageTexts } from './mail-text.ts';
import type { Mail } from './mailer.ts';

export const mailTexts: Readonly<Record<InterfaceLanguage, MailTexts>> = { en, de, zh };

/** The workspace, and the address of the server. */
interface About {
  readonly workspace: string;
  readonly address: string;
}

/** Returns a mail as plain text and as HTML without remote content. */
export function compose(
  to: string,
  language: InterfaceLanguage,
  { subject, before, link, after = [] }: MailText,
  about: About,
): Mail {
  const texts = mailTexts[language];
  const footer = texts.footer(about.workspace, about.address);
  const paragraphs = [
    texts.greeting,
    ...before,
    ...(link ? [`${texts.labelled(link.label)}\n${link.address}`] : []),
    ...after,
  ];
  const html = [
    paragraph(texts.greeting),
    ...before.map(paragraph),
    ...(link
      ? [
          `<p style="margin:24px 0">${button(link.label, link.address)}</p>`,
          `<p ${look('quiet', 'word-break:break-all')}>${escaped(link.address)}</p>`,
        ]
      : []),
    ...after.map(paragraph),
    footerOf([escaped(footer)]),
  ].join('');
  return {
    to,
    subject,
    text: `${[...paragraphs, `-- \n${footer}`].join('\n\n')}\n`,
    html: mailPage(langOf(language), subject, html),
  };
}

/** Returns a mail that shows that mail can be sent. */
export function testMail(to: string, language: InterfaceLanguage, about: About): Mail {
  return compose(to, language, mailTexts[language].test(about), about);
}

/** Why a recipient gets messages. */
export type MessageReason =
  | {
      readonly kind: 'user';
      /** A path of the server. */
      readonly unsubscribe?: string | undefined;
    }
  | { readonly kind: 'channel'; readonly channel: string };

/** Returns one mail of one or several messages, with their pictures in its body and their files attached. */
export function composeMessages(
  to: string,
  language: InterfaceLanguage,
  messages: readonly [Message, ...Message[]],
  reason: MessageReason,
  about: About,
): Mail {
  const texts = mailTexts[language];
  const absolute = (href: string) => new URL(href, about.address).href;
  const unsubscribe =
    reason.kind === 'user' && reason.unsubscribe !== undefined ? absolute(reason.unsubscribe) : undefined;
  const notes = [
    texts.footer(about.workspace, about.address),
    ...(reason.kind === 'channel' ? [texts.message.channel(reason.channel)] : []),
  ];
  const subject = titleOf(messages, texts.message);
  const images = messages.flatMap((message, i) =>
    message.images.map(({ name, png }, k) => ({ cid: cidOf(i, k), name, png })),
  );
  const html = [
    ...messages.map((message, i) => htmlOf(message, i, texts.message, absolute)),
    footerOf([
      ...notes.map(escaped),
      ...(unsubscribe === undefined
        ? []
        : [`<a href="${escaped(unsubscribe)}" ${look('link')}>${escaped(texts.message.unsubscribe)}</a>`]),
    ]),
  ].join('');
  const text = [
    ...messages.map(message => textOf(message, texts.message, absolute)),
    [
      '-- ',
      ...notes,
      ...(unsubscribe === undefined ? [] : [`${texts.message.unsubscribe}: ${unsubscribe}`]),
    ].join('\n'),
  ].join('\n\n');
  return {
    to,
    subject,
    text: `${text}\n`,
    html: mailPage(langOf(language), subject, html),
    images,
    files: messages.flatMap(({ files }) => files),
    ...(unsubscribe !== undefined && { unsubscribe }),
  };
}

const cidOf = (message: number, image: number) => `image-${message + 1}-${image + 1}@belvedere`;
const langOf = (language: InterfaceLanguage) => (language === 'zh' ? 'zh-Hans' : language);

const paragraph = (text: string) => `<p>${escaped(text)}</p>`;
const footerOf = (lines: readonly string[]) =>
  `<p ${look('quiet line', 'padding-top:12px;margin-top:24px')}>${lines.join('<br>')}</p>`;

function htmlOf(
  { title, state, severity, lines, facts, links, images, files }: Message,
  index: number,
  texts: MessageTexts,
  absolute: (href: string) => string,
): string {
  const tone = toneOf(state, severity);
  const colour = toneColours[tone];
  const top = index === 0 ? 4 : 28;
  const [first, ...others] = links;
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th scope="row" ${look('quiet', 'text-align:left;vertical-align:top;font-weight:normal;padding:2px 16px 2px 0')}>` +
      `${escaped(label)}</th><td style="padding:2px 0;vertical-align:top">${escaped(value)}</td></tr>`,
  );
  return [
    `<div ${look(`${tone}-edge`, `border:0 solid ${colour};border-left-width:4px;padding-left:12px;margin:${top}px 0 12px`)}>`,
    `<h1 ${look('title', 'font-size:19px;line-height:1.3;margin:0')}>${escaped(title)}</h1></div>`,
    ...lines.map(paragraph),
    ...(rows.length === 0
      ? []
      : [`<table style="border-collapse:collapse;margin:12px 0;font-size:14px">${rows.join('')}</table>`]),
    ...images.map(({ alt, width }, i) => {
      const size = width > 0 ? ` width="${Math.min(Math.round(width), 640)}"` : '';
      // A chart has a light ground, which stays: around it there must be no dark gap.
      const style = 'display:block;max-width:100%;height:auto;border:0;border-radius:6px;background:#ffffff';
      return `<p><img src="cid:${cidOf(index, i)}" alt="${escaped(alt)}"${size} style="${style}"></p>`;
    }),
    ...(files.length === 0
      ? []
      : [
          `<p ${look('quiet')}>${escaped(texts.files)}: ${files.map(({ name }) => escaped(name)).join(', ')}</p>`,
        ]),
    ...(first ? [`<p style="margin:20px 0 12px">${button(first.label, absolute(first.href))}</p>`] : []),
    ...(others.length === 0
      ? []
      : [
          `<p>${others
            .map(
              ({ label, href }) =>
                `<a href="${escaped(absolute(href))}" ${look('link')}>${escaped(label)}</a>`,
            )
            .join(' · ')}</p>`,
        ]),
  ].join('');
}

function textOf(
  { title, lines, facts, links, images, files }: Message,
  texts: MessageTexts,
  absolute: (href: string) => string,
): string {
  return [
    title,
    ...lines,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    images.map(({ alt }) => `[${alt}]`).join('\n'),
    files.length === 0 ? '' : `${texts.files}: ${files.map(({ name }) => name).join(', ')}`,
    ...links.map(({ label, href }) => `${label}:\n${absolute(href)}`),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const toneColours: Readonly<Record<ReturnType<typeof toneOf>, string>> = {
  good: '#0b7a5c',
  info: '#244fca',
  warning: '#8f5800',
  critical: '#b3261e',
  unknown: '#667080',
};
