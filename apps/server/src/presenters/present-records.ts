import type { DashboardRecord } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import type { Sharing } from '../access/sharing.ts';
import {
  dayBefore,
  unusedDays,
  type DashboardRecordRow,
  type DashboardRecordRows,
  type DashboardRecords,
} from '../state/documents/dashboard-records.ts';
import type { WallClock } from '../state/database/wall-clock.ts';
import { contentHash } from '../workspace/documents/content-hash.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';

const hashes = new WeakMap<DashboardFile, string>();

/** Returns a hash of what an author wrote, without the data: what a user has verified. */
export function verifiedRevision(document: DashboardFile): string {
  const found = hashes.get(document) ?? contentHash(JSON.stringify(document));
  hashes.set(document, found);
  return found;
}

/**
 * Finds what a team knows about one of its dashboards, as a caller may know it. With a file, only that
 * dashboard's record is read.
 */
export type RecordsFor = (
  caller: Caller,
  file?: string,
) => Promise<(dashboard: WorkspaceDashboard) => DashboardRecord | undefined>;

const noRecord: DashboardRecordRow = { views: 0 };

/**
 * Reads the records of all dashboards. A state database that fails takes no dashboard away, only its record.
 *
 * @param records absent in local mode, which has none
 */
export function presentRecords(
  records: DashboardRecords | undefined,
  workspace: () => Workspace,
  directory: Directory,
  sharing: Sharing,
  clock: WallClock,
): RecordsFor {
  return async (caller, file) => {
    const now = clock.wall();
    const rows = caller.guest ? undefined : await records?.all(now, file).catch(() => undefined);
    return rows ? recordsIn(rows, caller, workspace(), now, directory, sharing) : () => undefined;
  };
}

function recordsIn(
  rows: DashboardRecordRows,
  caller: Caller,
  workspace: Workspace,
  now: number,
  directory: Directory,
  sharing: Sharing,
): (dashboard: WorkspaceDashboard) => DashboardRecord {
  const user = directory.users.get(caller.userId);
  const grantsOf = user && sharing.grantsOf(user, workspace);
  const unusedBefore = dayBefore(now, unusedDays);
  const isCountedLongEnough = rows.firstDay !== undefined && rows.firstDay <= unusedBefore;
  const person = (id: string | undefined) => {
    const found = id === undefined ? undefined : directory.users.get(id);
    return found && { id: found.id, name: found.name };
  };
  return ({ id, origin, updated }) => {
    const { ownerId, verification, views, lastDay } = rows.records.get(id) ?? noRecord;
    const document = workspace.dashboards.get(id)?.document;
    const isVerified =
      document !== undefined &&
      verification !== undefined &&
      Date.parse(verification.until) > now &&
      verification.revision === verifiedRevision(document);
    const owner = person(ownerId);
    const by = person(verification?.byId);
    const granted = grantsOf?.({ kind: 'dashboard', id }) ?? [];
    return {
      ...(owner && { owner }),
      ...(isVerified && {
        verified: { at: verification.at, until: verification.until, ...(by && { by }) },
      }),
      views,
      isUnused:
        origin === 'saved' &&
        isCountedLongEnough &&
        (lastDay === undefined || lastDay < unusedBefore) &&
        (updated === undefined || updated.slice(0, 10) < unusedBefore),
      isSharedWithCaller:
        ownerId !== caller.userId && granted.some(({ subject }) => subject.kind !== 'everyone'),
    };
  };
}
