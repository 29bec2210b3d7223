import {
  isAtLeast,
  type alertEndpoints,
  type AlertDetail,
  type AlertSummary,
  type TileAlert,
} from '@belvedere/api';
import { durationMs, editText, type DocumentProblem } from '@belvedere/document';
import { formatCalendarTime, wallTimeIn } from '@belvedere/query';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import { mayChange } from '../../access/scheduled-documents.ts';
import { aboutAlert } from '../../alerts/alert-message.ts';
import { firingSpans, watchKey, type FiringSpan } from '../../alerts/firing-spans.ts';
import type { Alerts } from '../../alerts/open-alerts.ts';
import { rehearsedValues } from '../../alerts/rehearse-alert.ts';
import { alertView, type AlertView } from '../../alerts/visible-alert.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { presentDelivery, withoutAddresses } from '../../presenters/present-delivery.ts';
import { ProblemError } from '../../http/problems.ts';
import type { QueryService } from '../../queries/query-service.ts';
import type { AlertRecord } from '../../state/messages/alert-states.ts';
import type { DeliveryRecords } from '../../state/messages/deliveries.ts';
import type { DocumentIds } from '../../state/documents/document-ids.ts';
import type { NotificationChoice, NotificationChoices } from '../../state/messages/notification-choices.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { ScheduledDocumentStore } from '../../workspace/documents/scheduled-document-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import { localeOf } from '../dashboards/exports.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import {
  presentChanges,
  presentCondition,
  presentGroups,
  presentRehearsal,
  presentTargets,
  summarizeAlert,
  type Alert,
} from '../../presenters/present-alert.ts';

/** Changes and groups that are sent. */
const maxChanges = 200;
/** Firings that a chart shows. */
const maxFirings = 50;
/** Messages that an alert's page shows. */
const maxDeliveries = 20;
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
  ): AlertSummary =>
    summarizeAlert(
      alert,
      view,
      record,
      { caller, hasUnsubscribed },
      { workspace: store.current, scheduler, directory, clock },
    );
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
      const chosen = await choices.by(caller.userId);
      const about = summary(alert, view, record, caller, isMuted(chosen, alert));
      const snoozer = record.snooze && directory.users.get(record.snooze.by)?.name;
      return {
        ...about,
        ...(document?.description !== undefined && { description: document.description }),
        ...(document && view === 'whole' && presentCondition(document, record, locale)),
        ...(document?.runbook !== undefined && { runbook: document.runbook }),
        ...(record.check?.stopped && { stopped: record.check.stopped }),
        ...(record.check?.problem !== undefined && view === 'whole' && { problem: record.check.problem }),
        errors: about.canEdit ? [...alert.problems, ...unknownRecipients(params.id)] : [],
        isShown: view === 'whole',
        states: view === 'whole' ? presentGroups(record, document, locale) : [],
        history: presentChanges(changes, record, document, locale),
        ...(record.check?.begunAt !== undefined && { begunAt: record.check.begunAt }),
        ...(snoozer !== undefined && about.snoozedUntil !== undefined && { snoozedBy: snoozer }),
        ...(about.canEdit && { deliveries: await deliveriesOf(params.id, caller) }),
        notify: presentTargets(document),
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
      return presentRehearsal(past, document);
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
