import { formatDay } from '@belvedere/chart';
import { parseCalendarTime } from '@belvedere/query';
import { Button, StateChip } from '@belvedere/ui';
import { locale, t } from '../../messages/messages.ts';

interface KioskHeaderProps {
  readonly title: string;
  /** The title of the page; undefined for the only page. */
  readonly page: string | undefined;
  readonly dataTime: string | undefined;
  /** How often the page asks for newer data, in words. */
  readonly refreshes: string | undefined;
  readonly staleness: string | undefined;
  readonly onLeave: () => void;
}

/** The titles of a dashboard and its page in kiosk mode. The button to leave appears on hover. */
export function KioskHeader({ title, page, dataTime, refreshes, staleness, onLeave }: KioskHeaderProps) {
  return (
    <div className="group no-print flex flex-wrap items-baseline gap-x-3 pt-3 pb-1">
      <h1 className="truncate text-20 font-semibold">{title}</h1>
      {page === undefined ? null : <span className="shrink-0 text-14 text-text-2">{page}</span>}
      {staleness ? <StateChip tone="warn">{staleness}</StateChip> : null}
      <span className="ms-auto shrink-0 opacity-0 group-hover:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
        <Button look="quiet" onPress={onLeave}>
          {t.keys.leaveKiosk}
        </Button>
      </span>
      {dataTime ? (
        <span className="shrink-0 text-12 text-text-2">
          {t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))}
        </span>
      ) : null}
      {refreshes ? <span className="shrink-0 text-12 text-text-2">{refreshes}</span> : null}
    </div>
  );
}
