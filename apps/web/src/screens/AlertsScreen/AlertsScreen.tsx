import type { AlertStateName, AlertSummary } from '@belvedere/api';
import { Button, Checkbox, SearchField } from '@belvedere/ui';
import { Link, useNavigate } from '@tanstack/react-router';
import { AlarmClock, Pause, Play, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { agoText } from '../../accounts/times.ts';
import { refreshAlerts, useAlerts } from '../../alerts/alert-data.ts';
import { AlertStateChip } from '../../alerts/AlertStateChip.tsx';
import { momentOf, valueText } from '../../alerts/alert-texts.ts';
import { words } from '../../alerts/messages/words.ts';
import { SnoozeMenu } from '../../alerts/SnoozeMenu.tsx';
import { useAttempt } from '../../comments/use-attempt.ts';
import { client } from '../../data/server.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { ToggleChip } from '../HomeScreen/list/ShownDashboards.tsx';

const columns =
  'grid min-w-0 flex-1 grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1fr)] items-center gap-x-4 gap-y-1 py-1 ' +
  'max-md:grid-cols-1';
const titleLink =
  'font-medium wrap-anywhere hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 ' +
  'pointer-coarse:items-center';
/** The states in the order of the list: those that need attention first. */
const order: readonly AlertStateName[] = [
  'firing',
  'error',
  'stopped',
  'invalid',
  'noData',
  'pending',
  'ok',
  'unchecked',
  'paused',
];

type Filter = AlertStateName | 'mine';

/** All alerts that the user may see, with their states. */
export function AlertsScreen() {
  const { data, error } = useAlerts();
  const { attempt, problem } = useAttempt(refreshAlerts);
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const navigate = useNavigate();
  if (error) return <ErrorScreen error={error} />;
  const all = data?.alerts ?? [];
  const found = all
    .filter(alert => isFound(alert, search) && isKept(alert, filter))
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.title.localeCompare(b.title));
  const editable = found.filter(alert => alert.canEdit);
  const selected = editable.filter(({ id }) => chosen.has(id));
  const ids = selected.map(({ id }) => id);
  const filters = filtersOf(all);
  return (
    <div className="mx-auto max-w-[1100px] pt-6">
      <HeaderTitle title={words.title}>
        <span className="truncate text-14 font-semibold">{words.title}</span>
      </HeaderTitle>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-4">
        <div className="min-w-0">
          <h1 className="text-20 font-semibold tracking-[-0.01em]">{words.title}</h1>
          <p className="text-text-2">{words.hint}</p>
        </div>
        {data?.canCreate ? (
          <Button look="primary" onPress={() => void navigate({ to: '/alerts/new', search: {} })}>
            <Plus size={15} aria-hidden />
            {words.create}
          </Button>
        ) : null}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="pb-2 text-bad">
          {problem}
        </p>
      )}
      {data && all.length === 0 ? (
        <div className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
          <p className="font-medium text-text">{words.empty}</p>
          <p>{data.canCreate ? words.emptyHint : words.emptyViewer}</p>
        </div>
      ) : null}
      {data ? null : <div aria-hidden className="h-40 rounded-tile border border-border bg-surface" />}
      {all.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center gap-2 pb-3">
            <div className="w-64 max-sm:w-full">
              <SearchField label={words.search} value={search} onChange={setSearch} />
            </div>
            <div role="group" aria-label={words.filters} className="flex flex-wrap gap-1.5">
              {filters.length > 0 ? (
                <ToggleChip isChosen={filter === undefined} onPress={() => setFilter(undefined)}>
                  {words.all}
                </ToggleChip>
              ) : null}
              {filters.map(([name, count]) => (
                <ToggleChip
                  key={name}
                  isChosen={filter === name}
                  count={count}
                  onPress={() => setFilter(filter === name ? undefined : name)}
                >
                  {name === 'mine' ? words.mine : words.states[name]}
                </ToggleChip>
              ))}
            </div>
          </div>
          {editable.length > 0 ? (
            <div className="flex min-h-11 flex-wrap items-center gap-2">
              <Checkbox
                isSelected={ids.length > 0 && ids.length === editable.length}
                onChange={isAll => setChosen(new Set(isAll ? editable.map(({ id }) => id) : []))}
              >
                {ids.length === 0 ? words.selectAll : words.selected(ids.length)}
              </Checkbox>
              {ids.length > 0 ? (
                <span className="flex flex-wrap gap-1">
                  <Button
                    look="quiet"
                    onPress={() => void attempt(() => client.pauseAlerts({ body: { ids, paused: true } }))}
                  >
                    <Pause size={15} aria-hidden />
                    {words.pause}
                  </Button>
                  <Button
                    look="quiet"
                    onPress={() => void attempt(() => client.pauseAlerts({ body: { ids, paused: false } }))}
                  >
                    <Play size={15} aria-hidden />
                    {words.resume}
                  </Button>
                  <Button
                    look="quiet"
                    onPress={() => void attempt(() => client.checkAlerts({ body: { ids } }))}
                  >
                    <RefreshCw size={15} aria-hidden />
                    {words.checkNow}
                  </Button>
                  <SnoozeMenu
                    ids={ids}
                    isSnoozed={selected.some(alert => alert.snoozedUntil !== undefined)}
                    attempt={attempt}
                  />
                </span>
              ) : null}
            </div>
          ) : null}
          {found.length === 0 ? (
            <p className="rounded-tile border border-border bg-surface px-4 py-8 text-center text-text-2">
              {words.noneFound}
            </p>
          ) : (
            <ul className="rounded-tile border border-border bg-surface" aria-label={words.title}>
              {found.map(alert => (
                <Row
                  key={alert.id}
                  alert={alert}
                  isChosen={chosen.has(alert.id)}
                  onChoose={isChosen => {
                    const next = new Set(chosen);
                    if (isChosen) next.add(alert.id);
                    else next.delete(alert.id);
                    setChosen(next);
                  }}
                />
              ))}
            </ul>
          )}
        </>
      ) : null}
    </div>
  );
}

function Row({
  alert,
  isChosen,
  onChoose,
}: {
  readonly alert: AlertSummary;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const { id, title, state, since, value, measure, groups, checkedAt, nextCheck, owner, severity } = alert;
  const where = alert.dashboard?.title ?? alert.model;
  return (
    <li className="flex items-start gap-2 border-b border-border px-2 py-2 last:border-0">
      {alert.canEdit ? (
        <Checkbox isSelected={isChosen} onChange={onChoose}>
          <span className="sr-only">{words.select(title)}</span>
        </Checkbox>
      ) : null}
      <div className={columns}>
        <div className="min-w-0">
          <Link to="/alerts/$alert" params={{ alert: id }} className={titleLink}>
            {title}
          </Link>
          <p className="truncate text-12 text-text-2">
            {[where, owner, words.severities[severity]].filter(Boolean).join(' · ')}
          </p>
        </div>
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <AlertStateChip state={state} />
            {value === undefined || measure === undefined ? null : (
              <span className="tabular font-medium">{valueText(value, measure)}</span>
            )}
            {groups && groups.count > 1 ? (
              <span className="text-12 text-text-2">{words.groupsFiring(groups.firing, groups.count)}</span>
            ) : null}
          </p>
          {since === undefined ? null : (
            <p className="text-12 text-text-2">
              {words.since} {momentOf(since)}
            </p>
          )}
        </div>
        <div className="min-w-0 text-12 text-text-2">
          {alert.snoozedUntil === undefined ? null : (
            <p className="flex items-center gap-1">
              <AlarmClock size={12} aria-hidden className="shrink-0" />
              {words.snoozed(momentOf(alert.snoozedUntil))}
            </p>
          )}
          {checkedAt === undefined ? null : (
            <p title={momentOf(checkedAt)}>
              {words.checked}: {agoText(new Date(checkedAt).toISOString())}
            </p>
          )}
          {state === 'paused' || state === 'invalid' ? null : (
            <p>
              {words.next}: {nextCheck === undefined ? words.onNewData : momentOf(nextCheck)}
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

function isFound({ title, owner = '', dashboard, model = '' }: AlertSummary, search: string): boolean {
  const text = `${title}\n${owner}\n${dashboard?.title ?? ''}\n${model}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

function isKept(alert: AlertSummary, filter: Filter | undefined): boolean {
  return filter === undefined || (filter === 'mine' ? alert.isOwn : alert.state === filter);
}

/** The filters that keep some alerts but not all. */
function filtersOf(all: readonly AlertSummary[]): (readonly [Filter, number])[] {
  const counts: (readonly [Filter, number])[] = [
    ...order.map(state => [state, all.filter(alert => alert.state === state).length] as const),
    ['mine', all.filter(alert => alert.isOwn).length],
  ];
  return counts.filter(([, count]) => count > 0 && count < all.length);
}
