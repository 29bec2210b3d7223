import type { OpenDashboard } from '@belvedere/api';
import { IconButton, LazyBoundary } from '@belvedere/ui';
import { Bell, BellOff, BellRing } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useComments } from '../../comments/comment-data.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { lazyWithReportWords } from '../messages/words.ts';

const NotificationsDialog = lazyWithReportWords(() =>
  import('./NotificationsDialog.tsx').then(module => module.NotificationsDialog),
);

const icons = { all: BellRing, involved: Bell, none: BellOff };

/**
 * Returns the menu item that opens a user's notifications about a dashboard, for every role, and its dialog. The
 * item is undefined in local mode, which has no other users.
 *
 * @param onSubscribe undefined for users who may not subscribe
 */
export function useNotifications(
  dashboard: OpenDashboard,
  isOffered: boolean,
  onSubscribe: (() => void) | undefined,
): {
  readonly action:
    | { readonly id: string; readonly label: string; readonly icon: ReactNode; readonly onAction: () => void }
    | undefined;
  readonly dialog: ReactNode;
} {
  const { team } = usePermissions();
  const [isOpen, setIsOpen] = useState(false);
  const notified = useComments(dashboard.id, isOffered).data?.notified;
  if (!team || !isOffered || notified === undefined) return { action: undefined, dialog: null };
  const Icon = icons[notified];
  const close = () => setIsOpen(false);
  return {
    action: {
      id: 'notifications',
      label: t.dashboard.notifications,
      icon: <Icon size={15} aria-hidden />,
      onAction: () => setIsOpen(true),
    },
    dialog: isOpen ? (
      <LazyBoundary fallback={null}>
        <NotificationsDialog
          dashboard={dashboard}
          notified={notified}
          onSubscribe={
            onSubscribe &&
            (() => {
              close();
              onSubscribe();
            })
          }
          onClose={close}
        />
      </LazyBoundary>
    ) : null,
  };
}

export function NotificationsButton({
  action,
}: {
  readonly action: NonNullable<ReturnType<typeof useNotifications>['action']>;
}) {
  return (
    <IconButton label={action.label} onHoverStart={NotificationsDialog.ahead} onPress={action.onAction}>
      {action.icon}
    </IconButton>
  );
}
