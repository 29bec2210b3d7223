import type { OpenDashboard } from '@belvedere/api';
import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../../messages/messages.ts';
import { Problems } from './Problems.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The ID in the link that led here, which the dashboard no longer has. */
    movedFrom?: string;
  }
}

interface DashboardNoticesProps {
  readonly dashboard: OpenDashboard;
  /** Whether the dashboard still has everything that the link asks for. */
  readonly isWhole: boolean;
}

/** What is wrong above the tiles: errors in the file, sources to confirm, and a link that is out of date. */
export function DashboardNotices({ dashboard, isWhole }: DashboardNoticesProps) {
  const movedFrom = useLocation({ select: ({ state }) => state.movedFrom });
  return (
    <>
      {movedFrom === undefined ? null : (
        <p role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {t.dashboard.moved}
        </p>
      )}
      {dashboard.problems.length > 0 ? <Problems problems={dashboard.problems} /> : null}
      {dashboard.waitsFor.map(({ source, label }) => (
        <p key={source} role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {t.dashboard.waitsFor(label)}{' '}
          <Link to="/data/sources/$source" params={{ source }} className="font-medium underline">
            {t.dashboard.confirmSource}
          </Link>
        </p>
      ))}
      {isWhole ? null : (
        <p role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {t.dashboard.staleLink}
        </p>
      )}
    </>
  );
}
