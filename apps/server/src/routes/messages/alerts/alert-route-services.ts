import type { AlertSummary } from '@belvedere/api';
import type { DocumentProblem } from '@belvedere/document';
import type { Caller } from '../../../access/caller.ts';
import type { Directory } from '../../../access/directory.ts';
import type { Alerts } from '../../../alerts/open-alerts.ts';
import { alertView, type AlertView } from '../../../alerts/visible-alert.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import type { Scheduler } from '../../../jobs/scheduler.ts';
import { summarizeAlert, type Alert } from '../../../presenters/present-alert.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import type { Clock } from '../../../state/database/wall-clock.ts';
import type { DocumentIds } from '../../../state/documents/document-ids.ts';
import type { AlertRecord } from '../../../state/messages/alert-states.ts';
import type { DeliveryRecords } from '../../../state/messages/deliveries.ts';
import type { NotificationChoices } from '../../../state/messages/notification-choices.ts';
import type { ScheduledDocumentStore } from '../../../workspace/documents/scheduled-document-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';

export interface AlertRouteServices {
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

/** Returns the alerts that a caller sees, each with how much of it. */
export function visibleAlerts(caller: Caller, store: WorkspaceStore): (readonly [Alert, AlertView])[] {
  return [...store.current.alerts.values()]
    .map(alert => [alert, alertView(caller, alert, store.current)] as const)
    .filter(([, view]) => view !== undefined);
}

/** Returns an alert as a caller sees it in lists. */
export function alertSummary(
  [alert, view]: readonly [Alert, AlertView],
  record: AlertRecord,
  caller: Caller,
  hasUnsubscribed: boolean,
  services: Pick<AlertRouteServices, 'store' | 'scheduler' | 'directory' | 'clock'>,
): AlertSummary {
  const { store, scheduler, directory, clock } = services;
  return summarizeAlert(
    alert,
    view,
    record,
    { caller, hasUnsubscribed },
    { workspace: store.current, scheduler, directory, clock },
  );
}
