import type { DashboardState } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { ownZone } from '../../data/session/own-zone.ts';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { t } from '../../messages/messages.ts';

interface ZoneNoticeProps {
  readonly live: DashboardStore;
  /** The time zone of the times, if viewers have their own. */
  readonly zone: string | undefined;
  /** The tile that is shown large. */
  readonly large: string | undefined;
  readonly go: (state: DashboardState, extra: Record<string, string>) => void;
}

const spaced = (zone: string) => zone.replaceAll('_', ' ');

/** Says that a link shows times in another time zone than the viewer's, and offers that one. */
export function ZoneNotice({ live, zone, large, go }: ZoneNoticeProps) {
  const own = ownZone();
  if (zone === undefined || zone === own) return null;
  const onOwn = () => go({ ...live.state, zone: own }, large === undefined ? {} : { tile: large });
  return (
    <p
      role="status"
      className="no-print mt-3 flex flex-wrap items-center gap-x-3 rounded-control bg-surface-2 px-3 py-1.5"
    >
      {t.dashboard.otherZone(spaced(zone))}
      <Button onPress={onOwn}>{t.dashboard.useZone(spaced(own))}</Button>
    </p>
  );
}
