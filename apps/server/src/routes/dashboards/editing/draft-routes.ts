import { queryableWorkspace } from '../../../access/granted-workspace.ts';
import { notFound } from '../../../access/may.ts';
import { workspaceVisibleTo } from '../../../access/row-policies.ts';
import { ProblemError } from '../../../http/problems.ts';
import { presentDashboard } from '../../../presenters/present-dashboard.ts';
import { draftPrefix, explorePrefix } from '../../../workspace/documents/dashboard-id.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { revisionsPage } from '../revisions-page.ts';
import { levelInEditor, requireExisting } from './require-existing.ts';

/** Endpoints for drafts of dashboards, and for their revisions. */
export function draftRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
): Pick<Handlers, 'putDraft' | 'dropDraft' | 'listRevisions' | 'getRevision'> {
  return {
    putDraft: async ({ params, body, caller, granted }) => {
      const isThere = params.id.startsWith(explorePrefix)
        ? granted().models.has(params.id.slice(explorePrefix.length).split(':')[0]!)
        : granted().dashboards.has(params.id);
      if (!isThere) throw notFound({ kind: 'dashboard', id: params.id });
      const { version } = await dashboards.putDraft(params.id, body.text, body.base, body.after);
      const draft = await dashboards.find(draftPrefix + params.id, queryableWorkspace(granted()));
      if (!draft) throw notFound({ kind: 'dashboard', id: params.id });
      const seen = workspaceVisibleTo(queryableWorkspace(granted()), caller);
      return {
        version,
        dashboard: presentDashboard(draft, seen, [], levelInEditor(caller, params.id, store)),
      };
    },

    dropDraft: async ({ params, caller }) => {
      requireExisting(store, caller, params.id);
      await dashboards.dropDraft(params.id);
      return {};
    },

    listRevisions: async ({ params, query, caller }) => {
      requireExisting(store, caller, params.id);
      const document = { file: dashboards.fileOf(params.id) };
      return revisionsPage(query, page => dashboards.texts.history(document, page));
    },

    getRevision: async ({ params, caller }) => {
      requireExisting(store, caller, params.id);
      const found = await dashboards.texts.revision(dashboards.fileOf(params.id), params.number);
      if (!found) throw new ProblemError('not-found', 'Revision not found.');
      return found;
    },
  };
}
