import type { ReportSummary } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { announceFailed } from '../../downloads/download-store.ts';
import { problemText } from '../../data/problem-text.ts';
import { client } from '../../data/server.ts';
import { words } from '../messages/words.ts';
import { refreshReports } from '../report-data.ts';

/** Unsubscribes this user from a report, or subscribes again. */
export function SubscriptionButton({
  report: { id, title, hasUnsubscribed },
}: {
  readonly report: Pick<ReportSummary, 'id' | 'title' | 'hasUnsubscribed'>;
}) {
  const put = () =>
    client
      .putSubscription({ params: { id }, body: { isSubscribed: hasUnsubscribed } })
      .then(refreshReports, (error: unknown) => announceFailed(problemText(error)));
  return (
    <Button
      aria-label={
        hasUnsubscribed ? `${words.settings.again}: ${title}` : words.settings.unsubscribeFrom(title)
      }
      onPress={() => void put()}
    >
      {hasUnsubscribed ? words.settings.again : words.settings.unsubscribe}
    </Button>
  );
}
