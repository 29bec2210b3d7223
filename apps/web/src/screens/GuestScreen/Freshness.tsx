import type { OpenDashboard } from '@belvedere/api';
import { formatDay } from '@belvedere/chart';
import { parseCalendarTime } from '@belvedere/query';
import { StateChip } from '@belvedere/ui';
import { describeRefresh } from '../../data/dashboards/refresh-interval.ts';
import { locale, t } from '../../messages/messages.ts';

interface FreshnessProps {
  readonly dashboard: OpenDashboard;
  /** The time zone of the times that are shown. */
  readonly zone: string;
  /** How far the data reaches. */
  readonly dataTime: string | undefined;
  /** That the data is older than it should be, in words. */
  readonly staleness: string | undefined;
  readonly className: string;
}

/** A line about the data of a page for guests: how far it reaches, and how often the page asks for newer data. */
export function Freshness({ dashboard, zone, dataTime, staleness, className }: FreshnessProps) {
  const refreshes = describeRefresh(dashboard);
  if (!dataTime && !refreshes) return null;
  return (
    <p className={`flex flex-wrap items-center gap-x-2 text-12 text-text-2 ${className}`}>
      {dataTime ? (
        <span title={t.dashboard.zone(zone)}>
          {t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))}
        </span>
      ) : null}
      {refreshes ? (
        <span className={`no-print ${dataTime ? 'border-s border-border ps-2' : ''}`}>{refreshes}</span>
      ) : null}
      {staleness ? <StateChip tone="warn">{staleness}</StateChip> : null}
    </p>
  );
}
