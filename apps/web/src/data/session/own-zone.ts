import type { DashboardState, OpenDashboard, Session } from '@belvedere/api';
import { viewersZone } from '@belvedere/document';
import { locale } from '../../messages/messages.ts';

let chosen: string | undefined;

/** Takes over the time zone that the signed-in user chose. */
export function rememberZone({ user }: Pick<Session, 'user'>): void {
  chosen = user.zone;
}

/** The time zone of this browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The viewer's time zone: the one they chose, else the browser's. */
export const ownZone = (): string => chosen ?? browserZone();

/** Returns the state of a dashboard with the viewer's time zone, if the dashboard uses it and no link names another. */
export function inOwnZone(
  { document }: Pick<OpenDashboard, 'document'>,
  state: DashboardState,
): DashboardState {
  const { zone, ...rest } = state;
  if (document?.timezone !== viewersZone) return zone === undefined ? state : rest;
  return { ...rest, zone: zone ?? ownZone() };
}

/** Returns a state to keep: without the viewer's own zone, which they may change. */
export function withoutOwnZone(state: DashboardState): DashboardState {
  const { zone, ...rest } = state;
  return zone === ownZone() ? rest : state;
}

/** The time zone of a dashboard's times in a state. */
export const shownZone = (
  { timezone }: Pick<OpenDashboard, 'timezone'>,
  { zone }: Pick<DashboardState, 'zone'>,
): string => zone ?? timezone;

/** Formats moments on the viewer's clocks. */
export const localTimeFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: ownZone() });
