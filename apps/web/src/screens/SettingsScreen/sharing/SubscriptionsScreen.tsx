import { LazyBoundary } from '@belvedere/ui';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { lazyWithAlertWords } from '../../../alerts/messages/words.ts';
import { useInbox } from '../../../comments/comment-data.ts';
import { CommentsNotifiedSelect } from '../../../reports/notifications/CommentsNotifiedSelect.tsx';
import { words } from '../../../reports/messages/words.ts';
import { ReceivedReports } from '../../../reports/ReceivedReports.tsx';
import { usePermissions } from '../../../data/session/use-permissions.ts';
import { SettingsPage, SettingsSection } from '../SettingsPage.tsx';

const ReceivedAlerts = lazyWithAlertWords(() =>
  import('../../../alerts/ReceivedAlerts.tsx').then(module => module.ReceivedAlerts),
);

/** What this user is notified of: reports, alerts and comments, with the way out of each. */
export function SubscriptionsScreen() {
  const { explore } = usePermissions();
  return (
    <SettingsPage title={words.settings.title} hint={words.settings.hint}>
      <SettingsSection id="subscriptions" title={words.settings.section} hint={words.settings.sectionHint}>
        <ReceivedReports empty={explore ? words.settings.empty : words.settings.emptyForViewers} />
      </SettingsSection>
      <SettingsSection id="alerts" title={words.settings.alerts} hint={words.settings.alertsHint}>
        <LazyBoundary fallback={null}>
          <ReceivedAlerts empty={words.settings.noAlerts} />
        </LazyBoundary>
      </SettingsSection>
      <SettingsSection
        id="comments"
        title={words.notifications.comments}
        hint={words.notifications.choicesHint}
      >
        <CommentChoices />
      </SettingsSection>
    </SettingsPage>
  );
}

function CommentChoices() {
  const { data, error, isPending, refetch } = useInbox();
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      {data?.choices.length ? (
        <ul className="flex max-w-80 flex-col gap-3">
          {data.choices.map(({ dashboard, notified }) => (
            <li key={dashboard.id}>
              <CommentsNotifiedSelect
                dashboard={dashboard.id}
                label={words.notifications.commentsOn(dashboard.title)}
                notified={notified}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-text-2">{words.notifications.noChoices}</p>
      )}
    </QueryState>
  );
}
