import { writeDiff, type DashboardFile } from '@belvedere/document';
import type { Caller } from '../../../access/caller.ts';
import { isFree, notFound, requireLevel } from '../../../access/may.ts';
import type { Sharing } from '../../../access/sharing.ts';
import { ProblemError } from '../../../http/problems.ts';
import { dashboardSummary } from '../../../presenters/present-dashboard.ts';
import type { DashboardRecords } from '../../../state/documents/dashboard-records.ts';
import { checkedId } from '../../../workspace/documents/dashboard-id.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import { changedMeanwhile } from '../../../workspace/documents/document-repository.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import { modelsNamed } from '../../../workspace/workspace.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { levelInEditor, requireExisting } from './require-existing.ts';

/** How often a patch is applied to a text that changes meanwhile. */
const maxAttempts = 10;

/** Endpoints for the saved texts of dashboards. */
export function dashboardTextRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  sharing: Sharing,
  records: DashboardRecords | undefined,
): Pick<Handlers, 'saveDashboard' | 'getDashboardText' | 'saveDashboardText' | 'patchDashboard'> {
  /**
   * A dashboard shows its models to everyone it is shared with, so its author must be allowed to use them. One
   * that does not exist yet would be shown without having been shared.
   */
  const requireModels = (caller: Caller, document: DashboardFile) => {
    if (caller.grants === 'all') return;
    for (const id of modelsNamed(document)) {
      const object = { kind: 'model', id } as const;
      requireLevel(caller, object, 'explore', store.current);
      if (isFree(id, store.current)) throw notFound(object);
    }
  };
  const requireModelsOf = async (caller: Caller, id: string, text: string) => {
    if (caller.grants === 'all') return;
    const { document } = await dashboards.check(id, text);
    if (document) requireModels(caller, document);
  };
  /** What a person makes is theirs to share. */
  const own = async (caller: Caller, id: string) => {
    if (caller.grants !== 'all') await sharing.makeManager(caller.userId, { kind: 'dashboard', id });
    await records?.setOwner(await dashboards.documentId(id), caller.userId);
  };

  return {
    saveDashboard: async ({ params, body, caller }) => {
      requireModels(caller, body.document);
      if (caller.grants !== 'all') await dashboards.retireDeleted(params.id);
      await dashboards.create(checkedId(params.id), body.document, { authorId: caller.userId });
      await own(caller, params.id);
      return dashboardSummary(
        store.current.dashboards.get(params.id)!,
        levelInEditor(caller, params.id, store),
      );
    },

    getDashboardText: async ({ params }) => {
      const { id, file, text, hash, draft } = await dashboards.text(params.id);
      return {
        id,
        file,
        text,
        hash,
        ...(draft && {
          draft: {
            text: draft.text,
            base: draft.base,
            baseHash: draft.baseHash,
            version: draft.version,
            at: draft.at,
          },
        }),
      };
    },

    saveDashboardText: async ({ params, body, caller, ifMatch }) => {
      await requireModelsOf(caller, params.id, body.text);
      if (ifMatch !== undefined) requireExisting(store, caller, params.id);
      else if (caller.grants !== 'all') await dashboards.retireDeleted(params.id);
      const { number, hash } = await dashboards.save(
        ifMatch === undefined ? checkedId(params.id) : params.id,
        body.text,
        ifMatch,
        { message: body.message ?? '', authorId: caller.userId, draft: body.draft },
      );
      if (ifMatch === undefined) await own(caller, params.id);
      return { number, hash };
    },

    patchDashboard: async ({ params, query, body, caller, ifMatch }) => {
      requireExisting(store, caller, params.id);
      const saving = { message: query.message ?? '', authorId: caller.userId };
      for (let attempt = 1; ; attempt++) {
        const { file, text, hash } = await dashboards.text(params.id);
        // What was read is another text, which the operations may fit by chance.
        if (ifMatch !== undefined && ifMatch !== hash) throw changedMeanwhile(file, hash);
        const patched = await store.reader.patch(text, body).catch((error: unknown) => {
          throw error instanceof RangeError ? new ProblemError('request-invalid', error.message) : error;
        });
        await requireModelsOf(caller, params.id, patched);
        try {
          const saved = await dashboards.save(params.id, patched, hash, saving);
          return { number: saved.number, hash: saved.hash, diff: writeDiff(file, text, patched) };
        } catch (error) {
          // Others have changed it since it was read here. Without a version, their text is changed.
          const isOutdated = error instanceof ProblemError && error.type === 'revision-conflict';
          if (!isOutdated || ifMatch !== undefined || attempt === maxAttempts) throw error;
        }
      }
    },
  };
}
