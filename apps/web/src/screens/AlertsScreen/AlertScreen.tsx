import type { AlertDetail } from '@belvedere/api';
import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { refreshAlerts, useAlert } from '../../alerts/alert-data.ts';
import { AlertStateChip } from '../../alerts/AlertStateChip.tsx';
import { momentOf, valueText } from '../../alerts/alert-texts.ts';
import { HistoryStrip } from '../../alerts/HistoryStrip.tsx';
import { words } from '../../alerts/messages/words.ts';
import { lazyWithChannelWords } from '../../channels/messages/words.ts';
import { useAttempt } from '../../comments/use-attempt.ts';
import { client } from '../../data/server.ts';
import { offerRestore } from '../../downloads/offer-restore.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { words as scheduledWords } from '../../scheduled/messages/words.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { AlertHeading } from './AlertHeading.tsx';
import { AlertSummary } from './AlertSummary.tsx';
import { AlertTable } from './AlertTable.tsx';
import { RemoveAlertDialog } from './RemoveAlertDialog.tsx';

const AlertDeliveries = lazyWithChannelWords(() =>
  import('../../alerts/AlertDeliveries.tsx').then(module => module.AlertDeliveries),
);

const PastValues = lazyComponent(() =>
  import('../../alerts/PastValues.tsx').then(module => module.PastValues),
);

/** One alert: its state and the reason for it, its groups, messages and history. */
export function AlertScreen() {
  const { alert: id } = useParams({ from: '/alerts/$alert' });
  const { data: alert, error } = useAlert(id);
  if (error && !alert) return <ErrorScreen error={error} />;
  return (
    <div className="mx-auto max-w-[900px] pt-6">
      <HeaderTitle title={alert?.title ?? id}>
        <nav className="flex min-w-0 items-center gap-1.5 text-14">
          <Link to="/alerts" className="shrink-0 whitespace-nowrap text-text-2 hover:text-text">
            {words.title}
          </Link>
          <span aria-hidden className="text-text-3">
            ›
          </span>
          <span className="truncate font-semibold">{alert?.title ?? id}</span>
        </nav>
      </HeaderTitle>
      {alert ? <OpenAlert alert={alert} /> : <div aria-hidden className="h-60 rounded-tile bg-surface" />}
    </div>
  );
}

function OpenAlert({ alert }: { readonly alert: AlertDetail }) {
  const { id, title, isShown } = alert;
  const { attempt, problem } = useAttempt(refreshAlerts);
  const [isRemoving, setIsRemoving] = useState(false);
  const navigate = useNavigate();
  const only = onlyState(alert);
  const remove = () => {
    setIsRemoving(false);
    void attempt(async () => {
      const { number } = await client.removeAlert({ params: { id } });
      await offerRestore(title, number);
      await navigate({ to: '/alerts' });
    });
  };
  return (
    <>
      <AlertHeading alert={alert} attempt={attempt} onRemove={() => setIsRemoving(true)} />
      {problem === undefined ? null : (
        <p role="alert" className="pb-2 text-bad">
          {problem}
        </p>
      )}
      <Notices alert={alert} />
      {alert.description === undefined ? null : <p className="pb-3">{alert.description}</p>}
      <AlertSummary alert={alert} only={only} />
      {alert.canEdit && isShown && alert.state !== 'invalid' ? (
        <LazyBoundary fallback={null}>
          <PastValues id={id} />
        </LazyBoundary>
      ) : null}
      {isShown && !only && alert.states.length > 0 ? <Groups alert={alert} /> : null}
      {alert.deliveries ? <Messages deliveries={alert.deliveries} /> : null}
      {isShown ? <History alert={alert} /> : null}
      {isRemoving ? (
        <RemoveAlertDialog title={title} onRemove={remove} onClose={() => setIsRemoving(false)} />
      ) : null}
    </>
  );
}

/** The state of an alert without groups. */
function onlyState({ states }: AlertDetail): AlertDetail['states'][number] | undefined {
  return states.length === 1 && states[0]!.label === '' ? states[0] : undefined;
}

interface AlertProps {
  readonly alert: AlertDetail;
}

/** Why the alert is not checked, or does not show everything. */
function Notices({ alert: { stopped, problem, errors, isShown } }: AlertProps) {
  return (
    <>
      {stopped ? <Notice>{words.stopped[stopped]}</Notice> : null}
      {problem === undefined ? null : (
        <Notice>
          {words.problem}: {problem}
        </Notice>
      )}
      {errors.length > 0 ? (
        <Notice>
          {words.errors}:
          <ul className="list-disc ps-5">
            {errors.map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                {scheduledWords.line(line)}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {isShown ? null : <Notice>{words.notShown}</Notice>}
    </>
  );
}

function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mb-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn wrap-anywhere">{children}</div>
  );
}

function Groups({ alert: { states, measure } }: AlertProps) {
  return (
    <Card title={words.groups}>
      <AlertTable
        heads={[words.group, words.state, words.value, words.reason]}
        rows={states.map(group => [
          group.label || '–',
          <AlertStateChip key="state" state={group.state} />,
          valueText(group.value, measure),
          group.reason,
        ])}
      />
    </Card>
  );
}

function Messages({ deliveries }: { readonly deliveries: NonNullable<AlertDetail['deliveries']> }) {
  const { administer } = usePermissions();
  return (
    <Card title={words.messages}>
      {deliveries.length === 0 ? (
        <p className="px-4 pb-4 text-text-2">{words.noMessages}</p>
      ) : (
        <LazyBoundary fallback={null}>
          <AlertDeliveries label={words.messages} deliveries={deliveries} isLinked={administer} />
        </LazyBoundary>
      )}
    </Card>
  );
}

function History({ alert }: AlertProps) {
  const { history, measure } = alert;
  if (history.length === 0)
    return (
      <Card title={words.history}>
        <p className="px-4 pb-4 text-text-2">{words.historyEmpty}</p>
      </Card>
    );
  const hasGroups = !onlyState(alert) || history.some(({ label }) => label !== '');
  const group = (content: string) => (hasGroups ? [content] : []);
  return (
    <Card title={words.history}>
      <HistoryStrip alert={alert} />
      <AlertTable
        heads={[words.since, ...group(words.group), words.state, words.value, words.reason]}
        rows={history.map(change => [
          momentOf(change.at),
          ...group(change.label || '–'),
          <AlertStateChip key="state" state={change.to} />,
          valueText(change.value, measure),
          change.reason,
        ])}
      />
    </Card>
  );
}

function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="mt-4 rounded-tile border border-border bg-surface">
      <h2 className="px-4 pt-3 pb-2 text-14 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
