import { StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { QueryState } from '../accounts/QueryState.tsx';
import { useAlerts } from './alert-data.ts';
import { momentOf } from './alert-texts.ts';
import { AlertStateChip } from './AlertStateChip.tsx';
import { words } from './messages/words.ts';
import { MuteButton } from './MuteButton.tsx';

/**
 * The alerts whose messages this user gets, or has muted.
 *
 * @param dashboard those on its tiles alone; undefined for all
 * @param empty is shown if there are none
 */
export function ReceivedAlerts({
  dashboard: only,
  empty,
}: {
  readonly dashboard?: string;
  readonly empty: string;
}) {
  const { data, error, isPending, refetch } = useAlerts();
  const received = (data?.alerts ?? []).filter(
    ({ isRecipient, dashboard }) => isRecipient && (only === undefined || dashboard?.id === only),
  );
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      {received.length === 0 ? (
        <p className="text-text-2">{empty}</p>
      ) : (
        <ul className="rounded-tile border border-border bg-surface">
          {received.map(alert => {
            const { id, title, state, dashboard, model, owner, severity, snoozedUntil } = alert;
            return (
              <li
                key={id}
                className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
              >
                <div className="min-w-0 flex-1 basis-60">
                  <p className="flex flex-wrap items-center gap-2">
                    <Link
                      to="/alerts/$alert"
                      params={{ alert: id }}
                      className="font-medium wrap-anywhere hover:underline"
                    >
                      {title}
                    </Link>
                    <AlertStateChip state={state} />
                    {alert.hasUnsubscribed ? <StateChip tone="neutral">{words.muted}</StateChip> : null}
                  </p>
                  <p className="text-12 text-text-2">
                    {[
                      only === undefined ? (dashboard?.title ?? model) : undefined,
                      owner,
                      words.severities[severity],
                      snoozedUntil === undefined ? undefined : words.snoozed(momentOf(snoozedUntil)),
                    ]
                      .filter(text => text !== undefined)
                      .join(' · ')}
                  </p>
                </div>
                <MuteButton alert={alert} />
              </li>
            );
          })}
        </ul>
      )}
    </QueryState>
  );
}
