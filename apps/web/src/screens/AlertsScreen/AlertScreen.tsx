import type { AlertDetail } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent, Modal } from '@belvedere/ui';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { AlarmClock, Copy, ExternalLink, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { refreshAlerts, useAlert } from '../../alerts/alert-data.ts';
import { AlertStateChip } from '../../alerts/AlertStateChip.tsx';
import { momentOf, valueText } from '../../alerts/alert-texts.ts';
import { HistoryStrip } from '../../alerts/HistoryStrip.tsx';
import { MuteButton } from '../../alerts/MuteButton.tsx';
import { words } from '../../alerts/messages/words.ts';
import { SnoozeMenu } from '../../alerts/SnoozeMenu.tsx';
import { shownTitle, underFilters } from '../../alerts/tile-measures.ts';
import { lazyWithChannelWords } from '../../channels/messages/words.ts';
import { useAttempt } from '../../comments/use-attempt.ts';
import { client, useDashboard } from '../../data/server.ts';
import { usePermissions } from '../../data/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { words as scheduledWords } from '../../scheduled/messages/words.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

const AlertDeliveries = lazyWithChannelWords(() =>
  import('../../alerts/AlertDeliveries.tsx').then(module => module.AlertDeliveries),
);

const PastValues = lazyComponent(() =>
  import('../../alerts/PastValues.tsx').then(module => module.PastValues),
);

/** One alert: its state and why, its groups and its history. */
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
      {alert ? <Shown alert={alert} /> : <div aria-hidden className="h-60 rounded-tile bg-surface" />}
    </div>
  );
}

interface EditorActionsProps {
  readonly alert: AlertDetail;
  readonly attempt: ReturnType<typeof useAttempt>['attempt'];
  readonly onRemove: () => void;
}

/** What those can do who may edit an alert. */
function EditorActions({ alert, attempt, onRemove }: EditorActionsProps) {
  const navigate = useNavigate();
  const { id } = alert;
  const ids = [id];
  const hasErrors = alert.state === 'invalid';
  return (
    <>
      <Button
        isDisabled={hasErrors}
        onPress={() => void attempt(() => client.checkAlerts({ body: { ids } }))}
      >
        <RefreshCw size={15} aria-hidden />
        {words.checkNow}
      </Button>
      <Button
        isDisabled={hasErrors}
        onPress={() => void attempt(() => client.pauseAlerts({ body: { ids, paused: !alert.isPaused } }))}
      >
        {alert.isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
        {alert.isPaused ? words.resume : words.pause}
      </Button>
      <Button
        look="primary"
        onPress={() => void navigate({ to: '/alerts/$alert/edit', params: { alert: id } })}
      >
        <Pencil size={15} aria-hidden />
        {words.edit}
      </Button>
      <Button look="quiet" onPress={() => void navigate({ to: '/alerts/new', search: { copy: id } })}>
        <Copy size={15} aria-hidden />
        {t.actions.duplicate}
      </Button>
      <SnoozeMenu ids={ids} isSnoozed={alert.snoozedUntil !== undefined} attempt={attempt} />
      <Button look="quiet" onPress={onRemove}>
        <Trash2 size={15} aria-hidden />
        {words.remove}
      </Button>
    </>
  );
}

/** The title of an alert, its state, and what the user can do with it. */
function Heading({ alert, attempt, onRemove }: EditorActionsProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-3">
      <div className="min-w-0">
        <h1 className="text-20 font-semibold tracking-[-0.01em] wrap-anywhere">{alert.title}</h1>
        <p className="flex flex-wrap items-center gap-2 pt-1 text-text-2">
          <AlertStateChip state={alert.state} />
          {alert.since === undefined ? null : (
            <span>
              {words.since} {momentOf(alert.since)}
            </span>
          )}
          {alert.snoozedUntil === undefined ? null : (
            <span className="inline-flex items-center gap-1">
              <AlarmClock size={13} aria-hidden />
              {words.snoozed(momentOf(alert.snoozedUntil))}
              {alert.snoozedBy === undefined ? null : ` (${alert.snoozedBy})`}
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <MuteButton alert={alert} />
        {alert.canEdit ? <EditorActions alert={alert} attempt={attempt} onRemove={onRemove} /> : null}
      </div>
    </div>
  );
}

function Shown({ alert }: { readonly alert: AlertDetail }) {
  const { id, title, states, history, measure } = alert;
  const { attempt, problem } = useAttempt(refreshAlerts);
  const [isRemoving, setIsRemoving] = useState(false);
  const { administer } = usePermissions();
  const navigate = useNavigate();
  const only = states.length === 1 && states[0]!.label === '' ? states[0] : undefined;
  const hasGroups = !only || history.some(({ label }) => label !== '');
  return (
    <>
      <Heading alert={alert} attempt={attempt} onRemove={() => setIsRemoving(true)} />
      {problem === undefined ? null : (
        <p role="alert" className="pb-2 text-bad">
          {problem}
        </p>
      )}
      {alert.stopped ? <Notice>{words.stopped[alert.stopped]}</Notice> : null}
      {alert.problem === undefined ? null : (
        <Notice>
          {words.problem}: {alert.problem}
        </Notice>
      )}
      {alert.errors.length > 0 ? (
        <Notice>
          {words.errors}:
          <ul className="list-disc ps-5">
            {alert.errors.map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                {scheduledWords.line(line)}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {alert.isShown ? null : <Notice>{words.notShown}</Notice>}
      {alert.description === undefined ? null : <p className="pb-3">{alert.description}</p>}
      <section className="rounded-tile border border-border bg-surface p-4">
        {only ? (
          <div className="pb-4">
            <p className="text-12 text-text-2">{measure?.label ?? words.value}</p>
            <p className="tabular text-26 font-semibold tracking-[-0.02em]">
              {valueText(only.value, measure)}
            </p>
            <p className="text-text-2">{only.reason}</p>
            {only.lackingSince === undefined ? null : (
              <p className="text-warn">{words.noDataSince(momentOf(only.lackingSince))}</p>
            )}
          </div>
        ) : null}
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
          <dt className="text-text-2">{words.watches}</dt>
          <dd>
            {alert.dashboard ? (
              <Link
                to="/d/$dashboard"
                params={{ dashboard: alert.dashboard.id }}
                search={{ tile: alert.dashboard.tile }}
                className="text-accent-text hover:underline"
              >
                {alert.dashboard.title} › <TileTitle {...alert.dashboard} />
              </Link>
            ) : (
              (alert.model ?? '–')
            )}
          </dd>
          <Fact label={words.firesWhen}>{alert.condition}</Fact>
          <dt className="text-text-2">{words.notifies}</dt>
          <dd className="wrap-anywhere">
            {alert.notify.length === 0
              ? words.notifiesNobody
              : alert.notify.map(({ kind, name }) => `${words.recipientKinds[kind]} ${name}`).join(', ')}
          </dd>
          <dt className="text-text-2">{words.severity}</dt>
          <dd>{words.severities[alert.severity]}</dd>
          <Fact label={words.owner}>{alert.owner}</Fact>
          {alert.checkedAt === undefined ? null : (
            <>
              <dt className="text-text-2">{words.checked}</dt>
              <dd>{momentOf(alert.checkedAt)}</dd>
            </>
          )}
          {alert.state === 'invalid' || alert.isPaused ? null : (
            <Fact label={words.next}>
              {alert.nextCheck === undefined ? words.onNewData : momentOf(alert.nextCheck)}
            </Fact>
          )}
        </dl>
        {alert.runbook === undefined ? null : (
          <a
            href={alert.runbook}
            rel="noreferrer noopener"
            target="_blank"
            className="mt-3 inline-flex items-center gap-1.5 text-accent-text hover:underline"
          >
            <ExternalLink size={14} aria-hidden />
            {words.runbook}
          </a>
        )}
      </section>
      {alert.canEdit && alert.isShown && alert.state !== 'invalid' ? (
        <LazyBoundary fallback={null}>
          <PastValues id={id} />
        </LazyBoundary>
      ) : null}
      {alert.isShown && !only && states.length > 0 ? (
        <Part title={words.groups}>
          <Table
            heads={[words.group, words.state, words.value, words.reason]}
            rows={states.map(group => [
              group.label || '–',
              <AlertStateChip key="state" state={group.state} />,
              valueText(group.value, measure),
              group.reason,
            ])}
          />
        </Part>
      ) : null}
      {alert.deliveries ? (
        <Part title={words.messages}>
          {alert.deliveries.length === 0 ? (
            <p className="px-4 pb-4 text-text-2">{words.noMessages}</p>
          ) : (
            <LazyBoundary fallback={null}>
              <AlertDeliveries label={words.messages} deliveries={alert.deliveries} isLinked={administer} />
            </LazyBoundary>
          )}
        </Part>
      ) : null}
      {alert.isShown ? (
        <Part title={words.history}>
          {history.length === 0 ? (
            <p className="px-4 pb-4 text-text-2">{words.historyEmpty}</p>
          ) : (
            <>
              <HistoryStrip alert={alert} />
              <Table
                heads={[
                  words.since,
                  ...(hasGroups ? [words.group] : []),
                  words.state,
                  words.value,
                  words.reason,
                ]}
                rows={history.map(change => [
                  momentOf(change.at),
                  ...(hasGroups ? [change.label || '–'] : []),
                  <AlertStateChip key="state" state={change.to} />,
                  valueText(change.value, measure),
                  change.reason,
                ])}
              />
            </>
          )}
        </Part>
      ) : null}
      {isRemoving ? (
        <Modal
          label={words.removeTitle(title)}
          isOpen
          onOpenChange={isOpen => !isOpen && setIsRemoving(false)}
          className="max-w-md"
        >
          <div className="flex flex-col gap-3 p-5">
            <h2 className="text-15 font-semibold">{words.removeTitle(title)}</h2>
            <p className="text-text-2">{words.removeHint}</p>
            <div className="flex justify-end gap-2">
              <Button onPress={() => setIsRemoving(false)}>{words.cancel}</Button>
              <Button
                look="primary"
                onPress={() => {
                  setIsRemoving(false);
                  void attempt(async () => {
                    await client.removeAlert({ params: { id } });
                    await navigate({ to: '/alerts' });
                  });
                }}
              >
                {words.remove}
              </Button>
            </div>
          </div>
        </Modal>
      ) : null}
    </>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: string | undefined }) {
  return children === undefined ? null : (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}

function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mb-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn wrap-anywhere">{children}</div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="mt-4 rounded-tile border border-border bg-surface">
      <h2 className="px-4 pt-3 pb-2 text-14 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Table({
  heads,
  rows,
}: {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={heads.join(', ')}>
      <table className="w-full text-13 max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="text-start text-12 text-text-2">
            {heads.map(head => (
              <th key={head} scope="col" className="px-4 py-1.5 text-start font-normal whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((cells, i) => (
            // eslint-disable-next-line react/no-array-index-key -- The rows never change places.
            <tr
              key={i}
              className="border-t border-border max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:px-4 max-sm:py-2"
            >
              {cells.map((cell, column) => (
                // eslint-disable-next-line react/no-array-index-key -- As above.
                <td
                  key={column}
                  className={
                    'tabular align-top max-sm:last:basis-full sm:px-4 sm:py-1.5 sm:whitespace-nowrap ' +
                    'sm:last:min-w-48 sm:last:whitespace-normal'
                  }
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A tile's title as its dashboard shows it; that takes the dashboard's models. */
function TileTitle({ id, tile, tileTitle }: NonNullable<AlertDetail['dashboard']>) {
  const { data } = useDashboard(id);
  return data ? shownTitle(underFilters(data), tile) : tileTitle;
}
