import { explainVerdict, type Formats, type NotifiedState } from '@belvedere/alert';
import { searchFromState } from '@belvedere/api';
import { formatMoment, formatNumber } from '@belvedere/chart';
import { localize, type AlertFile } from '@belvedere/document';
import { wallTimeIn } from '@belvedere/query';
import type { ObjectName } from '../access/may.ts';
import type { MessageImage, NewMessage, Target } from '../deliver/message.ts';
import type { CheckResult } from './apply-check.ts';
import { alertTexts } from './message-texts.ts';
import type { Observed } from './observe.ts';

/** Groups that a message names. */
const maxNamed = 10;

export interface MessageParts {
  readonly id: string;
  readonly alert: AlertFile;
  readonly due: CheckResult['due'];
  /** All groups of the alert. */
  readonly groups: CheckResult['groups'];
  /** Undefined if the check failed. */
  readonly measure?: Observed['measure'];
  /** The title of the tile or the label of the measure. */
  readonly watches: string;
  readonly to: readonly Target[];
  readonly image?: MessageImage;
  readonly key: string;
  readonly now: number;
  readonly locale: string;
  readonly zone: string;
}

/** The message about all groups of an alert that changed at one check. */
export function alertMessage(parts: MessageParts): NewMessage {
  const { id, alert, due, groups, watches, to, image, key, now, locale, zone } = parts;
  const words = localize(alertTexts, locale);
  const state = worst(due.map(({ group }) => group.state.notified));
  const isRepeat = due.every(one => one.due === 'repeat');
  const formats = formatsOf(alert, parts.measure, locale);
  const lines = due.slice(0, maxNamed).flatMap(({ group: { label, verdict } }) => {
    const sentence = explainVerdict(verdict, alert.when, formats, locale);
    if (sentence === '') return [];
    return label === '' ? sentence : words.group(label, sentence);
  });
  const first = due[0]!.group.state;
  const moment = (ms: number) => `${formatMoment(wallTimeIn(zone, ms), locale)} (${zone})`;
  return {
    kind: 'alert',
    ...(alert.locale !== undefined && { locale: alert.locale }),
    about: aboutAlert(id),
    key,
    title: words.title(isRepeat ? 'still' : state, alert.title),
    state,
    ...(state === 'ok' && groups.some(group => group.state.notified !== 'ok') && { isOngoing: true }),
    ...(alert.severity && { severity: alert.severity }),
    lines: [
      ...(alert.description === undefined ? [] : [alert.description]),
      ...lines,
      ...(due.length > maxNamed ? [words.more(due.length - maxNamed)] : []),
    ],
    facts: [
      { label: words.watches, value: watches },
      ...(due.length === 1 && first.value !== null
        ? [{ label: words.value, value: valueFormat(alert, formats)(first.value) }]
        : []),
      { label: words.since, value: moment(Math.min(now, ...due.map(({ group }) => group.state.since))) },
      ...(alert.severity ? [{ label: words.severity, value: words.severities[alert.severity] }] : []),
      ...(alert.owner === undefined ? [] : [{ label: words.owner, value: alert.owner }]),
    ],
    links: [
      ...('dashboard' in alert.watch
        ? [{ label: words.openDashboard, href: dashboardAddress(alert.watch) }]
        : []),
      { label: words.openAlert, href: `/alerts/${pathOf(id)}` },
      ...(alert.runbook === undefined ? [] : [{ label: words.runbook, href: alert.runbook }]),
    ],
    images: image ? [image] : [],
    files: [],
    to,
    requires: [requiredOf(alert)],
    unsubscribe: '/settings/subscriptions',
  };
}

/** The subject of an alert's messages. */
export const aboutAlert = (id: string): string => `alert:${id}`;

/** The title of the message that an alert is over because it was changed or deleted. */
export const overTitle = (alert: string, locale: string): string =>
  localize(alertTexts, locale).title('ok', alert);

/** What a recipient of an alert must be allowed to view. */
export function requiredOf({ watch }: AlertFile): ObjectName {
  return 'model' in watch ? { kind: 'model', id: watch.model } : { kind: 'dashboard', id: watch.dashboard };
}

/** The path of a dashboard with an alert's filters. */
function dashboardAddress({
  dashboard,
  filters = {},
}: Extract<AlertFile['watch'], { dashboard: string }>): string {
  const search = new URLSearchParams(searchFromState({ page: 0, filters, selections: {} })).toString();
  return `/d/${pathOf(dashboard)}${search === '' ? '' : `?${search}`}`;
}

const pathOf = (id: string) => id.split('/').map(encodeURIComponent).join('/');

/** How values are written: as the measure's, and of `missing` as durations. */
export function formatsOf(
  { when }: AlertFile,
  measure: Observed['measure'] | undefined,
  locale: string,
): Formats {
  const age = (ms: number) => formatNumber(ms / 1000, 'duration', locale, 'full');
  return {
    value:
      when.missing === undefined
        ? value => formatNumber(value, measure?.format, locale, 'full', measure?.unit)
        : age,
    share: share => formatNumber(share, 'percent', locale, 'full'),
    age,
  };
}

const valueFormat = ({ when }: AlertFile, { value, age }: Formats) =>
  when.missing === undefined ? value : age;

const byGravity: readonly NotifiedState[] = ['ok', 'noData', 'error', 'firing'];

function worst(states: readonly NotifiedState[]): NotifiedState {
  return byGravity.findLast(state => states.includes(state)) ?? 'ok';
}
