import { Link } from '@tanstack/react-router';
import { Answer } from '../accounts/Answer.tsx';
import { useAlerts } from './alert-data.ts';
import { momentOf } from './alert-texts.ts';
import { AlertStateChip } from './AlertStateChip.tsx';
import { words } from './messages/words.ts';

/** The alerts whose messages this user gets. @param empty is shown if there are none */
export function ReceivedAlerts({ empty }: { readonly empty: string }) {
  const { data, error, isPending, refetch } = useAlerts();
  const received = (data?.alerts ?? []).filter(({ isRecipient }) => isRecipient);
  return (
    <Answer error={error} isLoading={isPending} onRetry={() => void refetch()}>
      {received.length === 0 ? (
        <p className="text-text-2">{empty}</p>
      ) : (
        <ul className="rounded-tile border border-border bg-surface">
          {received.map(({ id, title, state, dashboard, model, owner, severity, snoozedUntil }) => (
            <li key={id} className="border-b border-border px-3 py-2 last:border-0">
              <p className="flex flex-wrap items-center gap-2">
                <Link
                  to="/alerts/$alert"
                  params={{ alert: id }}
                  className="font-medium wrap-anywhere hover:underline"
                >
                  {title}
                </Link>
                <AlertStateChip state={state} />
              </p>
              <p className="text-12 text-text-2">
                {[
                  dashboard?.title ?? model,
                  owner,
                  words.severities[severity],
                  snoozedUntil === undefined ? undefined : words.snoozed(momentOf(snoozedUntil)),
                ]
                  .filter(text => text !== undefined)
                  .join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Answer>
  );
}
