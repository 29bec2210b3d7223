import {
  channelNamePattern,
  maxGroupSeconds,
  maxPerHour,
  type ChannelSettings,
  type NewChannel,
  type WebhookTemplate,
} from '@belvedere/api';
import { isTimeZone } from '@belvedere/document';

export type ChannelType = 'mail' | WebhookTemplate;

/** A channel as it is being edited: texts as typed. */
export interface ChannelDraft {
  readonly name: string;
  readonly type: ChannelType;
  readonly addresses: string;
  readonly url: string;
  readonly routingKey: string;
  readonly perHour: string;
  readonly groupSeconds: string;
  readonly hasQuiet: boolean;
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly days: readonly number[];
  readonly passesCritical: boolean;
}

export type DraftField = keyof ChannelDraft;

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** @param channel undefined for a new channel */
export function draftOf(channel: ChannelSettings | undefined, zone: string): ChannelDraft {
  const quiet = channel?.limits.quiet;
  return {
    name: channel?.name ?? '',
    type: channel?.template ?? 'mail',
    addresses: channel?.addresses?.join(', ') ?? '',
    url: '',
    routingKey: '',
    perHour: String(channel?.limits.perHour ?? 60),
    groupSeconds: String(channel?.limits.groupSeconds ?? 0),
    hasQuiet: quiet !== undefined,
    from: quiet?.from ?? '22:00',
    to: quiet?.to ?? '07:00',
    zone: quiet?.zone ?? zone,
    days: quiet?.days ?? everyDay,
    passesCritical: quiet?.passesCritical ?? true,
  };
}

/**
 * Returns the fields that are wrong. The server checks them again.
 *
 * @param known the channel that is changed; undefined for a new one
 */
export function wrongFields(
  draft: ChannelDraft,
  known: ChannelSettings | undefined,
  taken: readonly string[],
): ReadonlySet<DraftField> {
  const wrong = new Set<DraftField>();
  const check = (field: DraftField, isRight: boolean) => {
    if (!isRight) wrong.add(field);
  };
  check('name', known !== undefined || (channelNamePattern.test(draft.name) && !taken.includes(draft.name)));
  if (draft.type === 'mail') check('addresses', addressesIn(draft.addresses) !== undefined);
  else {
    const mayBeEmpty = known !== undefined || draft.type === 'pagerduty';
    check('url', isWebAddress(draft.url.trim()) || (mayBeEmpty && draft.url.trim() === ''));
    const needsKey = draft.type === 'pagerduty' && known?.template !== 'pagerduty';
    check('routingKey', !needsKey || draft.routingKey.trim() !== '');
  }
  check('perHour', isCount(draft.perHour, 1, maxPerHour));
  check('groupSeconds', isCount(draft.groupSeconds, 0, maxGroupSeconds));
  if (draft.hasQuiet) {
    check('from', isTime(draft.from));
    check('to', isTime(draft.to));
    check('zone', isTimeZone(draft.zone.trim()));
    check('days', draft.days.length > 0);
  }
  return wrong;
}

/** Returns the channel of a draft without wrong fields. */
export function channelOf(draft: ChannelDraft): NewChannel {
  const { type } = draft;
  const [url, routingKey] = [draft.url.trim(), draft.routingKey.trim()];
  return {
    name: draft.name,
    target:
      type === 'mail'
        ? { kind: 'mail', addresses: addressesIn(draft.addresses) ?? [] }
        : {
            kind: 'webhook',
            template: type,
            ...(url !== '' && { url }),
            ...(type === 'pagerduty' && routingKey !== '' && { routingKey }),
          },
    limits: {
      perHour: Number(draft.perHour),
      groupSeconds: Number(draft.groupSeconds),
      ...(draft.hasQuiet && {
        quiet: {
          from: draft.from,
          to: draft.to,
          zone: draft.zone.trim(),
          days: [...draft.days].toSorted((a, b) => a - b),
          passesCritical: draft.passesCritical,
        },
      }),
    },
  };
}

/** Returns the addresses of a text that lists them, each once; undefined if one of them is none. */
export function addressesIn(text: string): string[] | undefined {
  const all = text.split(/[\s,;]+/).filter(Boolean);
  const areRight =
    all.length > 0 && all.every(address => /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(address));
  return areRight ? [...new Set(all.map(address => address.toLowerCase()))] : undefined;
}

/** `http:` works only for targets that `belvedere.yaml` lists, which the server knows. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function isCount(text: string, min: number, max: number): boolean {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
