import { includesLevel, type accessRequestEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import { levelOf } from '../../access/may.ts';
import type { Sharing } from '../../access/sharing.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { AccessRequestRecord, AccessRequests } from '../../state/sharing/access-requests.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { WallClock } from '../../state/database/wall-clock.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

export interface AccessRequestServices {
  readonly requests: AccessRequests;
  readonly settings: TeamSettings;
  readonly directory: Directory;
  readonly sharing: Sharing;
}

/**
 * Endpoints with which users ask for access. Nothing in them says whether a dashboard exists that the caller
 * may not see.
 *
 * @param team absent in local mode, which has no other users
 */
export function accessRequestRoutes(
  team: AccessRequestServices | undefined,
  store: WorkspaceStore,
  dashboards: DashboardStore,
  clock: WallClock,
  note: NoteCall,
): Pick<Handlers, keyof typeof accessRequestEndpoints> {
  const parts = () => {
    if (team) return team;
    throw new ProblemError('not-found', 'Requests for access need accounts. `belvedere serve` has them.');
  };
  const levelOn = (caller: Caller, id: string) => levelOf(caller, { kind: 'dashboard', id }, store.current);
  const isSaved = (id: string) => store.current.dashboards.get(id)?.origin === 'saved';
  /** Those that the caller can answer: not of users who have gone, or can open the dashboard by now. */
  const answerable = async (caller: Caller): Promise<AccessRequestRecord[]> => {
    const { requests, directory } = parts();
    return (await requests.open()).filter(({ dashboard, userId }) => {
      const user = directory.callerOf(userId, store.current);
      return (
        isSaved(dashboard) &&
        levelOn(caller, dashboard) === 'manage' &&
        user !== undefined &&
        levelOn(user, dashboard) === undefined
      );
    });
  };
  return {
    requestAccess: async ({ body, caller }) => {
      const { requests, settings } = parts();
      if (!settings.hasAccessRequests)
        throw new ProblemError('not-allowed', 'In this workspace, ask an admin for access.');
      const { dashboard, message } = body;
      if (isSaved(dashboard) && !includesLevel(levelOn(caller, dashboard), 'view'))
        await requests.add(await dashboards.documentId(dashboard), caller.userId, message, clock.wall());
      return {};
    },
    listAccessRequests: async ({ caller }) => {
      const { settings, directory } = parts();
      const isOn = settings.hasAccessRequests;
      const found = isOn ? await answerable(caller) : [];
      return {
        isOn,
        requests: found.map(({ id, dashboard, userId, message, at }) => {
          const { name, email } = directory.users.get(userId)!;
          const { title } = store.current.dashboards.get(dashboard)!;
          return { id, user: { id: userId, name, email }, dashboard: { id: dashboard, title }, message, at };
        }),
      };
    },
    answerAccessRequest: async call => {
      const { params, body, caller } = call;
      const { requests, directory, sharing } = parts();
      const found = (await answerable(caller)).find(({ id }) => id === params.request);
      if (!found) throw new ProblemError('not-found', 'This request was answered already.');
      const object = { kind: 'dashboard', id: found.dashboard } as const;
      const name = directory.users.get(found.userId)?.name ?? '';
      if (body.level === null) await requests.decline(found.id, clock.wall());
      else {
        const subject = { kind: 'user', id: found.userId } as const;
        await sharing.put(subject, object, body.level, caller, store.current);
        await requests.remove(found.id);
      }
      await note(
        call,
        body.level === null ? 'access-request.decline' : 'grant.change',
        `dashboard ${found.dashboard}`,
        body.level === null ? name : `${name}: ${body.level}`,
      );
      return {};
    },
    switchAccessRequests: async call => {
      const { isOn } = call.body;
      await parts().settings.set('hasAccessRequests', isOn);
      await note(call, 'access-request.switch', 'requests for access', isOn ? 'on' : 'off');
      return {};
    },
  };
}
