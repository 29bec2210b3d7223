import type { OpenDashboard } from '@belvedere/api';
import { durationMs } from '@belvedere/document';
import { locale, t } from '../../messages/messages.ts';

/** The interval at which an open dashboard asks for newer data, in ms; undefined if it has none. */
export const refreshMs = (dashboard: Pick<OpenDashboard, 'document'> | undefined): number | undefined =>
  dashboard?.document?.refresh && durationMs(dashboard.document.refresh.every);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Writes an interval in the user's language: `30 sec`. */
export function intervalText(every: string): string {
  const ms = durationMs(every);
  const [unit, unitMs] = units.find(([, size]) => ms % size === 0)!;
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(ms / unitMs);
}

/** Says at which interval a dashboard asks for newer data; undefined if it has none. */
export const describeRefresh = ({ document }: Pick<OpenDashboard, 'document'>): string | undefined =>
  document?.refresh && t.dashboard.refreshes(intervalText(document.refresh.every));
