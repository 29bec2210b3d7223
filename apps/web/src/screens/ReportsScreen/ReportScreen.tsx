import type { ReportDetail, ReportRun } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { momentText } from '../../accounts/times.ts';
import { client } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { words } from '../../reports/messages/words.ts';
import { refreshReports, useReport } from '../../reports/report-data.ts';
import { ReportFact } from '../../reports/ReportFact.tsx';
import { ReportTerms } from '../../reports/form/ReportTerms.tsx';
import { primaryLink } from '../../reports/primary-link.ts';
import { ReportState } from '../../reports/ReportState.tsx';
import { dueText, scheduleText } from '../../reports/schedule-text.ts';
import { SubscriptionButton } from '../../reports/subscribe/SubscriptionButton.tsx';
import { useReportChange } from '../../reports/use-report-change.ts';
import { offerRestore } from '../../downloads/offer-restore.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

const card = 'rounded-tile border border-border bg-surface';

/** A report: when it runs next, and what its runs came to. */
export function ReportScreen() {
  const { report: id } = useParams({ from: '/reports/$report' });
  const { data, error } = useReport(id);
  if (error) return <ErrorScreen error={error} />;
  if (!data)
    return (
      <HeaderTitle title={words.title}>
        <span />
      </HeaderTitle>
    );
  return <OpenReport report={data} />;
}

function OpenReport({ report }: { readonly report: ReportDetail }) {
  const { title, description, schedule, state, dashboard, owner, to, nextRuns, timezone } = report;
  const zone = timezone.replaceAll('_', ' ');
  return (
    <div className="mx-auto max-w-[860px] pt-6">
      <HeaderTitle title={title}>
        <Link to="/reports" className="text-14 text-text-2 hover:underline max-sm:hidden">
          {words.title}
        </Link>
        <span aria-hidden className="text-text-3 max-sm:hidden">
          ›
        </span>
        <span className="truncate text-14 font-semibold">{title}</span>
      </HeaderTitle>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-2 text-20 font-semibold tracking-[-0.01em] wrap-anywhere">
            {title} <ReportState state={state} />
          </h1>
          {description === undefined ? null : <p className="text-text-2">{description}</p>}
        </div>
        <Actions report={report} />
      </div>
      {report.problems.length > 0 ? (
        <Section title={words.problems}>
          <ul className="rounded-tile bg-bad-weak px-3 py-2 text-13">
            {report.problems.map((problem, i) => (
              <li key={i}>
                <span className="tabular font-medium">{words.line(problem.line)}: </span>
                {problem.message}
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <dl className={`mt-5 grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_1fr] px-4 py-3 text-13 ${card}`}>
        {dashboard ? (
          <ReportFact label={words.dashboard}>
            <Link to="/d/$dashboard" params={{ dashboard: dashboard.id }} search={{}} className="underline">
              {dashboard.title}
            </Link>
          </ReportFact>
        ) : null}
        {schedule ? (
          <ReportFact label={words.columns.schedule}>{words.inZone(scheduleText(schedule), zone)}</ReportFact>
        ) : null}
        {owner ? <ReportFact label={words.columns.owner}>{owner.name ?? owner.email}</ReportFact> : null}
        {to.length > 0 ? <ReportFact label={words.recipients}>{to.join(', ')}</ReportFact> : null}
        <ReportTerms report={report} />
      </dl>
      {nextRuns.length > 0 ? (
        <Section title={words.nextRuns}>
          <ul className="text-13">
            {nextRuns.map(at => {
              const { scheduled, local } = dueText(at, timezone);
              return (
                <li key={at} className="tabular py-0.5">
                  {words.inZone(scheduled, zone)}
                  {local === undefined ? null : (
                    <span className="text-text-2 max-sm:block sm:ps-2">{local}</span>
                  )}
                </li>
              );
            })}
          </ul>
        </Section>
      ) : null}
      <Section title={words.history}>
        {report.history.length === 0 ? (
          <p className="text-text-2">{words.noHistory}</p>
        ) : (
          <ul className={card}>
            {report.history.map(run => (
              <Run key={run.due} run={run} />
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="pt-6">
      <h2 className="pb-2 text-15 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Run({ run }: { readonly run: ReportRun }) {
  const { due, outcome, reason, detail, recipients, left } = run;
  const tone = outcome === 'sent' ? 'text-good' : outcome === 'skipped' ? 'text-text-2' : 'text-bad';
  return (
    <li className="border-b border-border px-3 py-2 text-13 last:border-0">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="tabular">{momentText(due)}</span>
        <span className={`font-medium ${tone}`}>{words.outcomes[outcome]}</span>
        {outcome === 'sent' && recipients > 0 ? <span>{words.sentTo(recipients)}</span> : null}
      </p>
      {reason === undefined ? null : <p className="text-text-2">{words.reasons[reason]}</p>}
      {detail === undefined ? null : <p className="text-text-2 wrap-anywhere">{detail}</p>}
      {left.length > 0 ? (
        <ul className="text-12 text-text-2">
          {left.map((one, i) => (
            <li key={i}>
              {one.recipient}: {words.leftReasons[one.reason]}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

/** How often the page looks whether a run that was started by hand has ended. */
const runningMs = 2000;

function Actions({ report }: { readonly report: ReportDetail }) {
  const { id, isEditable, isRecipient, hasUnsubscribed, state } = report;
  const { create } = usePermissions();
  const navigate = useNavigate();
  const { change, isBusy, problem } = useReportChange();
  const [pending, setPending] = useState<'run' | 'remove'>();
  // The newest run when one was started by hand, which runs until there is a newer one.
  const newest = report.history[0]?.due ?? 'none';
  const [startedAfter, setStartedAfter] = useState<string>();
  const isRunning = startedAfter === newest;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void refreshReports(), runningMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  const isPaused = state === 'paused';
  const confirm = () =>
    change(async () => {
      if (pending === 'run') {
        await client.runReport({ params: { id } });
        setStartedAfter(newest);
      } else {
        const { number } = await client.removeReport({ params: { id } });
        await offerRestore(report.title, number);
        await navigate({ to: '/reports' });
      }
      setPending(undefined);
    });
  return (
    <div className="flex max-w-full flex-col items-end gap-2 max-sm:items-start">
      <div className="flex flex-wrap gap-2">
        {isRecipient || hasUnsubscribed ? <SubscriptionButton report={report} /> : null}
        {isEditable ? (
          <>
            <Button
              isDisabled={isBusy || state === 'invalid'}
              onPress={() =>
                void change(() => client.pauseReports({ body: { ids: [id], isPaused: !isPaused } }))
              }
            >
              {isPaused ? words.resume : words.pause}
            </Button>
            <Button isDisabled={isBusy || isPaused || state === 'invalid'} onPress={() => setPending('run')}>
              {words.runNow}
            </Button>
            {create ? (
              <Button
                onPress={() => void navigate({ to: '/reports/new', search: { dashboard: '', copy: id } })}
              >
                {t.actions.duplicate}
              </Button>
            ) : null}
            <Button isDisabled={isBusy} onPress={() => setPending('remove')}>
              {words.remove}
            </Button>
            {create ? (
              <Link to="/reports/$report/edit" params={{ report: id }} className={primaryLink}>
                {words.edit}
              </Link>
            ) : null}
          </>
        ) : null}
      </div>
      {pending === undefined ? null : (
        <div role="group" className="flex flex-wrap items-center gap-2 text-13">
          <span className="text-text-2">
            {pending === 'run' ? words.runHint(Math.max(1, report.recipients)) : words.removeHint}
          </span>
          <Button onPress={() => setPending(undefined)}>{words.cancel}</Button>
          <Button look="primary" isDisabled={isBusy} onPress={() => void confirm()}>
            {pending === 'run' ? words.runNow : words.remove}
          </Button>
        </div>
      )}
      {isRunning ? (
        <p role="status" className="text-13 text-text-2">
          {words.started}
        </p>
      ) : null}
      <FormProblem problem={problem} />
    </div>
  );
}
