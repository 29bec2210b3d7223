import { ProblemError } from '../problems.ts';
import {
  checkedId,
  draftPrefix,
  explorePrefix,
  type DashboardStore,
} from '../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { dashboardSummary, openDashboard } from '../presenters/present-dashboard.ts';
import type { Handlers } from './mount-contract.ts';

type EditingHandlers = Pick<
  Handlers,
  | 'saveDashboard'
  | 'getDashboardText'
  | 'saveDashboardText'
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

/** Endpoints for changing dashboards: text, drafts, history, positions and trash. */
export function editingRoutes(store: WorkspaceStore, dashboards: DashboardStore): EditingHandlers {
  const opened = async (id: string) => {
    const found = await dashboards.find(id);
    if (!found) throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
    return openDashboard(found, store.current, []);
  };

  return {
    saveDashboard: async ({ params, body }) => {
      await dashboards.create(checkedId(params.id), body.document);
      return dashboardSummary(store.current.dashboards.get(params.id)!);
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

    saveDashboardText: async ({ params, body }) => {
      const { number, hash } = await dashboards.save(
        body.base === undefined ? checkedId(params.id) : params.id,
        body.text,
        body.base,
        body.message ?? '',
        body.draft,
      );
      return { number, hash };
    },

    putDraft: async ({ params, body }) => {
      const isThere = params.id.startsWith(explorePrefix)
        ? store.current.models.has(params.id.slice(explorePrefix.length).split(':')[0]!)
        : store.current.dashboards.has(params.id);
      if (!isThere) throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
      const { version } = await dashboards.putDraft(params.id, body.text, body.base, body.after);
      return { version, dashboard: await opened(draftPrefix + params.id) };
    },

    dropDraft: async ({ params }) => {
      await dashboards.dropDraft(params.id);
      return {};
    },

    listRevisions: async ({ params }) => ({
      revisions: await dashboards.texts.history({ file: dashboards.fileOf(params.id) }),
    }),

    getRevision: async ({ params }) => {
      const found = await dashboards.texts.revision(dashboards.fileOf(params.id), params.number);
      if (!found) throw new ProblemError('not-found', 'Revision not found.');
      return found;
    },

    removeDashboard: async ({ params }) => ({ number: await dashboards.remove(params.id) }),

    moveDashboard: async ({ params, body }) => {
      await dashboards.move(params.id, checkedId(body.to));
      return {};
    },

    moveFolder: async ({ body }) => ({
      moved: await dashboards.moveFolder(checkedId(body.from), checkedId(body.to)),
    }),

    listTrash: async () => ({ dashboards: [...(await dashboards.trashed())] }),
    restoreDashboard: async ({ params }) => ({ id: await dashboards.restore(params.number) }),
  };
}
