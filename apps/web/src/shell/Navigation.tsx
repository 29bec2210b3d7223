import { Link } from '@tanstack/react-router';
import {
  Bell,
  CalendarClock,
  Compass,
  Database,
  House,
  Inbox,
  Settings,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react';
import { useAlerts } from '../alerts/alert-data.ts';
import { useInbox } from '../comments/comment-data.ts';
import { Count } from '../comments/CommentsButton.tsx';
import { useAccessRequests } from '../data/session/access-requests.ts';
import { useDashboards, useSession } from '../data/server.ts';
import { usePermissions } from '../data/session/use-permissions.ts';
import { viewedAs } from '../data/session/view-as.ts';
import { t } from '../messages/messages.ts';
import { AccountMenu } from './AccountMenu.tsx';

const maxSavedDashboards = 12;

const linkProps = {
  className:
    'flex h-8 items-center gap-2.5 rounded-control px-2.5 text-13 text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11',
  activeProps: { className: 'bg-accent-weak font-medium text-accent-text' },
};

/** The links to every screen, the saved dashboards, and the account. */
export function Navigation() {
  const { data: session } = useSession();
  const permissions = usePermissions();
  const title = session?.workspace.title ?? t.product;
  return (
    <>
      <p className="truncate px-2.5 pb-3 text-15 font-semibold tracking-[-0.01em]" title={title}>
        {t.product}
      </p>
      <Link to="/" {...linkProps} activeOptions={{ exact: true }}>
        <LinkIcon icon={House} />
        {t.nav.home}
      </Link>
      <InboxLink />
      {permissions.explore ? (
        <Link to="/explore" {...linkProps} activeOptions={{ includeSearch: false }}>
          <LinkIcon icon={Compass} />
          {t.data.explore}
        </Link>
      ) : null}
      <AlertsLink />
      {viewedAs === undefined ? (
        <Link to="/reports" {...linkProps}>
          <LinkIcon icon={CalendarClock} />
          {t.nav.reports}
        </Link>
      ) : null}
      {permissions.data ? (
        <>
          <Link to="/data" {...linkProps}>
            <LinkIcon icon={Database} />
            {t.nav.data}
          </Link>
          <Link
            to="/sql/$source"
            params={{ source: 'files' }}
            search={{}}
            {...linkProps}
            activeOptions={{ includeSearch: false }}
          >
            <LinkIcon icon={SquareTerminal} />
            {t.nav.sql}
          </Link>
        </>
      ) : null}
      <SavedDashboardLinks />
      <span className="min-h-3 flex-1" aria-hidden />
      <Link to="/settings" {...linkProps}>
        <LinkIcon icon={Settings} />
        {t.nav.settings}
      </Link>
      {session?.mode === 'team' ? <AccountMenu user={session.user} /> : null}
    </>
  );
}

function LinkIcon({ icon: Icon }: { readonly icon: LucideIcon }) {
  return <Icon size={16} strokeWidth={1.75} aria-hidden />;
}

/** The inbox, with the number of unread notifications and open access requests. */
function InboxLink() {
  const { data: inbox } = useInbox();
  const requests = useAccessRequests().data?.requests.length ?? 0;
  if (!inbox) return null;
  const unread = inbox.unread + requests;
  return (
    <Link to="/inbox" {...linkProps}>
      <LinkIcon icon={Inbox} />
      <CountedLabel label={t.nav.inbox} count={unread} description={t.comments.inbox(unread)} />
    </Link>
  );
}

/** The alerts, with the number of those that fire. */
function AlertsLink() {
  const { data } = useAlerts();
  if (!data) return null;
  const firing = data.alerts.filter(({ state }) => state === 'firing').length;
  return (
    <Link to="/alerts" {...linkProps}>
      <LinkIcon icon={Bell} />
      <CountedLabel label={t.nav.alerts} count={firing} description={t.alerts.nav(firing)} />
    </Link>
  );
}

interface CountedLabelProps {
  readonly label: string;
  readonly count: number;
  /** Label and count for screen readers. */
  readonly description: string;
}

function CountedLabel({ label, count, description }: CountedLabelProps) {
  return (
    <>
      <span className="sr-only">{description}</span>
      <span aria-hidden className="flex-1">
        {label}
      </span>
      {count > 0 ? <Count count={count} /> : null}
    </>
  );
}

function SavedDashboardLinks() {
  const { data } = useDashboards();
  const saved = (data?.dashboards ?? [])
    .filter(({ origin }) => origin === 'saved')
    .slice(0, maxSavedDashboards);
  if (saved.length === 0) return null;
  return (
    <>
      <p className="px-2.5 pt-5 pb-1 text-12 text-text-3">{t.nav.pinned}</p>
      {saved.map(({ id, title }) => (
        <Link
          key={id}
          to="/d/$dashboard"
          params={{ dashboard: id }}
          search={{}}
          {...linkProps}
          activeOptions={{ includeSearch: false }}
        >
          <span className="truncate">{title}</span>
        </Link>
      ))}
    </>
  );
}
