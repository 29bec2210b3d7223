import type { DashboardSummary } from '@belvedere/api';
import { Menu } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDashboardActions } from '../../../dashboard/actions/use-dashboard-actions.tsx';
import { viewedAs } from '../../../data/session/view-as.ts';
import { t } from '../../../messages/messages.ts';
import { FavouriteStar } from './FavouriteStar.tsx';

interface DashboardTools {
  readonly menuOf: (dashboard: DashboardSummary) => ReactNode;
  /** The star and the menu of a card; nothing while viewing as another user. */
  readonly toolsOf: (dashboard: DashboardSummary) => ReactNode;
  /** The dialog of the last action, if it has one. */
  readonly dialog: ReactNode;
}

/** The actions on the dashboards of a list. */
export function useDashboardTools(favourites: readonly string[]): DashboardTools {
  const actions = useDashboardActions();
  const navigate = useNavigate();
  const menuOf = (dashboard: DashboardSummary) => (
    <Menu
      label={t.actions.of(dashboard.title)}
      icon={<Ellipsis size={16} aria-hidden />}
      groups={() => [
        [
          {
            id: 'open',
            label: t.actions.open,
            icon: <ExternalLink size={15} aria-hidden />,
            onAction: () =>
              void navigate({ to: '/d/$dashboard', params: { dashboard: dashboard.id }, search: {} }),
          },
          ...actions.changesOf(dashboard),
        ],
        dashboard.state === 'ready' ? [actions.exportsOf(dashboard)] : [],
        [...actions.share(dashboard), ...actions.record(dashboard)],
        [...actions.remove(dashboard)],
      ]}
    />
  );
  const toolsOf = (dashboard: DashboardSummary) =>
    viewedAs === undefined ? (
      <>
        <FavouriteStar
          id={dashboard.id}
          title={dashboard.title}
          isFavourite={favourites.includes(dashboard.id)}
        />
        {menuOf(dashboard)}
      </>
    ) : null;
  return { menuOf, toolsOf, dialog: actions.dialog };
}
