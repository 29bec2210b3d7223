import type { AlertStateName, AlertSummary, PastValues } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { localTimeFormat } from '../data/session/own-zone.ts';
import { locale } from '../messages/messages.ts';
import { words } from './messages/words.ts';

type Measure = AlertSummary['measure'] | PastValues['measure'];

/** A value as its measure writes it; an age as a duration. */
export function valueText(value: number | null | undefined, measure: Measure): string {
  if (value === null || value === undefined) return '–';
  if (measure?.isAge) return formatNumber(value / 1000, 'duration', locale, 'full');
  return formatNumber(value, measure?.format, locale, 'full', measure?.unit);
}

export const lengthText = (ms: number): string => formatNumber(ms / 1000, 'duration', locale, 'full');

/** A duration of a document, such as `5 minutes`, in the viewer's language. */
export function durationText(text: string): string {
  const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(text) ?? [];
  return unit === undefined ? text : words.duration[unit as keyof typeof words.duration](Number(count));
}

export const momentOf = (ms: number): string =>
  localTimeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(ms);

export const toneOf: Readonly<Record<AlertStateName, 'neutral' | 'good' | 'warn' | 'bad' | 'accent'>> = {
  ok: 'good',
  pending: 'warn',
  firing: 'bad',
  noData: 'warn',
  error: 'warn',
  unchecked: 'neutral',
  paused: 'neutral',
  invalid: 'bad',
  stopped: 'bad',
};
