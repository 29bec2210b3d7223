import type { Job } from '@belvedere/api';
import { Button, Select, StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useJobs } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { agoText, momentText } from '../../../accounts/times.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { client } from '../../../data/server.ts';
import { jobTones } from './job-tones.ts';
import { SettingsPage } from '../SettingsPage.tsx';

type JobState = Job['state'];

const states = ['queued', 'running', 'done', 'given-up', 'cancelled'] as const;

const kindText = (kind: string) => words.jobs.kinds[kind] ?? kind;

/** The jobs that ran, run or wait, the newest first. */
export function JobsScreen() {
  const [state, setState] = useState<JobState>();
  const [kind, setKind] = useState<string>();
  const { data, error, isPending, refetch, dataUpdatedAt, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useJobs({ state, kind });
  const kinds = data?.pages[0]!.kinds ?? [];
  const jobs = data?.pages.flatMap(page => page.jobs) ?? [];
  const { change, problem, isBusy } = useChange();
  return (
    <SettingsPage title={words.jobs.title} hint={words.jobs.hint} isWide>
      <QueryState error={data ? undefined : error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? (
          <div className="flex flex-col gap-5 py-5">
            {error ? (
              <p role="status" className="rounded-control bg-warn-weak px-3 py-2 text-13 text-warn">
                {words.system.stale(momentText(new Date(dataUpdatedAt).toISOString()))}
              </p>
            ) : null}
            <FormProblem problem={problem} />
            <ul aria-label={words.jobs.kindsTitle} className="grid gap-2 sm:grid-cols-2 lg:grid-cols-4">
              {kinds.map(one => (
                <li
                  key={one.kind}
                  className="flex items-center justify-between gap-3 rounded-tile border border-border bg-surface px-3 py-2 text-13"
                >
                  <div className="min-w-0">
                    <p className="truncate font-medium">{kindText(one.kind)}</p>
                    <p className="tabular text-12 text-text-2">
                      {one.isPaused ? words.jobs.paused : words.system.counts(one.running, one.queued)}
                    </p>
                  </div>
                  {one.canPause ? (
                    <Button
                      isDisabled={isBusy}
                      aria-label={(one.isPaused ? words.jobs.resumeOf : words.jobs.pauseOf)(
                        kindText(one.kind),
                      )}
                      onPress={() =>
                        void change(() =>
                          client.pauseJobs({ params: { kind: one.kind }, body: { isPaused: !one.isPaused } }),
                        )
                      }
                    >
                      {one.isPaused ? words.jobs.resume : words.jobs.pause}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
            <div className="flex flex-wrap gap-3">
              <Select
                className="sm:max-w-52"
                label={words.jobs.state}
                value={state ?? ''}
                options={[
                  { value: '', label: words.jobs.allStates },
                  ...states.map(value => ({ value, label: words.jobs.states[value] })),
                ]}
                onChange={value => setState(value === '' ? undefined : (value as JobState))}
              />
              <Select
                className="sm:max-w-52"
                label={words.jobs.kind}
                value={kind ?? ''}
                options={[
                  { value: '', label: words.jobs.allKinds },
                  ...kinds.map(one => ({ value: one.kind, label: kindText(one.kind) })),
                ]}
                onChange={value => setKind(value === '' ? undefined : value)}
              />
            </div>
            {jobs.length === 0 ? (
              <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
                {words.jobs.empty}
              </p>
            ) : (
              <ul aria-label={words.jobs.title} className="rounded-tile border border-border bg-surface">
                {jobs.map(job => (
                  <JobRow
                    key={job.id}
                    job={job}
                    isBusy={isBusy}
                    onCancel={() => void change(() => client.cancelJob({ params: { job: job.id } }))}
                    onRetry={() => void change(() => client.retryJob({ params: { job: job.id } }))}
                  />
                ))}
              </ul>
            )}
            {hasNextPage ? (
              <Button
                className="self-start"
                isDisabled={isFetchingNextPage}
                onPress={() => void fetchNextPage()}
              >
                {words.audit.more}
              </Button>
            ) : null}
          </div>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}

interface JobRowProps {
  readonly job: Job;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
}

function JobRow({ job, isBusy, onCancel, onRetry }: JobRowProps) {
  // Work on the whole workspace has no object to name.
  const object = job.object === 'workspace' ? '' : (job.title ?? job.object);
  const title = `${kindText(job.kind)} ${object}`.trim();
  const isOpen = job.state === 'queued' || job.state === 'running';
  const isFailed = job.state === 'given-up' || job.state === 'cancelled';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-3 py-2 text-13 last:border-0">
      <div className="min-w-0 flex-[1_1_240px]">
        <p className="truncate font-medium" title={title}>
          <JobTitle job={job} title={title} />
        </p>
        <p className="text-12 wrap-anywhere text-text-2">
          <time dateTime={job.dueAt}>{words.jobs.due(momentText(job.dueAt))}</time>
          {job.attempt > 1 ? ` · ${words.jobs.tries(job.attempt)}` : ''}
          {job.nextTryAt !== undefined && job.attempt > 0
            ? ` · ${words.jobs.nextTry(momentText(job.nextTryAt))}`
            : ''}
          {job.endedAt === undefined ? '' : ` · ${agoText(job.endedAt)}`}
          {job.detail === undefined ? '' : ` · ${words.jobs.detailText(job.detail)}`}
        </p>
        {job.error === undefined ? null : (
          <p className={`text-12 wrap-anywhere ${isFailed ? 'text-bad' : 'text-warn'}`}>
            {words.jobs.detailText(job.error)}
          </p>
        )}
      </div>
      <StateChip tone={jobTones[job.state]}>{words.jobs.states[job.state]}</StateChip>
      {isOpen ? (
        <Button isDisabled={isBusy} aria-label={words.jobs.cancelOf(title)} onPress={onCancel}>
          {words.jobs.cancel}
        </Button>
      ) : isFailed ? (
        <Button isDisabled={isBusy} aria-label={words.jobs.retryOf(title)} onPress={onRetry}>
          {words.jobs.retry}
        </Button>
      ) : null}
    </li>
  );
}

/** A job's title, with the way to what it is about if that is still there. */
function JobTitle({
  job: { kind, object, title: known },
  title,
}: Pick<JobRowProps, 'job'> & { readonly title: string }) {
  const link = 'text-accent-text hover:underline';
  if (kind === 'backup')
    return (
      <Link to="/settings/system" className={link}>
        {title}
      </Link>
    );
  if (known === undefined) return title;
  if (kind === 'alert')
    return (
      <Link to="/alerts/$alert" params={{ alert: object }} className={link}>
        {title}
      </Link>
    );
  if (kind === 'report')
    return (
      <Link to="/reports/$report" params={{ report: object }} className={link}>
        {title}
      </Link>
    );
  return (
    <Link to="/settings/channels" hash="deliveries" className={link}>
      {title}
    </Link>
  );
}
