import { notFound } from '../../access/may.ts';
import type { DashboardRecords } from '../../state/documents/dashboard-records.ts';
import type { WallClock } from '../../state/database/wall-clock.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

/** Endpoints for the caller's own data. */
export function meRoutes(
  dashboards: DashboardStore,
  records: DashboardRecords | undefined,
  clock: WallClock,
): Pick<Handlers, 'getMe' | 'putFavourite' | 'putRecent' | 'putView' | 'removeView'> {
  const { preferences } = dashboards;
  const documentId = (id: string, { granted }: Pick<Call, 'granted'>) => {
    if (!granted().dashboards.has(id)) throw notFound({ kind: 'dashboard', id });
    return dashboards.documentId(id);
  };
  return {
    getMe: ({ caller, granted }) => preferences.of(caller.userId, id => granted().dashboards.has(id)),
    putFavourite: async ({ params, body, ...call }) => {
      await preferences.mark(call.caller.userId, await documentId(params.id, call), body.isFavourite);
      return {};
    },
    putRecent: async ({ params, body, ...call }) => {
      const { userId } = call.caller;
      const document = await documentId(params.id, call);
      await preferences.lookedAt(userId, document, body.state);
      await records?.countUse(document, userId, clock.wall());
      return {};
    },
    putView: async ({ params, body, ...call }) => ({
      dashboard: params.id,
      ...(await preferences.keepView(
        call.caller.userId,
        await documentId(params.id, call),
        params.name,
        body.state,
      )),
    }),
    removeView: async ({ params, caller }) => {
      await preferences.removeView(caller.userId, await dashboards.documentId(params.id), params.name);
      return {};
    },
  };
}
