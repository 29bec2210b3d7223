import type { WebhookTemplate } from '@belvedere/api';
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
  const blocks = messages.flatMap((message, i) => {
    const { lines, facts, links } = message;
    const text = lines.map(escape).join('\n');
    const fields = facts.slice(0, 10).map(({ label, value }) => ({
      type: 'mrkdwn',
      text: cut(`*${escape(label)}*\n${escape(value)}`, 2000),
    }));
    const ways = links.map(
      ({ label, href }) =>
        `<${escape(absolute(href).replaceAll('|', '%7C'))}|${escape(label).replaceAll('|', '¦')}>`,
    );
    return [
      ...(i === 0 ? [] : [{ type: 'divider' }]),
      {
        type: 'header',
        text: { type: 'plain_text', text: cut(message.title, 150), emoji: false },
      },
      ...(text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: cut(text, 3000) } }]),
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      ...(ways.length === 0
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', text: cut(ways.join(' · '), 3000) } }]),
    ];
  });
  return { text: escape(titleOf(messages, texts)), blocks: blocks.slice(0, 50), unfurl_links: false };
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
        text: cut(escape(message.title), 300),
        weight: 'Bolder',
        size: 'Medium',
        wrap: true,
        color: colour,
        separator: i > 0,
      },
      ...lines
        .slice(0, 10)
        .map(line => ({ type: 'TextBlock', text: cut(escape(line), 400), wrap: true, spacing: 'Small' })),
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'FactSet',
              facts: facts.slice(0, 10).map(({ label, value }) => ({
                title: cut(escape(label), 100),
                value: cut(escape(value), 200),
              })),
            },
          ]),
    ];
  });
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
          fallbackText: cut(titleOf(messages, texts), 300),
          body: withinBytes(body, 20_000),
          // A card shows six buttons at most.
          actions: messages
            .flatMap(({ links }) => links)
            .slice(0, 6)
            .map(({ label, href }) => ({
              type: 'Action.OpenUrl',
              title: cut(label, 100),
              url: absolute(href),
            })),
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
  const most = Math.floor(5500 / shown.length);
  return {
    content: cut(escape(titleOf(messages, texts)), 2000),
    // Texts from data must not notify people.
    allowed_mentions: { parse: [] },
    embeds: shown.map(message => {
      const { lines, facts, links, state, severity } = message;
      const title = cut(message.title, Math.min(256, most >> 2));
      const ways = links.map(
        ({ label, href }) => `[${escape(label)}](${absolute(href).replaceAll(')', '%29')})`,
      );
      let left = most - title.length;
      const take = (text: string, longest: number) => {
        const taken = cut(text, Math.max(0, Math.min(longest, left)));
        left -= taken.length;
        return taken;
      };
      const way = ways.join(' · ');
      const shownWay = way.length <= left / 2 ? take(way, 2000) : '';
      const description = take(lines.map(escape).join('\n'), 2000);
      const fields = facts.slice(0, 25).flatMap(({ label, value }) => {
        if (left < 100) return [];
        return [
          { name: take(escape(label), 256) || '–', value: take(escape(value), 1024) || '–', inline: true },
        ];
      });
      const [first] = links;
      return {
        title,
        description: [description, shownWay].filter(Boolean).join('\n\n'),
        ...(first && { url: absolute(first.href) }),
        color: embedColours[toneOf(state, severity)],
        fields,
        timestamp: at,
      };
    }),
  };
}

/** @see https://developer.pagerduty.com/docs/send-alert-event, of the Events API v2 */
function pagerduty(
  [{ kind, about, title, state, severity = 'warning', lines, facts, links }]: Messages,
  { routingKey, workspace, absolute, at, id }: PayloadContext,
) {
  const key = { routing_key: routingKey ?? '', dedup_key: dedupKey(kind === 'test' ? `test:${id}` : about) };
  if (state === 'ok') return { ...key, event_action: 'resolve' };
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
        ...(lines.length > 0 && { text: lines.join('\n') }),
        ...Object.fromEntries(facts.map(({ label, value }) => [label, value])),
      },
    },
    links: links.map(({ label, href }) => ({ href: absolute(href), text: label })),
    client: 'Belvedere',
    client_url: absolute('/'),
  };
}

/** PagerDuty's keys have 255 characters at most. */
function dedupKey(about: string): string {
  return about.slice(0, 255);
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
function withinBytes<Part>(parts: readonly Part[], most: number): Part[] {
  let bytes = 0;
  return parts.filter(part => {
    bytes += Buffer.byteLength(JSON.stringify(part));
    return bytes <= most;
  });
}

/** Returns a text of at most so many characters, without half of a pair of surrogates. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
