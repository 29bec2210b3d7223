import type { ListedQuery, SystemReport } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useSystem } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { dayText } from '../../../accounts/times.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { bytesText } from '../../../data/bytes-text.ts';
import { client } from '../../../data/server.ts';
import { localTimeFormat } from '../../../data/session/own-zone.ts';
import { BackupsSection } from './BackupsSection.tsx';
import { problemAddress } from './problem-address.ts';
import { SettingsPage } from '../SettingsPage.tsx';
import { UnconfirmedSettings } from './UnconfirmedSettings.tsx';
import { countText, durationText, queryTitle } from './system-texts.ts';

/** The server's health, storage and cache, and the queries that it runs. */
export function SystemScreen() {
  const { data, error, isPending, refetch, dataUpdatedAt } = useSystem();
  const { change, problem, isBusy } = useChange();
  return (
    <SettingsPage title={words.system.title} hint={words.system.hint} isWide>
      <QueryState error={data ? undefined : error} isLoading={isPending} onRetry={() => void refetch()}>
        {data ? (
          <div className="flex flex-col gap-5 py-5">
            {error ? (
              <p role="status" className="rounded-control bg-warn-weak px-3 py-2 text-13 text-warn">
                {words.system.stale(timeText(dataUpdatedAt))}
              </p>
            ) : null}
            <Problems problems={data.problems} />
            <FormProblem problem={problem} />
            <UnconfirmedSettings
              settings={data.unconfirmed}
              isBusy={isBusy}
              onConfirm={({ id, content }) =>
                void change(() => client.confirmSetting({ params: { setting: id }, body: { content } }))
              }
            />
            <Queries
              report={data}
              isBusy={isBusy}
              onCancel={({ id }) => void change(() => client.cancelQuery({ params: { query: id } }))}
            />
            <div className="grid items-start gap-3 md:grid-cols-3">
              <ServerFacts report={data} />
              <CacheFacts report={data} />
              <StorageFacts report={data} />
            </div>
            <BackupsSection />
          </div>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}

function timeText(at: number): string {
  return localTimeFormat({ timeStyle: 'medium' }).format(new Date(at));
}

function Problems({ problems }: Pick<SystemReport, 'problems'>) {
  if (problems.length === 0)
    return (
      <p className="flex items-center gap-2 text-13 text-good">
        <CircleCheck size={16} aria-hidden />
        {words.system.healthy}
      </p>
    );
  return (
    <ul className="flex flex-col gap-2">
      {problems.map(({ kind, message, names }) => (
        <li key={kind} className="flex gap-2 rounded-tile bg-warn-weak px-3 py-2 text-13 text-warn">
          <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-semibold">{words.system.problems[kind] ?? kind}</span>
            <span className="block">{names ? <ProblemLinks kind={kind} names={names} /> : message}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Names of files or tables, each a link to where it is fixed. */
function ProblemLinks({ kind, names }: { readonly kind: string; readonly names: readonly string[] }) {
  return names.map((name, i) => {
    const address = problemAddress(kind, name);
    return (
      <Fragment key={name}>
        {i > 0 ? ', ' : null}
        {address === undefined ? (
          name
        ) : (
          <Link to={address} className="underline">
            {name}
          </Link>
        )}
      </Fragment>
    );
  });
}

interface QueriesProps {
  readonly report: SystemReport;
  readonly isBusy: boolean;
  readonly onCancel: (query: ListedQuery) => void;
}

function Queries({ report: { queries, at }, isBusy, onCancel }: QueriesProps) {
  const running = queries.filter(({ state }) => state === 'running').length;
  return (
    <section aria-label={words.system.queries}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2">
        <div>
          <h2 className="text-15 font-semibold">{words.system.queries}</h2>
          <p className="text-12 text-text-2">{words.system.queriesHint}</p>
        </div>
        <p className="tabular text-12 text-text-2">
          {words.system.counts(running, queries.length - running)}
        </p>
      </div>
      {queries.length === 0 ? (
        <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-8 text-center text-text-2">
          {words.system.noQueries}
        </p>
      ) : (
        <ul
          className="max-h-[480px] overflow-y-auto rounded-tile border border-border bg-surface"
          tabIndex={0}
        >
          {queries.map(query => (
            <QueryRow key={query.id} query={query} at={at} isBusy={isBusy} onCancel={() => onCancel(query)} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface QueryRowProps {
  readonly query: ListedQuery;
  readonly at: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

function QueryRow({ query, at, isBusy, onCancel }: QueryRowProps) {
  const title = queryTitle(query);
  const since = Date.parse(at) - Date.parse(query.startedAt ?? query.since);
  const facts = [
    query.user.name,
    query.source === 'files' ? words.system.files : query.source,
    ...(query.rows === undefined ? [] : [words.system.rows(countText(query.rows))]),
  ];
  return (
    <li className="flex items-center gap-3 border-b border-border px-3 py-2 text-13 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={title}>
          {title}
        </p>
        <p className="truncate text-12 text-text-2">{facts.join(' · ')}</p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5 sm:flex-row sm:items-center sm:gap-3">
        <StateChip tone={query.state === 'running' ? 'accent' : 'neutral'}>
          {query.state === 'running' ? words.system.running : words.system.waiting}
        </StateChip>
        <span className="tabular min-w-14 text-end text-12 text-text-2">{durationText(since)}</span>
      </div>
      <Button
        isDisabled={isBusy}
        aria-label={words.system.cancelOf(title, query.user.name)}
        onPress={onCancel}
      >
        {words.system.cancelQuery}
      </Button>
    </li>
  );
}

function ServerFacts({ report }: { readonly report: SystemReport }) {
  return (
    <Facts
      title={words.system.server}
      facts={[
        [words.system.version, report.version],
        [words.system.uptime, durationText(Date.parse(report.at) - Date.parse(report.startedAt))],
        [words.system.memory, bytesText(report.rssBytes)],
        [words.system.restarts, countText(report.restarts)],
        ...(report.certificate
          ? [[words.system.certificateUntil, dayText(report.certificate.validUntil)] as const]
          : []),
      ]}
    />
  );
}

function CacheFacts({ report }: { readonly report: SystemReport }) {
  return (
    <Facts
      title={words.system.cache}
      facts={[
        [words.system.cacheHits, countText(report.cacheHits)],
        [
          words.system.cacheSize,
          words.system.of(bytesText(report.cacheBytes), bytesText(report.cacheLimitBytes)),
        ],
        [words.system.executions, countText(report.executions)],
      ]}
    />
  );
}

function StorageFacts({ report: { state, storage } }: { readonly report: SystemReport }) {
  const { freeBytes, totalBytes } = storage;
  const kind = words.system.databases[state.kind];
  return (
    <Facts
      title={words.system.storage}
      facts={[
        [words.system.database, state.bytes === undefined ? kind : `${kind}, ${bytesText(state.bytes)}`],
        ...storage.folders
          .filter(({ bytes }) => bytes > 0)
          .map(
            folder => [words.system.folders[folder.kind] ?? folder.kind, bytesText(folder.bytes)] as const,
          ),
        ...(freeBytes === undefined || totalBytes === undefined
          ? []
          : [[words.system.freeDisk, words.system.of(bytesText(freeBytes), bytesText(totalBytes))] as const]),
      ]}
    />
  );
}

interface FactsProps {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

function Facts({ title, facts }: FactsProps) {
  return (
    <section aria-label={title} className="rounded-tile border border-border bg-surface px-3.5 py-3">
      <h2 className="pb-2 text-13 font-semibold">{title}</h2>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-13">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-text-2">{name}</dt>
            <dd className="tabular text-end">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
