import { durationMs, editText } from '@belvedere/document';
import type { Caller } from '../../../access/caller.ts';
import { mayChange } from '../../../access/scheduled-documents.ts';
import { alertView } from '../../../alerts/visible-alert.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { Alert } from '../../../presenters/present-alert.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import type { AlertRouteServices } from './alert-route-services.ts';

/** An alert is silent for at most this long. */
const longestSnoozeMs = durationMs('365 days');

/** Endpoints that snooze, pause, check and mute alerts. */
export function alertChangeRoutes({
  store,
  texts,
  ids,
  alerts,
  directory,
  clock,
  note,
  choices,
}: AlertRouteServices): Pick<
  Handlers,
  'snoozeAlerts' | 'putAlertSubscription' | 'checkAlerts' | 'pauseAlerts'
> {
  const { states } = alerts;
  /** The alerts of a list that the caller may change. */
  const changeable = (wanted: readonly string[], caller: Caller): Alert[] =>
    wanted.flatMap(id => {
      const alert = store.current.alerts.get(id);
      return alert && mayChange(caller, alert.document) ? [alert] : [];
    });
  const announce = (all: readonly Alert[]) => {
    for (const { id } of all) store.tell({ kind: 'alert', id });
    return { done: all.map(({ id }) => id) };
  };

  return {
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
  };
}
