import { describeCondition, explainVerdict, type StateName } from '@belvedere/alert';
import {
  isAtLeast,
  type alertEndpoints,
  type AlertDetail,
  type AlertStateName,
  type AlertSummary,
  type TileAlert,
} from '@belvedere/api';
import { durationMs, editText, labelFrom, type AlertFile, type DocumentProblem } from '@belvedere/document';
import { formatCalendarTime, wallTimeIn } from '@belvedere/query';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import { levelOf, type ObjectName } from '../../access/may.ts';
import { mayChange } from '../../access/scheduled-documents.ts';
import { aboutAlert, formatsOf } from '../../alerts/alert-message.ts';
import { targetsOf } from '../../alerts/alert-owner.ts';
import { firingSpans, watchKey, type FiringSpan } from '../../alerts/firing-spans.ts';
import { maxGroups } from '../../alerts/watchable.ts';
import type { Alerts } from '../../alerts/open-alerts.ts';
import { rehearsedValues } from '../../alerts/rehearse-alert.ts';
import { alertView, type AlertView } from '../../alerts/visible-alert.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { presentDelivery, withoutAddresses } from '../../presenters/present-delivery.ts';
import { ProblemError } from '../../problems.ts';
import type { QueryService } from '../../queries/query-service.ts';
import type { AlertRecord } from '../../state/messages/alert-states.ts';
import type { DeliveryRecords } from '../../state/messages/deliveries.ts';
import type { DocumentIds } from '../../state/documents/document-ids.ts';
import type { NotificationChoice, NotificationChoices } from '../../state/messages/notification-choices.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { ScheduledDocumentStore } from '../../workspace/documents/scheduled-document-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { ScheduledDocument, Workspace, WorkspaceDashboard } from '../../workspace/workspace.ts';
import { localeOf } from '../dashboards/exports.ts';
import type { Handlers } from '../contract/mount-contract.ts';

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

/** Changes and groups that are sent. */
const maxChanges = 200;
/** Firings that a chart shows. */
const maxFirings = 50;
/** Messages that an alert's page shows. */
const maxDeliveries = 20;
/** Points of a rehearsal; groups beyond them are left out. */
const maxPoints = 60_000;
/** An alert is silent for at most this long. */
const longestSnoozeMs = durationMs('365 days');

export interface AlertParts {
  readonly store: WorkspaceStore;
  readonly texts: ScheduledDocumentStore<'alert'>;
  readonly ids: DocumentIds;
  readonly alerts: Alerts;
  readonly scheduler: Pick<Scheduler, 'nextDue'>;
  readonly queries: QueryService;
  readonly directory: Directory;
  readonly clock: Pick<Clock, 'wall'>;
  readonly note: NoteCall;
  readonly deliveries: Pick<DeliveryRecords, 'list'>;
  readonly choices: NotificationChoices;
  /** The problems of an alert's recipients that do not exist. */
  readonly unknownRecipients: (id: string) => readonly DocumentProblem[];
}

type Alert = ScheduledDocument<AlertFile>;

/** Endpoints for alerts: their states, their rehearsal, and their snoozing. */
export function alertRoutes({
  store,
  texts,
  ids,
  alerts,
  scheduler,
  queries,
  directory,
  clock,
  note,
  deliveries,
  choices,
  unknownRecipients,
}: AlertParts): Pick<Handlers, keyof typeof alertEndpoints> {
  const { states } = alerts;
  const visible = (caller: Caller): (readonly [Alert, AlertView])[] =>
    [...store.current.alerts.values()]
      .map(alert => [alert, alertView(caller, alert, store.current)] as const)
      .filter(([, view]) => view !== undefined);
  const isMuted = (chosen: ReadonlyMap<string, NotificationChoice>, { file }: Alert) =>
    chosen.get(file) === 'none';
  const summary = (
    alert: Alert,
    view: AlertView,
    record: AlertRecord,
    caller: Caller,
    hasUnsubscribed: boolean,
  ): AlertSummary => {
    const { document, id, title } = alert;
    const { check, snooze } = record;
    const worst = worstOf(record);
    const state = stateOf(alert, record, worst);
    const isSnoozed = snooze !== undefined && snooze.until > clock.wall();
    const next = scheduler.nextDue('alert', id);
    const { watch } = document ?? {};
    const only = record.groups.length === 1 ? record.groups[0] : undefined;
    const may = (object: ObjectName) => levelOf(caller, object, store.current) !== undefined;
    const dashboard =
      watch && 'dashboard' in watch && may({ kind: 'dashboard', id: watch.dashboard })
        ? store.current.dashboards.get(watch.dashboard)
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
      ...(watch && 'model' in watch && { model: watchedText(watch, store.current) }),
      isRecipient:
        document !== undefined &&
        targetsOf(document, directory).some(to => to.kind === 'user' && to.userId === caller.userId),
      hasUnsubscribed,
      canEdit: isAtLeast(caller.role, 'editor') && mayChange(caller, document),
    };
  };
  const recordOf = async ({ file }: Alert): Promise<AlertRecord> => {
    const documentId = await ids.find(file);
    return documentId === undefined ? { groups: [] } : states.of(documentId);
  };
  /** The alerts of a list that the caller may change. */
  const changeable = (wanted: readonly string[], caller: Caller): Alert[] =>
    wanted.flatMap(id => {
      const alert = store.current.alerts.get(id);
      return alert && mayChange(caller, alert.document) ? [alert] : [];
    });
  const deliveriesOf = async (id: string, caller: Caller) => {
    const found = await deliveries.list({ about: aboutAlert(id), limit: maxDeliveries });
    const all = found.map(delivery => presentDelivery(delivery, directory));
    return isAtLeast(caller.role, 'admin') ? all : all.map(withoutAddresses);
  };
  const calendarSpan = ({ from, to }: FiringSpan) => {
    const at = (ms: number) => formatCalendarTime(wallTimeIn(store.current.timezone, ms));
    return { from: at(from), ...(to !== undefined && { below: at(to) }) };
  };
  const announce = (all: readonly Alert[]) => {
    for (const { id } of all) store.tell({ kind: 'alert', id });
    return { done: all.map(({ id }) => id) };
  };

  return {
    listAlerts: async ({ caller }) => {
      const [records, paths, chosen] = await Promise.all([
        states.all(),
        ids.paths(),
        choices.by(caller.userId),
      ]);
      const byPath = new Map(Array.from(records, ([id, record]) => [paths.get(id), record]));
      return {
        alerts: visible(caller).map(([alert, view]) =>
          summary(alert, view, byPath.get(alert.file) ?? { groups: [] }, caller, isMuted(chosen, alert)),
        ),
        canCreate: isAtLeast(caller.role, 'editor') && caller.viewingAs === undefined,
      };
    },

    getAlert: async ({ params, query, caller }) => {
      const alert = store.current.alerts.get(params.id);
      const view = alert && alertView(caller, alert, store.current);
      if (!alert || !view) throw new ProblemError('not-found', 'Alert not found, or not shared with you.');
      const record = await recordOf(alert);
      const documentId = await ids.find(alert.file);
      const changes =
        documentId === undefined || view !== 'whole' ? [] : await states.changesOf(documentId, maxChanges);
      const locale = localeOf(query.language, store.current.settings.locale);
      const { document } = alert;
      const reason = (verdict: Parameters<typeof explainVerdict>[0]) =>
        document
          ? explainVerdict(verdict, document.when, formatsOf(document, record.check?.measure, locale), locale)
          : '';
      const valueOf = (verdict: Parameters<typeof explainVerdict>[0]) =>
        'value' in verdict ? verdict.value : null;
      const chosen = await choices.by(caller.userId);
      const about = summary(alert, view, record, caller, isMuted(chosen, alert));
      const snoozer = record.snooze && directory.users.get(record.snooze.by)?.name;
      return {
        ...about,
        ...(document?.description !== undefined && { description: document.description }),
        ...(document &&
          view === 'whole' && {
            condition: describeCondition(
              document,
              formatsOf(document, record.check?.measure, locale),
              locale,
            ),
          }),
        ...(document?.runbook !== undefined && { runbook: document.runbook }),
        ...(record.check?.stopped && { stopped: record.check.stopped }),
        ...(record.check?.problem !== undefined && view === 'whole' && { problem: record.check.problem }),
        errors: about.canEdit ? [...alert.problems, ...unknownRecipients(params.id)] : [],
        isShown: view === 'whole',
        states:
          view === 'whole'
            ? record.groups.map(({ group, label, state, verdict }) => ({
                group,
                label,
                state: state.state,
                since: state.since,
                value: state.value,
                reason: reason(verdict),
                ...(state.lacking && { lackingSince: state.lacking.since }),
              }))
            : [],
        history: changes.map(({ group, label, at, from, to, verdict }) => ({
          group,
          label,
          at,
          from,
          to,
          value: valueOf(verdict),
          reason: reason(verdict),
        })),
        ...(record.check?.begunAt !== undefined && { begunAt: record.check.begunAt }),
        ...(snoozer !== undefined && about.snoozedUntil !== undefined && { snoozedBy: snoozer }),
        ...(about.canEdit && { deliveries: await deliveriesOf(params.id, caller) }),
        notify: notified(document),
      } satisfies AlertDetail;
    },

    rehearseAlert: async ({ body, caller, signal }) => {
      const document = await texts.read('rehearsal', body.text);
      const past = await rehearsedValues(document, {
        queries,
        workspace: store.current,
        caller,
        now: clock.wall(),
        signal,
      });
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
    },

    snoozeAlerts: async ({ body, caller, ...call }) => {
      const now = clock.wall();
      const until = body.until === null ? null : Math.min(body.until, now + longestSnoozeMs);
      const all = changeable(body.ids, caller);
      for (const alert of all) {
        const documentId = await ids.of('alert', alert.file);
        const snooze = until === null || until <= now ? undefined : { until, by: caller.userId };
        await states.snooze(documentId, snooze);
        await note({ ...call, caller }, snooze ? 'alert.snooze' : 'alert.unsnooze', `alert ${alert.id}`);
        if (!snooze) await alerts.checkNow(alert.id);
      }
      return announce(all);
    },

    putAlertSubscription: async ({ params, body: { isSubscribed }, caller, ...call }) => {
      const alert = store.current.alerts.get(params.id);
      if (!alert || !alertView(caller, alert, store.current))
        throw new ProblemError('not-found', 'Alert not found, or not shared with you.');
      if (!directory.users.has(caller.userId))
        throw new ProblemError('request-invalid', 'Muting an alert for oneself needs an account.');
      await choices.set(await ids.of('alert', alert.file), caller.userId, isSubscribed ? undefined : 'none');
      const action = isSubscribed ? 'alert.resubscribe' : 'alert.unsubscribe';
      await note({ ...call, caller }, action, `alert ${alert.id}`);
      return {};
    },

    checkAlerts: async ({ body, caller }) => {
      const all = changeable(body.ids, caller);
      for (const { id } of all) await alerts.checkNow(id);
      return { done: all.map(({ id }) => id) };
    },

    pauseAlerts: async ({ body, caller, ...call }) => {
      const all = changeable(body.ids, caller);
      const done: Alert[] = [];
      for (const alert of all) {
        if (!alert.document) continue;
        const { text, hash } = await texts.text(alert.id);
        const next = editText(text, [
          body.paused ? { kind: 'set', path: ['paused'], value: true } : { kind: 'remove', path: ['paused'] },
        ]);
        if (next !== text) {
          await texts.save(alert.id, next, hash, { authorId: caller.userId });
          await note({ ...call, caller }, body.paused ? 'alert.pause' : 'alert.resume', `alert ${alert.id}`);
        }
        done.push(alert);
      }
      return announce(done);
    },

    listTileAlerts: async ({ params, caller }) => {
      const [records, paths] = await Promise.all([states.all(), ids.paths()]);
      const byPath = new Map(Array.from(records, ([id, record]) => [paths.get(id), { id, record }]));
      const found = visible(caller).map(async ([alert, view]): Promise<TileAlert[]> => {
        const { document } = alert;
        const { watch, severity = 'warning', marks = true, paused = false } = document ?? {};
        if (!document || !watch || !('dashboard' in watch) || watch.dashboard !== params.id) return [];
        const known = byPath.get(alert.file);
        const { id, title, state, since } = summary(
          alert,
          view,
          known?.record ?? { groups: [] },
          caller,
          false,
        );
        const isMarked = known !== undefined && view === 'whole' && marks;
        const changes = isMarked ? await states.changesOf(known.id, maxChanges) : [];
        const check = known?.record.check;
        const seenAt = paused || check?.stopped !== undefined ? check?.checkedAt : undefined;
        const fired = firingSpans(changes, { watch: watchKey(document), seenAt });
        return [
          {
            id,
            title,
            tile: watch.tile,
            state,
            ...(since !== undefined && { since }),
            severity,
            fired: fired.slice(-maxFirings).map(calendarSpan),
          },
        ];
      });
      return { alerts: (await Promise.all(found)).flat() };
    },
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

function notified(document: AlertFile | undefined): AlertDetail['notify'] {
  const all = document?.notify ?? (document?.owner === undefined ? [] : [{ user: document.owner }]);
  return all.flatMap((one): AlertDetail['notify'] => {
    if (one.user !== undefined) return [{ kind: 'user', name: one.user }];
    if ('group' in one && one.group !== undefined) return [{ kind: 'group', name: one.group }];
    return 'channel' in one && one.channel !== undefined ? [{ kind: 'channel', name: one.channel }] : [];
  });
}
