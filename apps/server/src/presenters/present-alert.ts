import { describeCondition, explainVerdict, type StateName } from '@belvedere/alert';
import { isAtLeast, type AlertDetail, type AlertStateName, type AlertSummary } from '@belvedere/api';
import { labelFrom, type AlertFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { levelOf, type ObjectName } from '../access/may.ts';
import { mayChange } from '../access/scheduled-documents.ts';
import { formatsOf } from '../alerts/alert-message.ts';
import { targetsOf } from '../alerts/alert-owner.ts';
import type { rehearsedValues } from '../alerts/rehearse-alert.ts';
import type { AlertView } from '../alerts/visible-alert.ts';
import { maxGroups } from '../alerts/watchable.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { AlertChange, AlertRecord } from '../state/messages/alert-states.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { ScheduledDocument, Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';

export type Alert = ScheduledDocument<AlertFile>;
type Verdict = Parameters<typeof explainVerdict>[0];

/** An alert as a list shows it to a caller, in as much detail as the caller may see. */
export function summarizeAlert(
  alert: Alert,
  view: AlertView,
  record: AlertRecord,
  { caller, hasUnsubscribed }: { readonly caller: Caller; readonly hasUnsubscribed: boolean },
  {
    workspace,
    scheduler,
    directory,
    clock,
  }: {
    readonly workspace: Workspace;
    readonly scheduler: Pick<Scheduler, 'nextDue'>;
    readonly directory: Directory;
    readonly clock: Pick<Clock, 'wall'>;
  },
): AlertSummary {
  const { document, id, title } = alert;
  const { check, snooze } = record;
  const worst = worstOf(record);
  const state = stateOf(alert, record, worst);
  const isSnoozed = snooze !== undefined && snooze.until > clock.wall();
  const next = scheduler.nextDue('alert', id);
  const { watch } = document ?? {};
  const only = record.groups.length === 1 ? record.groups[0] : undefined;
  const may = (object: ObjectName) => levelOf(caller, object, workspace) !== undefined;
  const dashboard =
    watch && 'dashboard' in watch && may({ kind: 'dashboard', id: watch.dashboard })
      ? workspace.dashboards.get(watch.dashboard)
      : undefined;
  return {
    id,
    title,
    state,
    ...(worst && state === worst.state && { since: worst.since }),
    ...(check && { checkedAt: check.checkedAt }),
    ...(next !== undefined && state !== 'paused' && { nextCheck: next }),
    ...(view === 'whole' && {
      ...(only && { value: only.state.value }),
      ...(check?.measure && {
        measure: { ...check.measure, isAge: document?.when.missing !== undefined },
      }),
      groups: {
        count: record.groups.length,
        firing: record.groups.filter(group => group.state.state === 'firing').length,
      },
    }),
    severity: document?.severity ?? 'warning',
    ...(document?.owner !== undefined && { owner: document.owner }),
    isOwn: document?.owner === undefined || document.owner === caller.email,
    ...(isSnoozed && { snoozedUntil: snooze.until }),
    isPaused: document?.paused === true,
    ...(dashboard &&
      watch &&
      'tile' in watch && {
        dashboard: {
          id: dashboard.id,
          title: dashboard.title,
          tile: watch.tile,
          tileTitle: titleOfTile(dashboard, watch.tile),
        },
      }),
    ...(watch && 'model' in watch && { model: watchedText(watch, workspace) }),
    isRecipient:
      document !== undefined &&
      targetsOf(document, directory).some(to => to.kind === 'user' && to.userId === caller.userId),
    hasUnsubscribed,
    canEdit: isAtLeast(caller.role, 'editor') && mayChange(caller, document),
  };
}

/** A tile's own title, or its name in words: the label of a measure may be hidden from the caller. */
function titleOfTile({ document }: WorkspaceDashboard, name: string): string {
  const tiles = document?.pages.flatMap(page => Object.entries(page.tiles)) ?? [];
  return tiles.find(([id]) => id === name)?.[1].title ?? labelFrom(name);
}

/** A model and its measure, by their labels. */
function watchedText(
  { model: name, measure }: { readonly model: string; readonly measure: string },
  { models }: Workspace,
): string {
  const model = models.get(name)?.model;
  return model ? `${model.label} › ${model.measures[measure]?.label ?? measure}` : name;
}

/** The condition of an alert in words. */
export function presentCondition(document: AlertFile, { check }: AlertRecord, locale: string) {
  return { condition: describeCondition(document, formatsOf(document, check?.measure, locale), locale) };
}

/** Explains a verdict in words; an alert that cannot be read explains none. */
function reasonOf(verdict: Verdict, { check }: AlertRecord, document: AlertFile | undefined, locale: string) {
  return document
    ? explainVerdict(verdict, document.when, formatsOf(document, check?.measure, locale), locale)
    : '';
}

/** The states of an alert's groups, each with its reason. */
export function presentGroups(
  record: AlertRecord,
  document: AlertFile | undefined,
  locale: string,
): AlertDetail['states'] {
  return record.groups.map(({ group, label, state, verdict }) => ({
    group,
    label,
    state: state.state,
    since: state.since,
    value: state.value,
    reason: reasonOf(verdict, record, document, locale),
    ...(state.lacking && { lackingSince: state.lacking.since }),
  }));
}

/** The changes of an alert's states, each with its reason. */
export function presentChanges(
  changes: readonly AlertChange[],
  record: AlertRecord,
  document: AlertFile | undefined,
  locale: string,
): AlertDetail['history'] {
  return changes.map(({ group, label, at, from, to, verdict }) => ({
    group,
    label,
    at,
    from,
    to,
    value: 'value' in verdict ? verdict.value : null,
    reason: reasonOf(verdict, record, document, locale),
  }));
}

/** Points of a rehearsal; groups beyond them are left out. */
const maxPoints = 60_000;

/** The past values of an alert's measure, of as many groups as a page can draw. */
export function presentRehearsal(past: Awaited<ReturnType<typeof rehearsedValues>>, document: AlertFile) {
  const perGroup = Math.max(1, past.series[0]?.points.length ?? 1);
  return {
    ...(past.unit && { unit: past.unit }),
    measure: { ...past.measure, isAge: document.when.missing !== undefined },
    by: [...past.by],
    hasOther: past.hasOther,
    groups: past.series.length,
    series: past.series
      .slice(0, Math.max(1, Math.min(maxGroups, Math.floor(maxPoints / perGroup))))
      .map(({ group, label, points }) => ({
        group,
        label,
        points: points.map(({ from, below, value, earlier }) =>
          earlier === undefined
            ? ([from, below, value] as [number, number, number | null])
            : ([from, below, value, earlier] as [number, number, number | null, number | null]),
        ),
      })),
  };
}

/** From the least to the most grave. */
const byGravity: readonly StateName[] = ['ok', 'pending', 'noData', 'error', 'firing'];

function worstOf({ groups }: AlertRecord): { readonly state: StateName; readonly since: number } | undefined {
  const state = byGravity.findLast(name => groups.some(group => group.state.state === name));
  if (state === undefined) return undefined;
  const since = groups.filter(group => group.state.state === state).map(group => group.state.since);
  return { state, since: Math.min(...since) };
}

function stateOf(
  { document, problems }: Alert,
  { check }: AlertRecord,
  worst: ReturnType<typeof worstOf>,
): AlertStateName {
  if (!document || problems.length > 0) return 'invalid';
  if (document.paused) return 'paused';
  if (check?.stopped) return 'stopped';
  return worst?.state ?? 'unchecked';
}

/** The people, groups and channels to which an alert is sent; its owner if it names none. */
export function presentTargets(document: AlertFile | undefined): AlertDetail['notify'] {
  const all = document?.notify ?? (document?.owner === undefined ? [] : [{ user: document.owner }]);
  return all.flatMap((one): AlertDetail['notify'] => {
    if (one.user !== undefined) return [{ kind: 'user', name: one.user }];
    if ('group' in one && one.group !== undefined) return [{ kind: 'group', name: one.group }];
    return 'channel' in one && one.channel !== undefined ? [{ kind: 'channel', name: one.channel }] : [];
  });
}
