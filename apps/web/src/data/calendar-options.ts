import { dateFormat } from '@belvedere/chart';
import { months, weekdays, type Month, type Weekday } from '@belvedere/document';
import { locale } from '../messages/messages.ts';

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/**
 * The time zones that this browser knows, and the one that is written: another program may know it by another
 * name.
 */
export function zoneOptions(written: string | undefined): readonly Option<string>[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')];
  const zones = written === undefined || known.includes(written) ? known : [written, ...known];
  return zones.map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}

export const weekdayOptions = (): readonly Option<Weekday>[] =>
  weekdays.map((value, i) => ({
    value,
    label: dateFormat(locale, { weekday: 'long' }).format(Date.UTC(2024, 0, 1 + i)),
  }));

export const monthOptions = (): readonly Option<Month>[] =>
  months.map((value, i) => ({
    value,
    label: dateFormat(locale, { month: 'long' }).format(Date.UTC(2024, i, 1)),
  }));
