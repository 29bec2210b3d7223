import { isAtLeast, type AlertDetail } from '@belvedere/api';
import type { Caller } from '../../../access/caller.ts';
import { aboutAlert } from '../../../alerts/alert-message.ts';
import { rehearsedValues } from '../../../alerts/rehearse-alert.ts';
import { alertView } from '../../../alerts/visible-alert.ts';
import { ProblemError } from '../../../http/problems.ts';
import {
  presentChanges,
  presentCondition,
  presentGroups,
  presentRehearsal,
  presentTargets,
  type Alert,
} from '../../../presenters/present-alert.ts';
import { presentDelivery, withoutAddresses } from '../../../presenters/present-delivery.ts';
import type { AlertRecord } from '../../../state/messages/alert-states.ts';
import type { NotificationChoice } from '../../../state/messages/notification-choices.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { localeOf } from '../../dashboards/exports.ts';
import { alertSummary, visibleAlerts, type AlertRouteServices } from './alert-route-services.ts';

/** Changes that are sent. */
const maxChanges = 200;
/** Messages that an alert's page shows. */
const maxDeliveries = 20;

/** Endpoints that show alerts, and how one would have fired. */
export function alertReadingRoutes(
  services: AlertRouteServices,
): Pick<Handlers, 'listAlerts' | 'getAlert' | 'rehearseAlert'> {
  const { store, texts, ids, alerts, queries, directory, clock, deliveries, choices, unknownRecipients } =
    services;
  const { states } = alerts;
  const isMuted = (chosen: ReadonlyMap<string, NotificationChoice>, { file }: Alert) =>
    chosen.get(file) === 'none';
  const recordOf = async ({ file }: Alert): Promise<AlertRecord> => {
    const documentId = await ids.find(file);
    return documentId === undefined ? { groups: [] } : states.of(documentId);
  };
  const deliveriesOf = async (id: string, caller: Caller) => {
    const found = await deliveries.list({ about: aboutAlert(id), limit: maxDeliveries });
    const all = found.map(delivery => presentDelivery(delivery, directory));
    return isAtLeast(caller.role, 'admin') ? all : all.map(withoutAddresses);
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
        alerts: visibleAlerts(caller, store).map(([alert, view]) =>
          alertSummary(
            [alert, view],
            byPath.get(alert.file) ?? { groups: [] },
            caller,
            isMuted(chosen, alert),
            services,
          ),
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
      const about = alertSummary([alert, view], record, caller, isMuted(chosen, alert), services);
      const snoozer = record.snooze && directory.users.get(record.snooze.by)?.name;
      return {
        ...about,
        ...(document?.description !== undefined && { description: document.description }),
        ...(document && view === 'whole' && presentCondition(document, record, locale)),
        ...(document?.runbook !== undefined && { runbook: document.runbook }),
        ...(document?.locale !== undefined && { locale: document.locale }),
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
  };
}
