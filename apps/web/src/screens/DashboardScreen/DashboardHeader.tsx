import type { OpenDashboard } from '@belvedere/api';
import { formatDay } from '@belvedere/chart';
import { parseCalendarTime } from '@belvedere/query';
import { Button, IconButton, Menu, StateChip } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, Download, Ellipsis, Eye, MessageSquare, Pencil, Printer, Star } from 'lucide-react';
import { CommentsButton } from '../../comments/CommentsButton.tsx';
import type { useCommentPanel } from '../../comments/use-comment-panel.ts';
import type { useDashboardActions } from '../../dashboard/actions/use-dashboard-actions.tsx';
import type { useViews } from '../../dashboard/dialogs/SavedViews.tsx';
import { describeRefresh } from '../../data/dashboards/refresh-interval.ts';
import { isShareable } from '../../data/session/permissions.ts';
import { shownZone } from '../../data/session/own-zone.ts';
import { useSession } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { markFavourite, useMe } from '../../data/session/user-preferences.ts';
import { viewAs, viewedAs } from '../../data/session/view-as.ts';
import { downloadDashboard } from '../../downloads/download-dashboard.ts';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { locale, t } from '../../messages/messages.ts';
import { NotificationsButton, useNotifications } from '../../reports/notifications/NotificationsButton.tsx';
import { SubscribeButton, useSubscribe } from '../../reports/subscribe/SubscribeButton.tsx';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { VerifiedButton } from '../../shell/VerifiedBadge.tsx';
import { mayViewAs, openViewAs } from '../../view-as/view-as-dialog.ts';

interface DashboardHeaderProps {
  readonly dashboard: OpenDashboard;
  readonly live: DashboardStore;
  /** How far the data reaches. */
  readonly dataTime: string | undefined;
  /** That the data is older than it should be, in words. */
  readonly staleness: string | undefined;
  readonly comments: ReturnType<typeof useCommentPanel>;
  readonly views: ReturnType<typeof useViews>;
  readonly actions: ReturnType<typeof useDashboardActions>;
  readonly canEdit: boolean;
  readonly onEdit: () => void;
  /** Saves a copy of an overview. */
  readonly onSave: () => void;
}

/** The title of a dashboard in the page's header, with what the user can do with the dashboard. */
export function DashboardHeader({
  dashboard,
  live,
  dataTime,
  staleness,
  comments,
  views,
  actions,
  canEdit,
  onEdit,
  onSave,
}: DashboardHeaderProps) {
  const navigate = useNavigate({ from: '/d/$dashboard' });
  const permissions = usePermissions();
  const testUsers = useSession().data?.people ?? [];
  const isViewAsOffered = mayViewAs(permissions);
  const eye = <Eye size={15} aria-hidden />;
  // A team's users and groups are searched in a dialog, for there may be thousands.
  const viewers = isViewAsOffered
    ? [{ id: 'view as', label: t.viewAs.label, icon: eye, onAction: openViewAs }]
    : testUsers.map(name => ({
        id: `as ${name}`,
        label: t.viewAs.person(name),
        icon: eye,
        onAction: () => viewAs(name),
      }));
  const files = () => [
    (['pdf', 'png', 'svg', 'xlsx', 'html'] as const).map(format => ({
      id: format,
      label: t.formats[format],
      onAction: () => downloadDashboard(dashboard.id, format, live.state),
    })),
    [
      {
        id: 'print',
        label: t.dashboard.print,
        icon: <Printer size={15} aria-hidden />,
        onAction: () => window.print(),
      },
    ],
  ];

  const refreshes = describeRefresh(dashboard);
  const isFavourite = useMe()?.favourites.includes(dashboard.id) ?? false;
  const star = (
    <IconButton
      label={t.home.favourite(dashboard.title)}
      aria-pressed={isFavourite}
      onPress={() => markFavourite(dashboard.id, !isFavourite)}
      className={isFavourite ? 'text-warn!' : ''}
    >
      <Star size={15} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden />
    </IconButton>
  );
  const changes = [
    dashboard.origin === 'overview' ? [] : [...actions.changesOf(dashboard)],
    [...actions.record(dashboard)],
    [...actions.remove(dashboard, () => void navigate({ to: '/' }))],
  ];
  const shares = actions.share(dashboard);
  const subscribe = useSubscribe(dashboard, () => live.state);
  const notifications = useNotifications(dashboard, comments.isOffered, subscribe.action?.onAction);
  return (
    <HeaderTitle title={dashboard.title}>
      <h1 className="truncate text-14 font-semibold">{dashboard.title}</h1>
      <VerifiedButton record={dashboard.record} />
      {viewedAs === undefined ? <span className="no-print max-sm:hidden">{star}</span> : null}
      {dataTime ? (
        <span
          className="shrink-0 text-12 text-text-2 max-md:hidden"
          title={t.dashboard.zone(shownZone(dashboard, live.state))}
        >
          {t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))}
        </span>
      ) : null}
      {refreshes ? (
        <span className="no-print shrink-0 border-s border-border ps-2 text-12 text-text-2 max-lg:hidden">
          {refreshes}
        </span>
      ) : null}
      {staleness ? (
        <span className="max-sm:hidden">
          <StateChip tone="warn">{staleness}</StateChip>
        </span>
      ) : null}
      {dashboard.origin === 'overview' ? (
        <span className="max-sm:hidden">
          <StateChip tone="accent">{t.states.overview}</StateChip>
        </span>
      ) : null}
      <span className="no-print ms-auto flex max-sm:hidden">
        {isViewAsOffered ? (
          <IconButton label={t.viewAs.label} onPress={openViewAs}>
            <Eye size={16} aria-hidden />
          </IconButton>
        ) : viewers.length > 0 ? (
          <Menu label={t.viewAs.label} icon={<Eye size={16} aria-hidden />} groups={() => [viewers]} />
        ) : null}
        {viewedAs === undefined ? (
          <Menu
            label={t.views.label}
            icon={<Bookmark size={15} fill={views.isOnOne ? 'currentColor' : 'none'} aria-hidden />}
            groups={() => views.groups}
          />
        ) : null}
        <CommentsButton panel={comments} />
        {notifications.action ? <NotificationsButton action={notifications.action} /> : null}
        {subscribe.action ? <SubscribeButton action={subscribe.action} /> : null}
        <Menu label={t.dashboard.export} icon={<Download size={15} aria-hidden />} groups={files} />
        {changes.some(group => group.length > 0) ? (
          <Menu
            label={t.actions.more}
            icon={<Ellipsis size={16} aria-hidden />}
            groups={() => changes.filter(group => group.length > 0)}
          />
        ) : null}
      </span>
      {/* On narrow screens one menu holds all. */}
      <span className="no-print ms-auto flex sm:hidden">
        <Menu
          label={t.tile.menu}
          icon={<Ellipsis size={17} aria-hidden />}
          groups={() =>
            [
              comments.isOffered
                ? [
                    {
                      id: 'comments',
                      label: t.comments.button(comments.unread),
                      icon: <MessageSquare size={15} aria-hidden />,
                      onAction: comments.toggle,
                    },
                  ]
                : [],
              [notifications.action, subscribe.action].filter(action => action !== undefined),
              shares,
              ...views.groups,
              viewers,
              ...files(),
              ...changes,
            ].filter(group => group.length > 0)
          }
        />
      </span>
      {views.dialog}
      {actions.dialog}
      {subscribe.dialog}
      {notifications.dialog}
      {isShareable(dashboard, permissions) ? (
        <span className="no-print max-sm:hidden">
          <ShareButton
            shared={{ kind: 'dashboard', id: dashboard.id, label: dashboard.title }}
            address={`/d/${encodeURIComponent(dashboard.id)}`}
          />
        </span>
      ) : null}
      {canEdit ? (
        <span className={dashboard.origin === 'overview' ? 'max-sm:hidden' : ''}>
          <Button onPress={onEdit}>
            <Pencil size={14} aria-hidden />
            {t.dashboard.edit}
          </Button>
        </span>
      ) : null}
      {permissions.create && dashboard.origin === 'overview' ? (
        <Button look="primary" onPress={onSave}>
          {t.dashboard.save}
        </Button>
      ) : null}
    </HeaderTitle>
  );
}
