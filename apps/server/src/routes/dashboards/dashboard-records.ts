import type { dashboardRecordEndpoints } from '@belvedere/api';
import type { Directory } from '../../access/directory.ts';
import { levelOf, notFound } from '../../access/may.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { verifiedRevision } from '../../presenters/present-records.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DashboardRecords } from '../../state/documents/dashboard-records.ts';
import type { WallClock } from '../../state/database/wall-clock.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

const dayMs = 86_400_000;

/** Endpoints for the owner and the verification of a dashboard. Only team mode has them. */
export function dashboardRecordRoutes(
  records: DashboardRecords | undefined,
  store: WorkspaceStore,
  dashboards: DashboardStore,
  directory: Directory,
  clock: WallClock,
  note: NoteCall,
): Pick<Handlers, keyof typeof dashboardRecordEndpoints> {
  const kept = () => {
    if (records) return records;
    throw new ProblemError(
      'not-found',
      'Owners and verifications need accounts. `belvedere serve` has them.',
    );
  };
  const saved = (id: string) => {
    const found = store.current.dashboards.get(id);
    if (found?.origin !== 'saved' || !found.document) throw notFound({ kind: 'dashboard', id });
    return found.document;
  };
  return {
    verifyDashboard: async call => {
      const { params, body, caller } = call;
      const verified = kept();
      const revision = verifiedRevision(saved(params.id));
      const at = new Date(clock.wall());
      const until = new Date(at.getTime() + body.days * dayMs);
      const documentId = await dashboards.documentId(params.id);
      await verified.verify(documentId, { revision, byId: caller.userId, at, until });
      await note(call, 'dashboard.verify', `dashboard ${params.id}`, `until ${until.toISOString()}`);
      return {};
    },
    unverifyDashboard: async call => {
      const { params } = call;
      saved(params.id);
      await kept().unverify(await dashboards.documentId(params.id));
      await note(call, 'dashboard.unverify', `dashboard ${params.id}`);
      return {};
    },
    setDashboardOwner: async call => {
      const { params, body } = call;
      saved(params.id);
      const owner = directory.users.get(body.user);
      const callerThen = owner && !owner.isDisabled && directory.callerOf(owner.id, store.current);
      if (!callerThen || !levelOf(callerThen, { kind: 'dashboard', id: params.id }, store.current))
        throw new ProblemError(
          'request-invalid',
          'This user cannot open the dashboard. Share it with them first.',
          {
            errors: [{ path: 'user', message: 'cannot open the dashboard' }],
          },
        );
      await kept().setOwner(await dashboards.documentId(params.id), owner.id);
      await note(call, 'dashboard.owner', `dashboard ${params.id}`, owner.name);
      return {};
    },
  };
}
