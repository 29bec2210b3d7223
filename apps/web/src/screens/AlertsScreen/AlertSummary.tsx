import type { AlertDetail } from '@belvedere/api';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { momentOf, valueText } from '../../alerts/alert-texts.ts';
import { words } from '../../alerts/messages/words.ts';
import { shownTitle, underFilters } from '../../alerts/tile-measures.ts';
import { useDashboard } from '../../data/server.ts';
import { languageName } from '../../messages/messages.ts';
import { words as scheduledWords } from '../../scheduled/messages/words.ts';

interface AlertSummaryProps {
  readonly alert: AlertDetail;
  /** The state of an alert without groups. */
  readonly only: AlertDetail['states'][number] | undefined;
}

/** An alert's current value, and its definition: what it watches, when it fires and whom it notifies. */
export function AlertSummary({ alert, only }: AlertSummaryProps) {
  return (
    <section className="rounded-tile border border-border bg-surface p-4">
      {only ? <CurrentValue state={only} measure={alert.measure} /> : null}
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact label={words.watches}>
          {alert.dashboard ? <WatchedTile dashboard={alert.dashboard} /> : (alert.model ?? '–')}
        </Fact>
        <Fact label={words.firesWhen}>{alert.condition}</Fact>
        <Fact label={words.notifies}>{recipientsText(alert)}</Fact>
        <Fact label={scheduledWords.language}>{alert.locale && languageName(alert.locale)}</Fact>
        <Fact label={words.severity}>{words.severities[alert.severity]}</Fact>
        <Fact label={words.owner}>{alert.owner}</Fact>
        <Fact label={words.checked}>{alert.checkedAt && momentOf(alert.checkedAt)}</Fact>
        <Fact label={words.next}>{nextCheckText(alert)}</Fact>
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
  );
}

interface CurrentValueProps {
  readonly state: AlertDetail['states'][number];
  readonly measure: AlertDetail['measure'];
}

function CurrentValue({ state: { value, reason, lackingSince }, measure }: CurrentValueProps) {
  return (
    <div className="pb-4">
      <p className="text-12 text-text-2">{measure?.label ?? words.value}</p>
      <p className="tabular text-26 font-semibold tracking-[-0.02em]">{valueText(value, measure)}</p>
      <p className="text-text-2">{reason}</p>
      {lackingSince === undefined ? null : (
        <p className="text-warn">{words.noDataSince(momentOf(lackingSince))}</p>
      )}
    </div>
  );
}

/** A term of the definition; nothing without a value. */
function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return children === undefined ? null : (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}

type AlertDashboard = NonNullable<AlertDetail['dashboard']>;

function WatchedTile({ dashboard }: { readonly dashboard: AlertDashboard }) {
  return (
    <Link
      to="/d/$dashboard"
      params={{ dashboard: dashboard.id }}
      search={{ tile: dashboard.tile }}
      className="text-accent-text hover:underline"
    >
      {dashboard.title} › <TileTitle {...dashboard} />
    </Link>
  );
}

/** A tile's title as its dashboard shows it, which takes the dashboard's models; until then, as the alert has it. */
function TileTitle({ id, tile, tileTitle }: AlertDashboard) {
  const { data } = useDashboard(id);
  return data ? shownTitle(underFilters(data), tile) : tileTitle;
}

function recipientsText({ notify }: AlertDetail): string {
  if (notify.length === 0) return words.notifiesNobody;
  return notify.map(({ kind, name }) => `${words.recipientKinds[kind]} ${name}`).join(', ');
}

/** When the alert is checked next; undefined for an alert that is not checked. */
function nextCheckText({ state, isPaused, nextCheck }: AlertDetail): string | undefined {
  if (state === 'invalid' || isPaused) return undefined;
  return nextCheck === undefined ? words.onNewData : momentOf(nextCheck);
}
