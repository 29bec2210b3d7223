import { LazyBoundary, StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { Answer } from '../../accounts/Answer.tsx';
import { lazyWithAlertWords } from '../../alerts/messages/words.ts';
import { words } from '../../reports/messages/words.ts';
import { ReportState } from '../../reports/ReportState.tsx';
import { useReports } from '../../reports/report-data.ts';
import { dueText, scheduleText } from '../../reports/schedule-text.ts';
import { SubscriptionButton } from '../../reports/SubscriptionButton.tsx';
import { SettingsPage, SettingsSection } from './SettingsPage.tsx';

const ReceivedAlerts = lazyWithAlertWords(() =>
  import('../../alerts/ReceivedAlerts.tsx').then(module => module.ReceivedAlerts),
);

/** The reports that this user gets, with the way out of each, and the alerts. */
export function SubscriptionsScreen() {
  const { data, error, isPending, refetch } = useReports();
  const received = (data?.reports ?? []).filter(({ isRecipient }) => isRecipient);
  return (
    <SettingsPage title={words.settings.title} hint={words.settings.hint}>
      <SettingsSection id="subscriptions" title={words.settings.section} hint={words.settings.sectionHint}>
        <Answer error={error} isLoading={isPending} onRetry={() => void refetch()}>
          {received.length === 0 ? (
            <p className="text-text-2">{words.settings.empty}</p>
          ) : (
            <ul className="rounded-tile border border-border bg-surface">
              {received.map(report => (
                <li
                  key={report.id}
                  className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
                >
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="flex flex-wrap items-center gap-2">
                      <Link
                        to="/reports/$report"
                        params={{ report: report.id }}
                        className="font-medium wrap-anywhere hover:underline"
                      >
                        {report.title}
                      </Link>
                      <ReportState state={report.state} />
                      {report.hasUnsubscribed ? (
                        <StateChip tone="neutral">{words.settings.unsubscribed}</StateChip>
                      ) : null}
                    </p>
                    <p className="text-12 text-text-2">
                      {[
                        report.dashboard?.title,
                        report.schedule && scheduleText(report.schedule),
                        report.next !== undefined && !report.hasUnsubscribed
                          ? words.schedule.next(dueText(report.next, report.timezone).there)
                          : undefined,
                      ]
                        .filter(text => text !== undefined)
                        .join(' · ')}
                    </p>
                  </div>
                  <SubscriptionButton report={report} />
                </li>
              ))}
            </ul>
          )}
        </Answer>
      </SettingsSection>
      <SettingsSection id="alerts" title={words.settings.alerts} hint={words.settings.alertsHint}>
        <LazyBoundary fallback={null}>
          <ReceivedAlerts empty={words.settings.noAlerts} />
        </LazyBoundary>
      </SettingsSection>
    </SettingsPage>
  );
}
