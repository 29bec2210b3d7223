import type { Backups, Job } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { useState, type ReactNode } from 'react';
import { useBackups } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { momentText } from '../../../accounts/times.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { bytesText } from '../../../data/bytes-text.ts';
import { client, useSession } from '../../../data/server.ts';
import { BackupsDialog } from './BackupsDialog.tsx';
import { jobTones } from './job-tones.ts';

/** When backups are made and how the last one went. Owners set them up and start one. */
export function BackupsSection() {
  const { data, error, isPending, refetch } = useBackups();
  const isOwner = useSession().data?.role === 'owner';
  const { change, problem, isBusy } = useChange();
  const [isEdited, setIsEdited] = useState(false);
  return (
    <section aria-label={words.backups.title}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-2">
        <div className="min-w-0 flex-[1_1_280px]">
          <h2 className="text-15 font-semibold">{words.backups.title}</h2>
          <p className="text-12 text-text-2">{words.backups.hint}</p>
        </div>
        {isOwner && data ? (
          <div className="flex flex-wrap gap-2">
            {data.isFixed ? null : <Button onPress={() => setIsEdited(true)}>{words.backups.edit}</Button>}
            <Button
              isDisabled={isBusy || data.current?.state === 'running'}
              onPress={() => void change(() => client.startBackup({}))}
            >
              {words.backups.now}
            </Button>
          </div>
        ) : null}
      </div>
      <FormProblem problem={problem} />
      <QueryState error={data ? undefined : error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? <BackupFacts backups={data} isOwner={isOwner} /> : null}
      </QueryState>
      {isEdited && data ? <BackupsDialog backups={data} onClose={() => setIsEdited(false)} /> : null}
    </section>
  );
}

function BackupFacts({ backups, isOwner }: { readonly backups: Backups; readonly isOwner: boolean }) {
  const { isOn, at, zone, nextAt, kept, folder, isStandardFolder, isFixed, current, last, files } = backups;
  return (
    <div className="rounded-tile border border-border bg-surface px-3.5 py-3 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
        <StateChip tone={isOn ? 'accent' : 'neutral'}>
          {isOn ? words.backups.on : words.backups.off}
        </StateChip>
        {isOn ? <span>{words.backups.everyDay(at, zone)}</span> : null}
        {nextAt === undefined ? null : (
          <span className="text-text-2">{words.backups.next(momentText(nextAt))}</span>
        )}
        {isFixed || !isOwner ? (
          <span className="text-text-2">{isFixed ? words.backups.isFixed : words.backups.onlyOwners}</span>
        ) : null}
      </p>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {current ? (
          <Fact name={words.backups.current}>
            <Outcome job={current} />
          </Fact>
        ) : null}
        <Fact name={words.backups.last}>
          {last ? <Outcome job={last} /> : <span className="text-text-2">{words.backups.neverMade}</span>}
        </Fact>
        <Fact name={words.backups.folder}>
          <code className="wrap-anywhere">{folder}</code>
          {isStandardFolder ? (
            <span className="block text-12 text-text-2">{words.backups.sameDisk}</span>
          ) : null}
        </Fact>
        <Fact name={words.backups.kept}>{kept}</Fact>
      </dl>
      {files.length === 0 ? null : (
        <ul
          aria-label={words.backups.list}
          tabIndex={0}
          className="mt-3 max-h-48 overflow-y-auto border-t border-border pt-2"
        >
          {files.map(file => (
            <li key={file.name} className="flex flex-wrap gap-x-4 py-0.5">
              <code className="min-w-0 flex-[1_1_240px] wrap-anywhere">{file.name}</code>
              <span className="tabular text-text-2">{momentText(file.at)}</span>
              <span className="tabular min-w-16 text-end text-text-2">{bytesText(file.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2 max-sm:pt-1">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** How a job went, and why it failed. */
function Outcome({ job }: { readonly job: Job }) {
  const at = job.endedAt ?? job.nextTryAt ?? job.startedAt ?? job.dueAt;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateChip tone={jobTones[job.state]}>{words.jobs.states[job.state]}</StateChip>
        <time dateTime={at} className="text-text-2">
          {job.nextTryAt === undefined ? momentText(at) : words.jobs.nextTry(momentText(at))}
        </time>
      </span>
      {job.error === undefined ? null : <span className="block text-bad wrap-anywhere">{job.error}</span>}
    </>
  );
}
