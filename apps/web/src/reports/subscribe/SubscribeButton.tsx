import type { DashboardState, OpenDashboard } from '@belvedere/api';
import { IconButton, LazyBoundary } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { Mail, MailCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { lazyWithReportWords } from '../messages/words.ts';
import { useSubscriptions } from '../report-data.ts';

const SubscribeDialog = lazyWithReportWords(() =>
  import('./SubscribeDialog.tsx').then(module => module.SubscribeDialog),
);

/**
 * The way to get a dashboard by mail: a subscription for users with accounts, else a new report. Undefined if
 * this user may have neither.
 */
export function useSubscribe(
  dashboard: OpenDashboard,
  stateNow: () => DashboardState,
): {
  readonly action:
    | { readonly id: string; readonly label: string; readonly icon: ReactNode; readonly onAction: () => void }
    | undefined;
  readonly dialog: ReactNode;
} {
  const { team, explore, create } = usePermissions();
  const navigate = useNavigate();
  const [state, setState] = useState<DashboardState>();
  const isOffered = dashboard.state === 'ready' && (team ? explore : create);
  const count = useSubscriptions(dashboard.id, team && isOffered).data?.length ?? 0;
  const Icon = count > 0 ? MailCheck : Mail;
  return {
    action: isOffered
      ? {
          id: 'subscribe',
          label: count > 0 ? t.dashboard.subscribed(count) : t.dashboard.subscribe,
          icon: <Icon size={15} aria-hidden />,
          onAction: () =>
            team
              ? setState(stateNow())
              : void navigate({ to: '/reports/new', search: { dashboard: dashboard.id } }),
        }
      : undefined,
    dialog: state ? (
      <LazyBoundary fallback={null}>
        <SubscribeDialog dashboard={dashboard} state={state} onClose={() => setState(undefined)} />
      </LazyBoundary>
    ) : null,
  };
}

export function SubscribeButton({
  action,
}: {
  readonly action: NonNullable<ReturnType<typeof useSubscribe>['action']>;
}) {
  return (
    <IconButton label={action.label} onHoverStart={SubscribeDialog.ahead} onPress={action.onAction}>
      {action.icon}
    </IconButton>
  );
}
