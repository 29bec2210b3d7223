import type { CommentsNotified, OpenDashboard } from '@belvedere/api';
import { Button, LazyBoundary, Modal } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazyWithAlertWords } from '../../alerts/messages/words.ts';
import { t } from '../../messages/messages.ts';
import { CommentsNotifiedSelect } from './CommentsNotifiedSelect.tsx';
import { words } from '../messages/words.ts';
import { ReceivedReports } from '../ReceivedReports.tsx';

const ReceivedAlerts = lazyWithAlertWords(() =>
  import('../../alerts/ReceivedAlerts.tsx').then(module => module.ReceivedAlerts),
);

interface NotificationsDialogProps {
  readonly dashboard: OpenDashboard;
  readonly notified: CommentsNotified;
  /** Undefined for users who may not subscribe. */
  readonly onSubscribe: (() => void) | undefined;
  readonly onClose: () => void;
}

/** What this user is notified of on a dashboard: comments, reports and alerts, each with its way out. */
export function NotificationsDialog({ dashboard, notified, onSubscribe, onClose }: NotificationsDialogProps) {
  const { id, title } = dashboard;
  const label = words.notifications.title(title);
  return (
    <Modal label={label} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <div className="flex max-h-[85dvh] flex-col gap-4 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{label}</h2>
        <div className="flex flex-col gap-1">
          <CommentsNotifiedSelect dashboard={id} label={words.notifications.comments} notified={notified} />
          <p className="text-12 text-text-2">{words.notifications.hint}</p>
        </div>
        <Section title={words.settings.section}>
          <ReceivedReports dashboard={id} empty={words.notifications.noReports} />
        </Section>
        <Section title={words.settings.alerts}>
          <LazyBoundary fallback={null}>
            <ReceivedAlerts dashboard={id} empty={words.notifications.noAlerts} />
          </LazyBoundary>
        </Section>
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Link to="/settings/subscriptions" className="me-auto text-13 underline">
            {words.unsubscribe.all}
          </Link>
          {onSubscribe ? <Button onPress={onSubscribe}>{t.dashboard.subscribe}</Button> : null}
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="pb-1 text-12 font-medium text-text-2">{title}</h3>
      {children}
    </section>
  );
}
