import type { WebhookTemplate } from '@belvedere/api';
import { createHash } from 'node:crypto';
import type { MessageTexts } from '../mail/mail-text.ts';
import type { Message, Severity } from './message.ts';

/** What a payload says beside its messages. */
export interface PayloadContext {
  /** The same for every attempt. */
  readonly id: string;
  /** When the message was created, ISO text. */
  readonly at: string;
  /** The title of the workspace. */
  readonly workspace: string;
  /** Returns the address of a path of this server. */
  readonly absolute: (href: string) => string;
  readonly texts: MessageTexts;
  /** Of PagerDuty. */
  readonly routingKey?: string;
}

type Messages = readonly [Message, ...Message[]];

/**
 * Returns the JSON body of a webhook. It only depends on its arguments, so that all attempts send the same. For
 * PagerDuty there must be one message.
 */
export function payloadOf(template: WebhookTemplate, messages: Messages, context: PayloadContext): string {
  return JSON.stringify(payloads[template](messages, context));
}

const payloads: Readonly<Record<WebhookTemplate, (messages: Messages, context: PayloadContext) => unknown>> =
  { generic, slack, teams, discord, pagerduty };

/** Returns one title for several messages: `3 alerts: Late flights, Cancelled flights, …`. */
export function titleOf(messages: Messages, texts: MessageTexts): string {
  if (messages.length === 1) return messages[0].title;
  return texts.several(
    messages.length,
    messages.map(({ title }) => title),
  );
}

/** Our own form, described in the guide. Fields are only ever added. */
function generic(messages: Messages, { id, at, workspace, absolute }: PayloadContext) {
  return {
    version: 1,
    id,
    at,
    workspace,
    messages: messages.map(({ kind, about, title, state, severity, lines, facts, links }) => ({
      kind,
      about,
      title,
      ...(state !== undefined && { state }),
      ...(severity !== undefined && { severity }),
      lines,
      facts,
      links: links.map(({ label, href }) => ({ label, href: absolute(href) })),
    })),
  };
}

/** @see https://docs.slack.dev/reference/block-kit/blocks for the limits of texts and blocks */
function slack(messages: Messages, { absolute, texts }: PayloadContext) {
  const escape = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  // With `verbatim`, names of channels and users in data are not links.
  const markdown = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
  // Slack's Markdown has no escapes for *, _, ~, ` and a leading >, so texts from data are plain.
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const blocks = messages.flatMap((message, i) => {
    const { title, lines, facts, links } = message;
    const text = cut(lines.join('\n'), 3000);
    const fields = facts
      .slice(0, 10)
      .map(({ label, value }) =>
        /[*_~`]|^>/m.test(`${label}\n${value}`)
          ? plain(`${cut(label, 300)}\n${cut(value, 1600)}`)
          : markdown(`*${cut(label, 300, escape)}*\n${cut(value, 1600, escape)}`),
      );
    const ways = shortLinks(links, absolute).map(
      ({ label, href }) =>
        `<${escape(href.replaceAll('|', '%7C'))}|${cut(label, 200, escape).replaceAll('|', '¦')}>`,
    );
    const way = withinLength(ways, ' · ', 3000);
    return [
      ...(i === 0 && messages.length === 1 ? [] : [{ type: 'divider' }]),
      {
        type: 'header',
        text: plain(cut(title, 150)),
      },
      ...(text === '' ? [] : [{ type: 'section', text: plain(text) }]),
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      ...(way === '' ? [] : [{ type: 'section', text: markdown(way) }]),
    ];
  });
  const title = titleOf(messages, texts);
  // The titles of all, since not all may have room. Slack shows `text` in notifications only.
  const all = messages.length === 1 ? [] : [{ type: 'section', text: plain(cut(title, 3000)) }];
  return {
    text: cut(title, 3000, escape),
    blocks: [...all, ...blocks].slice(0, 50),
    unfurl_links: false,
  };
}

/** @see https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook; at most 28 KB */
function teams(messages: Messages, { absolute, texts }: PayloadContext) {
  const escape = (text: string) => text.replaceAll(/[\\*_[\]()#~`|>-]/g, String.raw`\$&`);
  const body = messages.slice(0, 10).flatMap((message, i) => {
    const { lines, facts, state, severity } = message;
    const colour = cardColours[toneOf(state, severity)];
    return [
      {
        type: 'TextBlock',
        text: cut(message.title, 300, escape),
        weight: 'Bolder',
        size: 'Medium',
        wrap: true,
        color: colour,
        separator: i > 0 || messages.length > 1,
      },
      ...lines
        .slice(0, 10)
        .map(line => ({ type: 'TextBlock', text: cut(line, 400, escape), wrap: true, spacing: 'Small' })),
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'FactSet',
              facts: facts.slice(0, 10).map(({ label, value }) => ({
                title: cut(label, 100, escape),
                value: cut(value, 200, escape),
              })),
            },
          ]),
    ];
  });
  const title = titleOf(messages, texts);
  // The titles of all, since not all may have room. Teams shows `fallbackText` only if it cannot show the card.
  const all =
    messages.length === 1 ? [] : [{ type: 'TextBlock', text: cut(title, 2000, escape), wrap: true }];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: cut(title, 300, escape),
          body: withinBytes([...all, ...body], 18_000),
          // A card shows six buttons at most.
          actions: withinBytes(
            shortLinks(
              messages.flatMap(({ links }) => links),
              absolute,
            )
              .slice(0, 6)
              .map(({ label, href }) => ({ type: 'Action.OpenUrl', title: cut(label, 100), url: href })),
            7000,
          ),
          msteams: { width: 'Full' },
        },
      },
    ],
  };
}

/** @see https://discord.com/developers/docs/resources/webhook#execute-webhook; 6000 characters in all embeds */
function discord(messages: Messages, { absolute, texts, at }: PayloadContext) {
  const escape = (text: string) => text.replaceAll(/[\\*_~`|>[\]()#-]/g, String.raw`\$&`);
  const shown = messages.slice(0, 10);
  const maxLength = Math.floor(5500 / shown.length);
  return {
    content: cut(titleOf(messages, texts), 2000, escape),
    // Texts from data must not notify people.
    allowed_mentions: { parse: [] },
    embeds: shown.map(message => {
      const { lines, facts, links, state, severity } = message;
      const title = cut(message.title, Math.min(256, maxLength >> 2), escape);
      const ways = shortLinks(links, absolute);
      let left = maxLength - title.length;
      const take = (text: string, longest: number) => {
        const taken = cut(text, Math.max(0, Math.min(longest, left)), escape);
        left -= taken.length;
        return taken;
      };
      const way = withinLength(
        ways.map(
          ({ label, href }) =>
            `[${cut(label, 100, escape)}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`,
        ),
        ' · ',
        Math.min(left / 2, 2000),
      );
      left -= way.length;
      const description = take(lines.join('\n'), 2000);
      const fields = facts.slice(0, 25).flatMap(({ label, value }) => {
        if (left < 100) return [];
        // A field needs both.
        return [
          { name: take(label, 256).trim() || '–', value: take(value, 1024).trim() || '–', inline: true },
        ];
      });
      const [first] = ways;
      return {
        title,
        description: [description, way].filter(Boolean).join('\n\n'),
        ...(first && { url: first.href }),
        color: embedColours[toneOf(state, severity)],
        fields,
        timestamp: at,
      };
    }),
  };
}

/** @see https://developer.pagerduty.com/docs/send-alert-event, of the Events API v2 */
function pagerduty(
  [{ kind, about, title, state, isOngoing, severity = 'warning', lines, facts, links }]: Messages,
  { routingKey, workspace, absolute, at, id }: PayloadContext,
) {
  const key = { routing_key: routingKey ?? '', dedup_key: dedupKey(kind === 'test' ? `test:${id}` : about) };
  // An incident is one alert with all of its groups.
  if (state === 'ok' && !isOngoing) return { ...key, event_action: 'resolve' };
  return {
    ...key,
    event_action: 'trigger',
    payload: {
      summary: cut(title, 1024),
      source: cut(`Belvedere: ${workspace}`, 255),
      severity: kind === 'test' ? 'info' : severity,
      timestamp: at,
      component: cut(about, 255),
      custom_details: {
        ...(lines.length > 0 && { text: cut(lines.join('\n'), 20_000) }),
        ...Object.fromEntries(
          facts.slice(0, 50).map(({ label, value }) => [cut(label, 200), cut(value, 2000)]),
        ),
      },
    },
    links: shortLinks(links, absolute).map(({ label, href }) => ({ href, text: cut(label, 200) })),
    client: 'Belvedere',
    client_url: absolute('/'),
  };
}

/** PagerDuty's keys have 255 characters at most. Those of two alerts are never the same. */
function dedupKey(about: string): string {
  if (about.length <= 255) return about;
  return `${about.slice(0, 190)} ${createHash('sha256').update(about).digest('hex')}`;
}

/** Returns absolute links without those that no service takes: Discord's limit is 2048 characters. */
function shortLinks(links: Message['links'], absolute: PayloadContext['absolute']): Message['links'] {
  return links
    .map(({ label, href }) => ({ label, href: absolute(href) }))
    .filter(({ href }) => href.length <= 2000);
}

/** Joins the parts that together are no longer than a limit. A link is not cut. */
function withinLength(parts: readonly string[], separator: string, maxLength: number): string {
  return parts.reduce((text, part) => {
    const next = text === '' ? part : text + separator + part;
    return next.length <= maxLength ? next : text;
  }, '');
}

type Tone = 'good' | 'info' | 'warning' | 'critical' | 'unknown';

/** Returns how a message is coloured. */
export function toneOf(state: Message['state'], severity: Severity | undefined): Tone {
  if (state === 'ok') return 'good';
  if (state === 'noData' || state === 'error') return 'unknown';
  return severity ?? (state === 'firing' ? 'warning' : 'info');
}

const cardColours: Readonly<Record<Tone, string>> = {
  good: 'Good',
  info: 'Accent',
  warning: 'Warning',
  critical: 'Attention',
  unknown: 'Default',
};
const embedColours: Readonly<Record<Tone, number>> = {
  good: 0x0b7a5c,
  info: 0x244fca,
  warning: 0x8f5800,
  critical: 0xb3261e,
  unknown: 0x667080,
};

/** Returns the first parts of a message that together are no longer than a limit, as JSON. */
function withinBytes<Part>(parts: readonly Part[], maxBytes: number): Part[] {
  let bytes = 0;
  return parts.filter(part => {
    bytes += Buffer.byteLength(JSON.stringify(part));
    return bytes <= maxBytes;
  });
}

/**
 * Returns an escaped text of at most so many characters, without half of a pair of surrogates or of an escape.
 * @param escape escapes each character on its own
 */
function cut(text: string, maxLength: number, escape: (text: string) => string = one => one): string {
  const whole = escape(text);
  if (whole.length <= maxLength) return whole;
  let taken = '';
  for (const character of text) {
    const next = escape(character);
    if (taken.length + next.length >= maxLength) break;
    taken += next;
  }
  return `${taken}…`;
}
