import type { DashboardSummary } from '@belvedere/api';
import { StateChip } from '@belvedere/ui';
import { troubleOf } from './dashboard-trouble.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { viewedAs } from '../../../data/session/view-as.ts';
import { t } from '../../../messages/messages.ts';
import { VerifiedBadge } from '../../../shell/VerifiedBadge.tsx';
import { FavouriteStar } from './FavouriteStar.tsx';
import { UpdatedTime } from './UpdatedTime.tsx';

interface DashboardTableProps {
  readonly rows: readonly DashboardSummary[];
  readonly favourites: readonly string[];
  readonly menuOf: (dashboard: DashboardSummary) => ReactNode;
  readonly className: string;
  /** Shown without rows. */
  readonly empty: string;
  /** Whether to show owners and views instead of the numbers of tiles: in a team. */
  readonly hasRecords: boolean;
}

/** Dashboards in a table, one a row. */
export function DashboardTable({
  rows,
  favourites,
  menuOf,
  className,
  empty,
  hasRecords,
}: DashboardTableProps) {
  return (
    <div
      className={`overflow-x-auto rounded-tile border border-border bg-surface ${className}`}
      tabIndex={0}
      role="region"
      aria-label={t.home.list}
    >
      <table className="w-full text-13">
        <thead className="text-start text-12 text-text-2">
          <tr className="border-b border-border">
            <th className="h-9 px-3 font-medium">{t.home.name}</th>
            <th className="px-3 font-medium max-sm:hidden">{t.home.folder}</th>
            {hasRecords ? (
              <>
                <th className="px-3 font-medium max-md:hidden">{t.home.owner}</th>
                <th className="px-3 text-end font-medium max-md:hidden">{t.home.views}</th>
              </>
            ) : (
              <th className="px-3 text-end font-medium max-sm:hidden">{t.home.tiles}</th>
            )}
            <th className="px-3 font-medium max-md:hidden">{t.home.updated}</th>
            <th className="w-10 px-3">
              <span className="sr-only">{t.actions.more}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(dashboard => (
            <tr key={dashboard.id} className="border-b border-border last:border-0 hover:bg-hover">
              <td className="h-9 max-w-80 px-3 font-medium">
                <span className="flex min-w-0 items-center">
                  {viewedAs === undefined ? (
                    <FavouriteStar
                      id={dashboard.id}
                      title={dashboard.title}
                      isFavourite={favourites.includes(dashboard.id)}
                    />
                  ) : null}
                  <Link
                    to="/d/$dashboard"
                    params={{ dashboard: dashboard.id }}
                    search={{}}
                    className="truncate hover:underline"
                  >
                    {dashboard.title}
                  </Link>
                  <VerifiedBadge record={dashboard.record} />
                  <Trouble dashboard={dashboard} />
                </span>
              </td>
              <td className="px-3 text-text-2 max-sm:hidden">
                {dashboard.folder || (dashboard.origin === 'overview' ? t.states.overview : '–')}
              </td>
              {hasRecords ? (
                <>
                  <td className="max-w-40 truncate px-3 text-text-2 max-md:hidden">
                    {dashboard.record?.owner?.name ?? '–'}
                  </td>
                  <td className="tabular px-3 text-end text-text-2 max-md:hidden">
                    {dashboard.record?.views || '–'}
                  </td>
                </>
              ) : (
                <td className="tabular px-3 text-end text-text-2 max-sm:hidden">{dashboard.tiles || '–'}</td>
              )}
              <td className="px-3 text-text-2 max-md:hidden">
                <UpdatedTime dashboard={dashboard} />
              </td>
              <td className="px-1.5">{viewedAs === undefined ? menuOf(dashboard) : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className="p-4 text-text-2">{empty}</p> : null}
    </div>
  );
}

/** Why a dashboard cannot be shown as saved; nothing if it can. */
function Trouble({ dashboard }: { readonly dashboard: DashboardSummary }) {
  const trouble = troubleOf(dashboard);
  return trouble ? (
    <span className="ms-2 shrink-0">
      <StateChip tone={trouble.tone}>{trouble.text}</StateChip>
    </span>
  ) : null;
}
