import type { TileAlert } from '@belvedere/api';
import { formatCalendarTime, wallTimeIn } from '@belvedere/query';
import { firingSpans, watchKey, type FiringSpan } from '../../../alerts/firing-spans.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { alertSummary, visibleAlerts, type AlertRouteServices } from './alert-route-services.ts';

/** Changes of an alert that are searched for firings. */
const maxChanges = 200;
/** Firings that a chart shows. */
const maxFirings = 50;

/** The endpoint for alerts that watch a dashboard's tiles, with their firings. */
export function tileAlertRoutes(services: AlertRouteServices): Pick<Handlers, 'listTileAlerts'> {
  const { store, ids, alerts } = services;
  const { states } = alerts;
  const calendarSpan = ({ from, to }: FiringSpan) => {
    const at = (ms: number) => formatCalendarTime(wallTimeIn(store.current.timezone, ms));
    return { from: at(from), ...(to !== undefined && { below: at(to) }) };
  };

  return {
    listTileAlerts: async ({ params, caller }) => {
      const [records, paths] = await Promise.all([states.all(), ids.paths()]);
      const byPath = new Map(Array.from(records, ([id, record]) => [paths.get(id), { id, record }]));
      const found = visibleAlerts(caller, store).map(async ([alert, view]): Promise<TileAlert[]> => {
        const { document } = alert;
        const { watch, severity = 'warning', marks = true, paused = false } = document ?? {};
        if (!document || !watch || !('dashboard' in watch) || watch.dashboard !== params.id) return [];
        const known = byPath.get(alert.file);
        const { id, title, state, since } = alertSummary(
          [alert, view],
          known?.record ?? { groups: [] },
          caller,
          false,
          services,
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
