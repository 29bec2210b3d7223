import { folderOfAddress, type ObjectKind } from '@belvedere/api';
import { listActions, presentCeilings } from '../../access/actions.ts';
import type { Directory } from '../../access/directory.ts';
import { explainAccess } from '../../access/explain-access.ts';
import { notFound, requireLevel, type ObjectName } from '../../access/may.ts';
import { furtherRules } from '../../access/rules.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Sharing } from '../../access/sharing.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

/**
 * Returns the object that an endpoint shares.
 *
 * @throws ProblemError `not-found` if there is none, or the caller may not see or share it
 */
export function sharedObject(
  { kind, object }: { readonly kind: ObjectKind; readonly object: string },
  { caller }: Pick<Call, 'caller'>,
  workspace: Workspace,
): ObjectName {
  const named = { kind, id: kind === 'folder' ? folderOfAddress(object) : object };
  requireLevel(caller, named, furtherRules.share(kind).level, workspace);
  // What does not exist yet will be its author's to share.
  if (!exists(named, workspace)) throw notFound(named);
  return named;
}

/** Endpoints for who may see and change an object. */
export function sharingRoutes(
  store: WorkspaceStore,
  sharing: Sharing,
  note: NoteCall,
  directory: Directory,
  isTeam: boolean,
): Pick<Handlers, 'getSharing' | 'putGrant' | 'findSubjects' | 'getAccessOfUser' | 'getPermissions'> {
  const managed = (params: Parameters<typeof sharedObject>[0], call: Pick<Call, 'caller'>): ObjectName => {
    if (!isTeam) throw new ProblemError('not-found', 'This Belvedere has no accounts to share with.');
    return sharedObject(params, call, store.current);
  };
  return {
    getSharing: async ({ params, ...call }) => {
      const object = managed(params, call);
      return {
        grants: sharing.of(object, store.current),
        invited: await sharing.invited(object),
        admins: sharing.admins(),
      };
    },
    getAccessOfUser: ({ params }) => {
      const user = directory.users.get(params.user);
      if (!user) throw new ProblemError('not-found', 'This user no longer exists.');
      return explainAccess(user, directory.callerOf(user.id, store.current), sharing, store.current);
    },
    putGrant: async ({ params, body, ...call }) => {
      const object = managed(params, call);
      const { subject, level } = body;
      const exportRows = await sharing.put(
        subject,
        object,
        level,
        call.caller,
        store.current,
        body.exportRows,
      );
      await note(
        call,
        'grant.change',
        `${object.kind} ${object.id}`.trim(),
        [
          `${sharing.nameOf(subject)}: ${level ?? 'none'}`,
          ...(exportRows === undefined ? [] : [`export rows: ${exportRows ?? 'unlimited'}`]),
        ].join('; '),
      );
      return {};
    },
    getPermissions: () => ({ actions: listActions(), ceilings: presentCeilings() }),
    findSubjects: ({ query }) => ({ subjects: sharing.find(query.search) }),
  };
}

function exists({ kind, id }: ObjectName, { dashboards, models, modelFiles, sources }: Workspace): boolean {
  switch (kind) {
    case 'dashboard':
      return dashboards.get(id)?.origin === 'saved';
    case 'folder':
      return id === '' || [...dashboards.keys()].some(one => one.startsWith(`${id}/`));
    case 'model':
      return models.has(id) || modelFiles.has(id);
    case 'source':
      return id === 'files' || sources.has(id);
  }
}
