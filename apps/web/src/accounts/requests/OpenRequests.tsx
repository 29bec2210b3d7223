import type { AccessRequest, Level } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { refreshAccessRequests, useAccessRequests } from '../../data/session/access-requests.ts';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { agoText, momentText } from '../times.ts';
import { useChange } from '../use-change.ts';

/** The requests for access that this user can answer; nothing if there are none. */
export function OpenRequests() {
  const { data } = useAccessRequests();
  const { change, isBusy, problem } = useChange();
  const requests = data?.requests ?? [];
  if (requests.length === 0) return null;
  const answer = (request: AccessRequest, level: Level | null) =>
    void change(async () => {
      await client.answerAccessRequest({ params: { request: request.id }, body: { level } });
      await refreshAccessRequests();
    });
  return (
    <section aria-label={words.requests.title} className="pb-8">
      <h2 className="pb-2 text-14 font-semibold">{words.requests.title}</h2>
      <FormProblem problem={problem} />
      <ul className="rounded-tile border border-border bg-surface">
        {requests.map(request => (
          <li
            key={request.id}
            className={
              'flex items-start gap-x-3 gap-y-2 border-b border-border px-3 py-2.5 last:border-0 max-sm:flex-col'
            }
          >
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">
                <span className="font-medium">{request.user.name}</span>{' '}
                <span className="text-text-2">{request.user.email}</span>
              </p>
              <p className="text-12 text-text-2">
                <Link
                  to="/d/$dashboard"
                  params={{ dashboard: request.dashboard.id }}
                  search={{}}
                  className="hover:underline"
                >
                  {words.requests.wants(request.dashboard.title)}
                </Link>{' '}
                <span className="text-text-3" title={momentText(request.at)}>
                  {agoText(request.at)}
                </span>
              </p>
              {request.message === '' ? null : <p className="pt-1 wrap-anywhere">{request.message}</p>}
            </div>
            <span className="flex gap-2">
              <Button isDisabled={isBusy} onPress={() => answer(request, 'view')}>
                {words.requests.allow}
              </Button>
              <Button look="quiet" isDisabled={isBusy} onPress={() => answer(request, null)}>
                {words.requests.decline}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <p className="pt-1.5 text-12 text-text-2">{words.requests.allowHint}</p>
    </section>
  );
}
