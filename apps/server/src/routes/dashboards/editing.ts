import type { Level } from '@belvedere/api';
import { writeDiff, type DashboardFile } from '@belvedere/document';
import type { Caller } from '../../access/caller.ts';
import { queryableWorkspace } from '../../access/granted-workspace.ts';
import { ceilings } from '../../access/rules.ts';
import { isFree, levelOf, notFound, requireLevel } from '../../access/may.ts';
import { furtherRules } from '../../access/rules.ts';
import { workspaceVisibleTo } from '../../access/row-policies.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { Sharing } from '../../access/sharing.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DashboardRecords } from '../../state/documents/dashboard-records.ts';
import type { TrashedDashboard } from '../../state/documents/trash.ts';
import { modelsNamed } from '../../workspace/workspace.ts';
import {
  checkedId,
  draftPrefix,
  explorePrefix,
  type DashboardStore,
} from '../../workspace/documents/dashboard-store.ts';
import { changedMeanwhile } from '../../workspace/documents/document-repository.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import { dashboardSummary, presentDashboard } from '../../presenters/present-dashboard.ts';
import { revisionsPage } from './revisions-page.ts';
import type { Handlers } from '../contract/mount-contract.ts';

type EditingHandlers = Pick<
  Handlers,
  | 'saveDashboard'
  | 'getDashboardText'
  | 'saveDashboardText'
  | 'patchDashboard'
  | 'putDraft'
  | 'dropDraft'
  | 'listRevisions'
  | 'getRevision'
  | 'removeDashboard'
  | 'moveDashboard'
  | 'moveFolder'
  | 'listTrash'
  | 'restoreDashboard'
>;

/** How often a patch is applied to a text that changes meanwhile. */
const maxAttempts = 10;

/** Endpoints for changing dashboards: text, drafts, history, positions and trash. */
export function editingRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  sharing: Sharing,
  records: DashboardRecords | undefined,
  note: NoteCall,
): EditingHandlers {
  const levelIn = (caller: Caller, id: string) =>
    levelOf(caller, { kind: 'dashboard', id }, store.current) ?? 'edit';
  const requireFolder = (caller: Caller, folder: string, level: Level) =>
    requireLevel(caller, { kind: 'folder', id: folder }, level, store.current);
  /** Who may create a dashboard may not read what a deleted one left at its address. */
  const requireExisting = (caller: Caller, id: string) => {
    const isThere = id.startsWith(explorePrefix) || store.current.dashboards.has(id);
    if (caller.grants !== 'all' && !isThere) throw notFound({ kind: 'dashboard', id });
  };
  /** Where a dashboard is put, others who see the folder will see it. */
  const requireTarget = (caller: Caller, to: string) => {
    if (to.includes('/')) requireFolder(caller, folderOf(to), furtherRules.fillFolder.level);
  };
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
  /** Those who may manage the dashboard itself, or the folder that it was in. */
  const restorableBy = async (caller: Caller) => {
    if (caller.grants === 'all') return () => true;
    const own = ceilings[caller.role].dashboard === 'manage' && (await sharing.managedBy(caller.userId));
    return ({ dashboard, documentId }: TrashedDashboard) => {
      const level = levelOf(caller, { kind: 'folder', id: folderOf(dashboard) }, store.current);
      return (own && own.has(documentId)) || level === 'manage';
    };
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
      return dashboardSummary(store.current.dashboards.get(params.id)!, levelIn(caller, params.id));
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
      if (ifMatch !== undefined) requireExisting(caller, params.id);
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
      requireExisting(caller, params.id);
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

    putDraft: async ({ params, body, caller, granted }) => {
      const isThere = params.id.startsWith(explorePrefix)
        ? granted().models.has(params.id.slice(explorePrefix.length).split(':')[0]!)
        : granted().dashboards.has(params.id);
      if (!isThere) throw notFound({ kind: 'dashboard', id: params.id });
      const { version } = await dashboards.putDraft(params.id, body.text, body.base, body.after);
      const draft = await dashboards.find(draftPrefix + params.id, queryableWorkspace(granted()));
      if (!draft) throw notFound({ kind: 'dashboard', id: params.id });
      const seen = workspaceVisibleTo(queryableWorkspace(granted()), caller);
      return { version, dashboard: presentDashboard(draft, seen, [], levelIn(caller, params.id)) };
    },

    dropDraft: async ({ params, caller }) => {
      requireExisting(caller, params.id);
      await dashboards.dropDraft(params.id);
      return {};
    },

    listRevisions: async ({ params, query, caller }) => {
      requireExisting(caller, params.id);
      const document = { file: dashboards.fileOf(params.id) };
      return revisionsPage(query, page => dashboards.texts.history(document, page));
    },

    getRevision: async ({ params, caller }) => {
      requireExisting(caller, params.id);
      const found = await dashboards.texts.revision(dashboards.fileOf(params.id), params.number);
      if (!found) throw new ProblemError('not-found', 'Revision not found.');
      return found;
    },

    removeDashboard: async ({ params, ...call }) => {
      const number = await dashboards.remove(params.id);
      await sharing.follow();
      await note(call, 'dashboard.delete', `dashboard ${params.id}`);
      return { number };
    },

    moveDashboard: async ({ params, body, caller }) => {
      requireTarget(caller, checkedId(body.to));
      // In another folder, others see it.
      if (folderOf(params.id) !== folderOf(body.to))
        requireLevel(caller, { kind: 'dashboard', id: params.id }, 'manage', store.current);
      await dashboards.move(params.id, body.to);
      await sharing.follow();
      return {};
    },

    moveFolder: async ({ body, caller }) => {
      const [from, to] = [checkedId(body.from), checkedId(body.to)];
      requireFolder(caller, from, furtherRules.moveFolder.level);
      requireTarget(caller, to);
      // Its grants move along, so that in a folder that exists they would open what is there.
      const trashed = (await dashboards.trashed()).map(({ dashboard }) => dashboard);
      if ([...store.current.dashboards.keys(), ...trashed].some(id => id.startsWith(`${to}/`)))
        requireFolder(caller, to, 'manage');
      const moved = await dashboards.moveFolder(from, to);
      await sharing.follow({ from, to });
      return { moved };
    },

    listTrash: async ({ caller }) => {
      const mayRestore = await restorableBy(caller);
      const trashed = (await dashboards.trashed()).filter(mayRestore);
      return {
        dashboards: trashed.map(({ number, dashboard, title, at }) => ({ number, dashboard, title, at })),
      };
    },

    restoreDashboard: async ({ params, ...call }) => {
      const mayRestore = await restorableBy(call.caller);
      const found = (await dashboards.trashed()).find(({ number }) => number === params.number);
      if (!found || !mayRestore(found))
        throw new ProblemError('not-found', 'This dashboard is no longer in the trash.');
      const id = await dashboards.restore(params.number);
      await sharing.follow();
      await note(call, 'dashboard.restore', `dashboard ${id}`);
      return { id };
    },
  };
}

function folderOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}
