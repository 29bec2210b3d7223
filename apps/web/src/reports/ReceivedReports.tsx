import { StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { QueryState } from '../accounts/QueryState.tsx';
import { words } from './messages/words.ts';
import { ReportState } from './ReportState.tsx';
import { useReports } from './report-data.ts';
import { dueText, scheduleText } from './schedule-text.ts';
import { SubscriptionButton } from './subscribe/SubscriptionButton.tsx';

/**
 * The reports that this user gets, with the way out of each.
 *
 * @param dashboard its reports alone; undefined for those of all
 * @param empty is shown if there are none
 */
export function ReceivedReports({
  dashboard,
  empty,
}: {
  readonly dashboard?: string;
  readonly empty: string;
}) {
  const { data, error, isPending, refetch } = useReports();
  const received = (data?.reports ?? []).filter(
    report => report.isRecipient && (dashboard === undefined || report.dashboard?.id === dashboard),
  );
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      {received.length === 0 ? (
        <p className="text-text-2">{empty}</p>
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
                    dashboard === undefined ? report.dashboard?.title : undefined,
                    report.schedule && scheduleText(report.schedule),
                    report.next !== undefined && !report.hasUnsubscribed
                      ? words.schedule.next(dueText(report.next, report.timezone).scheduled)
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
    </QueryState>
  );
}
